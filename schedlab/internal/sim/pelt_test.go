package sim

import (
	"math"
	"math/rand/v2"
	"testing"
)

// within fails unless got is near want, relatively.
func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*math.Abs(want) {
		t.Errorf("%s is %.2f, want %.2f +-%g %%", what, got, want, 100*tolerance)
	}
}

// TestUtilRises: the published averages of a task that runs from nothing on. An
// average moves only when a period ends, and by what the period holds.
func TestUtilRises(t *testing.T) {
	for _, c := range []struct {
		ms   float64
		util float64
	}{{1, 21}, {4, 81}, {10, 191}, {32, 495}, {33.55, 512}, {100, 894}} {
		var a average
		whole := int64(math.Round(c.ms*1e6/period)) * period
		a.update(whole, true, niceZero)
		form := 1024 * (1 - math.Pow(0.5, float64(whole)/period/32))
		within(t, "util", float64(a.util)/(1<<peltShift), form, 0.0001)
		within(t, "load", float64(a.load)/(1<<peltShift), form, 0.0001)
		// The published figure is for c.ms, up to half a period off.
		early := 1024 * (1 - math.Pow(0.5, c.ms*1e6/period/32))
		within(t, "continuous form", early, c.util, 0.02)
		if c.ms >= 10 {
			within(t, "published util", float64(a.util>>peltShift), c.util, 0.05)
		}
	}
	var a average
	a.update(32*period, true, niceZero)
	if got := a.util >> peltShift; got != 512 && got != 511 {
		t.Errorf("util after a half-life is %d", got)
	}
	a.update(10_000*period, true, niceZero)
	if got := a.util; got < peltFull-1000 || got > peltFull {
		t.Errorf("util of a task that always ran is %d of %d", got, int64(peltFull))
	}
	if got := a.load; got < peltFull-1000 || got > peltFull {
		t.Errorf("load of a task that always ran is %d of %d", got, int64(peltFull))
	}
}

// TestDecayTable compares the table and decay with mathematics.
func TestDecayTable(t *testing.T) {
	for n, x := range decayTable {
		want := math.Min(math.Pow(0.5, float64(n)/32)*(1<<32), 1<<32-1)
		if math.Abs(float64(x)-want) > 1 {
			t.Errorf("entry %d is %#x, want %#x", n, x, uint64(want))
		}
	}
	for _, n := range []int64{0, 1, 2, 31, 32, 33, 64, 345, 1000, 2015, 2016, 5000, 1 << 40} {
		const x = peltFull
		want := x * math.Pow(0.5, float64(n)/32)
		if got := decay(x, n); math.Abs(float64(got)-want) > 2+want*1e-8 {
			t.Errorf("%d after %d periods is %d, want %.1f", int64(x), n, got, want)
		}
	}
}

// TestAverageSteps: how a stretch of time is cut into updates makes no
// difference; it is compared with a sum over periods.
func TestAverageSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for range 200 {
		start := rng.Int64N(5 * period)
		steps, whole := average{stamp: start}, average{stamp: start}
		now := start
		ran, weight := rng.IntN(2) == 0, rng.Int64N(3)*niceZero
		for range rng.IntN(20) {
			now += rng.Int64N(int64(1) << rng.IntN(24))
			steps.update(now, ran, weight)
		}
		whole.update(now, ran, weight)
		if d := steps.util - whole.util; max(d, -d) > 1000 || steps.ran != whole.ran || steps.stamp != now {
			t.Fatalf("in steps %+v, at once %+v", steps, whole)
		}
		if d := steps.load - whole.load; max(d, -d) > 3000 || steps.weighed != whole.weighed {
			t.Fatalf("in steps %+v, at once %+v", steps, whole)
		}
	}
}

// TestAverageOfMixture: on half of every period, util is half; the load counts
// the time in the queue too.
func TestAverageOfMixture(t *testing.T) {
	var a average
	for i := range int64(3000) {
		a.update(i*period/4+period/4, i%4 < 2, niceZero*min(1, i%4))
	}
	within(t, "util", float64(a.util)/(1<<peltShift), 512, 0.001)
	within(t, "load", float64(a.load)/(1<<peltShift), 768, 0.001)
}

// TestAverageAhead: a stamp that lies ahead, because a CPU is still on its way out
// of idle, stays, and nothing is counted twice.
func TestAverageAhead(t *testing.T) {
	a := average{stamp: 3*period + 10}
	a.update(3*period-5, true, niceZero)
	a.update(3*period+10, true, niceZero)
	if want := (average{stamp: 3*period + 10}); a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
}

