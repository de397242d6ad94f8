package sim

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// measured is the number of wakeups a benchmark counts at least, per operation.
const measured = 5_000_000

func BenchmarkHold(b *testing.B) {
	for _, slots := range []int{240, 1000, 10_000} {
		b.Run(fmt.Sprintf("slots=%d", slots), func(b *testing.B) { HoldLoop(slots, b.N) })
	}
}

// TestHoldLoop: n slots with steps of 10 us pass n events in 10 us.
func TestHoldLoop(t *testing.T) {
	const slots, events = 240, 200_000
	if rate := events / (float64(HoldLoop(slots, events)) / 10_000); math.Abs(rate/slots-1) > 0.01 {
		t.Errorf("%.1f events in 10 us, want %d", rate, slots)
	}
}

// dice places on any CPU of the machine, by an integer generator of its own.
type dice struct{ policy.Policy }

func (dice) Name() string                             { return "dice" }
func (dice) Start(*topology.Topology) policy.Selector { return &die{state: 1} }

type die struct{ state uint64 }

func (d *die) SelectCPU(v policy.View, w policy.Wakeup) policy.Placement {
	d.state = d.state*6364136223846793005 + 1442695040888963407
	n := uint64(v.Topology().NumCPUs())
	return policy.Placement{CPU: topology.CPU(d.state >> 32 * n >> 32), Reason: policy.Custom}
}

// tokens is pairs of tasks that hand one token to and fro, service exponential.
func tokens(pairs int, service int64) *workload.Workload {
	w := &workload.Workload{
		Name: "tokens", Groups: 1, Metric: workload.Metric{PerDone: 1},
		Programs: []workload.Program{
			{runExp(service), sendTo(0), recvFrom(1)},
			{recvFrom(0), runExp(service), sendTo(1)},
		},
	}
	for i := range pairs {
		a, c := workload.TaskID(2*i), workload.ChannelID(2*i)
		w.Tasks = append(w.Tasks, workload.Task{Name: "a", Program: 0, Base: c}, workload.Task{Name: "b", Program: 1, Base: c})
		w.Channels = append(w.Channels, workload.Channel{From: a, To: a + 1}, workload.Channel{From: a + 1, To: a})
	}
	return w
}

// BenchmarkCommonModel is the model other simulators were compared on: 240 CPUs
// that keep what they are sent, 240 tokens of exponential service 10 us sent to
// any CPU, no costs, no balancing. The closed form gives 240 x 240 / 479 / 10 us = 12.025 wakeups/us.
func BenchmarkCommonModel(b *testing.B) {
	m := cores(b, 240)
	benchEngine(b, m, tokens(240, 10_000), dice{linux(b, "6.10")}, true, func(b *testing.B, rate float64) {
		b.ReportMetric(rate, "wakeups/simulated-us")
		if math.Abs(rate/12.025-1) > 0.02 {
			b.Errorf("%.3f wakeups/us, want 12.025", rate)
		}
	})
}

// TestCommonModel is the benchmark's check on a short run.
func TestCommonModel(t *testing.T) {
	e := prepare(t, Config{Machine: cores(t, 240), Workload: tokens(240, 10_000), Policy: dice{linux(t, "6.10")}, Warmup: 2 * ms, Duration: 20 * ms}).free().unbalanced()
	got := e.play(t)
	near(t, "wakeups/us", float64(got.Wakeups)/float64(got.Window/us), 240*240/479./10, 0.01)
}

// BenchmarkLarge is a machine of 512 CPUs with 10000 tasks, all costs on.
func BenchmarkLarge(b *testing.B) {
	m := on(b, "xeon240", "large", topology.New("large").Sockets(4).Nodes(2).Cores(32).Threads(2))
	for _, p := range []string{"6.10", "6.10+SIS_SYNC"} {
		b.Run("cpus=512/tasks=10000/policy="+p, func(b *testing.B) {
			benchEngine(b, m, benchmark(b, "netperf-tcp_rr:5000", m), linux(b, p), false, func(*testing.B, float64) {})
		})
	}
}

// benchEngine runs windows of so many wakeups; compiling and warming up are not
// timed.
func benchEngine(b *testing.B, m *machine.Machine, w *workload.Workload, p policy.Policy, free bool, report func(b *testing.B, rate float64)) {
	var wakeups, simulated int64
	var mallocs uint64
	for range b.N {
		b.StopTimer()
		e := prepare(b, Config{Machine: m, Workload: w, Policy: p, Duration: 1})
		if free {
			e.free().unbalanced()
		}
		at := w.LastStart() + 5*ms
		until := func(next int64) {
			if err := e.runUntil(next, next); err != nil {
				b.Fatal(err)
			}
			at = next
		}
		until(at)
		e.meter.wakeups = 0
		start := at
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b.StartTimer()
		for e.meter.wakeups < measured {
			until(at + ms)
		}
		b.StopTimer()
		runtime.ReadMemStats(&after)
		mallocs += after.Mallocs - before.Mallocs
		wakeups += e.meter.wakeups
		simulated += at - start
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(wakeups), "ns/wakeup")
	b.ReportMetric(float64(mallocs)/float64(wakeups), "allocs/wakeup")
	b.ReportMetric(0, "ns/op")
	report(b, float64(wakeups)/float64(simulated/us))
}
