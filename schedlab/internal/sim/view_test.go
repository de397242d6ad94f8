package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// scene is an engine whose idle mask and allowed set are drawn at random; its
// view is that of a wakeup on a random CPU.
type scene struct {
	e    *engine
	rng  *rand.Rand
	cpus []topology.CPU
	wake policy.Wakeup
}

func newScene(t *testing.T, m *machine.Machine) *scene {
	w := copies(t, 2, "", runFor(us), sleepFor(us))
	e := prepare(t, Config{Machine: m, Workload: w, Policy: linux(t, "6.10"), Duration: 1})
	e.allowed[0] = make([]uint64, len(e.idle))
	return &scene{e: e, rng: rand.New(rand.NewPCG(4, 4)), cpus: m.Topology().All().CPUs()}
}

func (s *scene) shuffle() {
	clear(s.e.allowed[0])
	odds := s.rng.IntN(9)
	for _, c := range s.cpus {
		s.e.cpus[c].nr = int32(s.rng.IntN(3))
		if s.e.markBusy(int32(c)); s.rng.IntN(8) < odds {
			s.e.cpus[c].nr = 0
			s.e.markIdle(int32(c))
		}
		if s.rng.IntN(4) > 0 {
			s.e.allowed[0][c>>6] |= 1 << (c & 63)
		}
	}
	s.wake = policy.Wakeup{Wakee: 0, Waker: 1, This: s.cpu(), Prev: s.cpu()}
	if s.rng.IntN(10) == 0 { // an observer's view
		s.wake.Wakee = workload.NoTask
	}
}

func (s *scene) cpu() topology.CPU { return s.cpus[s.rng.IntN(len(s.cpus))] }

// set is an LLC, a cluster, a core, several LLCs, or anything, also beyond the
// machine.
func (s *scene) set() topology.CPUSet {
	t := s.e.topo
	switch s.rng.IntN(6) {
	case 0:
		return t.LLCCPUs(t.LLC(s.cpu()))
	case 1:
		return t.ClusterCPUs(t.Cluster(s.cpu()))
	case 2:
		return t.CoreCPUs(t.Core(s.cpu()))
	case 3:
		return t.LLCCPUs(t.LLC(s.cpu())).Or(t.LLCCPUs(t.LLC(s.cpu())))
	}
	var some []topology.CPU
	for range s.rng.IntN(2 * len(s.cpus)) {
		some = append(some, topology.CPU(s.rng.IntN(t.NumCPUs()+70)))
	}
	return topology.NewCPUSet(some...)
}

func (s *scene) open() *view {
	s.e.view.open(s.wake)
	return &s.e.view
}

func (s *scene) may(c topology.CPU) bool {
	if s.wake.Wakee == workload.NoTask {
		return s.e.topo.All().Has(c)
	}
	return s.e.view.Allowed(s.wake.Wakee, c)
}

// loopIdle is FirstIdle in single looks.
func (s *scene) loopIdle(v *view, set topology.CPUSet, from topology.CPU, budget int) (topology.CPU, int) {
	probes := 0
	for c := range set.Wrap(from) {
		if !s.may(c) {
			continue
		}
		if probes == budget {
			break
		}
		probes++
		if v.Idle(c) {
			return c, probes
		}
	}
	return topology.NoCPU, probes
}

// loopCore is FirstIdleCore in single looks.
func (s *scene) loopCore(v *view, set topology.CPUSet, from topology.CPU) (core, fallback topology.CPU, probes int) {
	fallback = topology.NoCPU
	seen := map[topology.CoreID]bool{}
	for c := range set.Wrap(from) {
		core := s.e.topo.Core(c)
		if !s.may(c) || seen[core] {
			continue
		}
		seen[core] = true
		idle := true
		for _, x := range s.e.topo.CoreCPUs(core).CPUs() {
			probes++
			if !v.Idle(x) {
				idle = false
			} else if fallback == topology.NoCPU && set.Has(x) && s.may(x) {
				fallback = x
			}
			if !idle && fallback != topology.NoCPU && !v.e.looksIdle(int32(x)) {
				break
			}
		}
		if idle {
			return c, fallback, probes
		}
	}
	return topology.NoCPU, fallback, probes
}

