package workload

import (
	"fmt"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
)

// Barrier is a common start: each task with AtBarrier is forked at its Start,
// works for its Setup, sleeps, and is woken from Release on, in the order of the
// tasks, one every Gap.
//
//	fork   fork   fork            Release
//	 |Setup| zzz   |Setup| zzz       |  one after the other begins its program
//
// The wakeups come from a timer on the CPU each task sleeps on. Real ones come
// from the task that opens the barrier.
type Barrier struct {
	// Release is when the first task goes on, in ns from the start of the run. One
	// that is not there in time does not wait. Gap lies between two, in ns.
	Release, Gap int64
}

// forkGap is the time between two children forked in a loop by one parent, and
// childSetup the CPU time of a child before its loop: page faults on what it
// shares with its parent, connecting or accepting, closing what it does not need,
// reporting ready. Orders of magnitude only; they decide how many children are
// awake at the same time when the next is placed, and so how they are spread.
const (
	forkGap    = 100_000
	childSetup = 200_000
	coldLines  = 10 // a guess
)

// barrierAfter is the barrier for n children forked one by one. The parent looks
// now and then whether all are there; it opens the barrier with one call, which
// wakes them in a loop. A wakeup there is a search, a remote enqueue, an interrupt
// and the sleeper's structures, cold for the parent: coldLines of them.
func barrierAfter(n int, m *machine.Machine) Barrier {
	return Barrier{
		Release: int64(n)*forkGap + 10_000_000,
		Gap:     m.NS(machine.ScanFixed) + m.NS(machine.RemoteEnqueue) + m.NS(machine.IPISend) + coldLines*m.Line(topology.Remote),
	}
}

// Room bounds a channel as a pipe is: a ring of Slots pages. A message joins the
// last page while that has less than PerSlot messages, and takes a new one
// otherwise; a page is free again when all its messages are read. A writer that
// finds no room sleeps, and then takes a page of its own.
type Room struct {
	Slots, PerSlot int
}

// MaxSlots and MaxPerSlot bound a Room.
const (
	MaxSlots   = 16
	MaxPerSlot = 255
)

// Bounded reports whether there is a bound.
func (r Room) Bounded() bool { return r != Room{} }

func (w *Workload) validateBounds() error {
	if b := w.Barrier; b.Release < 0 || b.Gap < 0 || b.Gap > MaxStepTime {
		return fmt.Errorf("barrier opens at %d ns with a gap of %d; want neither negative, gap up to %d", b.Release, b.Gap, int64(MaxStepTime))
	}
	for i, c := range w.Channels {
		if r := c.Room; r.Bounded() && (r.Slots < 1 || r.Slots > MaxSlots || r.PerSlot < 1 || r.PerSlot > MaxPerSlot) {
			return fmt.Errorf("channel %d %q: room of %d slots of %d messages; want 1 to %d of 1 to %d", i, c.Name, r.Slots, r.PerSlot, MaxSlots, MaxPerSlot)
		}
	}
	return nil
}

// validatePasses checks that t passes on every room it makes or leaves before its
// next Send or Recv.
func (w *Workload) validatePasses(t *Task) error {
	p := w.Programs[t.Program]
	bounded := func(s Step) bool { return w.Channels[t.Base+s.Channel].Room.Bounded() }
	for j, s := range p {
		if s.Op == Pass && !bounded(s) {
			return fmt.Errorf("step %d: pass on channel %d, which is not bounded", j, t.Base+s.Channel)
		}
		if s.Op != Send && s.Op != Recv || !bounded(s) {
			continue
		}
		n := 1 // how far the next of the three is
		for next := func() Op { return p[(j+n)%len(p)].Op }; next() != Pass && next() != Send && next() != Recv; {
			n++
		}
		if next := p[(j+n)%len(p)]; next.Op != Pass || next.Channel != s.Channel {
			return fmt.Errorf("step %d: %s on bounded channel %d without its pass", j, s.Op, t.Base+s.Channel)
		}
	}
	return nil
}
