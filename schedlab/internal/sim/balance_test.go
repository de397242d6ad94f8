package sim

import (
	"fmt"
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// TestIdleScan: the published values of SIS_UTIL's hint.
func TestIdleScan(t *testing.T) {
	utils := []int64{512, 614, 717, 819, 870, 875}
	for n, want := range map[int64][]int64{120: {78, 61, 39, 15, 1, 0}, 56: {36, 28, 18, 7, 0, 0}, 32: {21, 16, 10, 4, 0, 0}} {
		for i, util := range utils {
			if got := idleScan(n*util, n, 117); got != want[i] {
				t.Errorf("%d CPUs at %d: %d, want %d", n, util, got, want[i])
			}
		}
		if got := idleScan(0, n, 117); got != n {
			t.Errorf("%d idle CPUs: %d", n, got)
		}
		if got := idleScan(1024*n, n, 117); got != 0 {
			t.Errorf("%d busy CPUs: %d", n, got)
		}
	}
}

// loaded is a machine on which hog i has run on CPU cpus[i] for so long that loads
// say so; nothing has been balanced. The hogs may go anywhere now.
func loaded(t *testing.T, m *machine.Machine, cpus ...int) *engine {
	e := prepare(t, Config{Machine: m, Workload: hogs(t, 1000*ms, cpus...), Policy: linux(t, "6.10"), Seed: 2, Duration: 1}).calm().unbalanced()
	if err := e.runUntil(250*ms, ms); err != nil {
		t.Fatal(err)
	}
	e.self = none
	for i := range e.tasks {
		e.allowed[i], e.tasks[i].restricted = e.present, false
	}
	return e
}

func (e *engine) mustCheck(t *testing.T) {
	t.Helper()
	if err := e.check(); err != nil {
		t.Fatal(err)
	}
}

// on says where each task is.
func (e *engine) whereabouts() string {
	var at []int32
	for i := range e.tasks {
		at = append(at, e.tasks[i].cpu)
	}
	return fmt.Sprint(at)
}

// smtMachine has cores {0,4} {1,5} {2,6} {3,7} in one LLC.
func smtMachine(t *testing.T) *machine.Machine {
	return on(t, "xeon240", "smt", topology.New("smt").Cores(4).Threads(2))
}

// TestGroupKinds: what a group looks like, by tasks, use and load.
func TestGroupKinds(t *testing.T) {
	for _, c := range []struct {
		cpus []int
		want string // of the groups {0,4} and {1,5}
	}{
		{[]int{2}, "{0 0 2} {0 0 2}"},
		{[]int{0, 1}, "{0 1 1} {0 1 1}"},
		{[]int{0, 4, 1, 1}, "{1 2 0} {0 2 1}"},    // both threads busy; one thread with two
		{[]int{0, 0, 4, 1, 5}, "{2 3 0} {1 2 0}"}, // more tasks than threads
	} {
		e := loaded(t, smtMachine(t), c.cpus...)
		got := ""
		for i := range 2 {
			s := e.look(e.domains[0][1].groups[i], 117)
			got += fmt.Sprintf(" {%d %d %d}", s.kind, s.running, s.idle)
		}
		if got[1:] != c.want {
			t.Errorf("hogs on %v: %s, want %s", c.cpus, got[1:], c.want)
		}
	}
	// Three short tasks on a core that was idle until now: no use yet, so room.
	e := loaded(t, smtMachine(t), 0, 0, 4)
	for _, c := range []int32{0, 4} {
		e.rqAvg[c] = average{}
	}
	if s := e.look(e.domains[0][1].groups[0], 117); s.kind != hasSpare {
		t.Errorf("three tasks of no load: kind %d", s.kind)
	}
}

// TestShouldBalance: the first idle CPU of the own group balances, one on an idle
// core before others, else the first of all; who goes idle always may.
func TestShouldBalance(t *testing.T) {
	m := on(t, "xeon240", "two", topology.New("two").Sockets(2).Cores(4).Threads(2)) // node 0: 0-3, 8-11
	for _, c := range []struct {
		name string
		busy []int
		smt  int32 // who balances the core of 2 and 10,
		llc  int32 // the core against the others of its LLC,
		node int32 // and node 0 against node 1
	}{
		{"all idle", nil, 2, 2, 0},
		{"2 busy", []int{2}, 2, 10, 0}, // a thread alone is its own group
		{"all busy", []int{0, 1, 2, 3, 8, 9, 10, 11}, 2, 2, 0},
		{"idle threads on busy cores", []int{0, 1, 2, 3}, 2, 10, 8},
		{"an idle core after them", []int{0, 1, 2}, 2, 10, 3},
		{"first core busy", []int{0, 8}, 2, 2, 1},
	} {
		e := loaded(t, m, append(c.busy, 4)...)
		for level, want := range []int32{c.smt, c.llc, c.node} {
			for _, x := range []int32{0, 1, 2, 3, 8, 9, 10, 11} {
				d := &e.domains[x][level]
				if level < 2 && x != 2 && x != 10 || level == 0 && x != 2 {
					continue
				}
				for _, why := range []occasion{whileIdle, whileBusy} {
					if got := e.shouldBalance(x, d, why); got != (x == want) {
						t.Errorf("%s: CPU %d balances level %d: %v, want CPU %d", c.name, x, level, got, want)
					}
				}
			}
		}
		for _, x := range []int32{0, 10} {
			if got, want := e.shouldBalance(x, &e.domains[x][1], goingIdle), e.cpus[x].nr == 0; got != want {
				t.Errorf("%s: CPU %d goes idle with %d tasks: balances %v", c.name, x, e.cpus[x].nr, got)
			}
		}
	}
}

// groupOf8 is a group of so many CPUs with nothing else to it.
func groupOfCPUs(cpus, cores int64) *group {
	return &group{cpus: make([]int32, cpus), cores: cores, capacity: cpus * fullCapacity}
}

// side is one side of the balance: kind, running tasks, idle CPUs, average load.
type side struct {
	kind                   groupKind
	running, idle, average int64
}

func (s side) of(g *group) *load {
	return &load{group: g, kind: s.kind, running: s.running, idle: s.idle, average: s.average, capacity: g.capacity,
		util: s.average * g.capacity / fullCapacity}
}

// TestImbalance: whether anything should move, how much, and counted in what.
func TestImbalance(t *testing.T) {
	llc := domain{pct: 117, sharesLLC: true}
	cores := domain{pct: 117, sharesLLC: true, spread: true}
	socket := domain{pct: 117, numa: 1, spread: true}
	node := domain{pct: 117, numa: 4, crossNode: true, spread: true}
	plain := domain{pct: 117}
	for _, c := range []struct {
		name           string
		d              domain
		cpus           int64
		local, busiest side
		mean           int64
		why            occasion
		amount         int64 // 0: nothing moves
		by             currency
	}{
		{"both overloaded, by a margin", plain, 4, side{overloaded, 6, 0, 1500}, side{overloaded, 12, 0, 3000}, 2250, whileBusy, 750 * 4, byLoad},
		{"both overloaded, within the margin", plain, 4, side{overloaded, 6, 0, 1500}, side{overloaded, 7, 0, 1750}, 1625, whileBusy, 0, byTasks},
		{"local above the mean", plain, 4, side{overloaded, 6, 0, 1500}, side{overloaded, 12, 0, 3000}, 1400, whileIdle, 0, byTasks},
		{"local is worse off", plain, 4, side{overloaded, 6, 0, 1500}, side{fullyBusy, 4, 0, 3000}, 2000, whileIdle, 0, byTasks},

		{"fully busy takes from overloaded", plain, 4, side{fullyBusy, 4, 0, 1000}, side{overloaded, 8, 0, 2000}, 1500, whileBusy, 500 * 4, byLoad},
		{"fully busy, but not below the mean", plain, 4, side{fullyBusy, 4, 0, 1000}, side{overloaded, 8, 0, 2000}, 900, whileBusy, 0, byTasks},

		{"room beyond the LLC is filled", plain, 4, side{hasSpare, 2, 2, 512}, side{overloaded, 8, 0, 2000}, 1000, whileBusy, 4*1024 - 4*512, byUtil},
		{"no room by use, but idle", plain, 4, side{hasSpare, 2, 2, 1024}, side{overloaded, 8, 0, 2000}, 1500, whileIdle, 1, byTasks},
		{"no room by use, busy", plain, 4, side{hasSpare, 2, 2, 1024}, side{overloaded, 8, 0, 2000}, 1500, whileBusy, 0, byTasks},

		{"inside an LLC idle CPUs are evened", llc, 4, side{hasSpare, 0, 4, 0}, side{hasSpare, 4, 0, 900}, 450, whileIdle, 2, byTasks},
		{"two idle CPUs more", llc, 4, side{hasSpare, 2, 3, 0}, side{hasSpare, 4, 1, 900}, 450, whileIdle, 1, byTasks},
		{"one idle CPU more is even", llc, 4, side{hasSpare, 2, 2, 0}, side{hasSpare, 3, 1, 900}, 450, whileIdle, 0, byTasks},
		{"a single task stays", llc, 4, side{hasSpare, 0, 4, 0}, side{hasSpare, 1, 0, 900}, 450, whileIdle, 0, byTasks},
		{"a busy CPU leaves them", llc, 4, side{hasSpare, 0, 4, 0}, side{hasSpare, 4, 0, 900}, 450, whileBusy, 0, byTasks},

		{"one CPU against one", llc, 1, side{hasSpare, 0, 1, 0}, side{overloaded, 3, 0, 3000}, 1500, whileIdle, 1, byTasks},
		{"one CPU against one, two tasks", llc, 1, side{hasSpare, 0, 1, 0}, side{overloaded, 2, 0, 2000}, 1000, goingIdle, 1, byTasks},
		{"a busy CPU against one does not count tasks", llc, 1, side{hasSpare, 1, 0, 300}, side{overloaded, 3, 0, 3000}, 1500, whileBusy, 0, byTasks},

		{"cores are spread over", cores, 2, side{hasSpare, 0, 2, 0}, side{fullyBusy, 2, 0, 1024}, 500, whileIdle, 1, byTasks},
		{"a difference of one is even", cores, 2, side{hasSpare, 1, 1, 300}, side{fullyBusy, 2, 0, 1024}, 500, whileIdle, 0, byTasks},
		{"a busy CPU does not spread", cores, 2, side{hasSpare, 1, 1, 300}, side{fullyBusy, 2, 0, 1024}, 500, whileBusy, 0, byTasks},

		{"sockets are spread over", socket, 8, side{hasSpare, 0, 8, 0}, side{hasSpare, 2, 6, 256}, 128, whileIdle, 1, byTasks},
		{"nodes forgive a pair of tasks", node, 8, side{hasSpare, 0, 8, 0}, side{hasSpare, 2, 6, 256}, 128, whileIdle, 0, byTasks},
		{"nodes do not forgive three", node, 8, side{hasSpare, 0, 8, 0}, side{hasSpare, 3, 5, 256}, 128, whileIdle, 1, byTasks},
		{"nodes forgive up to the allowance", node, 8, side{hasSpare, 3, 5, 0}, side{hasSpare, 5, 3, 256}, 128, whileIdle, 0, byTasks},
		{"and no further", node, 8, side{hasSpare, 4, 4, 0}, side{hasSpare, 6, 2, 256}, 128, whileIdle, 1, byTasks},
	} {
		g := groupOfCPUs(c.cpus, max(1, c.cpus/2))
		local, busiest := c.local.of(g), c.busiest.of(groupOfCPUs(c.cpus, max(1, c.cpus/2)))
		var amount int64
		var by currency
		if worthIt(&c.d, local, busiest, c.mean, c.why) {
			amount, by = imbalance(&c.d, local, busiest, c.mean, c.why)
		}
		if max(0, amount) != c.amount || c.amount > 0 && by != c.by {
			t.Errorf("%s: %d in currency %d, want %d in %d", c.name, amount, by, c.amount, c.by)
		}
	}
}

// TestSiblingImbalance counts per core where the numbers of cores differ.
func TestSiblingImbalance(t *testing.T) {
	for _, c := range []struct{ a, b, local, busiest, want int64 }{
		{2, 2, 1, 4, 3}, {2, 2, 4, 1, 0}, {2, 2, 0, 1, 1}, {2, 2, 0, 2, 2},
		{4, 2, 2, 4, (2*(4*4-2*2) + 6) / 6}, {2, 4, 2, 4, 1}, {8, 1, 0, 2, (2*16 + 9) / 9}, {1, 8, 0, 2, 2}, {1, 8, 0, 0, 0},
	} {
		local, busiest := side{running: c.local}.of(groupOfCPUs(8, c.a)), side{running: c.busiest}.of(groupOfCPUs(8, c.b))
		if got := siblingImbalance(local, busiest, whileIdle); got != c.want {
			t.Errorf("%d tasks on %d cores against %d on %d: %d, want %d", c.local, c.a, c.busiest, c.b, got, c.want)
		}
		if got := siblingImbalance(local, busiest, whileBusy); got != 0 {
			t.Errorf("a busy CPU: %d", got)
		}
	}
}

// TestBusier: the order of groups that need help.
func TestBusier(t *testing.T) {
	g := groupOfCPUs(4, 4)
	rising := []side{
		{hasSpare, 1, 3, 0}, {hasSpare, 1, 2, 0}, {hasSpare, 2, 2, 0}, {fullyBusy, 4, 0, 900}, {overloaded, 5, 0, 1200}, {overloaded, 5, 0, 1300},
	}
	for i := range rising {
		for j := range rising {
			if got := busier(rising[i].of(g), rising[j].of(g)); got != (i > j) {
				t.Errorf("%+v busier than %+v: %v", rising[i], rising[j], got)
			}
		}
	}
}

// TestPullsCold: an idle CPU takes the waiting task that ran longest ago from a
// crowded one; balancing again finds nothing more to even out.
func TestPullsCold(t *testing.T) {
	e := loaded(t, cores(t, 4), 0, 0, 0)
	d := &e.domains[1][0]
	d.failed, d.interval = 1, d.max
	oldest := e.oldest(0, 0)
	for _, x := range e.cpus[0].rq.queue {
		if e.tasks[x].ranAt < e.tasks[oldest].ranAt {
			t.Errorf("task %d ran longer ago than %d", x, oldest)
		}
	}
	if moved := e.balance(1, d, whileIdle); moved != 1 || e.tasks[oldest].cpu != 1 || e.cpus[1].curr != oldest {
		t.Errorf("%d tasks moved, they are on %s; want %d on 1", moved, e.whereabouts(), oldest)
	}
	e.mustCheck(t)
	if d.failed != 0 || d.interval != d.min || e.meter.balanced != 1 {
		t.Errorf("after a move: failed %d, interval %d, %d moved", d.failed, d.interval, e.meter.balanced)
	}
	if e.tasks[oldest].ranAt != none || e.cpus[0].nr != 2 || e.cpus[1].nr != 1 {
		t.Errorf("the task is still hot, or counts are %d and %d", e.cpus[0].nr, e.cpus[1].nr)
	}
	// The next idle one finds two against none, then all is even.
	if moved := e.balance(2, &e.domains[2][0], whileIdle); moved != 1 {
		t.Errorf("%d tasks moved to 2", moved)
	}
	x := &e.domains[3][0]
	if moved := e.balance(3, x, whileIdle); moved != 0 || x.interval != x.max || e.whereabouts() == "[0 0 0]" {
		t.Errorf("balanced: %d moved, interval %d", moved, x.interval)
	}
	if err := e.runUntil(e.now+100*ms, ms); err != nil {
		t.Fatal(err)
	}
	e.mustCheck(t)
}

// TestHotTasks stay until the domain has failed more often than it tries for;
// passes of CPUs going idle do not count.
func TestHotTasks(t *testing.T) {
	e := loaded(t, cores(t, 4), 0, 0, 0)
	e.kernel.MigrationCost = 1000 * ms
	d := &e.domains[1][0]
	for i, c := range []struct {
		why    occasion
		moved  int
		failed int32
	}{{whileIdle, 0, 1}, {goingIdle, 0, 1}, {whileIdle, 0, 2}, {whileIdle, 1, 0}} {
		if moved := e.balance(1, d, c.why); moved != c.moved || d.failed != c.failed {
			t.Errorf("attempt %d: %d moved, %d failures; want %d and %d", i, moved, d.failed, c.moved, c.failed)
		}
	}
	e.mustCheck(t)

	// Threads of one core share their caches: nothing is hot between them.
	e = loaded(t, smtMachine(t), 0, 0, 0)
	e.kernel.MigrationCost = 1000 * ms
	if moved := e.balance(4, &e.domains[4][0], whileIdle); moved != 1 {
		t.Errorf("%d moved to the sibling", moved)
	}
	// Who has not run since it moved is not hot either.
	e = loaded(t, cores(t, 2), 0, 0, 0)
	if e.tasks[e.cpus[0].rq.queue[0]].ranAt = e.now; e.mayMove(e.cpus[0].rq.queue[0], 1, &e.domains[1][0]) {
		t.Error("a task that has just run is cold")
	}
	if e.tasks[e.cpus[0].rq.queue[0]].ranAt = none; !e.mayMove(e.cpus[0].rq.queue[0], 1, &e.domains[1][0]) {
		t.Error("a task that has not run here is hot")
	}
}

// TestStaysWhereAllowed: neither balancing nor pushing moves a task to where it
// may not run.
func TestStaysWhereAllowed(t *testing.T) {
	e := loaded(t, smtMachine(t), 0, 0, 0, 4)
	for i := range e.allowed {
		e.allowed[i] = []uint64{1<<0 | 1<<4}
	}
	for range 10 {
		for c := range int32(8) {
			for i := range e.domains[c] {
				e.balance(c, &e.domains[c][i], whileIdle)
			}
		}
		e.mustCheck(t)
	}
	for i := range e.tasks {
		if c := e.tasks[i].cpu; c != 0 && c != 4 {
			t.Errorf("task %d is on %d", i, c)
		}
	}
}

// TestActiveBalance: two tasks on the threads of one core and an idle core beside
// it: none of them waits, so after enough failures the running one is pushed.
func TestActiveBalance(t *testing.T) {
	e := loaded(t, smtMachine(t), 0, 4)
	d := &e.domains[1][1]
	works := e.tasks[0].sumExec
	for i := range int32(4) {
		if moved := e.balance(1, d, goingIdle); moved != 0 || d.failed != i {
			t.Fatalf("a CPU going idle: %d moved, %d failures", moved, d.failed)
		}
		if e.balance(1, d, whileIdle); i < 3 && (e.meter.pushed != 0 || d.failed != i+1) {
			t.Fatalf("attempt %d: %d pushed, %d failures", i, e.meter.pushed, d.failed)
		}
		e.mustCheck(t)
	}
	if e.meter.pushed != 1 || d.failed != d.tries+1 || d.interval != d.min || e.cpus[1].curr == none || e.whereabouts() == "[0 4]" {
		t.Errorf("%d pushed, %d failures, tasks on %s", e.meter.pushed, d.failed, e.whereabouts())
	}
	if err := e.runUntil(e.now+10*ms, ms); err != nil {
		t.Fatal(err)
	}
	e.mustCheck(t)
	if e.tasks[0].sumExec <= works || e.cpus[1].nr != 1 {
		t.Error("the pushed task does not run")
	}
}

// TestPeriodicIntervals: busy CPUs balance sixteen times less often, minus a tick;
// a balanced domain is looked at half as often, one that was not, at once again.
func TestPeriodicIntervals(t *testing.T) {
	e := loaded(t, cores(t, 4), 0, 1, 2, 3)
	d := &e.domains[0][0] // 4 to 8 ms
	last := func() int64 { return d.last }
	for _, c := range []struct {
		interval int64
		idle     bool
		want     int64 // until the next pass
	}{{4 * ms, false, 63 * ms}, {8 * ms, false, 127 * ms}, {4 * ms, true, 4 * ms}, {4000 * ms, false, 400 * ms}} {
		d.interval, d.last = c.interval, e.now-c.want+1
		before := last()
		if e.rebalance(0, c.idle); last() != before || e.idlers[0].nextBal != before+c.want {
			t.Errorf("%+v: balances a moment early, or is due in %d", c, e.idlers[0].nextBal-before)
		}
		d.last--
		if e.rebalance(0, c.idle); last() != e.now {
			t.Errorf("%+v: does not balance in time", c)
		}
	}
	// All is even: the interval doubles, up to its maximum.
	for _, want := range []int64{8 * ms, 8 * ms} {
		d.interval = min(d.interval, d.min*2)
		if d.last = -1000 * ms; d.interval > d.max {
			t.Fatal("beyond its maximum")
		}
		e.rebalance(0, false)
		if d.interval != want {
			t.Errorf("interval %d, want %d", d.interval, want)
		}
	}
	// An idle CPU that pulls something is due like a busy one from then on, not
	// never.
	e = loaded(t, smtMachine(t), 0, 0, 0, 0)
	for i := range e.domains[4] {
		e.domains[4][i].last = 0
	}
	e.rebalance(4, true)
	if !e.cpus[4].active || e.idlers[4].nextBal > e.now+1000*ms {
		t.Errorf("CPU 4 runs %v, next balances in %d ms", e.cpus[4].active, (e.idlers[4].nextBal-e.now)/ms)
	}
	e.mustCheck(t)
}

// TestNohzKick: the tick of a CPU with a task waiting, or beside another busy CPU
// of its LLC, lets idle CPUs balance, once a tick.
func TestNohzKick(t *testing.T) {
	two := on(t, "xeon240", "two", topology.New("two").Sockets(2).Cores(4))
	for _, c := range []struct {
		name string
		cpus []int
		kick bool
	}{{"alone", []int{0}, false}, {"one in each LLC", []int{0, 4}, false}, {"two in an LLC", []int{0, 1}, true}, {"one waits", []int{0, 0}, true}} {
		e := loaded(t, two, c.cpus...)
		for _, x := range e.everyone {
			e.idlers[x].nextBal = e.now
			for i := range e.domains[x] {
				e.domains[x][i].last = e.now - 1000*ms
			}
		}
		e.nohzNext = e.now
		e.kickIdle(0)
		for _, x := range e.everyone {
			if idle := e.cpus[x].nr == 0 || x > 1; idle && (e.idlers[x].nextBal > e.now) != c.kick {
				t.Errorf("%s: CPU %d next balances at %d of %d", c.name, x, e.idlers[x].nextBal, e.now)
			}
		}
		e.mustCheck(t)
		if c.kick {
			e.idlers[3].nextBal = e.now
			if e.kickIdle(0); e.idlers[3].nextBal != e.now {
				t.Errorf("%s: kicks twice in a tick", c.name)
			}
			e.now += e.tickNS
			if e.kickIdle(0); e.idlers[3].nextBal <= e.now {
				t.Errorf("%s: does not kick at the next tick", c.name)
			}
		}
	}
}

// TestScanHintFollowsUse: periodic balancing of the LLC level, and no other, sets
// nr_idle_scan from use; a CPU that goes idle does not.
func TestScanHintFollowsUse(t *testing.T) {
	e := loaded(t, smtMachine(t), 0, 1, 2, 3)
	want := idleScan(4*1024, 8, 117)
	e.scanHint[0] = 99
	e.balance(4, &e.domains[4][0], whileIdle)
	if e.balance(4, &e.domains[4][1], goingIdle); e.scanHint[0] != 99 {
		t.Errorf("hint %d after a pass of another kind", e.scanHint[0])
	}
	if e.balance(4, &e.domains[4][1], whileIdle); e.scanHint[0] < want || e.scanHint[0] > want+1 {
		t.Errorf("hint %d at half use, want %d", e.scanHint[0], want)
	}
	// In a run it finds its way by itself.
	e = prepare(t, Config{Machine: smtMachine(t), Workload: hogs(t, ms, 0, 1, 2, 3, 4, 5, 6), Policy: linux(t, "6.10"), Duration: 1})
	if e.scanHint[0] != 8 {
		t.Errorf("hint %d at boot", e.scanHint[0])
	}
	if err := e.runUntil(600*ms, ms); err != nil || e.scanHint[0] != 0 {
		t.Errorf("hint %d with seven of eight busy, %v", e.scanHint[0], err)
	}
}

// TestNewIdleGate: who goes idle looks for work only while some CPU has two tasks
// and it idles for longer than a pass costs.
func TestNewIdleGate(t *testing.T) {
	base := func() *engine {
		e := prepare(t, Config{Machine: smtMachine(t), Workload: hogs(t, ms, 1), Policy: linux(t, "6.10"), Duration: 1})
		e.overloaded = true
		e.now, e.cpus[0].leaving = 5*ms, 0
		e.activate(0)
		return e
	}
	e := base()
	first, second := e.domains[0][0].newIdleCost, e.domains[0][1].newIdleCost
	cost := e.balanceCost(&e.domains[0][0])
	if cost != e.price.newIdleFixed+2*e.price.newIdlePerCPU || first < cost || second < e.balanceCost(&e.domains[0][1]) {
		t.Errorf("passes cost %d, from %d and %d on", cost, first, second)
	}
	for _, c := range []struct {
		name       string
		avgIdle    int64
		overloaded bool
		sibling    int32 // tasks there
		looks      bool
		next       bool // goes on to the LLC
	}{
		{"nobody has two tasks", ms, false, 2, false, false},
		{"idles too shortly", first - 1, true, 2, false, false},
		{"just long enough", first, true, 2, true, false},
		{"not for the LLC", cost + second - 1, true, 2, true, false},
		{"for the LLC", cost + second, true, 2, true, true},
		{"the sibling has nothing", cost + second, true, 0, true, true},
		{"the sibling has nothing, and not for the LLC", cost + second - 1, true, 0, true, false},
	} {
		e := base()
		e.overloaded, e.idlers[0].avgIdle = c.overloaded, c.avgIdle
		e.cpus[4].nr = c.sibling
		if got := e.newIdle(0); got != c.looks || e.idlers[0].stamp != e.now {
			t.Errorf("%s: looks %v, idle since %d", c.name, got, e.idlers[0].stamp)
			continue
		}
		if !c.looks {
			continue
		}
		left := e.cpus[0].segLeft
		if c.sibling == 0 && !c.next {
			// In one go with the switch to idle.
			if e.cpus[0].effect != effIdle || left != cost+e.price.contextSwitch {
				t.Errorf("%s: effect %d in %d ns", c.name, e.cpus[0].effect, left)
			}
			continue
		}
		if e.cpus[0].effect != effNewIdle || left != cost {
			t.Errorf("%s: effect %d in %d ns, want a pass of %d", c.name, e.cpus[0].effect, left, cost)
		}
		if got := e.worthALook(0, 1); got != c.next {
			t.Errorf("%s: goes on to the LLC %v", c.name, got)
		}
	}
}

// TestAvgIdle: a wakeup that ends an idle time moves avg_idle by an eighth, up to
// twice the dearest pass; it counts once.
func TestAvgIdle(t *testing.T) {
	d := idler{avgIdle: ms, maxCost: 500 * us, stamp: 10 * ms}
	for _, c := range []struct{ stamp, now, want int64 }{
		{10 * ms, 10*ms + 200*us, 900 * us}, {0, 20 * ms, 900 * us}, {30 * ms, 30*ms + 100*us, 800 * us}, {40 * ms, 90 * ms, ms},
	} {
		d.stamp = c.stamp
		if d.sampleIdle(c.now); d.avgIdle != c.want || d.stamp != 0 {
			t.Errorf("%+v: avg_idle %d", c, d.avgIdle)
		}
	}
}

// TestNewIdleRelief: CPUs that run out of work relieve a crowded one long before
// periodic balancing could, if their tasks leave them idle for long enough.
func TestNewIdleRelief(t *testing.T) {
	m := cores(t, 4)
	w := hogs(t, 50*ms, 0, 0, 0, 0)
	w.Programs = append(w.Programs, workload.Program{runFor(10 * us), sleepFor(2 * ms)})
	w.Tasks = append(w.Tasks, workload.Task{Name: "visitor", Program: 1, Allowed: topology.NewCPUSet(2)})
	e := prepare(t, Config{Machine: m, Workload: w, Policy: linux(t, "6.10"), Duration: 1})
	for _, c := range e.everyone { // no periodic balancing
		e.idlers[c].nextBal = notYet
	}
	e.nohzNext = notYet
	if err := e.runUntil(us, ms); err != nil { // all have started on CPU 0
		t.Fatal(err)
	}
	for i := range 4 {
		e.allowed[i], e.tasks[i].restricted = e.present, false
	}
	e.walk(t, 12*ms)
	if e.meter.balanced == 0 || e.cpus[2].nr == 0 || e.cpus[0].nr == 4 {
		t.Errorf("%d moved, tasks on %s", e.meter.balanced, e.whereabouts())
	}
}

// TestBalancingSpreads: tasks that all start in one LLC fill the machine with
// time; with balancing off they do not.
func TestBalancingSpreads(t *testing.T) {
	m := on(t, "xeon240", "two", topology.New("two").Sockets(2).Cores(4)) // LLCs 0-3 and 4-7
	play := func(off bool) (*engine, *Totals) {
		w := copies(t, 16, "0-3", runFor(5*ms), done)
		e := prepare(t, Config{Machine: m, Workload: w, Policy: linux(t, "6.10"), Seed: 1, Warmup: 400 * ms, Duration: 400 * ms})
		if off {
			e.unbalanced()
		}
		if err := e.runUntil(us, ms); err != nil {
			t.Fatal(err)
		}
		for i := range e.tasks {
			e.allowed[i], e.tasks[i].restricted = e.present, false
		}
		return e, e.play(t)
	}
	e, got := play(false)
	if idle := float64(got.CPU[Idle]) / float64(8*got.Window); idle > 0.01 {
		t.Errorf("%.3f of the machine idles, tasks on %s", idle, e.whereabouts())
	}
	for i := range got.PerTask {
		within(t, "half a CPU", float64(got.PerTask[i][Work]), float64(got.Window)/2, 0.25)
	}
	if _, got := play(true); got.CPU[Idle] < 4*got.Window-got.Window/100 {
		t.Errorf("without balancing, %d ns idle of %d", got.CPU[Idle], 8*got.Window)
	}
}

// TestPairsSpread: ping-pong pairs forced into one LLC at their start move over to
// the other by themselves.
func TestPairsSpread(t *testing.T) {
	m := on(t, "xeon240", "two", topology.New("two").Sockets(2).Cores(4))
	w := benchmark(t, "pipe:12,client=0-3,server=0-3", m)
	e := prepare(t, Config{Machine: m, Workload: w, Policy: linux(t, "6.10"), Seed: 1, Warmup: 500 * ms, Duration: 100 * ms})
	if err := e.runUntil(w.LastStart()+10*ms, ms); err != nil {
		t.Fatal(err)
	}
	for i := range e.tasks {
		e.allowed[i], e.tasks[i].restricted = e.present, false
	}
	got := e.play(t)
	far := 0
	for i := range e.tasks {
		if e.tasks[i].cpu >= 4 {
			far++
		}
	}
	if far < 6 {
		t.Errorf("%d of 24 tasks have moved over", far)
	}
	for c := 4; c < 8; c++ {
		if a := got.PerCPU[c]; a[Idle] > got.Window*9/10 {
			t.Errorf("CPU %d idles %d of %d ns", c, a[Idle], got.Window)
		}
	}
}
