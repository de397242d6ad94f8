package sim

import (
	"context"
	"math"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// Config is one run. All times are in ns.
type Config struct {
	Machine  *machine.Machine
	Workload *workload.Workload
	Policy   policy.Policy
	Seed     uint64
	// Warmup is simulated and not counted; it starts when the last task has
	// started. Duration is the measured window after it.
	Warmup, Duration int64
	// Progress, if not nil, is told now and then how far the run is.
	Progress func(done, total int64)
	// Record asks for single placements; the zero value for none.
	Record Record
}

// effect is what happens when a CPU's segment ends.
type effect uint8

const (
	effNone    effect = iota
	effSend           // a message is sent; its receiver may have to be placed
	effEnqueue        // the placed wakee is queued
	effTouch          // a contended line is asked for
	effRecv           // a message is taken, or the task blocks
	effSleep          // the task blocks on a timer
	effPass           // the next writer of a full pipe is woken
	effSetUp          // the task is set up and may be at the barrier
	effNewIdle        // a pass of newidle balancing is over
	effIdle           // the switch to the idle task is done
	effRound          // a round of a program that does nothing but run has passed
)

// none stands for no task and no CPU in the compiled arrays.
const none = -1

// cpu is the hot part of a CPU: it fits two cache lines.
type cpu struct {
	segStart  int64 // when the segment's current speed began
	segLeft   int64 // ns of it left at full speed
	idleSince int64
	curr      int32 // running task, none while idle or switching to idle
	nr        int32 // runnable tasks, the running one included
	claims    int32 // visible placements not yet queued here
	stretch   int32 // wall time per time at full speed, in 1/1024
	leaving   int32 // the task it last switched, or is switching, away from
	wakee     int32 // what effEnqueue queues,
	target    int32 // and where
	core, llc int32
	effect    effect
	active    bool // not in the idle loop
	resched   bool // its task may have to make way
	wakelist  bool // effEnqueue goes over the wakelist
	first     uint8
	nparts    uint8
	rq        fair
}

// maxParts bounds the parts of a segment: runs merge, and at most one part of
// any other category comes before the next effect.
const maxParts = 12

// leftover is what a task was doing when it lost its CPU.
type leftover struct {
	parts  [maxParts]part
	n      uint8
	effect effect
}

// part is a time at full speed and its category, ns<<8 | category.
type part int64

// running is the account slot of a task whose time is accounted by parts.
const running = NumCategories

// task is the hot part of a task: it fits two cache lines.
type task struct {
	service      stream
	since        int64 // when cat began
	wokenAt      int64 // when the wakeup in flight began, none if there is none
	offCPUAt     int64 // when its last CPU has finished switching away
	execFrom     int64 // up to when its run time is booked
	ranAt        int64 // when it last ran where it is, none if it has not
	sumExec      int64
	sleepExec    int64 // sumExec at the last voluntary sleep
	duration     int64 // duration_avg
	flipStamp    int64
	pc           int32
	steps        int32 // its program is steps[steps:end]
	end          int32
	channels     int32
	group        int32
	cpu          int32 // where it is or was last
	recent       int32
	lastWakee    int32
	flips        int32
	moved        topology.Distance // how far it went since it last ran
	cat          Category          // what its time goes into, or running
	receiving    bool              // asleep inside a receive, past its entry
	writing      bool              // asleep on a full pipe, or woken from it
	passing      bool              // its next Pass wakes a writer
	interrupted  bool              // preempted with work left in saved
	boundKthread bool
	restricted   bool // not allowed everywhere
}

// channel is one message queue.
type channel struct {
	to       int32
	fromCPU  int32
	messages int32
	lines    int32 // in units of the full line cost / 256
	bytes    int32 // payload of the last message
	pipe     int32 // its room, none if it is unbounded
	waiting  bool
	sync     bool
	context  workload.Context
}

// prices are the machine's costs in ns, looked up once.
type prices struct {
	syscall, localWake, contextSwitch    int64
	remoteEnqueue, wakelistAdd, moving   int64
	ipiSend, ipiDelivery, ipiRemoteExtra int64
	drain                                int64
	tick, newIdleFixed, newIdlePerCPU    int64
	scanFixed, scanQuiet, scanDirty      int64
	line, contended                      [topology.NumDistances]int64
}

type engine struct {
	cfg    Config
	ctx    context.Context
	topo   *topology.Topology
	kernel policy.Kernel
	price  prices
	sel    policy.Selector
	onIdle policy.IdleObserver
	onNap  policy.SleepObserver
	onTick policy.TickObserver
	view   view

	now     int64
	cpus    []cpu // by CPU number; absent numbers are never touched
	parts   [][maxParts]part
	tasks   []task
	chans   []channel
	steps   []workload.Step
	done    tree // completions, by CPU
	timers  tree // by task, then by CPU: starts, sleeps, ticks
	claims  claimQueue
	idle    []uint64 // CPUs that look idle
	present []uint64 // CPUs there are
	allowed [][]uint64
	naps    []stream

	rqAvg  []average // by CPU
	rqEst  []int64   // by CPU: util_est of what is queued
	ents   []entity  // by task
	avg    []average // by task
	est    []int64   // by task
	saved  []leftover
	refill [][topology.NumDistances]int64 // by task
	idlers []idler                        // by CPU
	lines  []contended
	// lineBase is the first of a task's lines, by task.
	lineBase []workload.LineID
	pipes    []pipe
	// nextWriter links the writers that sleep on one pipe; entry is where a task
	// goes on when it is set up and release when. All by task.
	nextWriter, entry []int32
	release           []int64
	// payload is what a byte of payload counts as lines, in 1/2^24.
	payload int64
	clock   machine.Clock
	follows bool     // the clock follows use
	noise   []stream // by CPU
	sleeps  []sleepState
	// shallow is the shallowest state the governor takes: never the polling
	// one while a halted one fits.
	shallow     uint8
	self        int32 // the CPU whose step is being handled, none in a timer
	slice       int64
	tickNS      int64
	domains     [][]domain // by CPU
	everyone    []int32
	scanHint    []int64 // nr_idle_scan by LLC
	llcBusy     []int32 // CPUs out of idle, by LLC
	overloaded  bool    // some CPU has, or had, two tasks
	nohzNext    int64
	maxInterval int64

	busy      []int32 // busy threads by core
	threads   [][]int32
	siblings  []int32    // by CPU: the other thread, where every core has two
	masks     []coreMask // by LLC, or none
	coreAt    []uint8    // by CPU: its core's bit there
	stretchOf []int32    // by number of busy threads of a core
	idleCores []bool     // by LLC
	llcs      []topology.CPUSet
	llcDist   []int64 // price of a look beyond the own LLC: [from*n+to]
	places    []place

	meter   meter
	cpuTime []books
	tskTime []books
	err     error

	recorder *recorder // nil: nothing is recorded
}

// meter is what is counted in the measured window.
type meter struct {
	events     int64
	balanced   int64 // tasks moved by balancing
	pushed     int64 // of them running ones
	wakeups    int64
	searches   int64
	probes     int64
	reasons    [policy.NumReasons]int64
	migrations [topology.NumDistances]int64
	groups     []int64
	latency    histogram
}

func pricesOf(m *machine.Machine) prices {
	p := prices{
		syscall: m.NS(machine.Syscall), localWake: m.NS(machine.LocalWake), contextSwitch: m.NS(machine.ContextSwitch),
		remoteEnqueue: m.NS(machine.RemoteEnqueue), wakelistAdd: m.NS(machine.WakelistAdd), moving: m.NS(machine.MigrationBookkeeping),
		ipiSend: m.NS(machine.IPISend), ipiDelivery: m.NS(machine.IPIDelivery), ipiRemoteExtra: m.NS(machine.IPIDeliveryRemoteExtra),
		drain: m.NS(machine.WakelistDrain),
		tick:  m.NS(machine.Tick), newIdleFixed: m.NS(machine.NewidleFixed), newIdlePerCPU: m.NS(machine.NewidlePerCPU),
		scanFixed: m.NS(machine.ScanFixed), scanQuiet: m.NS(machine.ScanQuiet), scanDirty: m.NS(machine.ScanDirty),
	}
	for d := range p.line {
		p.line[d] = m.Line(topology.Distance(d))
		p.contended[d] = m.Contended(topology.Distance(d))
	}
	return p
}

// stretches is the slowdown of each of k busy threads of one core, in 1/1024:
// k threads together do gain^log2(k) times the work of one.
func stretches(gain float64, threads int) []int32 {
	s := make([]int32, threads+1)
	s[0] = 1024
	for k := 1; k <= threads; k++ {
		s[k] = int32(math.Round(1024 * float64(k) / math.Pow(gain, math.Log2(float64(k)))))
	}
	return s
}
