package sim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// checkPipes: the pages of every pipe hold its messages, and writers sleep only
// while it is full or somebody is on the way to wake one.
func (e *engine) checkPipes(put func(int32, string) error) error {
	coming := make([]int, len(e.pipes)) // wakeups under way
	asleep := make([]bool, len(e.tasks))
	for i := range e.pipes {
		for t := e.pipes[i].first; t != none; t = e.nextWriter[t] {
			asleep[t] = true
			if err := put(t, fmt.Sprintf("writing to %d", i)); err != nil {
				return err
			}
		}
	}
	for t := range e.tasks {
		k := &e.tasks[t]
		ch := func(op workload.Op) int32 {
			for pc := k.pc; ; {
				if s := e.steps[pc]; s.Op == op {
					return e.chans[k.channels+int32(s.Channel)].pipe
				}
				if pc++; pc == k.end {
					pc = k.steps
				}
			}
		}
		if k.passing {
			coming[ch(workload.Pass)]++
		}
		if k.writing && !asleep[t] {
			coming[ch(workload.Send)]++
		}
		if !k.writing && asleep[t] {
			return fmt.Errorf("task %d sleeps on a pipe and does not know", t)
		}
	}
	for i := range e.chans {
		ch := &e.chans[i]
		if ch.pipe == none {
			continue
		}
		x := &e.pipes[ch.pipe]
		n := 0
		for j := range x.left {
			left := x.left[(int(x.head)+j)%len(x.left)]
			n += int(left)
			if (left > 0) != (j < int(x.used)) || left > x.perSlot {
				return fmt.Errorf("pipe %d: page %d of %d has %d messages", ch.pipe, j, x.used, left)
			}
		}
		if n != int(ch.messages) || x.used > x.slots {
			return fmt.Errorf("pipe %d: %d messages in %d of %d pages, the channel has %d", ch.pipe, n, x.used, x.slots, ch.messages)
		}
		if x.first != none && !x.full() && coming[ch.pipe] == 0 {
			return fmt.Errorf("pipe %d: task %d sleeps beside free pages and nobody will wake it", ch.pipe, x.first)
		}
	}
	return nil
}

// crowded is n writers to each of m pipes with room, and their readers; how fast
// either side is decides whether pipes are full or empty.
func crowded(rng *rand.Rand, n, m int) *workload.Workload {
	w := &workload.Workload{Name: "crowded", Groups: 1, Metric: workload.Metric{PerDone: 1}, Programs: make([]workload.Program, 2)}
	time := func() int64 { return 100 + rng.Int64N(3000) }
	write, read, hold := time(), time(), rng.Int64N(400)
	for i := range m {
		w.Lines = append(w.Lines, workload.Line{Name: "lock"})
		w.Channels = append(w.Channels, workload.Channel{
			Sync: true, Lines: 2, Room: workload.Room{Slots: 1 + rng.IntN(3), PerSlot: 1 + rng.IntN(4)},
		})
		w.Tasks = append(w.Tasks, workload.Task{
			Name: "reader", Program: 1, Base: workload.ChannelID(i), Lines: workload.LineID(i), Setup: rng.Int64N(5000), AtBarrier: i%2 == 0,
		})
		w.Programs[0] = append(w.Programs[0],
			workload.Step{Op: workload.Run, Dist: workload.Exponential, Time: write},
			workload.Step{Op: workload.Touch, Line: workload.LineID(i), Time: hold},
			workload.Step{Op: workload.Send, Channel: workload.ChannelID(i)},
			workload.Step{Op: workload.Pass, Channel: workload.ChannelID(i)})
	}
	w.Programs[1] = workload.Program{
		{Op: workload.Recv}, {Op: workload.Touch, Time: hold}, {Op: workload.Pass}, {Op: workload.Run, Dist: workload.Exponential, Time: read}, done,
	}
	for range n {
		w.Tasks = append(w.Tasks, workload.Task{Name: "writer", First: 4 * rng.IntN(m), Start: rng.Int64N(50 * us), AtBarrier: true})
	}
	w.Barrier = workload.Barrier{Release: 60 * us, Gap: 500}
	return w
}

// TestCrowdedPipes plays random writers and readers with a check after every
// event: no writer is left asleep beside room, no message is lost, and the run
// goes on to the end.
func TestCrowdedPipes(t *testing.T) {
	for i := range 60 {
		rng := rand.New(rand.NewPCG(310, uint64(i)))
		m := randomMachine(t, rng)
		cfg := Config{Machine: m, Workload: crowded(rng, 1+rng.IntN(6), 1+rng.IntN(3)), Policy: randomPolicy(t, rng), Seed: uint64(i), Duration: ms}
		e := prepare(t, cfg)
		start := cfg.Workload.LastStart()
		e.walk(t, start)
		e.closeBooks()
		e.resetMeters()
		e.walk(t, start+cfg.Duration/2)
		half := append([]int64(nil), e.meter.groups...)
		e.walk(t, start+cfg.Duration)
		e.closeBooks()
		got := e.totals(half)
		conserved(t, got)
		if got.Done[0]-half[0] < 10 {
			t.Errorf("run %d: %d messages in the second half", i, got.Done[0]-half[0])
		}
	}
}

