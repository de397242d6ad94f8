package sim

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// eevdfScene is a random queue with, or without, a running entity.
type eevdfScene struct {
	q    fair
	ents []entity
	curr *entity
}

func newEEVDFScene(rng *rand.Rand) *eevdfScene {
	n := 1 + rng.IntN(8)
	s := &eevdfScene{ents: make([]entity, n)}
	weights := []int64{15, 110, 335, 1024, 1024, 1024, 3121, 9548, 88761}
	start := rng.Int64N(1 << 44)
	spread := int64(1) << (1 + rng.IntN(30))
	for i := range s.ents {
		v := start + rng.Int64N(spread)
		s.ents[i] = entity{v: v, deadline: v + rng.Int64N(6*ms), weight: weights[rng.IntN(len(weights))], picked: rng.Int64N(2)}
		if i == 0 && rng.IntN(3) > 0 {
			s.curr = &s.ents[0]
			if rng.IntN(2) == 0 {
				s.curr.picked = s.curr.deadline
			}
			continue
		}
		s.q.insert(int32(i), &s.ents[i])
	}
	return s
}

// exact is V as a fraction: the weighted sum of v and the sum of weights.
func (s *eevdfScene) exact() (sum, weight *big.Int) {
	sum, weight = new(big.Int), new(big.Int)
	add := func(e *entity) {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(e.weight), big.NewInt(e.v)))
		weight.Add(weight, big.NewInt(e.weight))
	}
	for _, t := range s.q.queue {
		add(&s.ents[t])
	}
	if s.curr != nil {
		add(s.curr)
	}
	return sum, weight
}

func (s *eevdfScene) eligible(e *entity) bool {
	sum, weight := s.exact()
	return weight.Mul(weight, big.NewInt(e.v)).Cmp(sum) <= 0
}

// pick is the rule, candidate by candidate.
func (s *eevdfScene) pick(parity bool) int32 {
	curr := s.curr
	if len(s.q.queue) == 0 {
		return none
	}
	fits := curr != nil && s.eligible(curr)
	if fits && parity && curr.picked == curr.deadline {
		return none
	}
	best := int32(none)
	for t := range s.ents { // ties go to the lowest number
		e := &s.ents[t]
		if e == curr || !s.eligible(e) {
			continue
		}
		if best == none || e.deadline < s.ents[best].deadline {
			best = int32(t)
		}
	}
	if fits && (best == none || curr.deadline < s.ents[best].deadline) {
		return none
	}
	return best
}

// TestAgainstBigIntegers compares mean, eligibility and pick with the same in
// integers of any size, before and after entities leave, enter and run.
func TestAgainstBigIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 10))
	for i := range 5000 {
		s := newEEVDFScene(rng)
		for range 4 {
			sum, weight := s.exact()
			if weight.Sign() > 0 {
				mean := new(big.Int).Div(sum, weight) // rounds down: weights are positive
				if got := s.q.mean(s.curr); got != mean.Int64() {
					t.Fatalf("scene %d: mean %d, want %s", i, got, mean)
				}
			}
			for j := range s.ents {
				if got := s.q.eligible(&s.ents[j], s.curr); got != s.eligible(&s.ents[j]) {
					t.Fatalf("scene %d: entity %d eligible %v", i, j, got)
				}
			}
			for _, parity := range []bool{true, false} {
				if got, want := s.q.pick(s.ents, s.curr, parity), s.pick(parity); got != want {
					t.Fatalf("scene %d: picks %d, want %d (parity %v): %+v", i, got, want, parity, s.ents)
				}
			}
			s.change(rng)
		}
	}
}

// change lets the running entity run, or swaps it with a waiting one.
func (s *eevdfScene) change(rng *rand.Rand) {
	if s.curr != nil {
		s.curr.advance(rng.Int64N(4*ms), 3*ms)
	}
	if len(s.q.queue) == 0 || rng.IntN(2) == 0 {
		return
	}
	t := s.q.queue[rng.IntN(len(s.q.queue))]
	s.q.remove(t, &s.ents[t])
	if s.curr != nil {
		for j := range s.ents {
			if &s.ents[j] == s.curr {
				s.q.insert(int32(j), s.curr)
			}
		}
	}
	s.curr = &s.ents[t]
}

