package sim

import (
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
)

// As many ping-pong pairs as there are CPUs, on the machine of the SIS_SYNC
// mail: the load at which the state of the machine depends on where it began.
const (
	atCapacity        = "netperf-tcp_rr:240"
	atCapacityStacked = "netperf-tcp_rr:240,start=stacked"
)

// condition is what tells a bouncing LLC from a stacked one.
type condition struct {
	idle    float64 // share of its CPUs' time in the idle loop's halted states
	moves   float64 // placements on another CPU than prev
	probes  float64 // per placement
	sameCPU float64 // share of placements on the waker's own CPU
	hint    float64 // share of placements that see has_idle_cores
}

// settled plays cfg as Run does, after before has changed the engine, and gives
// the condition of every LLC.
func settled(tb testing.TB, cfg Config, before func(e *engine)) (*engine, *Totals, []condition) {
	tb.Helper()
	cfg.Record = Record{To: cfg.Duration, Limit: 200_000}
	e := prepare(tb, cfg)
	before(e)
	start := cfg.Workload.LastStart() + cfg.Warmup
	for third := range int64(3) {
		if err := e.runUntil(start-cfg.Warmup*(3-third)/3, start); err != nil {
			tb.Fatal(err)
		}
		e.age()
	}
	t := e.play(tb)
	out := make([]condition, len(e.llcs))
	count := make([]float64, len(e.llcs))
	for _, d := range t.Decisions {
		l := e.cpus[d.Wakeup.This].llc
		x := &out[l]
		count[l]++
		x.probes += float64(d.Probes)
		x.moves += one(d.Distance != topology.SameCPU)
		x.sameCPU += one(d.CPU == d.Wakeup.This)
		x.hint += one(d.IdleCores)
	}
	for i := range out {
		x := &out[i]
		x.moves, x.probes, x.sameCPU, x.hint = x.moves/count[i], x.probes/count[i], x.sameCPU/count[i], x.hint/count[i]
		for _, c := range e.llcs[i].CPUs() {
			x.idle += float64(e.cpuTime[c].Account[Idle]) / float64(t.Window) / float64(e.llcs[i].Len())
		}
	}
	return e, t, out
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// split is CPU time in tasks, in the idle loop (leaving idle, draining the
// wakelist, switching to idle, balancing on the way) and halted.
func split(e *engine, t *Totals) (task, loop, halted float64) {
	all, busy := float64(t.CPU.Total()), float64(t.CPU.Total()-t.CPU[Idle]-t.CPU[SMTSlowdown])
	ns := float64(t.CPU[ContextSwitch] - t.Task[ContextSwitch] + t.CPU[Balance] - t.Task[Balance])
	// Leaving idle is booked on the task it is for; each exit drains a wakelist.
	ns += float64(t.CPU[IdleExit]) * (1 + float64(e.price.drain)/float64(e.halted()))
	halted = float64(t.CPU[Idle]) / all
	loop = ns / busy * (1 - halted) // slowed by siblings like the rest
	return 1 - halted - loop, loop, halted
}

// usedBefore lets tasks start as if both ends of a pair had used a CPU for share
// of its time, and the scan hints as such CPUs leave them.
func usedBefore(share float64) func(e *engine) {
	return func(e *engine) {
		for i := range e.avg {
			e.avg[i].util = int64(share / 2 * peltFull)
		}
		for i, set := range e.llcs {
			n := set.Len()
			e.scanHint[i] = idleScan(int64(float64(n)*share*fullCapacity), int64(n), 117)
		}
	}
}

// TestHysteresis: at 240 pairs on 240 CPUs both states are stable. Pairs that
// start spread over the machine, with CPUs 60 % used, bounce: CPUs idle, most
// wakees move, and looking takes 8 to 28 probes. Pairs that start on one CPU each,
// with CPUs used beyond the cut-off of 85.5 %, stay there. LLCs change state one
// by one, small ones now and then by themselves.
func TestHysteresis(t *testing.T) {
	if testing.Short() {
		t.Skip("plays 200 ms of a full machine, six times")
	}
	for _, name := range []string{"xeon240", "xeon240-llc120"} {
		m := preset(t, name)
		cfg := func(text string, seed uint64) Config {
			return Config{Machine: m, Workload: benchmark(t, text, m), Policy: linux(t, "6.10"), Seed: seed, Warmup: 150 * ms, Duration: 30 * ms}
		}
		bouncing, all := 0, 0
		for seed := uint64(1); seed <= 2; seed++ {
			e, totals, llcs := settled(t, cfg(atCapacity, seed), usedBefore(0.6))
			for i, x := range llcs {
				all++
				if x.idle > 0.10 && x.moves > 0.5 && x.probes >= 8 && x.probes <= 28 {
					bouncing++
				} else {
					t.Logf("%s, seed %d: LLC %d does not bounce: %+.2f", name, seed, i, x)
				}
			}
			task, loop, halted := split(e, totals)
			t.Logf("%s, seed %d: %.0f %% of CPU time in tasks, %.0f %% in the idle loop, %.0f %% halted; LLCs %.2f",
				name, seed, 100*task, 100*loop, 100*halted, llcs)
		}
		if bouncing*4 < all*3 {
			t.Errorf("%s: started spread, %d of %d LLCs bounce", name, bouncing, all)
		}
		_, _, llcs := settled(t, cfg(atCapacityStacked, 1), usedBefore(0.9))
		for i, x := range llcs {
			if x.sameCPU < 0.95 || x.idle > 0.01 {
				t.Errorf("%s: started stacked, LLC %d is %+.2f", name, i, x)
			}
		}
	}
}

// TestOneWindow: LLCs of 60 and of 120 CPUs on one computer have one price list,
// and so one window between looking and being seen, which is a sum of prices.
func TestOneWindow(t *testing.T) {
	var windows [2]int64
	var lists [2]prices
	for i, name := range []string{"xeon240", "xeon240-llc120"} {
		m := preset(t, name)
		e := prepare(t, Config{Machine: m, Workload: benchmark(t, "pipe:1", m), Policy: linux(t, "6.10"), Duration: 1})
		p := e.price
		if got, want := e.enqueueCost(0, 5), p.wakelistAdd+p.line[topology.LLC]; got != want {
			t.Errorf("%s: queueing on an idle CPU of the LLC shows after %d ns, want %d", name, got, want)
		}
		windows[i], lists[i] = p.wakelistAdd+p.line[topology.LLC]+p.moving, p
	}
	if lists[0] != lists[1] || windows[0] != windows[1] {
		t.Errorf("windows %d ns, prices\n%+v\n%+v", windows, lists[0], lists[1])
	}
	if windows[0] < 400 || windows[0] > 1200 {
		t.Errorf("the window is %d ns, far from what its parts were measured to be", windows[0])
	}
	t.Logf("window %d ns", windows[0])
}
