package sim

import "math/bits"

// forkCPU places a new task as the idlest-group walk would on an otherwise
// quiet machine: the LLC with the most idle CPUs (ties: fewer runnable tasks,
// then the lowest), in it a CPU on an idle core, else an idle CPU, else the one
// with the fewest runnable tasks. Forks are rare: this may look at every CPU.
func (e *engine) forkCPU(t int32) int32 {
	e.showClaims()
	allowed := e.allowed[t]
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

// forkScore is lower for a better CPU.
func (e *engine) forkScore(c int32) int32 {
	p := &e.cpus[c]
	if !e.looksIdle(c) {
		return 2 + p.nr + p.claims
	}
	for _, x := range e.threads[p.core] {
		if !e.looksIdle(x) {
			return 1
		}
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
