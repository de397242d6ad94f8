package machine_test

import (
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
)

// Figures copied by hand from the sources, so that a slip in a data file shows.
func TestSpotValues(t *testing.T) {
	for _, tt := range []struct {
		machine string
		param   machine.Param
		want    float64
	}{
		{"xeon240", machine.LineSMT, 8}, {"xeon240", machine.LineLLC, 55}, {"xeon240", machine.LineSocket, 64}, {"xeon240", machine.LineRemote, 135},
		{"xeon240", machine.ContendedLLC, 58}, {"xeon240", machine.ContendedRemote, 135},
		{"xeon240", machine.Syscall, 60}, {"xeon240", machine.LocalWake, 250}, {"xeon240", machine.ContextSwitch, 450}, {"xeon240", machine.RemoteEnqueue, 450},
		{"xeon240", machine.IPISend, 150}, {"xeon240", machine.IPIDelivery, 900}, {"xeon240", machine.IdleExitPoll, 100}, {"xeon240", machine.IdleExitC1, 450},
		{"xeon240", machine.ScanFixed, 150}, {"xeon240", machine.ScanQuiet, 30}, {"xeon240", machine.ScanDirty, 120}, {"xeon240", machine.ScanSaturated, 350},
		{"xeon240", machine.RefillLLC, 1500}, {"xeon240", machine.RefillRemote, 4000}, {"xeon240", machine.SMTGainKernel, 1.15}, {"xeon240", machine.SMTGainCompute, 1.3},
		{"xeon240", machine.TCPLinesPerLeg, 42}, {"xeon240", machine.UDPTCPRatio, 0.85}, {"xeon240", machine.ClockMax, 2.0},
		{"ivb48", machine.LineLLC, 42}, {"ivb48", machine.LineRemote, 125}, {"ivb48", machine.Syscall, 190}, {"ivb48", machine.PipeCrossCPU, 3000}, {"ivb48", machine.TCPCrossCPU, 11900}, {"ivb48", machine.ClockBase, 2.7},
		{"spr224", machine.LineLLC, 58}, {"spr224", machine.PipeSameCPU, 1200}, {"spr224", machine.PipeCrossCPU, 2300}, {"spr224", machine.ClockAllCore, 3.0}, {"spr224", machine.ClockMax, 3.8},
		{"kunpeng128", machine.LineCluster, 35}, {"kunpeng128", machine.LineLLC, 36}, {"kunpeng128", machine.LineSocket, 80}, {"kunpeng128", machine.LineRemote, 150},
		{"kunpeng128", machine.ContendedCluster, 40}, {"kunpeng128", machine.ContendedLLC, 72}, {"kunpeng128", machine.ContendedRemote, 150},
		{"kunpeng128", machine.PipeSameCPU, 3200}, {"kunpeng128", machine.PipeCluster, 2900}, {"kunpeng128", machine.PipeCrossCPU, 3800},
		{"kunpeng128", machine.TCPSameCPU, 12200}, {"kunpeng128", machine.TbenchOp, 15900}, {"kunpeng128", machine.HackbenchMessage, 4150}, {"kunpeng128", machine.IdleExitC1, 700},
		{"bdw88", machine.LineSMT, 8}, {"bdw88", machine.LineLLC, 46}, {"bdw88", machine.LineRemote, 122}, {"bdw88", machine.TbenchOp, 21200}, {"bdw88", machine.UperfRTT, 16200}, {"bdw88", machine.SMTGainKernel, 1.2},
		{"hsw48", machine.LineLLC, 48}, {"hsw48", machine.LineRemote, 128}, {"hsw48", machine.Syscall, 50}, {"hsw48", machine.ClockMin, 1.2}, {"hsw48", machine.ClockBase, 2.3}, {"hsw48", machine.ClockMax, 3.1},
		{"spr224-fixed", machine.LineSMT, 12}, {"spr224-fixed", machine.LineLLC, 65}, {"spr224-fixed", machine.LineRemote, 140}, {"spr224-fixed", machine.ContendedLLC, 65}, {"spr224-fixed", machine.RefillRemote, 5000}, {"spr224-fixed", machine.ClockMin, 2.0},
	} {
		if got := preset(t, tt.machine).Cost(tt.param).Value; got != tt.want {
			t.Errorf("%s: %s = %v, want %v", tt.machine, tt.param, got, tt.want)
		}
	}
}

// Rates as published, against the times in the files.
func TestPublishedRates(t *testing.T) {
	for _, tt := range []struct {
		machine string
		param   machine.Param
		perSec  float64
		within  float64
	}{
		{"xeon240", machine.TCPSameCPU, 134504, 0.001},
		{"xeon240", machine.TCPCrossCPU, 83528, 0.001},
		{"kunpeng128", machine.TCPSameCPU, 82202, 0.01},
		{"kunpeng128", machine.TCPCrossCPU, 77303, 0.01},
		{"ivb48", machine.TCPCrossCPU, 84347, 0.01},
		{"kunpeng128", machine.TbenchOp, 341.8 * 184, 0.01},
		{"bdw88", machine.TbenchOp, 256 * 184, 0.01},
	} {
		ns := preset(t, tt.machine).Cost(tt.param).Value
		if ratio := 1e9 / ns / tt.perSec; ratio < 1-tt.within || ratio > 1+tt.within {
			t.Errorf("%s: %s = %v ns is %.0f per second, published %.0f", tt.machine, tt.param, ns, 1e9/ns, tt.perSec)
		}
	}
}

