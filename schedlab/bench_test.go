package schedlab_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/internal/sim"
)

// measured is the number of wakeups an operation of BenchmarkSimulate counts at
// least.
const measured = 5_000_000

// BenchmarkSimulate is the engine with everything on. An operation is one run of
// at least 5 million wakeups in its window; compiling and warming up are not
// timed. It reports
//
//	ns/wakeup      per placed task that reached a CPU
//	units          the same in events of a bare winner tree of 240 slots, timed just
//	               before in this process: compares over computers
//	allocs/wakeup
//
// Never quote one run: benchstat wants five or more (-count 5).
func BenchmarkSimulate(b *testing.B) {
	for _, workload := range []string{"netperf-tcp_rr", "pipe"} {
		for _, policy := range []string{"6.10", "6.10+SIS_SYNC"} {
			for _, load := range []int{60, 240, 420} {
				name := fmt.Sprintf("machine=xeon240/workload=%s/policy=%s/load=%d", workload, policy, load)
				b.Run(name, func(b *testing.B) {
					benchSpec(b, fmt.Sprintf("xeon240 %s:%d %s seed=1", workload, load, policy))
				})
			}
		}
	}
}

// window is how long the window of a run must be for so many wakeups.
func window(b *testing.B, c schedlab.Config) time.Duration {
	c.Duration = 4 * time.Millisecond
	r, err := schedlab.Simulate(c)
	if err != nil {
		b.Fatal(err)
	}
	perNS := float64(r.Wakeups) / float64(r.WindowNS)
	return time.Duration(1.05 * measured / perNS)
}

func benchSpec(b *testing.B, text string) {
	s, err := schedlab.Parse(text + " warmup=10ms")
	if err != nil {
		b.Fatal(err)
	}
	c, err := s.Config()
	if err != nil {
		b.Fatal(err)
	}
	c.Duration = window(b, c)
	unit := holdNS()
	var wakeups int64
	var mallocs uint64
	var before, after runtime.MemStats
	b.StopTimer()
	b.ResetTimer()
	for range b.N {
		started := false
		c.Progress = func(done, total time.Duration) {
			// The engine says when the window begins: its end less its length.
			if !started && done == total-c.Duration {
				started = true
				runtime.ReadMemStats(&before)
				b.StartTimer()
			}
		}
		r, err := schedlab.Simulate(c)
		b.StopTimer()
		runtime.ReadMemStats(&after)
		switch {
		case err != nil:
			b.Fatal(err)
		case !started:
			b.Fatal("the start of the window was not reported")
		case r.Wakeups < measured:
			b.Fatalf("%d wakeups, want %d", r.Wakeups, measured)
		}
		wakeups += r.Wakeups
		mallocs += after.Mallocs - before.Mallocs
	}
	ns := float64(b.Elapsed().Nanoseconds()) / float64(wakeups)
	b.ReportMetric(ns, "ns/wakeup")
	b.ReportMetric(ns/unit, "units")
	b.ReportMetric(float64(mallocs)/float64(wakeups), "allocs/wakeup")
	b.ReportMetric(0, "ns/op")
}

// holdNS times the yardstick: the best of three, for it is there to be divided by.
func holdNS() float64 {
	const events = 5_000_000
	best := time.Duration(1 << 62)
	for range 3 {
		start := time.Now()
		sim.HoldLoop(240, events)
		best = min(best, time.Since(start))
	}
	return float64(best) / events
}