// TestBulkSearchesAreLoops: bulk searches and loops of single looks give equal
// CPUs, probes and cost, on any state and for any set.
func TestBulkSearchesAreLoops(t *testing.T) {
	gaps, err := topology.FromCPUs("gaps", []topology.Place{
		{CPU: 3, Core: 0, Cluster: -1}, {CPU: 70, Core: 0, Thread: 1, Cluster: -1}, {CPU: 65, Core: 1, LLC: 1, Cluster: -1}, {CPU: 130, Core: 1, LLC: 1, Thread: 1, Cluster: -1},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	holes, err := preset(t, "xeon240").On("gaps", gaps)
	if err != nil {
		t.Fatal(err)
	}
	n := 20_000
	if testing.Short() {
		n = 4_000
	}
	for _, m := range []*machine.Machine{
		preset(t, "xeon240"), preset(t, "xeon240-llc120"), preset(t, "kunpeng128"), holes, cores(t, 1),
		on(t, "xeon240", "smt4", topology.New("smt4").Sockets(2).LLCs(2).Clusters(2).Cores(3).Threads(4)),
		on(t, "xeon240", "words", topology.New("words").Sockets(3).Cores(64)),
	} {
		t.Run(m.Name(), func(t *testing.T) {
			s := newScene(t, m)
			for range n {
				s.shuffle()
				set, from := s.set(), topology.CPU(s.rng.IntN(s.e.topo.NumCPUs()+80)-3)
				s.compareIdle(t, set, from, s.rng.IntN(set.Len()+4)-1)
				s.compareCore(t, set, from)
				if t.Failed() {
					t.Fatalf("wakeup %+v, set %s from %d", s.wake, set, from)
				}
			}
		})
	}
}

func (s *scene) compareIdle(t *testing.T, set topology.CPUSet, from topology.CPU, budget int) {
	v := s.open()
	wantCPU, wantProbes := s.loopIdle(v, set, from, budget)
	want, wantCost := v.Meter()
	v = s.open()
	cpu, probes := v.FirstIdle(set, from, budget)
	got, cost := v.Meter()
	if cpu != wantCPU || probes != wantProbes || got != want || cost != wantCost || probes != got {
		t.Errorf("FirstIdle with budget %d: CPU %d, %d probes (%d metered), %d ns; a loop: CPU %d, %d (%d), %d",
			budget, cpu, probes, got, cost, wantCPU, wantProbes, want, wantCost)
	}
}

func (s *scene) compareCore(t *testing.T, set topology.CPUSet, from topology.CPU) {
	v := s.open()
	wantCPU, wantFallback, wantProbes := s.loopCore(v, set, from)
	want, wantCost := v.Meter()
	v = s.open()
	cpu, fallback, probes := v.FirstIdleCore(set, from)
	got, cost := v.Meter()
	if cpu != wantCPU || fallback != wantFallback || probes != wantProbes || got != want || cost != wantCost || probes != got {
		t.Errorf("FirstIdleCore: CPU %d, fallback %d, %d probes (%d metered), %d ns; a loop: CPU %d, %d, %d (%d), %d",
			cpu, fallback, probes, got, cost, wantCPU, wantFallback, wantProbes, want, wantCost)
	}
}

// TestPriceOfALook: own CPU free, idle quiet, busy dirty, another LLC dearer by
// what its line costs more.
func TestPriceOfALook(t *testing.T) {
	m := preset(t, "xeon240") // 0 and 1 in one LLC, 30 in the next, 60 in another socket
	s := newScene(t, m)
	topo := m.Topology()
	s.wake = policy.Wakeup{Wakee: 0, Waker: 1, This: 0}
	for _, c := range []struct {
		cpu      topology.CPU
		distance topology.Distance
	}{{0, topology.SameCPU}, {1, topology.LLC}, {30, topology.Socket}, {60, topology.Remote}} {
		if d := topo.Distance(0, c.cpu); d != c.distance {
			t.Fatalf("CPU %d is %s away, want %s", c.cpu, d, c.distance)
		}
		for _, idle := range []bool{true, false} {
			for _, x := range s.cpus {
				s.e.markBusy(int32(x))
			}
			want := m.NS(machine.ScanDirty)
			if idle {
				s.e.markIdle(int32(c.cpu))
				want = m.NS(machine.ScanQuiet)
			}
			want += m.Line(c.distance) - m.Line(topology.LLC)
			if c.cpu == 0 {
				want = 0
			}
			v := s.open()
			if v.Idle(c.cpu) != idle {
				t.Errorf("CPU %d: idle is not %v", c.cpu, idle)
			}
			if probes, cost := v.Meter(); probes != 1 || cost != want {
				t.Errorf("a look at CPU %d (idle %v) is %d probes, %d ns; want 1 and %d", c.cpu, idle, probes, cost, want)
			}
			v = s.open()
			v.NrRunning(c.cpu)
			if probes, cost := v.Meter(); probes != 1 || cost != want {
				t.Errorf("NrRunning of CPU %d is %d probes, %d ns; want 1 and %d", c.cpu, probes, cost, want)
			}
		}
	}
}
