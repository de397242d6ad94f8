package workload

import (
	"fmt"

	"github.com/schedlab/lab/schedlab/topology"
)

// TaskID numbers the tasks of one workload from 0.
type TaskID int32

// NoTask stands for "no task": the idle task, or an interrupt on an idle CPU.
const NoTask TaskID = -1

// ChannelID numbers the channels of one workload from 0.
type ChannelID int32

// LineID numbers the contended lines of one workload from 0.
type LineID int32

// Line is one cache line, or a lock, that many tasks want at once. It serves
// one CPU at a time; a hand-over takes the machine's contended transfer time by
// the distance from the CPU that had it last.
type Line struct {
	Name string
}

// Op is what a step does.
type Op uint8

// The closed set of operations.
const (
	// Run consumes Time of CPU.
	Run Op = iota
	// Send puts one message on Channel and wakes its receiver if that sleeps.
	// The engine adds the machine's system call and wakeup costs.
	Send
	// Recv takes one message from Channel and sleeps while there is none. The
	// engine adds the system call and the transfer of the channel's lines.
	Recv
	// Sleep blocks for Time; a timer interrupt on the task's last CPU wakes it.
	Sleep
	// Touch takes Line for itself, waiting in line for it, and holds it for
	// Time: an atomic counter (Time 0), or a lock others spin for.
	Touch
	// Pass hands the room in a bounded Channel on: after a Recv that found it
	// full, or a Send that slept and left room, it wakes the writer that has
	// slept longest. Every Send and Recv on a bounded channel MUST have its Pass
	// before the task's next one: a writer may be left asleep otherwise.
	Pass
	// Done counts one unit of the benchmark's own metric. It takes no time.
	Done
	numOps
)

var opNames = [numOps]string{"run", "send", "recv", "sleep", "touch", "pass", "done"}

func (o Op) String() string {
	if o < numOps {
		return opNames[o]
	}
	return fmt.Sprintf("op(%d)", uint8(o))
}

// Dist is how the length of a Run or Sleep step varies from one execution to
// the next. Draws come from integer tables and from the task's own random
// stream, so they do not depend on the policy.
type Dist uint8

// The closed set of distributions; all have mean Time.
const (
	// Fixed: exactly Time.
	Fixed Dist = iota
	// Jittered: uniform within +-Jitter of Time; stands for the service-time
	// noise of a kernel path.
	Jittered
	// Exponential: the memoryless law of the queueing oracles.
	Exponential
	numDists
)

// JitterPercent is the half width of Jittered in percent of the mean. A guess:
// kernel paths of a few microseconds vary by about that much when nothing else
// happens. It is not a calibrated figure and belongs to no benchmark.
const JitterPercent = 5

// MaxStepTime bounds Step.Time, about 8.6 s: draws are made in 64-bit integers.
const MaxStepTime = 1<<33 - 1

// MaxLines bounds the lines of one message, 64 MiB of them.
const MaxLines = 1 << 20

// Step is one instruction of a program.
type Step struct {
	Op   Op
	Dist Dist
	// Channel is relative to the task's Base, so that pairs share programs.
	Channel ChannelID
	// Line is what Touch takes, relative to the task's Lines.
	Line LineID
	// Bytes is the payload of a Send. Its lines move to the receiver's CPU,
	// overlapping their misses, beside the channel's shared structure.
	Bytes int32
	// Time is the mean length in ns at full speed of an otherwise idle core.
	// It MUST lie in 0 to MaxStepTime.
	Time int64
}

// Program is the endless loop a task executes.
type Program []Step

// Context is where a wakeup is executed from; placement rules ask for it.
type Context uint8

// The closed set of contexts.
const (
	// InTask: a system call of the waker itself (pipes, AF_UNIX, futex).
	InTask Context = iota
	// InSoftirq: network receive processing. On loopback it runs inline at the
	// end of the sender's transmit, so the current task is the sender.
	InSoftirq
	// InIRQ: a hard interrupt; the current task is whatever was interrupted.
	InIRQ
)

func (c Context) String() string {
	switch c {
	case InTask:
		return "task"
	case InSoftirq:
		return "softirq"
	case InIRQ:
		return "irq"
	}
	return fmt.Sprintf("context(%d)", uint8(c))
}

// Channel carries messages from one task to another.
type Channel struct {
	Name     string
	From, To TaskID
	// Sync says that the wakeup carries WF_SYNC: the waker promises to sleep
	// soon.
	Sync bool
	// Context is where the wakeup runs.
	Context Context
	// Lines is the number of cache lines of shared structure that a message
	// moves from the sender's CPU to the receiver's. Payload lines are counted
	// apart because copies overlap their misses.
	Lines, PayloadLines float64
	// Room bounds the channel; the zero Room does not.
	Room Room
}

// Task is one thread of the benchmark.
type Task struct {
	Name    string
	Program int // index into Workload.Programs
	// Base is the first of the task's channels: a step's Channel counts from it.
	Base ChannelID
	// Lines is the first of the task's contended lines, likewise.
	Lines LineID
	// First is the step of the program the task begins with; after the last
	// step it goes on with step 0.
	First int
	// Setup is the CPU time of the task after its fork and before its program,
	// in ns, 0 to MaxStepTime. AtBarrier: it then waits for the others. See
	// Barrier.
	Setup     int64
	AtBarrier bool
	// Group ties the tasks whose Done steps count together, for example the
	// two ends of a netperf pair. Groups are numbered from 0.
	Group int
	// Start is when the task is forked, in ns from the start of the run.
	Start int64
	// Footprint is how many bytes of cache the task warms anew after it moved,
	// beside the lines its messages carry.
	Footprint int64
	// Kthread says that the task is a kernel thread.
	Kthread bool
	// Allowed limits the CPUs; the empty set means every CPU.
	Allowed topology.CPUSet
	// Home limits the CPUs the task may be forked on, within Allowed, and
	// nothing after that; the empty set leaves it to the kernel. It makes
	// initial states.
	Home topology.CPUSet
}

