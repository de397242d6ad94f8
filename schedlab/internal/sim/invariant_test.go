package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// check walks the whole state: each task in exactly one place, no message beside
// a sleeping receiver, every count equal to what it counts.
func (e *engine) check() error {
	place := make([]string, len(e.tasks))
	put := func(t int32, where string) error {
		if place[t] != "" {
			return fmt.Errorf("task %d is %s and %s", t, place[t], where)
		}
		place[t] = where
		return nil
	}
	claims := make([]int32, len(e.cpus))
	busy := make([]int32, len(e.busy))
	llcBusy := make([]int32, len(e.llcs))
	for _, c := range e.topo.All().CPUs() {
		if err := e.checkCPU(int32(c), put, claims, busy); err != nil {
			return fmt.Errorf("CPU %d: %w", c, err)
		}
	}
	for i := e.claims.head; i != e.claims.tail; i++ {
		claims[e.claims.at(i).cpu]--
	}
	for c := range e.cpus {
		if claims[c] != e.cpus[c].claims {
			return fmt.Errorf("CPU %d: %d visible claims, %d of its placements are under way and due", c, e.cpus[c].claims, claims[c])
		}
	}
	for _, c := range e.everyone {
		if e.cpus[c].active {
			llcBusy[e.cpus[c].llc]++
		}
	}
	if !reflect.DeepEqual(llcBusy, e.llcBusy) {
		return fmt.Errorf("busy CPUs by LLC %v, counted %v", e.llcBusy, llcBusy)
	}
	if !reflect.DeepEqual(busy, e.busy) {
		return fmt.Errorf("busy threads by core %v, counted %v", e.busy, busy)
	}
	if err := e.checkLeftovers(); err != nil {
		return err
	}
	return e.checkSleepers(place, put)
}

func (e *engine) checkCPU(c int32, put func(int32, string) error, claims, busy []int32) error {
	p := &e.cpus[c]
	n := int32(0)
	if p.curr != none {
		n++
		if err := put(p.curr, fmt.Sprintf("running on %d", c)); err != nil {
			return err
		}
		if k := &e.tasks[p.curr]; k.cpu != c || k.cat != running {
			return fmt.Errorf("runs task %d, which is on %d and %d", p.curr, k.cpu, k.cat)
		}
	}
	q := &e.cpus[c].rq
	var weight, product int64
	for _, t := range q.queue {
		n++
		if err := put(t, fmt.Sprintf("queued on %d", c)); err != nil {
			return err
		}
		if k := &e.tasks[t]; k.cpu != c || k.cat != Queued {
			return fmt.Errorf("queues task %d, which is on %d and %s", t, k.cpu, k.cat)
		}
		weight += e.ents[t].weight
		product += e.ents[t].weight * (e.ents[t].v - q.base)
	}
	if n != p.nr {
		return fmt.Errorf("counts %d runnable, has %d", p.nr, n)
	}
	if weight != q.weight || product != q.sum {
		return fmt.Errorf("its queue weighs %d and sums up to %d, counted %d and %d", q.weight, q.sum, weight, product)
	}
	if err := e.checkSignals(c); err != nil {
		return err
	}
	if p.wakee != none {
		claims[p.target]++
		if err := put(p.wakee, fmt.Sprintf("placed by %d", c)); err != nil {
			return err
		}
	}
	left := int64(0)
	for i := p.first; i < p.nparts; i++ {
		left += int64(e.parts[c][i] >> 8)
	}
	pending := e.done.key[len(e.done.key)/2+int(c)] != never
	switch {
	case left != p.segLeft:
		return fmt.Errorf("%d ns left, its parts are %d", p.segLeft, left)
	case pending != p.active:
		return fmt.Errorf("active %v, completion pending %v", p.active, pending)
	case n > 0 && !p.active:
		return fmt.Errorf("idles over %d tasks", n)
	case e.looksIdle(c) != (!p.active && p.nr == 0 && p.claims == 0):
		return fmt.Errorf("looks idle %v; active %v, runnable %d, claims %d", e.looksIdle(c), p.active, p.nr, p.claims)
	case p.resched && (p.curr == none || p.effect != effEnqueue):
		return fmt.Errorf("another task is due, it runs %d up to effect %d", p.curr, p.effect)
	case p.nr > 1 && !e.overloaded:
		return fmt.Errorf("has %d tasks and the machine is not overloaded", p.nr)
	}
	if p.active {
		busy[p.core]++
	}
	return nil
}

// checkSignals: the load averages of c's queue lie in their range and its util_est
// is that of its tasks.
func (e *engine) checkSignals(c int32) error {
	var est int64
	if t := e.cpus[c].curr; t != none {
		est = e.est[t]
	}
	for _, t := range e.cpus[c].rq.queue {
		est += e.est[t]
	}
	a := &e.rqAvg[c]
	switch {
	case est != e.rqEst[c]:
		return fmt.Errorf("util_est %d, its tasks have %d", e.rqEst[c], est)
	case a.util < 0 || a.load < 0 || a.ran < 0 || a.ran > period || a.weighed < 0:
		return fmt.Errorf("signals %+v", *a)
	}
	return nil
}

