package sim

import (
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/workload"
)

// TestTypical: the governor's guess at the coming idle time.
func TestTypical(t *testing.T) {
	const tick = ms
	all := func(x int64) (l [8]int64) {
		for i := range l {
			l[i] = x
		}
		return l
	}
	with := func(x int64, others ...int64) [8]int64 {
		l := all(x)
		copy(l[3:], others)
		return l
	}
	for _, c := range []struct {
		name string
		last [8]int64
		want int64
	}{
		{"all alike", all(5 * us), 5 * us},
		{"nothing yet", all(0), 0},
		{"within 20 us of each other", [8]int64{10 * us, 30 * us, 10 * us, 30 * us, 10 * us, 30 * us, 10 * us, 30 * us}, 20 * us},
		{"long, within a sixth", [8]int64{900 * us, 1100 * us, 900 * us, 1100 * us, 900 * us, 1100 * us, 900 * us, 1100 * us}, 1000 * us},
		{"one far out is dropped", with(10*us, 5*ms), 10 * us},
		{"two far out are dropped", with(10*us, 5*ms, 4*ms), 10 * us},
		{"three far out are too many", with(10*us, 5*ms, 4*ms, 3*ms), tick},
		{"no two alike", [8]int64{1 * us, 100 * us, 200 * us, 400 * us, 800 * us, 1600 * us, 3200 * us, 6400 * us}, tick},
		{"seconds apart", with(10*us, 5_000*ms), 10 * us},
	} {
		d := idler{last: c.last}
		if got := d.typical(tick); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// governed is an engine of spr224's idle states: POLL, C1 1/1, C1E 2/4, C6 290/800
// us.
func governed(t *testing.T) *engine {
	return prepare(t, Config{Machine: preset(t, "spr224"), Workload: hogs(t, ms, 0), Policy: linux(t, "6.10"), Duration: 1})
}

// TestIdleStateChoice: the deepest state that pays off, never polling while a
// halted one fits; its exit is what a wakeup pays.
func TestIdleStateChoice(t *testing.T) {
	e := governed(t)
	if e.idlers[5].state != 3 {
		t.Errorf("a CPU starts in state %d", e.idlers[5].state)
	}
	for _, c := range []struct {
		idle int64
		want uint8
	}{{100, 1}, {us, 1}, {3_999, 1}, {4 * us, 2}, {799 * us, 2}, {800 * us, 3}, {50 * ms, 3}} {
		for i := range e.idlers[0].last {
			e.idlers[0].last[i] = c.idle
		}
		if e.enterIdle(0); e.idlers[0].state != c.want {
			t.Errorf("idle for %d ns at a time: state %d, want %d", c.idle, e.idlers[0].state, c.want)
		}
		e.now, e.cpus[0].idleSince = e.now+ms, e.now+ms-c.idle
		if got := e.leaveIdle(0); got != e.cfg.Machine.IdleExit(int(c.want)) {
			t.Errorf("leaving state %d costs %d", c.want, got)
		}
		e.deactivate(0)
	}
}

// TestIdleTimesAreSeen: in a run the governor sees idle times as they are, and
// chooses for them.
func TestIdleTimesAreSeen(t *testing.T) {
	for _, c := range []struct {
		sleep int64
		want  uint8
	}{{10 * us, 2}, {3 * ms, 3}} {
		w := copies(t, 1, "7", runFor(10*us), sleepFor(c.sleep))
		e := prepare(t, Config{Machine: preset(t, "spr224"), Workload: w, Policy: linux(t, "6.10"), Duration: 1}).calm()
		if err := e.runUntil(100*ms+500*us, ms); err != nil {
			t.Fatal(err)
		}
		for e.cpus[7].active {
			oneEvent(t, e)
		}
		d := &e.idlers[7]
		if d.state != c.want {
			t.Errorf("sleeps of %d ns: state %d, want %d", c.sleep, d.state, c.want)
		}
		// The timer runs on while the CPU switches to its idle task.
		want := c.sleep - e.price.contextSwitch
		for _, x := range d.last {
			if x != want {
				t.Errorf("sleeps of %d ns: an idle time of %d, want %d", c.sleep, x, want)
			}
		}
	}
}

// TestPinnedPairs: a pair held on one CPU and on two runs at the machine's own
// figures, which its path and its lines were taken from, unless its other prices
// exceed them.
func TestPinnedPairs(t *testing.T) {
	for _, name := range []string{"xeon240", "spr224-fixed", "kunpeng128"} {
		m := preset(t, name)
		for _, c := range []struct {
			text string
			leg  float64
		}{
			{"netperf-tcp_rr:1,client=1,server=1", float64(m.NS(machine.TCPSameCPU)) / 2},
			{"netperf-tcp_rr:1,client=1,server=2", float64(m.NS(machine.TCPCrossCPU)) / 2},
			{"pipe:1,client=1,server=1", float64(m.NS(machine.PipeSameCPU))},
			{"pipe:1,client=1,server=2", float64(m.NS(machine.PipeCrossCPU))},
		} {
			e := prepare(t, Config{Machine: m, Workload: benchmark(t, c.text, m), Policy: linux(t, "6.10"), Seed: 1, Warmup: 20 * ms, Duration: 200 * ms}).calm()
			got := e.play(t)
			leg := float64(got.Window) / float64(2*got.Done[0])
			if e.chans[0].lines == 0 && leg > c.leg {
				continue // what the machine charges for itself is more than that already
			}
			// The path is what is left beside the exit from the shallowest state.
			deeper := max(0, float64(got.CPU[IdleExit])/float64(max(1, got.Wakeups))-float64(e.halted()))
			within(t, name+" "+c.text, leg, c.leg+deeper, 0.03)
		}
	}
}

// TestLongSteps: ticks and balancing cut into a step of seconds again and again;
// its work is its work.
func TestLongSteps(t *testing.T) {
	const long = 1500 * ms
	w := copies(t, 5, "", runFor(long), done)
	e := prepare(t, Config{Machine: smtMachine(t), Workload: w, Policy: linux(t, "6.10"), Seed: 4, Duration: 4000 * ms})
	got := e.play(t)
	if got.CPU[Interrupt] == 0 || got.CPU[Balance] == 0 {
		t.Errorf("nothing interrupts: %v", got.CPU)
	}
	for i := range got.Done {
		// A round counts when its last stretch of work is begun.
		if n := got.PerTask[i][Work] / long; got.Done[i] != n+1 {
			t.Errorf("task %d: %d rounds in %d ns of work", i, got.Done[i], got.PerTask[i][Work])
		}
	}
}

// TestPreemptedWork: hogs and visitors on one CPU take it from each other in mid
// step all the time, and each does exactly its work.
func TestPreemptedWork(t *testing.T) {
	const rounds = 60
	w := copies(t, 2, "0", runFor(7_777_777), done)
	var visit workload.Program
	for range rounds {
		visit = append(visit, sleepFor(777_777), runFor(333_333), done)
	}
	w.Programs = append(w.Programs, append(visit, recvFrom(0)))
	w.Channels = append(w.Channels, workload.Channel{Name: "never"})
	w.Groups = 3
	w.Tasks = append(w.Tasks, workload.Task{Name: "visitor", Program: 1, Group: 2, Allowed: list(t, "0")})
	e := prepare(t, Config{Machine: cores(t, 1), Workload: w, Policy: linux(t, "6.10"), Seed: 9, Duration: 500 * ms})
	e.walk(t, 500*ms)
	e.closeBooks()
	got := e.totals(nil)
	conserved(t, got)
	if got.Done[2] != rounds || got.PerTask[2][Work] != rounds*333_333 {
		t.Errorf("the visitor did %d rounds in %d ns", got.Done[2], got.PerTask[2][Work])
	}
	for i := range 2 { // a round counts when it is begun
		if got.Done[i] != got.PerTask[i][Work]/7_777_777+1 {
			t.Errorf("hog %d: %d rounds in %d ns", i, got.Done[i], got.PerTask[i][Work])
		}
	}
	if got.CPU[Idle] != 0 || got.CPU[ContextSwitch] < 100*e.price.contextSwitch {
		t.Errorf("idle %d ns, %d switches", got.CPU[Idle], got.CPU[ContextSwitch]/e.price.contextSwitch)
	}
}