// TestPlaceAndLeave: an entity comes back with the lag it left with. Placing it
// pulls the mean along, which the inflation makes up for.
func TestPlaceAndLeave(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	const slice, tick = 3 * ms, ms
	for i := range 3000 {
		s := newEEVDFScene(rng)
		e := entity{weight: []int64{335, 1024, 3121}[rng.IntN(3)], vlag: rng.Int64N(3*ms) - 3*ms/2}
		lag := e.vlag
		s.q.place(&e, s.curr, slice, true, false)
		if want := e.v + slice*niceZero/e.weight; e.deadline != want {
			t.Fatalf("scene %d: deadline %d, want %d", i, e.deadline, want)
		}
		s.ents = append(s.ents[:len(s.ents):len(s.ents)], e)
		id := int32(len(s.ents) - 1)
		s.q.insert(id, &s.ents[id])
		s.q.leave(&s.ents[id], s.curr, slice, tick)
		if off := s.ents[id].vlag - lag; off < -3 || off > 3 {
			t.Fatalf("scene %d: lag %d, on leaving %d", i, lag, s.ents[id].vlag)
		}
	}
	// Without PLACE_LAG, or on an empty queue, an entity starts at the mean, a new
	// one with half a slice.
	var q fair
	curr := entity{v: 100 * us, deadline: 3 * ms, weight: niceZero}
	for _, c := range []struct {
		lagOn, fresh bool
		curr         *entity
		v, span      int64
	}{{false, false, &curr, 100 * us, slice}, {true, false, &curr, 80 * us, slice}, {false, true, &curr, 100 * us, slice / 2}, {true, false, nil, 0, slice}} {
		e := entity{weight: niceZero, vlag: 10 * us}
		q.place(&e, c.curr, slice, c.lagOn, c.fresh)
		if e.v != c.v || e.deadline != c.v+c.span {
			t.Errorf("%+v: v %d, deadline %d", c, e.v, e.deadline)
		}
	}
	// The lag is kept within two slices or a tick, in virtual time.
	for _, c := range []struct{ v, weight, slice, tick, want int64 }{
		{-1000 * ms, niceZero, slice, tick, 6 * ms}, {2000 * ms, niceZero, slice, tick, -6 * ms},
		{-1000 * ms, niceZero, slice, 10 * ms, 10 * ms}, {-1000 * ms, 2 * niceZero, slice, tick, 3 * ms},
	} {
		var q fair
		other := entity{weight: 1 << 20}
		q.insert(0, &other)
		e := entity{v: c.v, weight: c.weight}
		q.insert(1, &e)
		q.leave(&e, nil, c.slice, c.tick)
		if e.vlag != c.want {
			t.Errorf("%+v: lag %d", c, e.vlag)
		}
	}
}

// TestPublishedPreemption are the published cases of a wakee that meets a lone
// runner at v = 100: with lag +1, inflated to 2, the mean is 99 and the runner not
// eligible; with lag -1 the wakee is not; with lag 0 its deadline decides.
func TestPublishedPreemption(t *testing.T) {
	for _, c := range []struct {
		name              string
		lag               int64
		parity, parityOff bool // RUN_TO_PARITY on; the runner has begun a new slice
		wakee             bool
	}{
		{"lag +1", 1, true, false, true},
		{"lag -1", -1, true, false, false},
		{"lag 0", 0, true, false, false},
		{"lag 0, no parity: a whole slice away", 0, false, false, false},
		{"lag 0, parity lapsed: a whole slice away", 0, true, true, false},
		{"lag -1, parity lapsed", -1, true, true, false},
	} {
		ents := []entity{{v: 100, deadline: 100 + 2*ms, weight: niceZero}, {weight: niceZero, vlag: c.lag}}
		curr := &ents[0]
		if !c.parityOff {
			curr.picked = curr.deadline
		}
		var q fair
		q.place(&ents[1], curr, 3*ms, true, false)
		if ents[1].v != 100-2*c.lag {
			t.Errorf("%s: v %d", c.name, ents[1].v)
		}
		q.insert(1, &ents[1])
		if got := q.pick(ents, curr, c.parity) == 1; got != c.wakee {
			t.Errorf("%s: the wakee runs %v, want %v", c.name, got, c.wakee)
		}
	}
}

