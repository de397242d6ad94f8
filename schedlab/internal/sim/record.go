package sim

import (
	"fmt"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
)

// Record asks for every placement from From to before To, in ns from the start
// of the measured window (negative: before it), at most Limit of them. The zero
// Record asks for none.
type Record struct {
	From, To int64
	Limit    int
}

// Decision is one placement: what was asked, what the machine looked like at
// that instant, what was answered and what looking cost.
type Decision struct {
	Time     int64 // ns since the start of the measured window
	Wakeup   policy.Wakeup
	CPU      topology.CPU // the answer
	Reason   policy.Reason
	Distance topology.Distance // from the wakee's previous CPU to the answer
	Probes   int
	// Search is what finding the answer takes at full speed, ns. The waker pays
	// it; of a timer's wakeup it is the looks alone, and nobody does.
	Search int64
	// ThisIdle and PrevIdle: how the two CPUs looked.
	ThisIdle, PrevIdle bool
	// IdleCores and IdleScan are has_idle_cores and nr_idle_scan of the LLC of
	// the answer, before it.
	IdleCores bool
	IdleScan  int
}

func (r Record) check(cfg Config) error {
	if r == (Record{}) {
		return nil
	}
	before := cfg.Workload.LastStart() + cfg.Warmup
	switch {
	case r.Limit <= 0:
		return fmt.Errorf("sim: record: limit %d is not positive", r.Limit)
	case r.To <= r.From:
		return fmt.Errorf("sim: record: to %d ns is not after from %d ns", r.To, r.From)
	case r.From < -before:
		return fmt.Errorf("sim: record: from %d ns is before the run, which begins %d ns before its window", r.From, before)
	case r.To > cfg.Duration:
		return fmt.Errorf("sim: record: to %d ns is after the window, which lasts %d ns", r.To, cfg.Duration)
	}
	return nil
}

// recorder keeps the decisions of a run. An engine without one records nothing.
type recorder struct {
	from, to  int64 // of the engine's clock
	origin    int64 // start of the measured window
	limit     int
	decisions []Decision
	// The hints before the question, which may take them back.
	thisCores, prevCores bool
}

func newRecorder(cfg Config) *recorder {
	r := cfg.Record
	if r == (Record{}) {
		return nil
	}
	origin := cfg.Workload.LastStart() + cfg.Warmup
	return &recorder{from: origin + r.From, to: origin + r.To, origin: origin, limit: r.Limit}
}

// recordHints notes what asking may change.
func (e *engine) recordHints(this, prev int32) {
	r := e.recorder
	r.thisCores, r.prevCores = e.idleCores[e.cpus[this].llc], e.idleCores[e.cpus[prev].llc]
}

// record keeps the answer to w, if it is wanted. Asking changes hints only: the
// rest of the machine is as it was then.
func (e *engine) record(w policy.Wakeup, target int32, reason policy.Reason, search int64) {
	r := e.recorder
	if e.now < r.from || e.now >= r.to || len(r.decisions) >= r.limit {
		return
	}
	llc := e.cpus[target].llc
	d := Decision{
		Time: e.now - r.origin, Wakeup: w, CPU: topology.CPU(target), Reason: reason,
		Distance: e.distance(int32(w.Prev), target), Search: search,
		ThisIdle: e.looksIdle(int32(w.This)), PrevIdle: e.looksIdle(int32(w.Prev)),
		IdleCores: e.idleCores[llc], IdleScan: int(e.scanHint[llc]),
	}
	if reason != policy.SwitchingOut {
		d.Probes = e.view.probes
	}
	switch llc {
	case e.cpus[w.This].llc:
		d.IdleCores = r.thisCores
	case e.cpus[w.Prev].llc:
		d.IdleCores = r.prevCores
	}
	r.decisions = append(r.decisions, d)
}
