package sim

import "github.com/schedlab/lab/schedlab/workload"

// pipe is the room of a bounded channel: a ring of pages with their unread
// messages. Its lock is a contended line of the workload's.
type pipe struct {
	left           [workload.MaxSlots]uint8 // unread messages by page
	head, used     uint8                    // first page in use, and how many are
	written        uint8                    // messages ever in the last one
	slots, perSlot uint8
	first, last    int32 // sleeping writers, none without
}

func (x *pipe) full() bool { return x.used == x.slots }

// admit makes room for t's message in pipe i, or puts t to sleep on it. A writer
// that has slept takes a page of its own, even where the last one has room.
func (e *engine) admit(c, t, i int32) bool {
	x, k := &e.pipes[i], &e.tasks[t]
	slept := k.writing
	k.writing = false
	switch {
	case x.used > 0 && x.written < x.perSlot && !slept:
		x.written++
	case !x.full():
		x.used++
		x.written = 1
	default:
		k.writing = true
		e.nextWriter[t] = none
		if x.first == none {
			x.first = t
		} else {
			e.nextWriter[x.last] = t
		}
		x.last = t
		e.block(c, t)
		return false
	}
	x.left[(x.head+x.used-1)%workload.MaxSlots]++
	k.passing = slept && !x.full()
	return true
}

// drawOff takes a message out of pipe i for t. A reader that found the pipe full
// wakes a writer, even when it frees no page: the writer looks and sleeps again
// (Linux 5.5 to 6.13).
func (e *engine) drawOff(t, i int32) {
	x := &e.pipes[i]
	e.tasks[t].passing = x.full()
	x.left[x.head]--
	if x.left[x.head] == 0 {
		x.head = (x.head + 1) % workload.MaxSlots
		x.used--
	}
}

// pass wakes the writer that has slept longest on the channel of t's step.
func (e *engine) pass(c, t int32) {
	k := &e.tasks[t]
	k.passing = false
	ch := &e.chans[k.channels+int32(e.steps[k.pc].Channel)]
	x := &e.pipes[ch.pipe]
	w := x.first
	if w == none {
		e.proceed(c, t)
		return
	}
	x.first = e.nextWriter[w]
	e.wake(c, t, w, ch.sync, ch.context)
	e.cpus[c].effect = effEnqueue
	e.begin(c)
}

func (e *engine) compilePipes() {
	for i, c := range e.cfg.Workload.Channels {
		e.chans[i].pipe = none
		if r := c.Room; r.Bounded() {
			e.chans[i].pipe = int32(len(e.pipes))
			e.pipes = append(e.pipes, pipe{slots: uint8(r.Slots), perSlot: uint8(r.PerSlot), first: none, last: none})
		}
	}
	e.nextWriter = make([]int32, len(e.cfg.Workload.Tasks))
}