// checkLeftovers: who has something left to do waits for a CPU, and who waits
// after it ran has.
func (e *engine) checkLeftovers() error {
	for t := range e.saved {
		s := &e.saved[t]
		if !e.tasks[t].interrupted {
			continue
		}
		if s.effect == effNone || s.effect == effEnqueue {
			return fmt.Errorf("task %d was interrupted on its way to effect %d", t, s.effect)
		}
		if cat := e.tasks[t].cat; cat != Queued {
			return fmt.Errorf("task %d has something left to do and is %d", t, cat)
		}
		for _, x := range s.parts[:s.n] {
			if x>>8 <= 0 {
				return fmt.Errorf("task %d has %d ns of %s left to do", t, x>>8, Category(x&0xff))
			}
		}
	}
	return nil
}

// checkSleepers: whoever is in no other place waits for a timer or for a message
// that is not there.
func (e *engine) checkSleepers(place []string, put func(int32, string) error) error {
	for i := range e.chans {
		ch := &e.chans[i]
		if !ch.waiting {
			continue
		}
		if ch.messages != 0 {
			return fmt.Errorf("task %d sleeps on channel %d beside %d messages", ch.to, i, ch.messages)
		}
		if err := put(ch.to, fmt.Sprintf("receiving from %d", i)); err != nil {
			return err
		}
	}
	if err := e.checkPipes(put); err != nil {
		return err
	}
	for t := range e.tasks {
		if e.timers.key[len(e.timers.key)/2+t] != never {
			if err := put(int32(t), "on a timer"); err != nil {
				return err
			}
		}
		if place[t] == "" {
			return fmt.Errorf("task %d is lost", t)
		}
		if k := &e.tasks[t]; k.cpu != none && e.allowed[t][k.cpu>>6]>>(k.cpu&63)&1 == 0 {
			return fmt.Errorf("task %d is on %d, where it may not run", t, k.cpu)
		}
	}
	return nil
}

// walk executes the events before until as runUntil does, with a check after
// each.
func (e *engine) walk(t *testing.T, until int64) {
	t.Helper()
	for n := 0; ; n++ {
		at, slot, _ := e.timers.next()
		end, c, _ := e.done.next()
		first := min(at, end)
		if first >= until {
			e.now = until
			return
		}
		if first < e.now {
			t.Fatalf("event %d: time runs backwards from %d to %d", n, e.now, first)
		}
		e.now = first
		if at <= end {
			e.timer(slot)
		} else {
			e.complete(c)
		}
		if err := e.check(); err != nil {
			t.Fatalf("event %d at %d ns: %v", n, e.now, err)
		}
		if e.err != nil {
			t.Fatal(e.err)
		}
	}
}

// TestRandomRuns plays random workloads on random machines with a check after
// every event; then once more without, which must come to the same.
func TestRandomRuns(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 80
	}
	for i := range n {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			cfg := randomConfig(t, i)
			defer func() {
				if t.Failed() {
					t.Log(cfg.describe())
				}
			}()
			start := cfg.Workload.LastStart() + cfg.Warmup
			e := prepare(t, cfg)
			for third := range int64(3) {
				e.walk(t, start-cfg.Warmup*(3-third)/3)
				e.age()
			}
			e.walk(t, start)
			e.closeBooks()
			e.resetMeters()
			e.walk(t, start+cfg.Duration/2)
			half := append([]int64(nil), e.meter.groups...)
			e.walk(t, start+cfg.Duration)
			e.closeBooks()
			want := e.totals(half)
			conserved(t, want)
			got := run(t, cfg)
			got.Events, want.Events = 0, 0
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the same run again differs:\n%+v\n%+v", got, want)
			}
			plausible(t, got, len(cfg.Workload.Tasks))
		})
	}
}

// plausible checks counts against each other; wakeups cut by an edge of the
// window may be in one and not in the other, at most one per task at each edge.
func plausible(t *testing.T, got *Totals, tasks int) {
	t.Helper()
	var placed, moved int64
	for _, n := range got.Placements {
		placed += n
	}
	for _, n := range got.Migrations {
		moved += n
	}
	edge := int64(2 * tasks)
	if off := placed - moved; off > edge || off < -edge {
		t.Errorf("%d placed, %d queued", placed, moved)
	}
	asked := placed - got.Placements[policy.Pinned] - got.Placements[policy.SwitchingOut]
	if asked != got.Searches || got.Wakeups > moved+edge {
		t.Errorf("policy asked %d times, gave %d answers; %d wakeups of %d", got.Searches, asked, got.Wakeups, moved)
	}
}

