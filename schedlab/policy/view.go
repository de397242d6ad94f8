package policy

import (
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// View is the machine as the waker's CPU can see it during one SelectCPU. It
// is valid only until SelectCPU (or the observer it was handed to) returns.
//
// Every look at a CPU's runqueue is one probe. A probe of This is free of
// charge, since its runqueue is in the waker's own cache, but is counted. The
// price of the others is the machine's scan cost: quiet for an idle CPU, dirty
// for a busy one, dearer beyond the LLC by the difference of the line costs.
type View interface {
	// Topology is the machine's shape; reading it is free.
	Topology() *topology.Topology
	// Now is the simulated time in ns.
	Now() int64

	// Idle reports whether c runs its idle task with nothing queued and
	// nothing pending. One probe.
	Idle(c topology.CPU) bool
	// NrRunning is the number of runnable tasks on c, the running one
	// included. One probe.
	NrRunning(c topology.CPU) int

	// LoadAvg is the load average of c's queue, blocked tasks included, 1024
	// per always runnable task of nice 0. One probe.
	LoadAvg(c topology.CPU) int64

	// FirstIdle looks at the CPUs of set the wakee is allowed on, in wrap
	// order from from, and returns the first idle one and the number of
	// probes; NoCPU when there is none or budget probes found none. A negative
	// budget is no limit.
	FirstIdle(set topology.CPUSet, from topology.CPU, budget int) (c topology.CPU, probes int)
	// FirstIdleCore looks for a fully idle core among the CPUs of set the
	// wakee is allowed on, in wrap order from from. It returns the CPU it met
	// first of that core, or NoCPU; fallback is the first idle allowed CPU of
	// set seen on the way. All threads of a core are looked at until one is
	// busy and a fallback is known.
	FirstIdleCore(set topology.CPUSet, from topology.CPU) (c, fallback topology.CPU, probes int)

	// Allowed reports whether task t may run on c. Free: the task is at hand.
	Allowed(t workload.TaskID, c topology.CPU) bool
	// RecentUsed is recent_used_cpu of t, NoCPU before its first use.
	RecentUsed(t workload.TaskID) topology.CPU
	SetRecentUsed(t workload.TaskID, c topology.CPU)
	// LastWakee is the task t woke last, NoTask before its first wakeup; the
	// wakeup being placed is already recorded.
	LastWakee(t workload.TaskID) workload.TaskID
	// WakeeFlips is the number of times t changed its wakee, halved about once
	// a second.
	WakeeFlips(t workload.TaskID) int
	// TaskLoad is the load average of t. Free.
	TaskLoad(t workload.TaskID) int64
	// BoundKthread reports whether t is a kernel thread bound to one CPU. Free.
	BoundKthread(t workload.TaskID) bool
	// DurationAvg is the average CPU time in ns t uses between two voluntary
	// sleeps, 0 for a new task.
	DurationAvg(t workload.TaskID) int64

	// HasIdleCores is the hint of c's LLC that a fully idle core may exist.
	HasIdleCores(c topology.CPU) bool
	// ClearIdleCores takes the hint back after a full search found no core.
	ClearIdleCores(c topology.CPU)
	// NrIdleScan is how many CPUs of c's LLC SIS_UTIL allows to scan: 0 means
	// do not scan at all.
	NrIdleScan(c topology.CPU) int
}