// Workload is a set of tasks, their programs and their channels.
type Workload struct {
	// Name is the canonical text that builds it again, for example
	// "netperf-tcp_rr:240".
	Name     string
	Tasks    []Task
	Programs []Program
	Channels []Channel
	Lines    []Line
	Groups   int
	Metric   Metric
	Barrier  Barrier
}

// Validate reports the first thing in w an engine could not run. The builders
// of this package always pass; it is there for workloads made by hand.
func (w *Workload) Validate() error {
	if len(w.Tasks) == 0 {
		return fmt.Errorf("workload: %q has no tasks", w.Name)
	}
	for i, p := range w.Programs {
		if err := validateProgram(p); err != nil {
			return fmt.Errorf("workload: %q: program %d: %w", w.Name, i, err)
		}
	}
	for i, c := range w.Channels {
		if least, most := min(c.Lines, c.PayloadLines), max(c.Lines, c.PayloadLines); !(least >= 0 && most <= MaxLines) { // nor NaN
			return fmt.Errorf("workload: %q: channel %d %q: %.9g lines and %.9g payload lines are not in 0..%d",
				w.Name, i, c.Name, c.Lines, c.PayloadLines, MaxLines)
		}
	}
	if err := w.validateBounds(); err != nil {
		return fmt.Errorf("workload: %q: %w", w.Name, err)
	}
	receiver := make([]TaskID, len(w.Channels))
	for i, t := range w.Tasks {
		if t.Program < 0 || t.Program >= len(w.Programs) {
			return fmt.Errorf("workload: %q: task %d %q: program %d does not exist", w.Name, i, t.Name, t.Program)
		}
		if t.Group < 0 || t.Group >= w.Groups {
			return fmt.Errorf("workload: %q: task %d %q: group %d is not in 0..%d", w.Name, i, t.Name, t.Group, w.Groups-1)
		}
		if t.Start < 0 {
			return fmt.Errorf("workload: %q: task %d %q: starts at %d ns, before the run", w.Name, i, t.Name, t.Start)
		}
		if t.Setup < 0 || t.Setup > MaxStepTime {
			return fmt.Errorf("workload: %q: task %d %q: setup %d ns is not in 0..%d", w.Name, i, t.Name, t.Setup, int64(MaxStepTime))
		}
		if err := w.validateChannels(TaskID(i), receiver); err != nil {
			return fmt.Errorf("workload: %q: task %d %q: %w", w.Name, i, t.Name, err)
		}
	}
	return nil
}

// validateChannels checks the channels of one task; receiver holds the reader
// of each channel plus one.
func (w *Workload) validateChannels(id TaskID, receiver []TaskID) error {
	t := &w.Tasks[id]
	p := w.Programs[t.Program]
	if t.First < 0 || t.First >= len(p) {
		return fmt.Errorf("first step %d is not in its program of %d", t.First, len(p))
	}
	for j, s := range p {
		if l := t.Lines + s.Line; s.Op == Touch && (l < 0 || int(l) >= len(w.Lines)) {
			return fmt.Errorf("step %d: line %d does not exist", j, l)
		}
		if s.Op != Send && s.Op != Recv && s.Op != Pass {
			continue
		}
		ch := t.Base + s.Channel
		if ch < 0 || int(ch) >= len(w.Channels) {
			return fmt.Errorf("step %d: channel %d does not exist", j, ch)
		}
		if s.Op != Recv {
			continue
		}
		if r := receiver[ch]; r != 0 && r != id+1 {
			return fmt.Errorf("channel %d is read by task %d too; one reader is the rule", ch, r-1)
		}
		receiver[ch] = id + 1
	}
	return w.validatePasses(t)
}

func validateProgram(p Program) error {
	if len(p) == 0 {
		return fmt.Errorf("is empty")
	}
	rests := false
	for j, s := range p {
		switch {
		case s.Op >= numOps:
			return fmt.Errorf("step %d: unknown operation %d", j, s.Op)
		case s.Dist >= numDists:
			return fmt.Errorf("step %d: unknown distribution %d", j, s.Dist)
		case s.Time < 0:
			return fmt.Errorf("step %d: negative time %d ns", j, s.Time)
		case s.Time > MaxStepTime:
			return fmt.Errorf("step %d: time %d ns is above %d", j, s.Time, int64(MaxStepTime))
		case s.Bytes < 0:
			return fmt.Errorf("step %d: negative payload of %d bytes", j, s.Bytes)
		}
		rests = rests || s.Op == Recv || s.Op == Sleep || s.Op == Run && s.Time > 0
	}
	if !rests {
		return fmt.Errorf("never runs and never blocks")
	}
	return nil
}

// LastStart is when the last task is forked or released from the barrier, in ns
// from the start of the run.
func (w *Workload) LastStart() int64 {
	var last int64
	release := w.Barrier.Release
	for _, t := range w.Tasks {
		last = max(last, t.Start)
		if t.AtBarrier {
			last = max(last, release)
			release += w.Barrier.Gap
		}
	}
	return last
}
