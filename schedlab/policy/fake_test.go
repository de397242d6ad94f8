package policy_test

import (
	"testing"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// The tasks of every scene.
const (
	waker workload.TaskID = 1
	wakee workload.TaskID = 2
)

// fakeView is a machine made by hand: every CPU runs one task unless it is idle,
// and what is looked at is written down.
type fakeView struct {
	topo    *topology.Topology
	idle    topology.CPUSet
	crowded topology.CPUSet // with two tasks
	allowed topology.CPUSet // of the wakee
	recent  map[workload.TaskID]topology.CPU
	last    map[workload.TaskID]workload.TaskID
	flips   map[workload.TaskID]int
	average map[workload.TaskID]int64
	loads   map[topology.CPU]int64    // load averages of queues
	load    map[workload.TaskID]int64 // and of tasks
	kthread bool                      // the waker is a kernel thread bound to its CPU
	cores   bool                      // has_idle_cores of every LLC
	scan    int                       // nr_idle_scan of every LLC

	looks   []topology.CPU
	cleared []topology.CPU
}

var _ policy.View = (*fakeView)(nil)

// newFake is a machine on which everything is busy; the waker and the wakee are a
// short pair that woke each other last.
func newFake(tb testing.TB, machine string) *fakeView {
	tb.Helper()
	t, err := topology.Parse(machine)
	if err != nil {
		tb.Fatal(err)
	}
	return &fakeView{
		topo: t, allowed: t.All(), scan: t.NumCPUs(),
		recent:  map[workload.TaskID]topology.CPU{},
		last:    map[workload.TaskID]workload.TaskID{waker: wakee, wakee: waker},
		flips:   map[workload.TaskID]int{waker: 1, wakee: 1},
		average: map[workload.TaskID]int64{},
		loads:   map[topology.CPU]int64{},
		load:    map[workload.TaskID]int64{},
	}
}

func (v *fakeView) Topology() *topology.Topology { return v.topo }
func (v *fakeView) Now() int64                   { return 0 }

func (v *fakeView) Idle(c topology.CPU) bool {
	v.looks = append(v.looks, c)
	return v.idle.Has(c)
}

func (v *fakeView) NrRunning(c topology.CPU) int {
	v.looks = append(v.looks, c)
	switch {
	case v.idle.Has(c):
		return 0
	case v.crowded.Has(c):
		return 2
	}
	return 1
}

func (v *fakeView) LoadAvg(c topology.CPU) int64 {
	v.looks = append(v.looks, c)
	return v.loads[c]
}

func (v *fakeView) FirstIdle(set topology.CPUSet, from topology.CPU, budget int) (topology.CPU, int) {
	n := 0
	for c := range set.And(v.allowed).Wrap(from) {
		if n == budget {
			break
		}
		n++
		if v.Idle(c) {
			return c, n
		}
	}
	return topology.NoCPU, n
}

func (v *fakeView) FirstIdleCore(set topology.CPUSet, from topology.CPU) (topology.CPU, topology.CPU, int) {
	fallback, before := topology.NoCPU, len(v.looks)
	walk := set.And(v.allowed)
	for c := range walk.Wrap(from) {
		core := v.topo.CoreCPUs(v.topo.Core(c))
		if fallback == topology.NoCPU && v.idle.Has(c) {
			fallback = c
		}
		v.looks = append(v.looks, core.CPUs()...)
		if core.SubsetOf(v.idle) {
			return c, fallback, len(v.looks) - before
		}
	}
	return topology.NoCPU, fallback, len(v.looks) - before
}

func (v *fakeView) Allowed(t workload.TaskID, c topology.CPU) bool {
	return t != wakee || v.allowed.Has(c)
}

func (v *fakeView) RecentUsed(t workload.TaskID) topology.CPU {
	if c, ok := v.recent[t]; ok {
		return c
	}
	return topology.NoCPU
}

func (v *fakeView) SetRecentUsed(t workload.TaskID, c topology.CPU) { v.recent[t] = c }
func (v *fakeView) LastWakee(t workload.TaskID) workload.TaskID     { return v.last[t] }
func (v *fakeView) WakeeFlips(t workload.TaskID) int                { return v.flips[t] }
func (v *fakeView) TaskLoad(t workload.TaskID) int64                { return v.load[t] }
func (v *fakeView) BoundKthread(t workload.TaskID) bool             { return t == waker && v.kthread }
func (v *fakeView) DurationAvg(t workload.TaskID) int64             { return v.average[t] }
func (v *fakeView) HasIdleCores(topology.CPU) bool                  { return v.cores }
func (v *fakeView) ClearIdleCores(c topology.CPU)                   { v.cleared = append(v.cleared, c); v.cores = false }
func (v *fakeView) NrIdleScan(topology.CPU) int                     { return v.scan }

// set is a CPU list.
func set(tb testing.TB, list string) topology.CPUSet {
	tb.Helper()
	s, err := topology.ParseCPUList(list)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// loopback is the wakeup of most scenes: a sync one from this to prev.
func loopback(this, prev topology.CPU) policy.Wakeup {
	return policy.Wakeup{Wakee: wakee, Waker: waker, This: this, Prev: prev, Sync: true, Context: workload.InSoftirq}
}

// interrupt is a wakeup from a hard interrupt on an idle CPU.
func interrupt(this, prev topology.CPU) policy.Wakeup {
	return policy.Wakeup{Wakee: wakee, Waker: workload.NoTask, This: this, Prev: prev, Context: workload.InIRQ}
}

func selectCPU(tb testing.TB, text string, v *fakeView, w policy.Wakeup) policy.Placement {
	tb.Helper()
	return parse(tb, text).Start(v.topo).SelectCPU(v, w)
}
