package sim

import "fmt"

// Category says what a nanosecond of a CPU or of a task went into.
type Category uint8

// The closed set of categories. Each CPU's and each task's times add up to the
// length of the window over the categories that apply to it. Those booked most
// often come first: they share a cache line.
const (
	// Work: the benchmark's own legs, user and kernel.
	Work Category = iota
	// Syscall: entry and exit.
	Syscall
	// ContextSwitch: from one task, or the idle task, to another.
	ContextSwitch
	// WakePath: enqueue and preemption check. For a task: from being woken to
	// being queued.
	WakePath
	// Search: looking for a CPU.
	Search
	// RemoteEnqueue: queueing on another CPU, its wakelist, interrupts for it.
	RemoteEnqueue
	// IdleExit: leaving an idle state.
	IdleExit
	// LineTransfer: fetching lines another CPU wrote.
	LineTransfer
	// SMTSlowdown: what the same instructions took longer for a busy sibling.
	SMTSlowdown
	// CacheRefill: warming a cache after a move.
	CacheRefill
	// LineWait: waiting in line for a contended line.
	LineWait
	// Balance: load balancing.
	Balance
	// Interrupt: ticks, hard interrupts and softirqs not inline in a task.
	Interrupt
	// Queued: runnable and waiting for its CPU. Tasks only.
	Queued
	// Blocked: asleep on I/O, a lock, a timer or a message. Tasks only.
	Blocked
	// Idle: the idle task. CPUs only.
	Idle
	// FrequencySlowdown: what they took longer for a clock below reference.
	FrequencySlowdown
	// Kworker: bound kernel workers.
	Kworker
	// NumCategories is the size of arrays indexed by category.
	NumCategories
)

var categoryNames = [NumCategories]string{
	"work", "syscall", "context switch", "wake path", "search", "remote enqueue", "idle exit", "line transfer",
	"SMT slowdown", "cache refill", "line wait", "balance", "interrupt", "queued", "blocked", "idle",
	"frequency slowdown", "kworker",
}

func (c Category) String() string {
	if c < NumCategories {
		return categoryNames[c]
	}
	return fmt.Sprintf("category(%d)", uint8(c))
}

// Account is time in ns by category.
type Account [NumCategories]int64

// Total is the sum over the categories.
func (a *Account) Total() int64 {
	var sum int64
	for _, ns := range a {
		sum += ns
	}
	return sum
}

func (a *Account) add(b *Account) {
	for i, ns := range b {
		a[i] += ns
	}
}

// books is an Account that begins a cache line.
type books struct {
	Account
	_ [24 - NumCategories]int64
}
