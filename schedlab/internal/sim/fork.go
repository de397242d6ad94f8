package sim

import (
	"math/bits"

	"github.com/schedlab/lab/schedlab/workload"
)

// forkCPU places a new task as the idlest-group walk would on an otherwise
// quiet machine: the LLC with the most idle CPUs (ties: fewer runnable tasks,
// then the lowest), in it a CPU on an idle core, else an idle CPU, else the one
// with the fewest runnable tasks. Forks are rare: this may look at every CPU.
func (e *engine) forkCPU(t int32) int32 {
	e.showClaims()
	allowed := e.forkAllowed(t)
	best, bestIdle, bestNr := none, -1, int32(0)
	for l := range e.llcs {
		idle, nr, some := 0, int32(0), false
		e.each(l, allowed, func(c int32) {
			some = true
			nr += e.cpus[c].nr
			if e.looksIdle(c) {
				idle++
			}
		})
		if some && (best == none || idle > bestIdle || idle == bestIdle && nr < bestNr) {
			best, bestIdle, bestNr = l, idle, nr
		}
	}
	cpu, score := int32(none), int32(0)
	e.each(best, allowed, func(c int32) {
		if s := e.forkScore(c); cpu == none || s < score {
			cpu, score = c, s
		}
	})
	return cpu
}

// usable: t may run somewhere at home.
func (e *engine) usable(t workload.Task) bool {
	home := t.Home.And(e.topo.All())
	if !t.Allowed.Empty() {
		home = home.And(t.Allowed)
	}
	return !home.Empty()
}

// forkAllowed is where t may be forked: at its home, if it has one.
func (e *engine) forkAllowed(t int32) []uint64 {
	home := e.cfg.Workload.Tasks[t].Home
	if home.Empty() {
		return e.allowed[t]
	}
	words := make([]uint64, len(e.allowed[t]))
	copy(words, home.Words())
	for i := range words {
		words[i] &= e.allowed[t][i]
	}
	return words
}

// forkScore is lower for a better CPU.
func (e *engine) forkScore(c int32) int32 {
	p := &e.cpus[c]
	if !e.looksIdle(c) {
		return 2 + p.nr + p.claims
	}
	if !e.coreIdle(c) {
		return 1
	}
	return 0
}

func (e *engine) each(llc int, allowed []uint64, f func(c int32)) {
	for i, m := range e.llcs[llc].Words() {
		for m &= allowed[i]; m != 0; m &= m - 1 {
			f(int32(i<<6 + bits.TrailingZeros64(m)))
		}
	}
}
