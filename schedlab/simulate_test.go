package schedlab_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/workload"
)

func bytesOf(tb testing.TB, r *schedlab.Result) []byte {
	tb.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

const busy = "xeon240 netperf-tcp_rr:130 6.10+SIS_SYNC seed=3"

func TestResult(t *testing.T) {
	r := simulate(t, short(t, busy))
	if r.Spec == nil || r.Spec.String() != short(t, busy).String() || r.Engine != schedlab.EngineVersion {
		t.Errorf("spec %v, engine %q", r.Spec, r.Engine)
	}
	if r.CPUs != 240 || r.Tasks != 260 || r.WindowNS != 2e6 || len(r.DoneByGroup) != 130 || r.Unit != "Trans/s" {
		t.Errorf("%d CPUs, %d tasks, %d ns, %d groups, unit %s", r.CPUs, r.Tasks, r.WindowNS, len(r.DoneByGroup), r.Unit)
	}
	var done int64
	for _, n := range r.DoneByGroup {
		done += n
	}
	if want := float64(done) / 2e-3; done == 0 || r.Throughput < want*0.999999 || r.Throughput > want*1.000001 {
		t.Errorf("throughput %f, want %f", r.Throughput, want)
	}
	if cpu, task := r.CPUTime.Total(), r.TaskTime.Total(); cpu != 240*2e6 || task != 260*2e6 {
		t.Errorf("times add up to %d and %d ns", cpu, task)
	}
	if r.Wakeups == 0 || r.Searches == 0 || r.Probes < r.Searches || r.LatencyNS.P50 == 0 {
		t.Errorf("wakeups %d, searches %d, probes %d, latency %+v", r.Wakeups, r.Searches, r.Probes, r.LatencyNS)
	}
}

func TestResultJSON(t *testing.T) {
	r := simulate(t, short(t, busy))
	b := bytesOf(t, r)
	var back schedlab.Result
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&back, r) {
		t.Errorf("read back as\n%+v, was\n%+v", &back, r)
	}
	if again := bytesOf(t, &back); !bytes.Equal(again, b) {
		t.Errorf("written again as\n%s, was\n%s", again, b)
	}
	for _, member := range []string{`"sync-stack":`, `"same_cpu":`, `"smt_slowdown":`, `"context_switch":`, `"wakeup_latency_ns":{"mean":`, `"spec":{"machine":"xeon240"`} {
		if !bytes.Contains(b, []byte(member)) {
			t.Errorf("no %s in %s", member, b)
		}
	}
}

func TestResultJSONErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"cpu_time_ns":{"work":1}}`, `schedlab: no member "syscall"`},
		{`{"placements":3}`, "cannot unmarshal"},
		{`{"migrations":{"same_cpu":1,"smt_sibling":0,"cluster":0,"llc":0,"socket":0,"remote":0,"moon":1}}`, "schedlab: 7 members, want 6"},
	} {
		var r schedlab.Result
		if err := json.Unmarshal([]byte(c.text), &r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
}

// TestOnePair: one pinned pair has no spread, settles, and asks no policy.
func TestOnePair(t *testing.T) {
	r := simulate(t, short(t, "ivb48 pipe:1,client=1,server=1 6.10"))
	if r.SpreadPct != 0 || r.Transient || r.Placements[policy.Pinned] == 0 || r.Searches != 0 {
		t.Errorf("spread %f, drift %f, placements %v", r.SpreadPct, r.DriftPct, r.Placements)
	}
}

// TestSameBytes: equal Specs give equal bytes at any GOMAXPROCS; another seed,
// policy, load or machine gives others.
func TestSameBytes(t *testing.T) {
	s := short(t, busy)
	want := bytesOf(t, simulate(t, s))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if got := bytesOf(t, simulate(t, s)); !bytes.Equal(got, want) {
		t.Error("other bytes with one processor")
	}
	for _, text := range []string{
		strings.Replace(busy, "seed=3", "seed=4", 1), strings.Replace(busy, "+SIS_SYNC", "", 1),
		strings.Replace(busy, ":130", ":131", 1), strings.Replace(busy, "xeon240", "xeon240-llc120", 1),
	} {
		r := simulate(t, short(t, text))
		r.Spec, r.Machine, r.Workload, r.Policy = nil, "", "", ""
		o := simulate(t, s)
		o.Spec, o.Machine, o.Workload, o.Policy = nil, "", "", ""
		if bytes.Equal(bytesOf(t, r), bytesOf(t, o)) {
			t.Errorf("%s gives the same as %s", text, busy)
		}
	}
}

const childEnv = "SCHEDLAB_TEST_RESULT_FILE"

// TestChild writes a result to a file when TestProcesses asks for it.
func TestChild(t *testing.T) {
	file := os.Getenv(childEnv)
	if file == "" {
		t.Skip("runs as a child of TestProcesses")
	}
	if err := os.WriteFile(file, bytesOf(t, simulate(t, short(t, busy))), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestProcesses: processes of their own, two at once, give the bytes this one
// gives.
func TestProcesses(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want := bytesOf(t, simulate(t, short(t, busy)))
	dir := t.TempDir()
	errs := make(chan error)
	files := []string{filepath.Join(dir, "1.json"), filepath.Join(dir, "2.json")}
	for i, file := range files {
		cmd := exec.Command(exe, "-test.run=^TestChild$")
		cmd.Env = append(os.Environ(), childEnv+"="+file, "GOMAXPROCS="+[]string{"1", "2"}[i])
		go func() { errs <- cmd.Run() }()
	}
	for range files {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	for _, file := range files {
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes, %v", filepath.Base(file), err)
		}
	}
}

// TestOwnPolicy: a Result carries the Spec only while it says the truth.
func TestOwnPolicy(t *testing.T) {
	c, err := short(t, "ivb48 pipe:20 6.10").Config()
	if err != nil {
		t.Fatal(err)
	}
	own := policy.Func("own", c.Policy, func(v policy.View, w policy.Wakeup, base func() policy.Placement) policy.Placement { return base() })
	for _, change := range []func(c *schedlab.Config){
		func(c *schedlab.Config) { c.Policy = own },
		func(c *schedlab.Config) { c.Seed++ },
		func(c *schedlab.Config) { c.Duration++ },
		func(c *schedlab.Config) { c.Warmup++ },
		func(c *schedlab.Config) { c.Spec = schedlab.Spec{} },
	} {
		changed := c
		change(&changed)
		r, err := schedlab.Simulate(changed)
		if err != nil {
			t.Fatal(err)
		}
		if r.Spec != nil {
			t.Errorf("a changed Config calls itself %s", r.Spec)
		}
		if r.Policy != changed.Policy.Name() {
			t.Errorf("policy %q, want %q", r.Policy, changed.Policy.Name())
		}
	}
}

func TestSimulateContext(t *testing.T) {
	c, err := short(t, busy).Config()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var last, total time.Duration
	c.Progress = func(d, t time.Duration) { last, total = d, t }
	if _, err := schedlab.SimulateContext(ctx, c); err != nil || last != total || total < c.Warmup+c.Duration {
		t.Errorf("progress %v of %v, error %v", last, total, err)
	}
	cancel()
	if _, err := schedlab.SimulateContext(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want a cancellation", err)
	}
	if _, err := schedlab.Simulate(schedlab.Config{}); err == nil {
		t.Error("an empty Config runs")
	}
}

// byHand is a run whose Result can be told in advance: two groups that complete 60
// and 30 rounds, all in the first half of the window.
func byHand(t *testing.T) *schedlab.Result {
	t.Helper()
	c, err := short(t, "ivb48 pipe:1 6.10").Config()
	if err != nil {
		t.Fatal(err)
	}
	rounds := func(n int, ns int64) (p workload.Program) {
		for range n {
			p = append(p, workload.Step{Op: workload.Run, Time: ns}, workload.Step{Op: workload.Sleep}, workload.Step{Op: workload.Done})
		}
		return append(p, workload.Step{Op: workload.Sleep, Time: 1e9})
	}
	c.Workload = &workload.Workload{
		Name: "by hand", Groups: 2, Metric: workload.Metric{Name: "rounds", Unit: "rounds/s", PerDone: 3},
		Programs: []workload.Program{rounds(60, 1000), rounds(30, 2000)},
		Tasks:    []workload.Task{{Name: "fast"}, {Name: "slow", Program: 1, Group: 1}},
	}
	c.Warmup, c.Duration = 0, time.Millisecond
	r, err := schedlab.Simulate(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestByHand(t *testing.T) {
	r := byHand(t)
	if r.DoneByGroup[0] != 60 || r.DoneByGroup[1] != 30 {
		t.Fatalf("rounds %v, want 60 and 30", r.DoneByGroup)
	}
	// 90 rounds of 3 units in 1 ms; a mean of 45 and a deviation of 15.
	if r.Throughput != 270_000 || math.Abs(r.SpreadPct-100./3) > 1e-9 || r.DriftPct != -100 || !r.Transient {
		t.Errorf("throughput %f, spread %f, drift %f, transient %v", r.Throughput, r.SpreadPct, r.DriftPct, r.Transient)
	}
}
