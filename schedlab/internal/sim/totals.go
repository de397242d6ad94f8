package sim

import (
	"math/bits"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
)

// Totals is what one run measured in its window.
type Totals struct {
	Window   int64 // ns
	Events   int64
	Wakeups  int64 // placed tasks that reached a CPU
	Searches int64 // wakeups the policy was asked about
	Probes   int64
	// Placements by reason; Migrations by the distance from prev, where
	// SameCPU counts wakeups that stayed.
	Placements [policy.NumReasons]int64
	Migrations [topology.NumDistances]int64
	// Done counts, by group; Half is the first half of the window.
	Done, Half []int64
	Latency    Latency
	CPU, Task  Account
	// PerCPU and PerTask are the accounts the sums come from.
	PerCPU, PerTask []Account
	CPUs            []topology.CPU
	// Decisions is what Config.Record asked for, in order of time.
	Decisions []Decision
}

// Latency is the time from the wakeup to the first instruction, in ns, at full
// speed.
type Latency struct {
	Mean, P50, P90, P99, Max int64
}

func (e *engine) totals(half []int64) *Totals {
	m := &e.meter
	t := &Totals{
		Window: e.cfg.Duration, Events: m.events, Wakeups: m.wakeups, Searches: m.searches, Probes: m.probes,
		Placements: m.reasons, Migrations: m.migrations, Done: m.groups, Half: half,
		Latency: m.latency.summary(), CPUs: e.topo.All().CPUs(),
	}
	if e.recorder != nil {
		t.Decisions = e.recorder.decisions
	}
	for _, c := range t.CPUs {
		t.PerCPU = append(t.PerCPU, e.cpuTime[c].Account)
		t.CPU.add(&e.cpuTime[c].Account)
	}
	for i := range e.tskTime {
		t.PerTask = append(t.PerTask, e.tskTime[i].Account)
		t.Task.add(&e.tskTime[i].Account)
	}
	return t
}

// histogram counts values in buckets of 1/16 of their power of two.
type histogram struct {
	buckets  [40 * 16]int64
	n        int64
	sum, max int64
}

func (h *histogram) add(ns int64) {
	h.n++
	h.sum += ns
	h.max = max(h.max, ns)
	h.buckets[bucket(ns)]++
}

func bucket(ns int64) int {
	if ns < 16 {
		return int(max(ns, 0))
	}
	shift := bits.Len64(uint64(ns)) - 5
	return min(shift<<4+int(ns>>shift), 40*16-1)
}

// floor is the smallest value of bucket i.
func floor(i int) int64 {
	if i < 32 {
		return int64(i)
	}
	shift := i>>4 - 1
	return int64(i-shift<<4) << shift
}

// quantile is the middle of the bucket that holds the q-th of n values.
func (h *histogram) quantile(permille int64) int64 {
	if h.n == 0 {
		return 0
	}
	rank := (h.n*permille + 999) / 1000
	for i, n := range h.buckets {
		if rank -= n; rank <= 0 {
			return min((floor(i)+floor(i+1))/2, h.max)
		}
	}
	return h.max
}

func (h *histogram) summary() Latency {
	l := Latency{P50: h.quantile(500), P90: h.quantile(900), P99: h.quantile(990), Max: h.max}
	if h.n > 0 {
		l.Mean = h.sum / h.n
	}
	return l
}
