package machine_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
)

func preset(t testing.TB, name string) *machine.Machine {
	t.Helper()
	m, err := machine.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestNames(t *testing.T) {
	want := []string{"xeon240", "xeon240-llc120", "ivb48", "spr224", "kunpeng128", "bdw88", "hsw48", "spr224-fixed"}
	if got := machine.Names(); !slices.Equal(got, want) {
		t.Errorf("Names() = %v, want %v", got, want)
	}
	_, err := machine.Preset("xeon24")
	if err == nil || !strings.Contains(err.Error(), `"xeon24"`) || !strings.Contains(err.Error(), "xeon240") {
		t.Errorf(`Preset("xeon24") = %v, want an error that offers xeon240`, err)
	}
}

func TestPresets(t *testing.T) {
	shape := map[string][4]int{ // sockets, LLCs, cores, CPUs
		"xeon240": {2, 4, 120, 240}, "xeon240-llc120": {2, 2, 120, 240}, "ivb48": {2, 2, 24, 48}, "spr224": {2, 2, 112, 224},
		"kunpeng128": {2, 4, 128, 128}, "bdw88": {2, 2, 44, 88}, "hsw48": {2, 2, 24, 48}, "spr224-fixed": {2, 2, 112, 224},
	}
	for _, name := range machine.Names() {
		m := preset(t, name)
		tp := m.Topology()
		if got := [4]int{tp.NumSockets(), tp.NumLLCs(), tp.NumCores(), tp.NumCPUs()}; got != shape[name] {
			t.Errorf("%s: sockets, LLCs, cores, CPUs = %v, want %v", name, got, shape[name])
		}
		if m.Name() != name || tp.Name() != name {
			t.Errorf("%s: named %q on topology %q", name, m.Name(), tp.Name())
		}
		for i, c := range m.Costs() {
			if c.Param != machine.Param(i) || c != m.Cost(c.Param) {
				t.Errorf("%s: cost %d is %v", name, i, c)
			}
			if !(c.Low <= c.Value && c.Value <= c.High) || strings.TrimSpace(c.Source) == "" || !strings.Contains("ABCDE", c.Grade.String()) {
				t.Errorf("%s: bad cost %+v", name, c)
			}
			checkGradeInterval(t, name, c)
		}
	}
}

// A source that ends in "interval of grade X" promises value*exp(±1.96 sigma) of the cost's own grade.
func checkGradeInterval(t *testing.T, name string, c machine.Cost) {
	_, grade, found := strings.Cut(c.Source, "interval of grade ")
	if !found {
		return
	}
	low, high := c.Grade.Interval(c.Value)
	if grade != c.Grade.String() || math.Abs(c.Low/low-1) > 0.01 || math.Abs(c.High/high-1) > 0.01 {
		t.Errorf("%s: %s: interval %v to %v of grade %s should be %.4g to %.4g", name, c.Param, c.Low, c.High, c.Grade, low, high)
	}
}

// What costs more the farther it goes must do so on every machine.
func TestMonotone(t *testing.T) {
	for _, name := range machine.Names() {
		m := preset(t, name)
		for _, f := range []struct {
			what string
			cost func(topology.Distance) int64
		}{{"Line", m.Line}, {"Contended", m.Contended}, {"Refill", m.Refill}} {
			if f.cost(topology.SameCPU) != 0 {
				t.Errorf("%s: %s(same CPU) = %d, want 0", name, f.what, f.cost(topology.SameCPU))
			}
			for d := topology.SMT; d < topology.NumDistances; d++ {
				if f.cost(d) < f.cost(d-1) {
					t.Errorf("%s: %s(%s) = %d below %s(%s) = %d", name, f.what, d, f.cost(d), f.what, d-1, f.cost(d-1))
				}
			}
		}
		for d := topology.SMT; d < topology.NumDistances; d++ {
			if m.Contended(d) < m.Line(d) {
				t.Errorf("%s: a contended line costs %d over distance %s, an uncontended one %d", name, m.Contended(d), d, m.Line(d))
			}
		}
		if m.NS(machine.ScanQuiet) >= m.NS(machine.ScanDirty) || m.NS(machine.ScanDirty) >= m.NS(machine.ScanSaturated) {
			t.Errorf("%s: scan costs must rise from quiet to saturated", name)
		}
		if m.NS(machine.PipeCluster) > m.NS(machine.PipeCrossCPU) || m.NS(machine.TCPSameCPU) >= m.NS(machine.TCPCrossCPU) {
			t.Errorf("%s: hops must not get cheaper with distance", name)
		}
	}
}

// A level the topology lacks must cost what the level below costs.
func TestAbsentLevels(t *testing.T) {
	for _, name := range machine.Names() {
		m := preset(t, name)
		tp := m.Topology()
		if !tp.HasClusters() && (m.Line(topology.Cluster) != m.Line(topology.LLC) || m.Contended(topology.Cluster) != m.Contended(topology.LLC) ||
			m.NS(machine.PipeCluster) != m.NS(machine.PipeCrossCPU)) {
			t.Errorf("%s: no clusters, but they cost something of their own", name)
		}
		// xeon240-llc120 shares a file with a machine that has the level.
		if tp.NumLLCs() == tp.NumSockets() && name != "xeon240-llc120" && (m.Line(topology.Socket) != m.Line(topology.LLC) ||
			m.Contended(topology.Socket) != m.Contended(topology.LLC) || m.Refill(topology.Socket) != m.Refill(topology.LLC) || m.NS(machine.HopExtraSocket) != 0) {
			t.Errorf("%s: one LLC per socket, but another one costs something of its own", name)
		}
	}
}

func TestSharedCosts(t *testing.T) {
	a, b := preset(t, "xeon240"), preset(t, "xeon240-llc120")
	if !slices.Equal(a.Costs(), b.Costs()) || !slices.Equal(a.IdleStates(), b.IdleStates()) {
		t.Error("xeon240 and xeon240-llc120 differ in costs")
	}
}

func TestNewRejects(t *testing.T) {
	m := preset(t, "ivb48")
	costs, idle := m.Costs(), m.IdleStates()
	change := func(p machine.Param, f func(*machine.Cost)) []machine.Cost {
		c := m.Costs()
		f(&c[p])
		return c
	}
	for _, tt := range []struct {
		what, want string
		name       string
		costs      []machine.Cost
		idle       []machine.IdleState
	}{
		{"no name", "needs a name", "", costs, idle},
		{"one cost missing", "no cost for uperf_rtt", "x", costs[:len(costs)-1], idle},
		{"nothing", "no cost for line_smt, line_cluster, line_llc and ", "x", nil, idle},
		{"twice", "line_smt is there twice", "x", append(m.Costs(), costs[0]), idle},
		{"unknown", "unknown param number 255", "x", []machine.Cost{{Param: 255}}, idle},
		{"NaN", "value: line_llc = NaN", "x", change(machine.LineLLC, func(c *machine.Cost) { c.Value = math.NaN() }), idle},
		{"gain", "smt_gain_kernel = 3 is outside 1 to 2", "x", change(machine.SMTGainKernel, func(c *machine.Cost) { c.Value, c.High = 3, 3 }), idle},
		{"grade", `grade "F"`, "x", change(machine.Tick, func(c *machine.Cost) { c.Grade = 'F' }), idle},
		{"governor", "clock_governor = 0.5", "x", change(machine.ClockGovernor, func(c *machine.Cost) { c.Low, c.Value = 0, 0.5 }), idle},
		{"clocks", "clocks must rise", "x", change(machine.ClockMin, func(c *machine.Cost) { c.Value, c.High = 9, 9 }), idle},
		{"fixed", "a fixed clock cannot range", "x", change(machine.ClockGovernor, func(c *machine.Cost) { c.Low, c.Value = 0, 0 }), idle},
		{"no idle states", "no idle states", "x", costs, nil},
		{"idle order", "shallow to deep", "x", costs, []machine.IdleState{idle[2], idle[1]}},
	} {
		_, err := machine.New(tt.name, m.Topology(), tt.costs, tt.idle)
		if err == nil || !strings.HasPrefix(err.Error(), "machine: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.what, err, tt.want)
		}
	}
	if _, err := machine.New("x", nil, costs, idle); err == nil {
		t.Error("a machine without topology was made")
	}
}

func TestWith(t *testing.T) {
	m := preset(t, "xeon240")
	before := m.Fingerprint()
	changed, err := m.With(m.Cost(machine.LineLLC).At(80, "fitted"))
	if err != nil {
		t.Fatal(err)
	}
	c := changed.Cost(machine.LineLLC)
	if changed.Line(topology.LLC) != 80 || c.Low != 43 || c.High != 80 || !strings.HasPrefix(c.Source, "fitted (prior 55: ") {
		t.Errorf("With(line_llc = 80) gives %+v", c)
	}
	if m.Line(topology.LLC) != 55 || m.Fingerprint() != before {
		t.Error("With changed the machine it was called on")
	}
	if _, err := m.With(m.Cost(machine.LineLLC).At(-1, "fitted")); err == nil {
		t.Error("a line of -1 ns was accepted")
	}
	costs := m.Costs()
	costs[0].Value = 1e6
	m.IdleStates()[0].Name = "X"
	if m.Cost(0).Value == 1e6 || m.IdleStates()[0].Name == "X" {
		t.Error("a slice handed out is the machine's own")
	}
}

func TestOn(t *testing.T) {
	m := preset(t, "spr224")
	tp, err := topology.New("mine").Cores(8).Threads(2).Build()
	if err != nil {
		t.Fatal(err)
	}
	mine, err := m.On("mine", tp)
	if err != nil {
		t.Fatal(err)
	}
	if mine.Name() != "mine" || mine.Topology().NumCPUs() != 16 || !slices.Equal(mine.Costs(), m.Costs()) {
		t.Errorf("On gives %s", mine)
	}
	if _, err := m.On("", tp); err == nil {
		t.Error("a machine without a name was made")
	}
}

func TestFingerprint(t *testing.T) {
	seen := map[string]string{}
	note := func(what string, m *machine.Machine, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[m.Fingerprint()]; ok {
			t.Errorf("%s has the fingerprint of %s", what, other)
		}
		seen[m.Fingerprint()] = what
	}
	for _, name := range machine.Names() {
		m := preset(t, name)
		note(name, m, nil)
		if again := preset(t, name); again.Fingerprint() != m.Fingerprint() || len(m.Fingerprint()) != 64 {
			t.Errorf("%s: fingerprint is not stable", name)
		}
	}
	m := preset(t, "bdw88")
	for _, p := range machine.Params() {
		c := m.Cost(p)
		c.High += 1e-6
		if p != machine.ClockGovernor {
			changed, err := m.With(c)
			note("interval of "+p.String(), changed, err)
		}
	}
	renamed, err := m.On("bdw88b", m.Topology())
	note("name", renamed, err)
	deeper, err := machine.New("bdw88", m.Topology(), m.Costs(), m.IdleStates()[:3])
	note("idle states", deeper, err)

	c := m.Cost(machine.Tick)
	c.Source = "said otherwise"
	reworded, err := m.With(c)
	if err != nil || reworded.Fingerprint() != m.Fingerprint() {
		t.Errorf("rewording a source changes the fingerprint (error %v)", err)
	}
}

func TestWrongUnitPanics(t *testing.T) {
	m := preset(t, "xeon240")
	for name, f := range map[string]func(){
		"NS of a ratio":    func() { m.NS(machine.UDPTCPRatio) },
		"Ratio of a clock": func() { m.Ratio(machine.ClockMax) },
	} {
		func() {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "machine: ") {
					t.Errorf("%s: panic %v, want one prefixed machine:", name, r)
				}
			}()
			f()
		}()
	}
}
