package sim

import (
	"math/bits"

	"github.com/schedlab/lab/schedlab/topology"
)

// coreMask holds, for an LLC whose cores have two threads, which threads look
// idle: a bit per core, so that a search for an idle core is a few operations on
// words instead of a walk. It exists where the order in which a walk meets cores
// is the order of their numbers, from wherever it begins: siblings numbered far
// apart in equal order, or next to each other. At most 64 cores fit.
type coreMask struct {
	low, high uint64  // idle lower and higher threads
	first     []int32 // by core: its lower thread
}

// mark notes whether c looks idle.
func (e *engine) mark(c int32, idle bool) {
	if e.masks == nil {
		return
	}
	m := &e.masks[e.cpus[c].llc]
	word := &m.low
	if e.siblings[c] < c {
		word = &m.high
	}
	bit := uint64(1) << e.coreAt[c]
	if idle {
		*word |= bit
	} else {
		*word &^= bit
	}
}

func (e *engine) compileMasks() {
	if e.siblings == nil {
		return
	}
	masks := make([]coreMask, len(e.llcs))
	coreAt := make([]uint8, len(e.cpus))
	for i, set := range e.llcs {
		m := &masks[i]
		for _, c := range set.CPUs() {
			if e.siblings[c] > int32(c) {
				coreAt[c] = uint8(len(m.first))
				coreAt[e.siblings[c]] = uint8(len(m.first))
				m.first = append(m.first, int32(c))
			}
		}
		if len(m.first) > 64 || 2*len(m.first) != set.Len() || !e.inOrder(m.first) {
			return
		}
		m.low = 1<<len(m.first) - 1
		m.high = m.low
	}
	e.masks, e.coreAt = masks, coreAt
}

// inOrder: the higher threads are numbered like the lower ones, all after them
// or each right behind its own.
func (e *engine) inOrder(first []int32) bool {
	apart, beside := true, true
	for i, c := range first {
		x := e.siblings[c]
		if i > 0 && x < e.siblings[first[i-1]] {
			return false
		}
		apart = apart && x > first[len(first)-1]
		beside = beside && (i+1 == len(first) || x < first[i+1])
	}
	return apart || beside
}

// firstIdleMasked is firstIdleCore over the whole LLC for a wakee that may run
// everywhere: same answer, same looks, same price.
func (v *view) firstIdleMasked(llc, from int32) (topology.CPU, topology.CPU, int) {
	e := v.e
	m := &e.masks[llc]
	n := uint(len(m.first))
	begin := uint(e.coreAt[nextWrap(e.llcs[llc].Words(), from)])
	all := uint64(1)<<n - 1
	low := (m.low>>begin | m.low<<(n-begin)) & all
	high := (m.high>>begin | m.high<<(n-begin)) & all

	visited, found := n, int32(none)
	if both := low & high; both != 0 {
		hit := uint(bits.TrailingZeros64(both))
		visited = hit + 1
		found = e.metFirst(m.first[(begin+hit)%n], from)
	}
	fallback, known := int32(none), uint(64)
	if any := (low | high) & (1<<visited - 1); any != 0 {
		known = uint(bits.TrailingZeros64(any))
		fallback = m.first[(begin+known)%n]
		if low>>known&1 == 0 {
			fallback = e.siblings[fallback]
		}
	}
	// The higher thread is looked at until a fallback is known, and where the
	// lower one is idle.
	looked := uint64(1)<<visited - 1
	second := looked & (1<<(known+1) - 1 | low)
	quiet := bits.OnesCount64(looked&low) + bits.OnesCount64(second&high)
	probes := bits.OnesCount64(looked) + bits.OnesCount64(second)
	v.probes += probes
	v.cost += int64(quiet)*e.price.scanQuiet + int64(probes-quiet)*e.price.scanDirty + int64(probes)*v.beyond(llc)
	if this := int32(v.w.This); e.cpus[this].llc == llc {
		at := (uint(e.coreAt[this]) + n - begin) % n
		seen := looked
		if e.siblings[this] < this {
			seen = second
		}
		if seen>>at&1 != 0 {
			v.refund(this, llc)
		}
	}
	return topology.CPU(found), topology.CPU(fallback), probes
}

// metFirst is the thread of low's core that a walk from from meets first.
func (e *engine) metFirst(low, from int32) int32 {
	high := e.siblings[low]
	if low < from && from <= high {
		return high
	}
	return low
}

// refund takes back the price of a look at one's own queue, which is free.
func (v *view) refund(this, llc int32) {
	e := v.e
	if e.looksIdle(this) {
		v.cost -= e.price.scanQuiet
	} else {
		v.cost -= e.price.scanDirty
	}
	v.cost -= v.beyond(llc)
}
