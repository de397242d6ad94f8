package policy

import "github.com/schedlab/lab/schedlab/topology"

// Class is the fair class's queueing discipline.
type Class uint8

// The closed set of classes.
const (
	// CFS: up to 6.5.
	CFS Class = iota
	// EEVDF: 6.6 and later.
	EEVDF
)

func (c Class) String() string {
	if c == EEVDF {
		return "EEVDF"
	}
	return "CFS"
}

// Wakelist tells when a wakeup is handed to the target CPU's pending list
// instead of being enqueued by the waker (TTWU_QUEUE).
type Wakelist uint8

// The closed set of wakelist rules.
const (
	// WakelistOff: the waker always enqueues (NO_TTWU_QUEUE).
	WakelistOff Wakelist = iota
	// WakelistOtherLLC: only to a CPU of another LLC (before 6.2).
	WakelistOtherLLC
	// WakelistEmpty: to any other CPU of another LLC or with an empty queue
	// (6.2 and later).
	WakelistEmpty
)

// Kernel is the part of a kernel version that lies outside the placement rules
// and that the engine follows. It is data: copy it, change a field, and you
// have a what-if kernel.
type Kernel struct {
	Version string
	Class   Class
	// HZ is the tick rate in 1/s.
	HZ int
	// BaseSlice is EEVDF's time slice in ns. PlaceLag keeps a task's lag over a
	// sleep; RunToParity lets a task run until its slice is used up while it is
	// eligible.
	BaseSlice             int64
	PlaceLag, RunToParity bool
	// MigrationCost is sched_migration_cost in ns.
	MigrationCost int64
	Wakelist      Wakelist
	// QueueOnSwitchingOut: a wakee that is still switching out goes to its own
	// CPU's wakelist without placement (5.8 and later).
	QueueOnSwitchingOut bool
	// SwitchingOutMax is how many runnable tasks that CPU may have for it.
	SwitchingOutMax int
	// Domains is how scheduling domains are built.
	Domains topology.DomainRules
}
