package sim

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// TestPresetsConserve plays benchmarks on the published machines over an odd
// window.
func TestPresetsConserve(t *testing.T) {
	for _, c := range []struct{ machine, workload string }{
		{"xeon240", "netperf-tcp_rr:60"}, {"xeon240", "netperf-tcp_rr:240"}, {"xeon240-llc120", "netperf-udp_rr:150"},
		{"kunpeng128", "pipe:100"}, {"spr224", "netperf-tcp_rr:1,client=1-8,server=2"},
	} {
		for _, p := range []string{"6.10", "6.10+SIS_SYNC"} {
			t.Run(c.machine+"/"+c.workload+"/"+p, func(t *testing.T) {
				m := preset(t, c.machine)
				cfg := Config{Machine: m, Workload: benchmark(t, c.workload, m), Policy: linux(t, p), Seed: 3, Warmup: 2*ms + 1, Duration: 3*ms + 7}
				got := run(t, cfg)
				if sum(got.Done) == 0 || got.Events == 0 {
					t.Error("nothing happened")
				}
				plausible(t, got, len(cfg.Workload.Tasks))
			})
		}
	}
}

// TestHalf: Half counts the first half of the window, which a run of that length
// counts as a whole.
func TestHalf(t *testing.T) {
	m := preset(t, "ivb48")
	cfg := Config{Machine: m, Workload: benchmark(t, "pipe:40", m), Policy: linux(t, "6.10"), Seed: 1, Warmup: ms, Duration: 4*ms + 1}
	whole := run(t, cfg)
	cfg.Duration = 2 * ms
	if half := run(t, cfg); !reflect.DeepEqual(whole.Half, half.Done) {
		t.Errorf("Half %v, a run of half the length does %v", whole.Half, half.Done)
	}
	for g, n := range whole.Done {
		if n == 0 {
			t.Errorf("pair %d does nothing", g)
		}
	}
}

// stray always answers the same.
func stray(t *testing.T, p policy.Placement) policy.Policy {
	return policy.Func("stray", linux(t, "6.10"), func(policy.View, policy.Wakeup, func() policy.Placement) policy.Placement { return p })
}

func TestPolicyErrors(t *testing.T) {
	w := pingPong(t, 1000, 1000, 0, "0-1", "0-1")
	for _, c := range []struct {
		answer policy.Placement
		want   string
	}{
		{policy.Placement{CPU: 3, Reason: policy.Custom}, `sim: policy "stray" placed task 1 "server" on CPU 3 at`},
		{policy.Placement{CPU: topology.NoCPU, Reason: policy.Custom}, `on CPU -1 at`},
		{policy.Placement{CPU: 4, Reason: policy.Custom}, `where it is not allowed to run (allowed: 0-1)`},
		{policy.Placement{CPU: 1 << 30, Reason: policy.Custom}, `on CPU 1073741824 at`},
		{policy.Placement{CPU: 1, Reason: policy.NumReasons}, `sim: policy "stray" gave reason 14 at`},
	} {
		_, err := Run(context.Background(), Config{Machine: cores(t, 4), Workload: w, Policy: stray(t, c.answer), Duration: ms})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.answer, err, c.want)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	m := cores(t, 2)
	good := Config{Machine: m, Workload: pingPong(t, 10, 10, 0, "", ""), Policy: linux(t, "6.10"), Duration: 1}
	for _, c := range []struct {
		want   string
		change func(c *Config)
	}{
		{"sim: no machine", func(c *Config) { c.Machine = nil }},
		{"sim: no workload", func(c *Config) { c.Workload = nil }},
		{"sim: no policy", func(c *Config) { c.Policy = nil }},
		{"sim: duration 0 ns is not positive", func(c *Config) { c.Duration = 0 }},
		{"sim: warm-up -1 ns is negative", func(c *Config) { c.Warmup = -1 }},
		{"longer than 8796 s", func(c *Config) { c.Duration = maxTime + 1 }},
		{"longer than 8796 s", func(c *Config) { c.Workload.Tasks[0].Start = 1<<63 - 1 }},
		{"has no tasks", func(c *Config) { c.Workload = &workload.Workload{} }},
		{`task 1 "server" is allowed on CPUs 7, none of which cores has`, func(c *Config) { c.Workload.Tasks[1].Allowed = topology.NewCPUSet(7) }},
		{`policy "stopped": its kernel ticks 0 times a second`, func(c *Config) { c.Policy = stopped{c.Policy} }},
	} {
		cfg := good
		w := *good.Workload
		w.Tasks = append([]workload.Task(nil), w.Tasks...)
		cfg.Workload = &w
		c.change(&cfg)
		if _, err := Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, err := Run(context.Background(), good); err != nil {
		t.Error(err)
	}
}

type stopped struct{ policy.Policy }

func (stopped) Name() string          { return "stopped" }
func (stopped) Kernel() policy.Kernel { return policy.Kernel{} }

// TestNoProgress: a workload whose steps take no time is given up.
func TestNoProgress(t *testing.T) {
	e := prepare(t, Config{Machine: cores(t, 2), Workload: pingPong(t, 0, 0, 0, "", ""), Policy: linux(t, "6.10"), Duration: ms}).free()
	err := e.runUntil(ms, ms)
	if err == nil || !strings.Contains(err.Error(), `workload "ping-pong" makes no progress at 0 ns`) {
		t.Errorf("error %v", err)
	}
}

func TestCancel(t *testing.T) {
	m := preset(t, "ivb48")
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	cfg := Config{Machine: m, Workload: benchmark(t, "pipe:40", m), Policy: linux(t, "6.10"), Duration: 1000 * ms}
	cfg.Progress = func(done, total int64) {
		if calls++; calls == 3 {
			cancel()
		}
	}
	_, err := Run(ctx, cfg)
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "sim: stopped at ") {
		t.Errorf("error %v, want a cancellation that says where", err)
	}
	if calls != 3 {
		t.Errorf("went on for %d calls after the cancellation", calls-3)
	}
}

