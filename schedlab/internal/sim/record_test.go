package sim

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// recorded is a run of 130 pairs, some of which search and some of which do not.
func recorded(tb testing.TB, r Record) Config {
	m := preset(tb, "xeon240")
	return Config{Machine: m, Workload: benchmark(tb, "netperf-tcp_rr:130", m), Policy: linux(tb, "6.10"), Seed: 2, Warmup: 5 * ms, Duration: ms, Record: r}
}

// TestRecordAll: a record of the whole window holds every placement the totals
// count, and says of each what they say of all.
func TestRecordAll(t *testing.T) {
	got := run(t, recorded(t, Record{To: ms, Limit: 1 << 20}))
	var reasons [policy.NumReasons]int64
	var probes, last int64
	for i, d := range got.Decisions {
		reasons[d.Reason]++
		probes += int64(d.Probes)
		if d.Time < last || d.Time >= ms {
			t.Fatalf("decision %d at %d ns, after %d", i, d.Time, last)
		}
		last = d.Time
		asked := d.Reason != policy.SwitchingOut && d.Reason != policy.Pinned
		if asked != (d.Search > 0) || asked != (d.Probes > 0) {
			t.Fatalf("decision %d: %+v: price or probes do not fit the reason", i, d)
		}
		if (d.CPU == d.Wakeup.Prev) != (d.Distance == topology.SameCPU) {
			t.Fatalf("decision %d: %+v: distance does not fit", i, d)
		}
		if d.Reason == policy.PrevIdle && !d.PrevIdle {
			t.Fatalf("decision %d: %+v: prev was not idle", i, d)
		}
	}
	if reasons != got.Placements || probes != got.Probes || len(got.Decisions) < 1000 {
		t.Errorf("%d decisions by reason %v with %d probes; the totals have %v with %d", len(got.Decisions), reasons, probes, got.Placements, got.Probes)
	}
	if reasons[policy.TargetIdle] == 0 || reasons[policy.PrevIdle] == 0 || reasons[policy.ScanIdle]+reasons[policy.IdleCore] == 0 {
		t.Errorf("the run is too dull for this test: %v", reasons)
	}
}

// TestRecordWindow: any part of the run can be asked for; a limit keeps the
// first; recording changes nothing else.
func TestRecordWindow(t *testing.T) {
	whole := run(t, recorded(t, Record{From: -ms, To: ms, Limit: 1 << 20}))
	part := run(t, recorded(t, Record{From: -100 * us, To: 200 * us, Limit: 1 << 20}))
	some := run(t, recorded(t, Record{From: -100 * us, To: 200 * us, Limit: 50}))
	none := run(t, recorded(t, Record{}))
	var want []Decision
	for _, d := range whole.Decisions {
		if d.Time >= -100*us && d.Time < 200*us {
			want = append(want, d)
		}
	}
	if !sameDecisions(part.Decisions, want) || len(want) < 100 {
		t.Errorf("%d decisions, want %d", len(part.Decisions), len(want))
	}
	if !sameDecisions(some.Decisions, want[:50]) {
		t.Errorf("%d decisions, want the first 50", len(some.Decisions))
	}
	if none.Decisions != nil {
		t.Errorf("%d decisions nobody asked for", len(none.Decisions))
	}
	if none.Events != whole.Events || none.CPU != whole.CPU || none.Probes != whole.Probes {
		t.Error("recording changes the run")
	}
}

func sameDecisions(a, b []Decision) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestRecordHints: the hints are those before the answer, which may take them
// back: a vain search for an idle core is recorded with the hint that asked for
// it.
func TestRecordHints(t *testing.T) {
	got := run(t, recorded(t, Record{From: -ms, To: ms, Limit: 1 << 20}))
	vain := 0
	for _, d := range got.Decisions {
		if d.Reason == policy.IdleCore && !d.IdleCores {
			t.Fatalf("an idle core found without the hint: %+v", d)
		}
		if d.Reason == policy.ScanIdle && d.IdleCores {
			vain++
		}
		if d.IdleScan < 0 || d.IdleScan > 60 {
			t.Fatalf("hint out of range: %+v", d)
		}
	}
	if vain == 0 {
		t.Error("no vain search: the run is too dull for this test")
	}
}

