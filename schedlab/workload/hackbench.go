package workload

import (
	"fmt"
	"math"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
)

// hackbenchOptions: fds senders and as many receivers per group (-f), and how
// often each sender goes round the receivers of its group (-l); the defaults are
// hackbench's own. A harness sets them to its taste.
var hackbenchOptions = []string{"fds", "loops"}

// A pipe holds 16 pages of 4 KiB, and writes of 100 bytes, hackbench's default,
// join the last page while they fit in whole: 40 to a page, 640 in all.
const (
	messageBytes = 100
	pipeSlots    = 16
	perPage      = 4096 / messageBytes
)

// hackbench is what a message costs on both sides.
type hackbench struct {
	writeNS, readNS int64 // outside the pipe's lock
	holdNS          int64 // inside, on either side
	lines           float64
}

// hackbenchOf takes the machine's hackbench_message apart: the CPU time per
// message over both sides with all CPUs busy, so that both threads of a core run
// at their share of its throughput. What the machine model charges for a message
// when nobody sleeps is taken off; the rest is the path:
//
//	message x gain / threads = path + two system calls + two hand-overs of the lock + lines + payload
//
// The anchor is hackbench_message. Derived: the lines that move with a message,
// those of a pipe ping-pong less the lock's, which is a contended line here.
// Guesses: writing takes six tenths of the path, as everywhere; the lock is held
// for half of either side (copy and bookkeeping, not file table and security
// checks). Some wakeups per message are in the anchor too, a tenth or so of a
// wakeup; they are not taken off.
func hackbenchOf(m *machine.Machine) hackbench {
	line := float64(m.Line(topology.LLC))
	lines := max(0, pairOf(m, m.NS(machine.PipeSameCPU), m.NS(machine.PipeCrossCPU), InTask).lines-1)
	share := 1.0
	if threads := float64(m.Topology().SMT()); threads > 1 {
		share = math.Pow(m.Ratio(machine.SMTGainKernel), math.Log2(threads)) / threads
	}
	payload := float64(messageBytes) / machine.LineBytes * m.Ratio(machine.PayloadLineFraction)
	path := float64(m.NS(machine.HackbenchMessage))*share - float64(2*m.NS(machine.Syscall)+2*m.Contended(topology.LLC)) - (lines+payload)*line
	write, read := int64(max(0, path)*6/10), int64(max(0, path)*4/10)
	hold := min(write, read, (write+read)/4)
	return hackbench{writeNS: write - hold, readNS: read - hold, holdNS: hold, lines: lines}
}

// buildHackbenchPipe: in each group every sender writes one message into each
// receiver's pipe in turn, for ever; receivers read what comes. A reader that
// sleeps is woken by the write that ends the emptiness of its pipe, a writer that
// sleeps by a read that found the pipe full. All begin on one byte from the
// parent. The figure is the time for loops rounds of all senders, at the rate of
// the window.
func buildHackbenchPipe(r request) (*Workload, error) {
	fds := r.number("fds")
	if r.load*fds > MaxLoad {
		return nil, fmt.Errorf("workload: %q: %d groups of %d senders are more than %d", r.text, r.load, fds, MaxLoad)
	}
	h := hackbenchOf(r.machine)
	w := &Workload{
		Metric:   Metric{Name: "time", Unit: r.bench.Unit, PerDone: 1, Work: float64(r.load) * float64(fds) * float64(fds) * float64(r.number("loops"))},
		Groups:   r.load,
		Programs: h.programs(fds),
		Barrier:  barrierAfter(2*fds*r.load, r.machine),
	}
	for g := range r.load {
		for i := range 2 * fds { // receivers are forked first
			first := g * fds
			t := Task{
				Name: fmt.Sprintf("receiver-%d-%d", g, i), Program: 1, Base: ChannelID(first + i), Lines: LineID(first + i), Group: g,
				Start: int64(len(w.Tasks)) * forkGap, Setup: childSetup, AtBarrier: true,
			}
			if i >= fds {
				t.Name, t.Program, t.Base, t.Lines = fmt.Sprintf("sender-%d-%d", g, i-fds), 0, ChannelID(first), LineID(first)
			} else {
				w.Lines = append(w.Lines, Line{Name: fmt.Sprintf("mutex-%d-%d", g, i)})
				w.Channels = append(w.Channels, Channel{
					Name: fmt.Sprintf("pipe-%d-%d", g, i), From: NoTask, To: TaskID(len(w.Tasks)), Sync: true, Context: InTask,
					Lines: h.lines, Room: Room{Slots: pipeSlots, PerSlot: perPage},
				})
			}
			w.Tasks = append(w.Tasks, t)
		}
	}
	return w, nil
}

// programs are the sender's, a round over its receivers, and the receiver's.
func (h hackbench) programs(fds int) []Program {
	var sender Program
	for i := range fds {
		sender = append(sender,
			Step{Op: Run, Dist: Jittered, Time: h.writeNS},
			Step{Op: Touch, Dist: Jittered, Line: LineID(i), Time: h.holdNS},
			Step{Op: Send, Channel: ChannelID(i), Bytes: messageBytes},
			Step{Op: Pass, Channel: ChannelID(i)})
	}
	return []Program{sender, {
		{Op: Recv},
		{Op: Touch, Dist: Jittered, Time: h.holdNS},
		{Op: Pass},
		{Op: Run, Dist: Jittered, Time: h.readNS},
		{Op: Done},
	}}
}