// TestPreemptiveWakee: in a run, a wakee with positive lag takes the CPU from a
// hog at once, one with negative lag waits for the end of its slice.
func TestPreemptiveWakee(t *testing.T) {
	for _, c := range []struct {
		lag      int64
		preempts bool
	}{{us, true}, {-us, false}, {0, false}} {
		w := hogs(t, 50*ms, 0)
		w.Programs = append(w.Programs, workload.Program{sleepFor(100 * us), runFor(10 * us), sleepFor(1000 * ms)})
		w.Tasks = append(w.Tasks, workload.Task{Name: "visitor", Program: 1, Allowed: topology.NewCPUSet(0)})
		e := prepare(t, Config{Machine: cores(t, 1), Workload: w, Policy: linux(t, "6.10"), Duration: 1}).calm()
		// Both have started and the visitor sleeps; it wakes at about 100 us, and the
		// hog's slice, half of one for a new task, ends after that.
		for e.tasks[1].cat != Blocked || e.tasks[1].cpu == none {
			oneEvent(t, e)
		}
		e.ents[1].vlag = c.lag
		for e.tasks[1].cat == Blocked {
			oneEvent(t, e)
		}
		if got := e.cpus[0].curr == 1; got != c.preempts {
			t.Errorf("lag %d: runs at once %v, want %v", c.lag, got, c.preempts)
		}
		if err := e.runUntil(e.now+4*ms, ms); err != nil {
			t.Fatal(err)
		}
		e.closeBooks()
		if got := e.tskTime[1].Account[Work]; got != 10*us {
			t.Errorf("lag %d: the visitor works %d ns", c.lag, got)
		}
	}
}

// oneEvent executes one event.
func oneEvent(t *testing.T, e *engine) {
	t.Helper()
	at, slot, _ := e.timers.next()
	end, c, _ := e.done.next()
	e.now = min(at, end)
	if at <= end {
		e.timer(slot)
	} else {
		e.complete(c)
	}
	if err := e.check(); err != nil {
		t.Fatalf("at %d ns: %v", e.now, err)
	}
}

// TestHogs: hogs on one CPU take turns of a slice, noticed at the tick after it,
// and share the CPU evenly; time adds up although each is cut in mid-step.
func TestHogs(t *testing.T) {
	for _, n := range []int{2, 3, 10} {
		cpus := make([]int, n)
		w := hogs(t, 700*ms, cpus...)
		e := prepare(t, Config{Machine: cores(t, 1), Workload: w, Policy: linux(t, "6.10"), Seed: 3, Warmup: 100 * ms, Duration: 1200 * ms}).calm()
		got := e.play(t)
		turns := got.CPU[ContextSwitch] / e.price.contextSwitch
		// A slice of 3 ms of run time ends at a tick: 3 or 4 ticks.
		if turns < 1200/4-2 || turns > 1200/3+2 {
			t.Errorf("%d hogs: %d turns in 1200 ms", n, turns)
		}
		for i := range n {
			within(t, "share", float64(got.PerTask[i][Work]), float64(got.Window)/float64(n), 0.03)
		}
	}
}

// TestPingPongOnOneCPU: a pair that shares a CPU and has no lag never preempts: a
// pass is one wakeup and one switch, and the wakee runs when the waker blocks.
// Any lag at all, and one of the two is ahead when the other wakes it: it takes
// over, answers one that is still runnable, and some passes need no wakeup; a
// pass is one switch all the same.
func TestPingPongOnOneCPU(t *testing.T) {
	const passes = 20_000
	for _, c := range []struct {
		a, b, lag int64
		always    bool
	}{{5 * us, 5 * us, 0, true}, {7 * us, 5 * us, 0, true}, {5 * us, 5 * us, 1, false}, {5 * us, 5 * us, 100 * us, false}} {
		e := prepare(t, Config{Machine: cores(t, 1), Workload: pingPong(t, c.a, c.b, 0, "", ""), Policy: linux(t, "6.10"), Duration: 1}).calm()
		if err := e.runUntil(ms, ms); err != nil {
			t.Fatal(err)
		}
		e.level(t)
		// The client is about to wake the server.
		e.ents[1].vlag = c.lag
		e.closeBooks()
		e.resetMeters()
		for e.meter.groups[0] < passes/2 || e.cpus[0].curr != 0 || e.cpus[0].effect != effSend {
			oneEvent(t, e)
		}
		e.closeBooks()
		wakeups, switches := e.meter.wakeups, e.cpuTime[0].Account[ContextSwitch]/e.price.contextSwitch
		if c.always && wakeups != passes || !c.always && (wakeups > passes*3/4 || wakeups < passes/2) {
			t.Errorf("%+v: %d wakeups in %d passes", c, wakeups, passes)
		}
		if switches < passes-1 || switches > passes { // one is under way at an edge
			t.Errorf("%+v: %d switches in %d passes", c, switches, passes)
		}
	}
}