// TestRecordTimers: wakeups from timers and by pinned tasks are recorded too.
func TestRecordTimers(t *testing.T) {
	cfg := Config{Machine: cores(t, 2), Policy: linux(t, "6.10"), Warmup: ms, Duration: ms, Record: Record{To: ms, Limit: 1000}}
	cfg.Workload = copies(t, 1, "", runFor(us), sleepFor(49*us), done)
	got := run(t, cfg)
	if n := int64(len(got.Decisions)); n == 0 || n != got.Searches {
		t.Fatalf("%d decisions, %d searches", n, got.Searches)
	}
	for _, d := range got.Decisions {
		if d.Wakeup.Context != workload.InIRQ || d.Wakeup.Waker != workload.NoTask || !d.ThisIdle || !d.PrevIdle || d.Reason != policy.TargetIdle {
			t.Fatalf("%+v", d)
		}
	}
	cfg.Workload = pingPong(t, us, us, 1, "0", "1")
	for _, d := range run(t, cfg).Decisions {
		if d.Reason != policy.Pinned || d.Probes != 0 || d.Search != 0 || d.Distance != topology.SameCPU {
			t.Fatalf("%+v", d)
		}
	}
}

// TestRecordSwitchingOut: a wakee its own CPU takes back costs no search,
// whatever the wakeup before it cost.
func TestRecordSwitchingOut(t *testing.T) {
	cfg := Config{
		Machine: cores(t, 4), Workload: late(t, 9*us, 3*us), Policy: linux(t, "6.10"),
		Warmup: ms, Duration: ms, Record: Record{To: ms, Limit: 1000},
	}
	e := prepare(t, cfg).free().calm()
	e.price.contextSwitch, e.price.scanFixed = 10*us, 100
	n := 0
	for _, d := range e.play(t).Decisions {
		if d.Reason == policy.SwitchingOut {
			n++
			if d.Probes != 0 || d.Search != 0 || d.CPU != d.Wakeup.Prev {
				t.Fatalf("%+v", d)
			}
		} else if d.Search < 100 {
			t.Fatalf("%+v", d)
		}
	}
	if n < 10 {
		t.Errorf("%d wakees taken back", n)
	}
}

func TestRecordErrors(t *testing.T) {
	start := recorded(t, Record{}).Workload.LastStart() + 5*ms
	for _, c := range []struct {
		r    Record
		want string
	}{
		{Record{To: ms}, "sim: record: limit 0 is not positive"},
		{Record{Limit: 5}, "sim: record: to 0 ns is not after from 0 ns"},
		{Record{From: 10, To: 9, Limit: 5}, "sim: record: to 9 ns is not after from 10 ns"},
		{Record{To: ms + 1, Limit: 5}, "sim: record: to 1000001 ns is after the window, which lasts 1000000 ns"},
		{Record{From: -start - 1, To: 5, Limit: 5}, "is before the run, which begins"},
	} {
		if _, err := Run(context.Background(), recorded(t, c.r)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.r, err, c.want)
		}
	}
}

// TestRecordOff: without a record a run allocates nothing; with one, only what
// it keeps.
func TestRecordOff(t *testing.T) {
	cfg := recorded(t, Record{})
	e := prepare(t, cfg)
	at := cfg.Workload.LastStart() + 2*ms
	if err := e.runUntil(at, at); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := e.runUntil(at+ms, at+ms); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 5 { // the runtime's own
		t.Errorf("%d allocations", n)
	}
}

// TestHome: a task is forked at home and may leave it at once.
func TestHome(t *testing.T) {
	w := copies(t, 3, "", runFor(us), sleepFor(10*us), done)
	for i := range w.Tasks {
		w.Tasks[i].Home = topology.NewCPUSet(3)
	}
	cfg := Config{Machine: cores(t, 4), Workload: w, Policy: linux(t, "6.10"), Warmup: ms, Duration: ms}
	e := prepare(t, cfg)
	if err := e.runUntil(1, ms); err != nil {
		t.Fatal(err)
	}
	for i := range e.tasks {
		if e.tasks[i].cpu != 3 {
			t.Errorf("task %d is forked on CPU %d", i, e.tasks[i].cpu)
		}
	}
	run(t, cfg)
	w.Tasks[1].Home = topology.NewCPUSet(9)
	if _, err := Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), `sim: task 1 "copy" starts on CPUs 9, none of which it may use on cores`) {
		t.Errorf("error %v", err)
	}
	w.Tasks[1].Home, w.Tasks[1].Allowed = topology.NewCPUSet(2), topology.NewCPUSet(1)
	if _, err := Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "none of which it may use") {
		t.Errorf("error %v", err)
	}
}
