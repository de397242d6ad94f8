package machine

import (
	"fmt"
	"math"
	"strings"

	"github.com/schedlab/lab/schedlab/topology"
)

// Machine is a topology with a price on everything. It is immutable; make one with [Preset], [Load]
// or [New], and variants with [Machine.With] and [Machine.On].
type Machine struct {
	name  string
	topo  *topology.Topology
	costs [numParams]Cost
	ns    [numParams]int64 // costs rounded, for params in ns
	idle  []IdleState
}

// New makes a machine from its parts. Costs must hold every Param exactly once, in any order; idle
// states go from shallow to deep. Errors name the param and the value.
func New(name string, t *topology.Topology, costs []Cost, idle []IdleState) (*Machine, error) {
	if name == "" || t == nil {
		return nil, fmt.Errorf("machine: a machine needs a name and a topology (name %q)", name)
	}
	m := &Machine{name: name, topo: t, idle: append([]IdleState(nil), idle...)}
	var seen [numParams]bool
	for _, c := range costs {
		if c.Param >= numParams {
			return nil, fmt.Errorf("machine: %s: unknown param number %d", name, uint8(c.Param))
		}
		if seen[c.Param] {
			return nil, fmt.Errorf("machine: %s: %s is there twice", name, c.Param)
		}
		seen[c.Param] = true
		m.costs[c.Param] = c
	}
	if missing := absent(&seen); missing != "" {
		return nil, fmt.Errorf("machine: %s: no cost for %s", name, missing)
	}
	if err := m.settle(); err != nil {
		return nil, fmt.Errorf("machine: %s: %w", name, err)
	}
	return m, nil
}

// settle checks a machine whose costs are all in place and fills what is derived from them.
func (m *Machine) settle() error {
	for p, c := range m.costs {
		if err := c.check(); err != nil {
			return err
		}
		if c.Unit == unitNS {
			m.ns[p] = int64(math.Round(c.Value))
		}
	}
	if err := m.Clock().check(); err != nil {
		return err
	}
	return checkIdleStates(m.idle)
}

// absent lists the params not seen, at most three of them by name; "" if all were.
func absent(seen *[numParams]bool) string {
	var names []string
	for p, ok := range seen {
		if !ok {
			names = append(names, Param(p).String())
		}
	}
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}

// Name is the machine's name, such as "xeon240".
func (m *Machine) Name() string { return m.name }

// Topology is who shares what.
func (m *Machine) Topology() *topology.Topology { return m.topo }

// Cost is one cost with its interval, grade and source.
func (m *Machine) Cost(p Param) Cost { return m.costs[p] }

// Costs lists all costs in the order of [Params]. The caller owns the slice.
func (m *Machine) Costs() []Cost { return append([]Cost(nil), m.costs[:]...) }

// NS is a cost in whole nanoseconds. It panics if p is not in ns: that is a slip in the program,
// units of data were checked when it was loaded.
func (m *Machine) NS(p Param) int64 {
	if p.Unit() != unitNS {
		panic("machine: NS(" + p.String() + "): it is in " + p.Unit())
	}
	return m.ns[p]
}

// Ratio is the value of a cost that is a ratio or a count of lines. It panics for any other unit.
func (m *Machine) Ratio(p Param) float64 {
	if u := p.Unit(); u != unitRatio && u != unitLines {
		panic("machine: Ratio(" + p.String() + "): it is in " + u)
	}
	return m.costs[p].Value
}

// With is a copy of the machine with some costs replaced: by a calibration, or to ask how far a cost
// must move. The last of two costs for one param wins. Errors are those of [New].
func (m *Machine) With(costs ...Cost) (*Machine, error) {
	changed := *m
	for _, c := range costs {
		if c.Param >= numParams {
			return nil, fmt.Errorf("machine: %s: unknown param number %d", m.name, uint8(c.Param))
		}
		changed.costs[c.Param] = c
	}
	if err := changed.settle(); err != nil {
		return nil, fmt.Errorf("machine: %s: %w", m.name, err)
	}
	return &changed, nil
}

// On is the machine's costs on another topology, under another name: the usual way to describe a
// machine nobody has measured. It fails without a name or a topology.
func (m *Machine) On(name string, t *topology.Topology) (*Machine, error) {
	if name == "" || t == nil {
		return nil, fmt.Errorf("machine: a machine needs a name and a topology (name %q)", name)
	}
	moved := *m
	moved.name, moved.topo = name, t
	return &moved, nil
}

// String is the name and the shape in one line.
func (m *Machine) String() string {
	t := m.topo
	return fmt.Sprintf("%s: %d sockets, %d nodes, %d LLCs, %d cores, %d CPUs, %s clock",
		m.name, t.NumSockets(), t.NumNodes(), t.NumLLCs(), t.NumCores(), t.NumCPUs(), m.Clock().Governor)
}
