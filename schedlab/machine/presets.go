package machine

import (
	"embed"
	"fmt"

	"github.com/schedlab/lab/schedlab/internal/nearest"
	"github.com/schedlab/lab/schedlab/topology"
)

//go:embed data/*.csv
var data embed.FS

// One row per machine behind the published results: its name, which is also that of its topology in
// package topology, and the cost file.
var presets = []struct{ name, costs string }{
	{"xeon240", "xeon240"},
	{"xeon240-llc120", "xeon240"}, // the same hardware, sub-NUMA clustering off
	{"ivb48", "ivb48"},
	{"spr224", "spr224"},
	{"kunpeng128", "kunpeng128"},
	{"bdw88", "bdw88"},
	{"hsw48", "hsw48"},
	{"spr224-fixed", "spr224-fixed"},
}

// Names lists the machines [Preset] knows, in the order the documentation shows them.
func Names() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.name
	}
	return names
}

// Preset is one of the machines behind the published results, by name. An unknown name is an error
// that offers the three nearest ones.
func Preset(name string) (*Machine, error) {
	for _, p := range presets {
		if p.name != name {
			continue
		}
		t, err := topology.Preset(name)
		if err != nil {
			return nil, fmt.Errorf("machine: %s: %w", name, err)
		}
		return Load(data, "data/"+p.costs, name, t)
	}
	return nil, fmt.Errorf("machine: %s", nearest.Suggest("machine", name, Names()))
}
