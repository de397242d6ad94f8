package topology

import (
	"fmt"

	"github.com/schedlab/lab/schedlab/internal/nearest"
)

// preset is a machine of one of the reproduced threads. Grades: A published
// with the results, B derived from the same author's other posts or the only
// part that fits, E an assumption.
type preset struct {
	name  string
	build func(*Builder) *Builder
}

// presets are the eight machines, in the order of the threads' mails.
var presets = []preset{
	// Two sockets of 60 cores with SMT, 240 CPUs (A); each socket cut into two
	// sub-NUMA nodes, each an LLC domain of 60 CPUs (B: the author describes a
	// machine of this size so six weeks earlier). Distances 10/12/21: what
	// sub-NUMA clustering reports on this core family (E).
	{"xeon240", func(b *Builder) *Builder {
		return b.Sockets(2).Nodes(2).Cores(30).Threads(2).NodeDistances(fourNodes(12, 21, 21, 21))
	}},
	// The same machine with sub-NUMA clustering off: LLCs of 120 CPUs (B).
	{"xeon240-llc120", func(b *Builder) *Builder {
		return b.Sockets(2).Cores(60).Threads(2).NodeDistances(twoNodes(21))
	}},
	// Two 12-core Ivy Bridge-EP sockets, 48 CPUs (A); distances (E).
	{"ivb48", func(b *Builder) *Builder {
		return b.Sockets(2).Cores(12).Threads(2).NodeDistances(twoNodes(21))
	}},
	// Two 56-core Sapphire Rapids sockets, 224 CPUs (A); distances (E).
	{"spr224", func(b *Builder) *Builder { return spr224(b) }},
	// Kunpeng 920: two sockets of two nodes of eight clusters of four cores, no
	// SMT, one LLC per node, distances 10/12/20/22/24 (A). The second node of a
	// socket is one hop from the other socket's first one, so the farthest pair
	// is 24 apart.
	{"kunpeng128", func(b *Builder) *Builder {
		return b.Sockets(2).Nodes(2).Clusters(8).Cores(4).NodeDistances(fourNodes(12, 20, 22, 24))
	}},
	// Two sockets, 44 cores, 88 CPUs (A); the only 22-core EP part of its time
	// is Broadwell's (B); distances (E).
	{"bdw88", func(b *Builder) *Builder {
		return b.Sockets(2).Cores(22).Threads(2).NodeDistances(twoNodes(21))
	}},
	// Two sockets (A) of 24 CPUs per LLC (B: the author's later post on the same
	// effect with the same client counts); distances (E).
	{"hsw48", func(b *Builder) *Builder {
		return b.Sockets(2).Cores(12).Threads(2).NodeDistances(twoNodes(21))
	}},
	// spr224 with fixed clocks: the same shape, other costs.
	{"spr224-fixed", func(b *Builder) *Builder { return spr224(b) }},
}

func spr224(b *Builder) *Builder {
	return b.Sockets(2).Cores(56).Threads(2).NodeDistances(twoNodes(21))
}

// twoNodes is the distance table of one node per socket.
func twoNodes(remote int) [][]int {
	return [][]int{{10, remote}, {remote, 10}}
}

// fourNodes is the table of two nodes in each of two sockets: within a socket,
// between the first nodes, between a first and a second node, and between the
// second nodes.
func fourNodes(within, firsts, mixed, seconds int) [][]int {
	return [][]int{
		{10, within, firsts, mixed},
		{within, 10, mixed, seconds},
		{firsts, mixed, 10, within},
		{mixed, seconds, within, 10},
	}
}

// Presets lists the names Preset knows, in a fixed order.
func Presets() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.name
	}
	return names
}

// Preset returns a machine of the reproduced threads by name. An unknown name
// is an error that names the nearest known ones.
func Preset(name string) (*Topology, error) {
	for _, p := range presets {
		if p.name == name {
			return p.build(New(name)).Build()
		}
	}
	return nil, fmt.Errorf("topology: %s", nearest.Suggest("machine", name, Presets()))
}