// Lines per leg are derived from three other figures; they must not drift apart.
func TestLinesPerLeg(t *testing.T) {
	for _, name := range machine.Names() {
		m := preset(t, name)
		derived := float64(m.NS(machine.TCPCrossCPU)-m.NS(machine.TCPSameCPU)) / 2 / float64(m.Line(topology.LLC))
		if got := m.Ratio(machine.TCPLinesPerLeg); got < derived-1 || got > derived+1 {
			t.Errorf("%s: tcp_lines_per_leg = %v, but the figures it is derived from give %.1f", name, got, derived)
		}
	}
}

func TestClock(t *testing.T) {
	governors := map[string]machine.Governor{
		"xeon240": machine.Fixed, "xeon240-llc120": machine.Fixed, "ivb48": machine.Performance, "spr224": machine.Performance,
		"kunpeng128": machine.Fixed, "bdw88": machine.Performance, "hsw48": machine.Powersave, "spr224-fixed": machine.Fixed,
	}
	for _, name := range machine.Names() {
		if got := preset(t, name).Clock().Governor; got != governors[name] {
			t.Errorf("%s: governor %s, want %s", name, got, governors[name])
		}
	}
	hsw := preset(t, "hsw48").Clock()
	if want := (machine.Clock{Governor: machine.Powersave, MinKHz: 1200000, BaseKHz: 2300000, AllCoreKHz: 2600000, MaxKHz: 3100000}); hsw != want {
		t.Errorf("hsw48: %+v, want %+v", hsw, want)
	}
	for _, tt := range []struct{ util, want int64 }{
		{0, 1200000}, {43, 1200000}, // 1/24 of the time busy: what a task rotating over an LLC leaves on each CPU
		{512, 1937500}, {820, 3100000}, {1024, 3100000},
	} {
		if got := hsw.Request(tt.util); got != tt.want {
			t.Errorf("powersave at utilisation %d asks for %d kHz, want %d", tt.util, got, tt.want)
		}
	}
	if got := preset(t, "spr224").Clock().Request(0); got != 3800000 {
		t.Errorf("performance asks for %d kHz, want the highest", got)
	}
}

func TestIdleStates(t *testing.T) {
	for _, tt := range []struct {
		machine string
		polling bool
		states  []string
		exits   []int64
	}{
		{"xeon240", true, []string{"POLL", "C1"}, []int64{100, 450}}, // C6 off, the clock fixed
		{"ivb48", true, []string{"POLL", "C1", "C1E", "C3", "C6"}, []int64{100, 600, 10000, 59000, 82000}},
		{"spr224", true, []string{"POLL", "C1", "C1E", "C6"}, []int64{100, 450, 2000, 290000}},
		{"kunpeng128", false, []string{"WFI"}, []int64{700}},
		{"bdw88", true, []string{"POLL", "C1", "C1E", "C3", "C6"}, []int64{100, 700, 10000, 40000, 133000}},
		{"hsw48", true, []string{"POLL", "C1", "C1E", "C3", "C6"}, []int64{100, 700, 10000, 33000, 133000}},
		{"spr224-fixed", true, []string{"POLL", "C1"}, []int64{150, 600}},
	} {
		m := preset(t, tt.machine)
		if m.PollingIdle() != tt.polling {
			t.Errorf("%s: PollingIdle() = %t", tt.machine, m.PollingIdle())
		}
		states := m.IdleStates()
		if len(states) != len(tt.states) {
			t.Fatalf("%s: %d idle states, want %v", tt.machine, len(states), tt.states)
		}
		for i, s := range states {
			if s.Name != tt.states[i] || m.IdleExit(i) != tt.exits[i] || s.Polling != tt.polling {
				t.Errorf("%s: state %d is %+v, exit %d; want %s, %d", tt.machine, i, s, m.IdleExit(i), tt.states[i], tt.exits[i])
			}
		}
	}
}

// A dbench client's 80 KB cost what was estimated for it on its machine: 20 us and 60 us.
func TestRefillBytes(t *testing.T) {
	m := preset(t, "hsw48")
	for _, tt := range []struct {
		d         topology.Distance
		bytes     int64
		low, high int64
	}{
		{topology.SameCPU, 80 << 10, 0, 0}, {topology.SMT, 80 << 10, 0, 0},
		{topology.LLC, 80 << 10, 18000, 22000}, {topology.Remote, 80 << 10, 50000, 65000},
		{topology.LLC, 64, 1500, 1500},        // never below a small task's
		{topology.LLC, 1 << 30, 65000, 66000}, // never more than the second level cache
		{topology.Cluster, 64, 1500, 1500},    // a cluster shares no cache
		{topology.Remote, 0, 4000, 4000},      // nor is a small task free
	} {
		if got := m.RefillBytes(tt.d, tt.bytes); got < tt.low || got > tt.high {
			t.Errorf("RefillBytes(%s, %d) = %d, want %d to %d", tt.d, tt.bytes, got, tt.low, tt.high)
		}
	}
	if m.SMTGain(machine.KernelWork) != 1.2 || m.SMTGain(machine.ComputeWork) != 1.25 {
		t.Error("SMT gains are mixed up")
	}
}

func TestParams(t *testing.T) {
	seen := map[string]bool{}
	groups, last := map[string]bool{}, ""
	for _, p := range machine.Params() {
		if seen[p.String()] || p.Doc() == "" || p.Unit() == "" || p.Group() == "" {
			t.Errorf("%s: repeated, or without doc, unit or group", p)
		}
		seen[p.String()] = true
		if p.Group() != last && groups[p.Group()] {
			t.Errorf("%s: group %q is in two pieces", p, p.Group())
		}
		groups[p.Group()], last = true, p.Group()
		if back, err := machine.ParseParam(p.String()); err != nil || back != p {
			t.Errorf("ParseParam(%q) = %v, %v", p, back, err)
		}
	}
	if len(machine.Params()) != machine.NumParams {
		t.Errorf("%d params, NumParams = %d", len(machine.Params()), machine.NumParams)
	}
}
