package policy

import (
	"fmt"

	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// Policy is a set of placement rules together with the kernel they live in.
type Policy interface {
	// Name is the canonical text: for a built-in policy the one Parse accepts.
	Name() string
	// Kernel is what the engine needs to know of the kernel around the rules.
	Kernel() Kernel
	// Start returns the private state of one run on t.
	Start(t *topology.Topology) Selector
}

// Selector chooses CPUs during one run. It may also implement IdleObserver,
// SleepObserver or TickObserver; the engine looks for them once, after Start.
type Selector interface {
	SelectCPU(v View, w Wakeup) Placement
}

// IdleObserver is told when a CPU enters (idle true) or leaves its idle task.
type IdleObserver interface {
	CPUIdle(v View, c topology.CPU, idle bool)
}

// SleepObserver is told when a task blocks of its own will on CPU c.
type SleepObserver interface {
	TaskSlept(v View, t workload.TaskID, c topology.CPU)
}

// TickObserver is told of the periodic tick on a busy CPU.
type TickObserver interface {
	Tick(v View, c topology.CPU)
}

// Wakeup is the question: where should Wakee go?
type Wakeup struct {
	// Wakee is the task that becomes runnable, Waker the task current on This:
	// workload.NoTask for an interrupt on an idle CPU.
	Wakee, Waker workload.TaskID
	// This is the CPU executing the wakeup, Prev the wakee's last CPU.
	This, Prev topology.CPU
	// Sync is WF_SYNC: the waker is about to sleep.
	Sync bool
	// Context tells whether a task, a softirq or a hard interrupt wakes.
	Context workload.Context
}

// Placement is the answer.
type Placement struct {
	CPU    topology.CPU
	Reason Reason
}

// Reason is the rule that decided. The set is closed, so that tables can group
// by why; a policy of your own uses Custom, or the reason of the rule it calls.
type Reason uint8

// The closed set of reasons, in the order the rules come in.
const (
	// Pinned: the wakee is allowed on one CPU only; no rule was asked.
	Pinned Reason = iota
	// SwitchingOut: the wakee was still switching out and went to its own
	// CPU's wakelist; no rule was asked.
	SwitchingOut
	// TargetIdle: the CPU wake_affine chose is idle.
	TargetIdle
	// PrevIdle: the previous CPU is idle and shares the target's cache.
	PrevIdle
	// KthreadStack: woken by a per-CPU kernel thread, kept on its CPU.
	KthreadStack
	// RecentUsed: the recently used CPU is idle.
	RecentUsed
	// SMTIdle: an idle thread of the previous CPU's core.
	SMTIdle
	// ClusterIdle: an idle CPU of the target's cluster.
	ClusterIdle
	// SyncStack: SIS_SYNC kept a short mutual wakeup on the waker's CPU.
	SyncStack
	// IdleCore: a fully idle core of the LLC.
	IdleCore
	// ScanIdle: an idle CPU found by scanning the LLC.
	ScanIdle
	// CutOff: the LLC is too busy to scan (nr_idle_scan is 0); target.
	CutOff
	// NothingIdle: the search found nothing idle; target.
	NothingIdle
	// Custom: decided by a policy that is not built in.
	Custom
	// NumReasons is the size of arrays indexed by reason.
	NumReasons
)

var reasonNames = [NumReasons]string{
	"pinned", "switching-out", "target-idle", "prev-idle", "kthread-stack",
	"recent-used", "smt-idle", "cluster-idle", "sync-stack", "idle-core",
	"scan-idle", "cut-off", "nothing-idle", "custom",
}

func (r Reason) String() string {
	if r < NumReasons {
		return reasonNames[r]
	}
	return fmt.Sprintf("reason(%d)", uint8(r))
}
