package sim

import (
	"context"
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

const us, ms = int64(1_000), int64(1_000_000)

// preset is a machine by name; on is xeon240's costs (two threads per core, or
// kunpeng128's for a machine without) on another shape.
func preset(tb testing.TB, name string) *machine.Machine {
	tb.Helper()
	m, err := machine.Preset(name)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func on(tb testing.TB, costs, name string, b *topology.Builder) *machine.Machine {
	tb.Helper()
	t, err := b.Build()
	if err != nil {
		tb.Fatal(err)
	}
	m, err := preset(tb, costs).On(name, t)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// cores is a machine of n CPUs in one LLC without SMT, at xeon240's prices.
func cores(tb testing.TB, n int) *machine.Machine {
	return on(tb, "xeon240", "cores", topology.New("cores").Cores(n))
}

func linux(tb testing.TB, text string) policy.Policy {
	tb.Helper()
	p, err := policy.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func benchmark(tb testing.TB, text string, m *machine.Machine) *workload.Workload {
	tb.Helper()
	w, err := workload.Parse(text, m)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// prepare compiles cfg; free takes all prices away, as the oracles want it.
func prepare(tb testing.TB, cfg Config) *engine {
	tb.Helper()
	e, err := compile(context.Background(), cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func (e *engine) free() *engine {
	e.price = prices{}
	clear(e.llcDist)
	clear(e.refill)
	for i := range e.sleeps {
		e.sleeps[i].price = 0
	}
	for c := range e.domains {
		for i := range e.domains[c] {
			e.domains[c][i].newIdleCost = 0
		}
		d := &e.idlers[c]
		d.firstCost, d.firstGate, d.secondGate = 0, 0, 0
	}
	return e
}

// unbalanced stops all balancing.
func (e *engine) unbalanced() *engine {
	for _, c := range e.everyone {
		e.idlers[c].firstGate, e.idlers[c].nextBal = notYet, notYet
		for i := range e.domains[c] {
			e.domains[c][i].newIdleOn, e.domains[c][i].last = false, notYet/2
		}
	}
	return e
}

// calm takes away what interrupts a closed form: the price of ticks and of
// balancing.
func (e *engine) calm() *engine {
	e.price.tick, e.price.newIdleFixed, e.price.newIdlePerCPU = 0, 0, 0
	for c := range e.idlers {
		e.idlers[c].firstCost = 0
	}
	return e
}

// halted is the price of leaving the state a CPU that idles for microseconds is
// in.
func (e *engine) halted() int64 { return e.sleeps[e.shallow].price }

// play is Run on an engine that is compiled already, with the books checked.
func (e *engine) play(tb testing.TB) *Totals {
	tb.Helper()
	start := e.cfg.Workload.LastStart() + e.cfg.Warmup
	end := start + e.cfg.Duration
	if err := e.runUntil(start, end); err != nil {
		tb.Fatal(err)
	}
	e.closeBooks()
	e.resetMeters()
	if err := e.runUntil(end, end); err != nil {
		tb.Fatal(err)
	}
	e.closeBooks()
	t := e.totals(make([]int64, len(e.meter.groups)))
	conserved(tb, t)
	return t
}

// run is Run with the books checked.
func run(tb testing.TB, cfg Config) *Totals {
	tb.Helper()
	t, err := Run(context.Background(), cfg)
	if err != nil {
		tb.Fatal(err)
	}
	conserved(tb, t)
	return t
}

// conserved checks that every CPU's and every task's time adds up to the window
// and that the sums are the sums.
func conserved(tb testing.TB, t *Totals) {
	tb.Helper()
	var cpu, tsk Account
	for i := range t.PerCPU {
		a := &t.PerCPU[i]
		if a.Total() != t.Window || negative(a) || a[Queued] != 0 || a[Blocked] != 0 {
			tb.Fatalf("CPU %d: %d ns of %d: %v", t.CPUs[i], a.Total(), t.Window, *a)
		}
		cpu.add(a)
	}
	for i := range t.PerTask {
		a := &t.PerTask[i]
		if a.Total() != t.Window || negative(a) || a[Idle] != 0 {
			tb.Fatalf("task %d: %d ns of %d: %v", i, a.Total(), t.Window, *a)
		}
		tsk.add(a)
	}
	if cpu != t.CPU || tsk != t.Task {
		tb.Fatalf("sums differ: CPU %v and %v, tasks %v and %v", cpu, t.CPU, tsk, t.Task)
	}
	// Work happens on a CPU and in a task, or nowhere; the entry of a receive that
	// blocks at once is nobody's.
	if cpu[Work] != tsk[Work] || cpu[Syscall] < tsk[Syscall] || cpu[LineTransfer] != tsk[LineTransfer] || cpu[CacheRefill] != tsk[CacheRefill] {
		tb.Fatalf("CPUs and tasks disagree: CPU %v, tasks %v", cpu, tsk)
	}
}

func negative(a *Account) bool {
	for _, ns := range a {
		if ns < 0 {
			return true
		}
	}
	return false
}

// program builders

func runFor(ns int64) workload.Step {
	return workload.Step{Op: workload.Run, Time: ns}
}
func runExp(ns int64) workload.Step {
	return workload.Step{Op: workload.Run, Dist: workload.Exponential, Time: ns}
}
func sleepFor(ns int64) workload.Step {
	return workload.Step{Op: workload.Sleep, Time: ns}
}
func sleepExp(ns int64) workload.Step {
	return workload.Step{Op: workload.Sleep, Dist: workload.Exponential, Time: ns}
}
func sendTo(ch workload.ChannelID) workload.Step {
	return workload.Step{Op: workload.Send, Channel: ch}
}
func recvFrom(ch workload.ChannelID) workload.Step {
	return workload.Step{Op: workload.Recv, Channel: ch}
}

var done = workload.Step{Op: workload.Done}

// pingPong is one pair that works a and b ns per round, each end on its CPU
// list ("" is everywhere).
func pingPong(tb testing.TB, a, b int64, lines int, client, server string) *workload.Workload {
	return &workload.Workload{
		Name: "ping-pong", Groups: 1, Metric: workload.Metric{PerDone: 1},
		Programs: []workload.Program{
			{runFor(a), sendTo(0), recvFrom(1), done},
			{recvFrom(0), runFor(b), sendTo(1)},
		},
		Tasks: []workload.Task{
			{Name: "client", Program: 0, Allowed: list(tb, client)},
			{Name: "server", Program: 1, Allowed: list(tb, server)},
		},
		Channels: []workload.Channel{
			{Name: "request", From: 0, To: 1, Sync: true, Lines: float64(lines)},
			{Name: "reply", From: 1, To: 0, Sync: true, Lines: float64(lines)},
		},
	}
}

// copies is n tasks of one program, all on the same CPU list.
func copies(tb testing.TB, n int, allowed string, p ...workload.Step) *workload.Workload {
	w := &workload.Workload{Name: "copies", Groups: n, Metric: workload.Metric{PerDone: 1}, Programs: []workload.Program{p}}
	for i := range n {
		w.Tasks = append(w.Tasks, workload.Task{Name: "copy", Group: i, Allowed: list(tb, allowed)})
	}
	return w
}

func list(tb testing.TB, cpus string) topology.CPUSet {
	set, err := topology.ParseCPUList(cpus)
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

func sum(counts []int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}
