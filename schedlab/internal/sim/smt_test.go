package sim

import (
	"fmt"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// hogs run for ever, task i on CPU cpus[i].
func hogs(tb testing.TB, round int64, cpus ...int) *workload.Workload {
	w := copies(tb, len(cpus), "", runFor(round), done)
	for i, c := range cpus {
		w.Tasks[i].Allowed = topology.NewCPUSet(topology.CPU(c))
	}
	return w
}

// TestSMTShares: k busy threads of a core run at the machine's gain over k each,
// whatever the length of a round.
func TestSMTShares(t *testing.T) {
	for _, c := range []struct {
		threads int
		cpus    []int
		busy    int
	}{
		{1, []int{0, 1}, 1}, {2, []int{0, 1}, 1}, {2, []int{0, 2}, 2},
		{4, []int{0, 2}, 2}, {4, []int{0, 2, 4}, 3}, {4, []int{0, 2, 4, 6}, 4},
	} {
		m := on(t, "xeon240", "smt", topology.New("smt").Cores(2).Threads(c.threads))
		for _, round := range []int64{999, 77_777, 50 * ms} {
			t.Run(fmt.Sprintf("threads=%d/cpus=%v/round=%d", c.threads, c.cpus, round), func(t *testing.T) {
				e := prepare(t, Config{Machine: m, Workload: hogs(t, round, c.cpus...), Policy: linux(t, "6.10"), Warmup: ms, Duration: 20*ms + 1}).calm()
				slow := int64(e.stretchOf[c.busy])
				got := e.play(t)
				want := got.Window * 1024 / slow
				for i := range c.cpus {
					a := got.PerTask[i]
					// Each round ends on a whole nanosecond, rounded up.
					if off := want - a[Work]; off < -1 || off > got.Window/round+2 {
						t.Errorf("task %d works %d ns, want %d", i, a[Work], want)
					}
					if a[Work]+a[SMTSlowdown] != got.Window {
						t.Errorf("task %d: %v", i, a)
					}
				}
			})
		}
	}
}

// TestStretches: two threads do gain times the work of one, four gain squared.
func TestStretches(t *testing.T) {
	s := stretches(1.25, 4)
	for k, want := range []int32{1024, 1024, 1638, 2157, 2621} {
		if s[k] != want {
			t.Errorf("stretch of %d busy threads is %d, want %d", k, s[k], want)
		}
	}
}

// TestSiblingComesAndGoes: a hog slows down when its sibling starts and speeds up
// when that stops, in the middle of a round.
func TestSiblingComesAndGoes(t *testing.T) {
	m := on(t, "xeon240", "smt", topology.New("smt").Cores(1).Threads(2))
	w := hogs(t, 500*ms, 0)
	w.Programs = append(w.Programs, workload.Program{runFor(3 * ms), sleepFor(400 * ms)})
	w.Tasks = append(w.Tasks, workload.Task{Name: "visitor", Program: 1, Start: 2 * ms, Allowed: topology.NewCPUSet(1)})
	e := prepare(t, Config{Machine: m, Workload: w, Policy: linux(t, "6.10"), Duration: 40 * ms})
	p, slow := e.calm().price, int64(e.stretchOf[2])
	got := e.play(t) // the window starts with the visitor, at 2 ms
	// The visitor keeps its thread busy for its run, from the way in to the
	// switch away; all of it at the slow speed.
	busy := e.sleeps[len(e.sleeps)-1].price + p.contextSwitch + 3*ms + p.syscall + p.contextSwitch
	lost := busy*slow/1024 - busy
	for i, c := range got.PerCPU {
		if off := c[SMTSlowdown] - lost; off < -4 || off > 4 {
			t.Errorf("CPU %d loses %d ns, want %d", i, c[SMTSlowdown], lost)
		}
	}
	if hog := got.PerTask[0]; hog[Work] != got.Window-hog[SMTSlowdown] {
		t.Errorf("the hog: %v", hog)
	}
	if idle := got.PerCPU[1][Idle]; idle != got.Window-busy-got.PerCPU[1][SMTSlowdown] {
		t.Errorf("the visitor's CPU idles %d ns", idle)
	}
}
