package sim

import (
	"fmt"
	"testing"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// TestClaimWindow: who looks before the enqueue cost has passed sees the CPU
// idle, who looks then or later does not.
func TestClaimWindow(t *testing.T) {
	m := cores(t, 4)
	p := pricesOf(m)
	window := p.wakelistAdd + p.line[topology.LLC]
	for _, c := range []struct {
		after int64
		idle  bool
	}{{0, true}, {1, true}, {window - 1, true}, {window, false}, {window + 1, false}} {
		w := &workload.Workload{
			Name: "race", Groups: 1, Channels: make([]workload.Channel, 2),
			Programs: []workload.Program{
				{recvFrom(0), runFor(ms)},
				{runFor(100 * us), sendTo(0), sleepFor(100 * ms)},
				{runFor(100*us + c.after), sendTo(0), sleepFor(100 * ms)},
			},
			Tasks: []workload.Task{
				{Name: "first wakee", Allowed: list(t, "2-3")}, {Name: "second wakee", Base: 1, Allowed: list(t, "2-3")},
				{Name: "first waker", Program: 1, Start: 50 * us, Allowed: list(t, "0")},
				{Name: "second waker", Program: 2, Start: 50 * us, Base: 1, Allowed: list(t, "1")},
			},
		}
		var looks []bool
		to2 := policy.Func("to 2", linux(t, "6.10"), func(v policy.View, w policy.Wakeup, _ func() policy.Placement) policy.Placement {
			looks = append(looks, v.Idle(2))
			return policy.Placement{CPU: 2, Reason: policy.Custom}
		})
		prepare(t, Config{Machine: m, Workload: w, Policy: to2, Duration: ms}).calm().play(t)
		if fmt.Sprint(looks) != fmt.Sprint([]bool{true, c.idle}) {
			t.Errorf("%d ns after the first choice of a window of %d: idle %v, want %v", c.after, window, looks, c.idle)
		}
	}
}

// late is a pair whose client works for tail after it has sent, so that the reply
// meets it while it switches out.
func late(t *testing.T, a, tail int64) *workload.Workload {
	w := pingPong(t, a, 0, 0, "0-1", "2-3")
	w.Programs = []workload.Program{{runFor(a), sendTo(0), runFor(tail), recvFrom(1), done}, {recvFrom(0), sendTo(1)}}
	return w
}

// TestSwitchingOut: a reply that comes while the client still leaves its CPU goes
// onto that CPU's wakelist, and the policy is not asked. Where that is not
// possible the server waits for the switch.
func TestSwitchingOut(t *testing.T) {
	const a, tail, swtch, enqueue, rounds = 9 * us, 3 * us, 10 * us, 5, 200
	stay := func(name string) policy.Policy {
		return policy.Func("stay", linux(t, name), func(v policy.View, w policy.Wakeup, _ func() policy.Placement) policy.Placement {
			return policy.Placement{CPU: w.Prev, Reason: policy.Custom}
		})
	}
	for _, c := range []struct {
		policy string
		round  int64
		reason policy.Reason
		spin   int64
	}{
		// The client is switched to as soon as it has been switched from.
		{"6.10", a + tail + 2*swtch, policy.SwitchingOut, 0},
		// The server waits for the switch, then queues; the client leaves idle.
		{"6.10+NO_TTWU_QUEUE", a + enqueue + swtch + tail - enqueue + enqueue + swtch, policy.Custom, tail - enqueue},
	} {
		e := prepare(t, Config{Machine: cores(t, 4), Workload: late(t, a, tail), Policy: stay(c.policy), Warmup: 3*c.round + 1, Duration: rounds * c.round}).free()
		e.price.contextSwitch, e.price.remoteEnqueue = swtch, enqueue
		got := e.play(t)
		if got.Done[0] != rounds {
			t.Errorf("%s: %d rounds, want %d", c.policy, got.Done[0], rounds)
		}
		if got.Placements[c.reason] < rounds || got.PerTask[1][WakePath] < rounds*c.spin {
			t.Errorf("%s: placements %v, the server waits %d ns, want %d", c.policy, got.Placements, got.PerTask[1][WakePath], rounds*c.spin)
		}
	}
}

// TestQueueOnOwn is the condition itself.
func TestQueueOnOwn(t *testing.T) {
	m := on(t, "xeon240", "two", topology.New("two").Sockets(2).Cores(2)) // LLCs 0-1 and 2-3
	e := prepare(t, Config{Machine: m, Workload: pingPong(t, 1, 1, 0, "", ""), Policy: linux(t, "6.10"), Duration: 1})
	e.now = 1000
	for _, c := range []struct {
		name        string
		waker, prev int32
		off         int64
		nr          int32
		rule        policy.Wakelist
		yes         bool
	}{
		{"switching, same LLC, empty", 0, 1, 1001, 0, policy.WakelistEmpty, true},
		{"switched", 0, 1, 1000, 0, policy.WakelistEmpty, false},
		{"same LLC, not empty", 0, 1, 1001, 1, policy.WakelistEmpty, false},
		{"another LLC, not empty", 0, 2, 1001, 1, policy.WakelistEmpty, true},
		{"the waker's own CPU", 0, 0, 1001, 0, policy.WakelistEmpty, false},
		{"no wakelists", 0, 1, 1001, 0, policy.WakelistOff, false},
	} {
		e.tasks[1].cpu, e.tasks[1].offCPUAt = c.prev, c.off
		e.cpus[c.prev].nr = c.nr
		e.kernel.Wakelist = c.rule
		if got := e.queueOnOwn(c.waker, &e.tasks[1]); got != c.yes {
			t.Errorf("%s: %v, want %v", c.name, got, c.yes)
		}
		e.cpus[c.prev].nr = 0
	}
	e.kernel.QueueOnSwitchingOut, e.kernel.Wakelist = false, policy.WakelistEmpty
	e.tasks[1].cpu, e.tasks[1].offCPUAt = 1, 1001
	if e.queueOnOwn(0, &e.tasks[1]) {
		t.Error("a kernel that does not know the rule follows it")
	}
}

// TestLooksArePaid: what a policy looks at is on the way of the message.
func TestLooksArePaid(t *testing.T) {
	const a, b, rounds = 7000, 5000, 300
	m := cores(t, 5)
	p := pricesOf(m)
	nosy := policy.Func("nosy", linux(t, "6.10"), func(v policy.View, w policy.Wakeup, _ func() policy.Placement) policy.Placement {
		v.Idle(4)
		v.NrRunning(4)
		v.Idle(w.This)
		return policy.Placement{CPU: w.Prev, Reason: policy.Custom}
	})
	search := p.scanFixed + 2*p.scanQuiet
	e := prepare(t, Config{Machine: m, Workload: pingPong(t, a, b, 0, "0-1", "2-3"), Policy: nosy, Duration: 1}).calm()
	round := a + b + 2*(search+p.wakelistAdd+p.line[topology.LLC]+e.halted()+p.drain+p.contextSwitch+2*p.syscall)
	e.cfg.Warmup, e.cfg.Duration = 3*round+2*ms, rounds*round
	got := e.play(t)
	if got.Done[0] != rounds || got.CPU[Search] != 2*rounds*search || got.Probes != 2*rounds*3 || got.Searches != 2*rounds {
		t.Errorf("%d rounds, %d ns of search, %d probes in %d searches; want %d, %d, %d, %d",
			got.Done[0], got.CPU[Search], got.Probes, got.Searches, rounds, 2*rounds*search, 6*rounds, 2*rounds)
	}
}

// TestWakeeNotes: a pair flips once and names each other; a dispatcher flips with
// every wakeup; a second later the count is halved.
func TestWakeeNotes(t *testing.T) {
	e := prepare(t, Config{Machine: cores(t, 2), Workload: pingPong(t, us, us, 0, "", ""), Policy: linux(t, "6.10"), Duration: 1})
	if err := e.runUntil(ms, ms); err != nil {
		t.Fatal(err)
	}
	a, b := &e.tasks[0], &e.tasks[1]
	if a.lastWakee != 1 || b.lastWakee != 0 || a.flips != 1 || b.flips != 1 {
		t.Errorf("a pair: %d and %d, flips %d and %d", a.lastWakee, b.lastWakee, a.flips, b.flips)
	}
	for i := range int32(10) {
		e.recordWakee(0, i%2)
	}
	if a.flips != 11 {
		t.Errorf("a dispatcher: %d flips, want 11", a.flips)
	}
	e.now = a.flipStamp + 1_000_000_000
	e.recordWakee(0, 1)
	if a.flips != 11 {
		t.Errorf("a second later: %d flips, want 11", a.flips)
	}
	e.now++
	e.recordWakee(0, 1)
	if a.flips != 5 || a.flipStamp != e.now {
		t.Errorf("more than a second later: %d flips, want 5", a.flips)
	}
}

// TestDurationAvg: the average CPU time between two sleeps, waiting and switching
// not counted.
func TestDurationAvg(t *testing.T) {
	const a, b = 7000, 5000
	e := prepare(t, Config{Machine: cores(t, 2), Workload: pingPong(t, a, b, 0, "0", "0"), Policy: linux(t, "6.10"), Duration: 1})
	e.calm().level(t)
	if err := e.runUntil(5*ms, ms); err != nil {
		t.Fatal(err)
	}
	for i, work := range []int64{a, b} {
		// The switch to a task is its own.
		want := work + 2*e.price.syscall + e.price.localWake + e.price.contextSwitch
		// An eighth is rounded down, so that the average stays up to 7 short.
		if got := e.tasks[i].duration; got > want || got < want-8 {
			t.Errorf("task %d: duration_avg %d, want %d", i, got, want)
		}
	}
}

// TestIdleCoreHint: set at boot, and when a CPU going idle completes an idle core.
func TestIdleCoreHint(t *testing.T) {
	m := on(t, "xeon240", "smt", topology.New("smt").Cores(2).Threads(2)) // cores 0,2 and 1,3
	for _, c := range []struct {
		name string
		hogs []int
		want bool
	}{{"sibling idle", nil, true}, {"sibling busy", []int{0}, false}, {"another core busy", []int{1}, true}} {
		w := hogs(t, ms, c.hogs...)
		w.Programs = append(w.Programs, workload.Program{sleepFor(20 * us), runFor(us)})
		w.Tasks = append(w.Tasks, workload.Task{Name: "sleeper", Program: 1, Allowed: topology.NewCPUSet(2)})
		w.Groups++
		e := prepare(t, Config{Machine: m, Workload: w, Policy: linux(t, "6.10"), Duration: 1})
		if !e.idleCores[0] {
			t.Error("no idle core at boot")
		}
		e.idleCores[0] = false
		if err := e.runUntil(200*us, ms); err != nil {
			t.Fatal(err)
		}
		if e.idleCores[0] != c.want {
			t.Errorf("%s: hint %v, want %v", c.name, e.idleCores[0], c.want)
		}
	}
	if e := prepare(t, Config{Machine: cores(t, 2), Workload: hogs(t, ms, 0), Policy: linux(t, "6.10"), Duration: 1}); e.idleCores[0] {
		t.Error("a hint of idle cores without SMT")
	}
}

// TestTies: a timer and a completion at one instant: the timer goes first.
func TestTies(t *testing.T) {
	w := &workload.Workload{
		Name: "tie", Groups: 1, Channels: make([]workload.Channel, 1),
		Programs: []workload.Program{{recvFrom(0), runFor(us)}, {runFor(100 * us), sendTo(0), sleepFor(ms)}, {sleepFor(100 * us), runFor(us)}},
		Tasks:    []workload.Task{{Name: "receiver"}, {Name: "sender", Program: 1}, {Name: "sleeper", Program: 2}},
	}
	var order []workload.TaskID
	watch := policy.Func("watch", linux(t, "6.10"), func(v policy.View, w policy.Wakeup, base func() policy.Placement) policy.Placement {
		if v.Now() != 100*us {
			t.Errorf("asked at %d ns", v.Now())
		}
		order = append(order, w.Wakee)
		return base()
	})
	e := prepare(t, Config{Machine: cores(t, 4), Workload: w, Policy: watch, Duration: 150 * us}).free()
	e.play(t)
	if fmt.Sprint(order) != "[2 0]" {
		t.Errorf("wakees %v, want the sleeper (2), then the receiver (0)", order)
	}
}

// TestUntil: what happens at the end of a run does not happen.
func TestUntil(t *testing.T) {
	w := hogs(t, us, 0)
	w.Tasks[0].Start = 10 * us
	e := prepare(t, Config{Machine: cores(t, 1), Workload: w, Policy: linux(t, "6.10"), Duration: 1})
	if err := e.runUntil(10*us, 0); err != nil || e.tasks[0].cpu != none || e.now != 10*us {
		t.Errorf("the task is on %d at %d ns, %v", e.tasks[0].cpu, e.now, err)
	}
	if err := e.runUntil(10*us+1, 0); err != nil || e.tasks[0].cpu != 0 {
		t.Errorf("the task is on %d, %v", e.tasks[0].cpu, err)
	}
}