// TestAttach: what an entity brings to a queue it takes away again, aged like the
// queue's; a queue does not go below nothing.
func TestAttach(t *testing.T) {
	var q, e average
	e.update(40*period, true, niceZero)
	q.update(40*period, false, 0)
	q.attach(&e)
	if q.util != e.util || q.load != e.load {
		t.Errorf("the queue has %+v, its entity %+v", q, e)
	}
	for _, a := range []*average{&q, &e} {
		a.update(45*period+3, false, 0)
	}
	if q.util != e.util || q.load != e.load {
		t.Errorf("aged, the queue has %+v, its entity %+v", q, e)
	}
	q.detach(&e)
	if q.util != 0 || q.load != 0 {
		t.Errorf("the queue keeps %+v", q)
	}
	q.detach(&e)
	if q.util != 0 || q.load != 0 {
		t.Errorf("the queue goes to %+v", q)
	}
}

// TestQueueOfOneTask: a CPU whose task never stops has its average, and a task
// that alternates on two CPUs leaves nothing behind where it has not been for
// long.
func TestQueueOfOneTask(t *testing.T) {
	e := prepare(t, Config{Machine: cores(t, 2), Workload: hogs(t, 100*us, 1), Policy: linux(t, "6.10"), Duration: 1})
	if err := e.runUntil(700*ms, ms); err != nil {
		t.Fatal(err)
	}
	within(t, "util of its CPU", float64(e.cpuUtil(1)), 1024, 0.002)
	within(t, "load of its CPU", float64(e.rqAvg[1].load>>peltShift), 1024, 0.002)
	within(t, "util of the idle one", float64(e.cpuUtil(0)), 0, 0)

	// Three hogs on a CPU: 1024 of util and 3 x 1024 of load.
	e = prepare(t, Config{Machine: cores(t, 2), Workload: hogs(t, 100*us, 1, 1, 1), Policy: linux(t, "6.10"), Duration: 1})
	if err := e.runUntil(700*ms, ms); err != nil {
		t.Fatal(err)
	}
	within(t, "util of three", float64(e.cpuUtil(1)), 1024, 0.002)
	within(t, "load of three", float64(e.rqAvg[1].load>>peltShift), 3*1024, 0.002)
	for i := range e.avg {
		within(t, "a third", float64(e.avg[i].util>>peltShift), 1024./3, 0.15) // slices of 3 ms ripple
	}
}

// TestMigrationTakesLoad: who leaves takes its load along, aged, even after a
// long sleep: the queue it left is not charged for it any more.
func TestMigrationTakesLoad(t *testing.T) {
	e := prepare(t, Config{Machine: cores(t, 2), Workload: hogs(t, ms, 0), Policy: linux(t, "6.10"), Duration: 1})
	e.tasks[0].cpu = 0
	e.avg[0] = average{util: peltFull, load: peltFull}
	e.rqAvg[0] = e.avg[0]
	e.now = 20 * period
	e.join(1, 0)
	if q := e.rqAvg[0]; q.util > 2 || q.load > 2 {
		t.Errorf("the old queue keeps util %d and load %d of %d", q.util>>peltShift, q.load>>peltShift, e.avg[0].load>>peltShift)
	}
	if q := e.rqAvg[1]; q.util != e.avg[0].util || q.load != e.avg[0].load {
		t.Errorf("the new queue has %+v, the task %+v", q, e.avg[0])
	}
}

// TestUtilEst: an estimate follows upwards at once, falls by a quarter of the
// difference, and not for less than a hundredth of a CPU.
func TestUtilEst(t *testing.T) {
	e := prepare(t, Config{Machine: cores(t, 1), Workload: hogs(t, ms, 0), Policy: linux(t, "6.10"), Duration: 1})
	for _, c := range []struct{ old, util, want int64 }{
		{0, 500, 500}, {500, 500, 500}, {499, 500, 500}, {500, 491, 500}, {500, 490, 498}, {500, 100, 400}, {400, 100, 325}, {1024, 0, 768},
	} {
		e.est[0], e.avg[0] = c.old, average{util: c.util << peltShift, load: c.util << peltShift}
		e.estimate(0)
		if e.est[0] != c.want {
			t.Errorf("estimate %d, used %d: %d, want %d", c.old, c.util, e.est[0], c.want)
		}
	}
	// One that was kept waiting could not use more: its estimate stays.
	e.est[0], e.avg[0] = 500, average{util: 100 << peltShift, load: 111 << peltShift}
	if e.estimate(0); e.est[0] != 500 {
		t.Errorf("a starved task's estimate falls from 500 to %d", e.est[0])
	}
	// A CPU counts as what its queue's average or the estimates say, at most 1024.
	for _, c := range []struct{ util, est, want int64 }{{300, 200, 300}, {200, 300, 300}, {900, 1500, 1024}} {
		e.rqAvg[0].util, e.rqEst[0] = c.util<<peltShift, c.est
		if got := e.cpuUtil(0); got != c.want {
			t.Errorf("util %d, estimates %d: %d, want %d", c.util, c.est, got, c.want)
		}
	}
}