// TestPassMissing: without the wakeup of the next writer a run comes to a halt,
// and the check sees it.
func TestPassMissing(t *testing.T) {
	for _, side := range []int{0, 1} { // writers, readers
		halted := false
		for i := range 30 {
			rng := rand.New(rand.NewPCG(311, uint64(i)))
			w := crowded(rng, 6, 1)
			w.Channels[0].Room = workload.Room{Slots: 2, PerSlot: 1}
			e := prepare(t, Config{Machine: cores(t, 4), Workload: w, Policy: linux(t, "6.10"), Seed: uint64(i), Duration: ms})
			program := e.steps[:len(w.Programs[0])]
			if side == 1 {
				program = e.steps[len(w.Programs[0]):]
			}
			for j := range program {
				if program[j].Op == workload.Pass {
					program[j] = workload.Step{Op: workload.Run}
				}
			}
			if err := e.runUntil(5*ms, 5*ms); err != nil {
				t.Fatal(err)
			}
			for j := range e.pipes {
				x := &e.pipes[j]
				halted = halted || x.first != none && !x.full()
			}
		}
		if !halted {
			t.Errorf("without the pass of side %d no writer was ever left asleep", side)
		}
	}
}

// TestPages: what a pipe holds, message by message.
func TestPages(t *testing.T) {
	w := crowded(rand.New(rand.NewPCG(1, 1)), 4, 1)
	w.Channels[0].Room = workload.Room{Slots: 2, PerSlot: 3}
	e := prepare(t, Config{Machine: cores(t, 1), Workload: w, Policy: linux(t, "6.10"), Duration: ms})
	x := &e.pipes[0]
	full := func(step string, want bool, left ...uint8) {
		t.Helper()
		if x.full() != want {
			t.Errorf("%s: full %v", step, x.full())
		}
		for i, n := range left {
			if got := x.left[(int(x.head)+i)%len(x.left)]; got != n {
				t.Errorf("%s: page %d has %d messages, want %d", step, i, got, n)
			}
		}
	}
	for range 4 {
		e.admit(0, 1, 0)
	}
	full("four written", true, 3, 1) // the second page has room: that is full all the same
	e.drawOff(0, 0)
	if !e.tasks[0].passing {
		t.Error("a read from a full pipe wakes nobody")
	}
	e.drawOff(0, 0)
	full("two read", true, 1, 1)
	e.admit(0, 1, 0)
	full("and one written", true, 1, 2)
	e.drawOff(0, 0)
	full("the first page read", false, 2)
	e.drawOff(0, 0)
	if e.tasks[0].passing {
		t.Error("a read from a pipe with room wakes a writer")
	}
	e.tasks[1].writing = true
	e.admit(0, 1, 0)
	full("a sleeper writes", true, 1, 1) // on a page of its own
	if e.tasks[1].writing || e.tasks[1].passing {
		t.Errorf("%+v", e.tasks[1])
	}
}

// TestBarrier: everybody is forked, set up and asleep before the first goes on,
// one after the other.
func TestBarrier(t *testing.T) {
	w := copies(t, 3, "", runFor(100), done)
	for i := range w.Tasks {
		w.Tasks[i].Setup, w.Tasks[i].AtBarrier, w.Tasks[i].Start = 10*us, true, int64(i)*5*us
	}
	w.Barrier = workload.Barrier{Release: 200 * us, Gap: 30 * us}
	if w.LastStart() != 260*us {
		t.Errorf("last start at %d", w.LastStart())
	}
	e := prepare(t, Config{Machine: on(t, "xeon240", "b", topology.New("b").Cores(4)), Workload: w, Policy: linux(t, "6.10"), Duration: ms})
	e.walk(t, 200*us)
	if sum(e.meter.groups) != 0 {
		t.Errorf("done %v before the barrier opened", e.meter.groups)
	}
	for i := range w.Tasks {
		if a := e.tskTime[i].Account; a[Work] != 10*us {
			t.Errorf("task %d was set up for %d ns", i, a[Work])
		}
	}
	for i := range w.Tasks {
		e.walk(t, 200*us+int64(i)*30*us+20*us)
		for j, n := range e.meter.groups {
			if (n > 0) != (j <= i) {
				t.Errorf("%d us after the opening: done %v", 20+30*i, e.meter.groups)
			}
		}
	}
}