// TestProgress: calls rise from the start of the window to its end.
func TestProgress(t *testing.T) {
	m := preset(t, "ivb48")
	var at []int64
	cfg := Config{Machine: m, Workload: benchmark(t, "pipe:40", m), Policy: linux(t, "6.10"), Warmup: ms, Duration: 5 * ms}
	end := cfg.Workload.LastStart() + 6*ms
	cfg.Progress = func(done, total int64) {
		if total != end {
			t.Fatalf("total %d, want %d", total, end)
		}
		at = append(at, done)
	}
	run(t, cfg)
	window := false
	for i, d := range at {
		if i > 0 && d < at[i-1] {
			t.Errorf("progress falls from %d to %d", at[i-1], d)
		}
		window = window || d == end-5*ms
	}
	if !window || at[len(at)-1] != end {
		t.Errorf("not told of the start of the window or of the end: %v", at)
	}
}

// watcher counts what its observers hear.
type watcher struct {
	policy.Selector
	t                  *testing.T
	on, off, nap, tick int
	idle               map[topology.CPU]bool
}

func (w *watcher) CPUIdle(v policy.View, c topology.CPU, idle bool) {
	if was, known := w.idle[c]; known && was == idle {
		w.t.Errorf("CPU %d is said to be idle=%v twice", c, idle)
	}
	w.idle[c] = idle
	looks := v.Idle(c)
	if !idle {
		w.off++
		if looks {
			w.t.Errorf("CPU %d looks idle when it is said not to be", c)
		}
		return
	}
	w.on++
	// It may look busy all the same: a wakee is on its way. Nobody is being
	// placed now, so all CPUs are open to a search.
	if got, _ := v.FirstIdle(v.Topology().All(), c, -1); looks && got != c {
		w.t.Errorf("a search from the idle CPU %d finds %d", c, got)
	}
}

func (w *watcher) TaskSlept(v policy.View, t workload.TaskID, c topology.CPU) {
	w.nap++
	if !v.Allowed(t, c) {
		w.t.Errorf("task %d slept on CPU %d", t, c)
	}
}

func (w *watcher) Tick(v policy.View, c topology.CPU) {
	w.tick++
	if v.Idle(c) {
		w.t.Errorf("a tick on the idle CPU %d", c)
	}
}

type watched struct {
	policy.Policy
	t    *testing.T
	last **watcher
}

func (p watched) Start(t *topology.Topology) policy.Selector {
	*p.last = &watcher{Selector: p.Policy.Start(t), t: p.t, idle: map[topology.CPU]bool{}}
	return *p.last
}

func TestObservers(t *testing.T) {
	m := preset(t, "ivb48")
	var w *watcher
	cfg := Config{Machine: m, Workload: benchmark(t, "pipe:30", m), Policy: watched{linux(t, "6.10"), t, &w}, Duration: 10 * ms}
	got := run(t, cfg)
	if w.on == 0 || w.off == 0 || w.nap == 0 || w.tick == 0 {
		t.Errorf("heard of %d idle, %d busy, %d sleeps, %d ticks", w.on, w.off, w.nap, w.tick)
	}
	if int64(w.nap) < got.Wakeups {
		t.Errorf("%d sleeps, %d wakeups", w.nap, got.Wakeups)
	}
	// Observers look for free: the result is that of the plain policy.
	cfg.Policy = linux(t, "6.10")
	plain := run(t, cfg)
	plain.Events = got.Events
	if !reflect.DeepEqual(got, plain) {
		t.Error("being observed changes the run")
	}
}