// TestPinnedRunsIgnorePolicy: with every task on one CPU only, placement has no
// say and any rules of one kernel give one result.
func TestPinnedRunsIgnorePolicy(t *testing.T) {
	anywhere := policy.Func("nowhere", linux(t, "6.10"), func(policy.View, policy.Wakeup, func() policy.Placement) policy.Placement {
		t.Error("asked about a pinned wakee")
		return policy.Placement{CPU: -1}
	})
	for i := range 20 {
		cfg := randomConfig(t, i)
		cpus := cfg.Machine.Topology().All().CPUs()
		for j := range cfg.Workload.Tasks {
			cfg.Workload.Tasks[j].Allowed = topology.NewCPUSet(cpus[j*5%len(cpus)])
		}
		cfg.Policy = linux(t, "6.10")
		want := run(t, cfg)
		for _, p := range []policy.Policy{linux(t, "6.10+SIS_SYNC"), anywhere} {
			cfg.Policy = p
			got := run(t, cfg)
			got.Events = want.Events // ticks for the observers of a Func
			if !reflect.DeepEqual(got, want) {
				t.Errorf("run %d: %s gives another result", i, p.Name())
			}
		}
	}
}

// TestScaledRuns: all times and prices three times as long, and the result is
// the same, three times as long. Without SMT, whose speeds round, and without
// what loads decide: the half-life of load averages stays what it is. The mean of
// a run queue rounds too, so that where tasks wait for each other the order of
// equals may differ; there, most runs must scale.
func TestScaledRuns(t *testing.T) {
	const k, runs = 3, 60
	alone, scaled := 0, 0
	for i := range runs {
		one, three := scaledRun(t, i, 1), scaledRun(t, i, k)
		off := ""
		for c := range NumCategories {
			if three.CPU[c] != k*one.CPU[c] || three.Task[c] != k*one.Task[c] {
				off += fmt.Sprintf("\n%s takes %d and %d ns, want %d times %d and %d", c, three.CPU[c], three.Task[c], k, one.CPU[c], one.Task[c])
			}
		}
		if three.Placements != one.Placements || three.Probes != one.Probes || !reflect.DeepEqual(three.Done, one.Done) {
			off += fmt.Sprintf("\nplacements %v, want %v; done %v, want %v", three.Placements, one.Placements, three.Done, one.Done)
		}
		waits := one.Task[Queued] > 0
		if off == "" {
			scaled++
		} else if !waits {
			t.Errorf("run %d: %s", i, off)
		}
		if !waits {
			alone++
		}
	}
	if scaled < runs*9/10 || alone < runs/10 {
		t.Errorf("%d of %d runs scale, in %d no task waits", scaled, runs, alone)
	}
}

// scaledRun is random run i at k times the length.
func scaledRun(t *testing.T, i int, k int64) *Totals {
	cfg := randomConfig(t, i)
	rng := rand.New(rand.NewPCG(7, uint64(i)))
	b := topology.New("flat").Sockets(1 + rng.IntN(2)).Clusters(1 + rng.IntN(2)).Cores(1 + rng.IntN(3))
	cfg.Machine = on(t, []string{"xeon240", "kunpeng128"}[i%2], "flat", b)
	cfg.Workload = randomWorkload(rng, cfg.Machine.Topology().All())
	for j := range cfg.Workload.Tasks {
		cfg.Workload.Tasks[j].Allowed = topology.CPUSet{}
		cfg.Workload.Tasks[j].Start *= k
	}
	for j := range cfg.Workload.Channels {
		x := &cfg.Workload.Channels[j] // a fraction of a line rounds
		x.Lines, x.PayloadLines = math.Floor(x.Lines), 0
	}
	for _, p := range cfg.Workload.Programs {
		for j := range p {
			p[j].Dist, p[j].Time, p[j].Bytes = workload.Fixed, p[j].Time*k, 0
		}
	}
	cfg.Policy = linux(t, "6.10+NO_WA_WEIGHT+NO_SIS_UTIL")
	cfg.Warmup, cfg.Duration = cfg.Warmup%ms*k, (2+cfg.Duration%(4*ms))/2*2*k
	e := prepare(t, cfg)
	e.scale(k)
	return e.play(t)
}

// scale multiplies every price and period, and stops balancing; ticks, whose
// length is drawn, take no time.
func (e *engine) scale(k int64) {
	p := &e.price
	for _, ns := range []*int64{
		&p.syscall, &p.localWake, &p.contextSwitch, &p.remoteEnqueue, &p.wakelistAdd, &p.moving, &p.ipiSend, &p.ipiDelivery,
		&p.ipiRemoteExtra, &p.drain, &p.scanFixed, &p.scanQuiet, &p.scanDirty, &e.slice, &e.tickNS,
	} {
		*ns *= k
	}
	p.tick = 0
	for i := range p.line {
		p.line[i] *= k
		p.contended[i] *= k
	}
	for i := range e.llcDist {
		e.llcDist[i] *= k
	}
	for t := range e.refill {
		for d := range e.refill[t] {
			e.refill[t][d] *= k
		}
	}
	for i := range e.sleeps {
		x := &e.sleeps[i]
		x.exit, x.residency, x.price = x.exit*k, x.residency*k, x.price*k
	}
	for _, c := range e.everyone {
		slot := int32(len(e.tasks)) + c
		e.timers.set(slot, k*int64(e.timers.key[len(e.timers.key)/2+int(slot)]>>e.timers.shift))
	}
	e.unbalanced()
}