// TestRepeats: equal Configs, equal Totals, also when two run at once.
func TestRepeats(t *testing.T) {
	m := preset(t, "xeon240")
	cfg := Config{Machine: m, Workload: benchmark(t, "netperf-tcp_rr:200", m), Policy: linux(t, "6.10+SIS_SYNC"), Seed: 4, Warmup: ms, Duration: 2 * ms}
	want := run(t, cfg)
	results := make(chan *Totals)
	for range 2 {
		go func() {
			got, _ := Run(context.Background(), cfg)
			results <- got
		}()
	}
	for range 2 {
		if got := <-results; !reflect.DeepEqual(got, want) {
			t.Error("the same run gives another result")
		}
	}
	cfg.Seed++
	if reflect.DeepEqual(run(t, cfg), want) {
		t.Error("another seed gives the same result")
	}
}

// TestNoAllocation: a run that has started allocates nothing, but that a run queue
// may become longer than it ever was.
func TestNoAllocation(t *testing.T) {
	m := preset(t, "xeon240")
	for _, p := range []string{"6.10", "6.10+SIS_SYNC"} {
		e := prepare(t, Config{Machine: m, Workload: benchmark(t, "netperf-tcp_rr:240", m), Policy: linux(t, p), Duration: 1000 * ms})
		at := e.cfg.Workload.LastStart() + 10*ms
		if err := e.runUntil(at, at); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		events := e.meter.events
		if err := e.runUntil(at+5*ms, at); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if n := after.Mallocs - before.Mallocs; n > 20 {
			t.Errorf("%s: %d allocations in %d events", p, n, e.meter.events-events)
		}
	}
}

// TestReceiveAfterSleep: a message that waits already is taken by an ordinary
// receive, which pays for its system call.
func TestReceiveAfterSleep(t *testing.T) {
	w := pingPong(t, 100, 0, 0, "0", "1")
	w.Programs = []workload.Program{
		{runFor(100), sendTo(0), sleepFor(50 * us)},
		{sleepFor(50 * us), recvFrom(0), done},
	}
	e := prepare(t, Config{Machine: cores(t, 2), Workload: w, Policy: linux(t, "6.10"), Warmup: ms, Duration: 10 * ms})
	got := e.play(t)
	// Two sleeps of 50 us a round, each with its system call, and one receive.
	a := got.PerTask[1]
	if calls := a[Syscall] / e.price.syscall; calls < 2*got.Done[0]-1 || calls > 2*got.Done[0]+1 {
		t.Errorf("%d system calls in %d rounds, want two each", calls, got.Done[0])
	}
}

// TestForkSpreads: tasks that start at once go one to an LLC, then one to a core,
// then to the other threads, then where the fewest are.
func TestForkSpreads(t *testing.T) {
	for numbering, want := range map[topology.Numbering]string{
		topology.SiblingsLast:     "[0 2 1 3 4 6 5 7 0 2]", // LLCs 0,1,4,5 and 2,3,6,7
		topology.SiblingsAdjacent: "[0 4 2 6 1 5 3 7 0 4]", // LLCs 0-3 and 4-7
	} {
		m := on(t, "xeon240", "fork", topology.New("fork").Sockets(2).Cores(2).Threads(2).Numbering(numbering))
		e := prepare(t, Config{Machine: m, Workload: copies(t, 10, "", runFor(ms)), Policy: linux(t, "6.10"), Duration: ms})
		if err := e.runUntil(100*us, ms); err != nil {
			t.Fatal(err)
		}
		var got []int32
		for i := range e.tasks {
			got = append(got, e.tasks[i].cpu)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: tasks start on %v, want %s", numbering, got, want)
		}
	}
}

// TestHotStructs: what every event touches of a CPU and of a task fits two cache
// lines.
func TestHotStructs(t *testing.T) {
	if n := unsafe.Sizeof(cpu{}); n > 128 {
		t.Errorf("a cpu takes %d bytes", n)
	}
	if n := unsafe.Sizeof(task{}); n > 128 {
		t.Errorf("a task takes %d bytes", n)
	}
}
