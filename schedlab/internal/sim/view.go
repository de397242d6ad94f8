package sim

import (
	"math/bits"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// view is the engine as one wakeup may see it; it meters every look.
type view struct {
	e      *engine
	w      policy.Wakeup
	mask   []uint64 // where the wakee may run; everywhere for an observer
	probes int
	cost   int64
	walk   []uint64 // scratch of FirstIdleCore
}

var _ policy.View = (*view)(nil)

func (v *view) open(w policy.Wakeup) {
	v.w, v.probes, v.cost = w, 0, 0
	v.mask = v.e.present
	if w.Wakee != workload.NoTask && v.e.tasks[w.Wakee].restricted {
		v.mask = v.e.allowed[w.Wakee]
	}
}

// Meter is what the looks of this wakeup amount to so far: CPUs looked at, and
// their price in ns. Contract tests read it.
func (v *view) Meter() (probes int, cost int64) { return v.probes, v.cost }

func (v *view) Topology() *topology.Topology { return v.e.topo }
func (v *view) Now() int64                   { return v.e.now }

// look meters one probe of c.
func (v *view) look(c int32) {
	v.probes++
	if topology.CPU(c) == v.w.This {
		return
	}
	e := v.e
	if e.looksIdle(c) {
		v.cost += e.price.scanQuiet
	} else {
		v.cost += e.price.scanDirty
	}
	v.cost += v.beyond(e.cpus[c].llc)
}

// beyond is what a look into another LLC costs more.
func (v *view) beyond(llc int32) int64 {
	e := v.e
	return e.llcDist[int(e.cpus[v.w.This].llc)*len(e.llcs)+int(llc)]
}

func (v *view) Idle(c topology.CPU) bool {
	v.look(int32(c))
	return v.e.looksIdle(int32(c))
}

func (v *view) NrRunning(c topology.CPU) int {
	v.look(int32(c))
	return int(v.e.cpus[c].nr)
}

// FirstIdle works on words: the members before the first idle one are counted,
// not visited. Only the last CPU looked at can be idle, so the price follows
// from the count.
func (v *view) FirstIdle(set topology.CPUSet, from topology.CPU, budget int) (topology.CPU, int) {
	e := v.e
	if budget < 0 {
		budget = len(e.cpus)
	}
	if budget == 0 || set.Empty() {
		return topology.NoCPU, 0
	}
	words, allowed := v.words(set), v.mask
	if from < 0 || int(from)>>6 >= len(words) {
		from = 0 // beyond the last word of the set: only the wrap counts
	}
	start := int(from) >> 6
	low := uint64(1)<<(uint(from)&63) - 1 // bits before from in its word
	probes, found := 0, topology.NoCPU
	for i, n := start, len(words); i <= start+n; i++ {
		w := i
		if w >= n {
			w -= n
		}
		m := words[w] & allowed[w]
		if i == start {
			m &^= low
		} else if i == start+n {
			m &= low
		}
		if hit := m & e.idle[w]; hit != 0 {
			b := bits.TrailingZeros64(hit)
			probes += bits.OnesCount64(m&(1<<b-1)) + 1
			if probes <= budget {
				found = topology.CPU(w<<6 + b)
			}
			break
		}
		probes += bits.OnesCount64(m)
		if probes >= budget {
			break
		}
	}
	probes = min(probes, budget)
	v.meterScan(set, from, probes, found)
	return found, probes
}

// meterScan charges a scan of probes CPUs of which all but found are busy.
func (v *view) meterScan(set topology.CPUSet, from topology.CPU, probes int, found topology.CPU) {
	if probes == 0 {
		return
	}
	e := v.e
	llc := e.cpus[min(int(set.First()), len(e.cpus)-1)].llc
	if !set.SubsetOf(e.llcs[llc]) {
		v.meterSlowly(set, from, probes)
		return
	}
	v.probes += probes
	busy := int64(probes)
	if found != topology.NoCPU {
		busy--
		v.cost += e.price.scanQuiet + v.beyond(llc)
	}
	if v.reached(set, from, probes) {
		// This is busy or it would not be waking, unless an interrupt is.
		if found == v.w.This {
			v.cost -= e.price.scanQuiet + v.beyond(llc)
		} else {
			busy--
		}
	}
	v.cost += busy * (e.price.scanDirty + v.beyond(llc))
}

// reached reports whether This is among the first probes members of set.
func (v *view) reached(set topology.CPUSet, from topology.CPU, probes int) bool {
	this := int(v.w.This)
	words, allowed := v.words(set), v.mask
	if !set.Has(v.w.This) || allowed[this>>6]>>(this&63)&1 == 0 {
		return false
	}
	before := func(c int) int { // members below c
		n := 0
		for i := 0; i < c>>6 && i < len(words); i++ {
			n += bits.OnesCount64(words[i] & allowed[i])
		}
		if i := c >> 6; i < len(words) {
			n += bits.OnesCount64(words[i] & allowed[i] & (1<<(c&63) - 1))
		}
		return n
	}
	rank := before(this) - before(int(from))
	if this < int(from) {
		rank += before(len(words) << 6)
	}
	return rank < probes
}

// meterSlowly charges CPU by CPU, for a set that spans LLCs.
func (v *view) meterSlowly(set topology.CPUSet, from topology.CPU, probes int) {
	for c := range set.Wrap(from) {
		if probes == 0 {
			return
		}
		if int(c)>>6 < len(v.mask) && v.mask[c>>6]>>(c&63)&1 != 0 {
			v.look(int32(c))
			probes--
		}
	}
}

func (v *view) FirstIdleCore(set topology.CPUSet, from topology.CPU) (topology.CPU, topology.CPU, int) {
	if e := v.e; len(e.siblings) > 0 && !set.Empty() && int(set.First()) < len(e.cpus) {
		llc := e.cpus[set.First()].llc
		if e.masks != nil && (v.w.Wakee == workload.NoTask || !e.tasks[v.w.Wakee].restricted) && set.Equal(e.llcs[llc]) {
			return v.firstIdleMasked(llc, int32(from))
		}
		if set.SubsetOf(e.llcs[llc]) {
			return v.firstIdlePair(set, from, llc)
		}
	}
	return v.firstIdleCore(set, from)
}

// firstIdlePair is firstIdleCore for cores of two threads in one LLC: it counts
// the looks and prices them at the end.
func (v *view) firstIdlePair(set topology.CPUSet, from topology.CPU, llc int32) (topology.CPU, topology.CPU, int) {
	e := v.e
	walk := v.candidates(set)
	found, fallback := int32(none), int32(none)
	quiet, dirty, own := int64(0), int64(0), false
	this := int32(v.w.This)
	for c := nextWrap(walk, int32(from)); c != none; c = nextWrap(walk, c) {
		x := e.siblings[c]
		low, high := min(c, x), max(c, x)
		a, b := e.looksIdle(low), e.looksIdle(high)
		own = own || low == this
		if a {
			quiet++
		} else {
			dirty++
		}
		if fallback == none {
			if a && walk[low>>6]>>(low&63)&1 != 0 {
				fallback = low
			} else if b && walk[high>>6]>>(high&63)&1 != 0 {
				fallback = high
			}
		} else if !a {
			// One busy thread settles it: the other is not looked at.
			walk[low>>6] &^= 1 << (low & 63)
			walk[high>>6] &^= 1 << (high & 63)
			continue
		}
		own = own || high == this
		if b {
			quiet++
		} else {
			dirty++
		}
		if a && b {
			found = c
			break
		}
		walk[low>>6] &^= 1 << (low & 63)
		walk[high>>6] &^= 1 << (high & 63)
	}
	v.probes += int(quiet + dirty)
	v.cost += quiet*e.price.scanQuiet + dirty*e.price.scanDirty + (quiet+dirty)*v.beyond(llc)
	if own {
		v.refund(this, llc)
	}
	return topology.CPU(found), topology.CPU(fallback), int(quiet + dirty)
}

// firstIdleCore looks at CPU after CPU.
func (v *view) firstIdleCore(set topology.CPUSet, from topology.CPU) (topology.CPU, topology.CPU, int) {
	e := v.e
	walk := v.candidates(set)
	fallback, before := topology.NoCPU, v.probes
	for {
		c := nextWrap(walk, int32(from))
		if c < 0 {
			return topology.NoCPU, fallback, v.probes - before
		}
		idle := true
		for _, x := range e.threads[e.cpus[c].core] {
			v.look(x)
			if !e.looksIdle(x) {
				idle = false
				if fallback != topology.NoCPU {
					break
				}
			} else if fallback == topology.NoCPU && walk[x>>6]>>(x&63)&1 != 0 {
				fallback = topology.CPU(x)
			}
		}
		if idle {
			return topology.CPU(c), fallback, v.probes - before
		}
		for _, x := range e.threads[e.cpus[c].core] {
			walk[x>>6] &^= 1 << (x & 63)
		}
	}
}

// candidates fills the scratch mask with the allowed members of set.
func (v *view) candidates(set topology.CPUSet) []uint64 {
	if v.walk == nil {
		v.walk = make([]uint64, len(v.e.idle))
	}
	clear(v.walk)
	for i, w := range v.words(set) {
		v.walk[i] = w & v.mask[i]
	}
	return v.walk
}

// words are the bits of set as far as the machine reaches.
func (v *view) words(set topology.CPUSet) []uint64 {
	words := set.Words()
	return words[:min(len(words), len(v.mask))]
}

// nextWrap is the first member at or after from, else the lowest, else -1.
func nextWrap(words []uint64, from int32) int32 {
	from = max(from, 0)
	start := int(from >> 6)
	for i := start; i < len(words); i++ {
		m := words[i]
		if i == start {
			m &^= 1<<(from&63) - 1
		}
		if m != 0 {
			return int32(i<<6 + bits.TrailingZeros64(m))
		}
	}
	for i, m := range words {
		if m != 0 {
			return int32(i<<6 + bits.TrailingZeros64(m))
		}
	}
	return none
}

func (v *view) Allowed(t workload.TaskID, c topology.CPU) bool {
	if !v.e.tasks[t].restricted {
		return c >= 0 && int(c) < len(v.e.cpus) && v.e.present[c>>6]>>(c&63)&1 != 0
	}
	return c >= 0 && int(c) < len(v.e.cpus) && v.e.allowed[t][c>>6]>>(c&63)&1 != 0
}

func (v *view) RecentUsed(t workload.TaskID) topology.CPU { return topology.CPU(v.e.tasks[t].recent) }
func (v *view) SetRecentUsed(t workload.TaskID, c topology.CPU) {
	v.e.tasks[t].recent = int32(c)
}
func (v *view) LastWakee(t workload.TaskID) workload.TaskID {
	return workload.TaskID(v.e.tasks[t].lastWakee)
}
func (v *view) WakeeFlips(t workload.TaskID) int { return int(v.e.tasks[t].flips) }
func (v *view) LoadAvg(c topology.CPU) int64 {
	v.look(int32(c))
	return v.e.rqAvg[c].load >> peltShift
}

func (v *view) TaskLoad(t workload.TaskID) int64 { return v.e.avg[t].load >> peltShift }

func (v *view) BoundKthread(t workload.TaskID) bool { return v.e.tasks[t].boundKthread }

func (v *view) DurationAvg(t workload.TaskID) int64 { return v.e.tasks[t].duration }
func (v *view) HasIdleCores(c topology.CPU) bool    { return v.e.idleCores[v.e.cpus[c].llc] }
func (v *view) ClearIdleCores(c topology.CPU)       { v.e.idleCores[v.e.cpus[c].llc] = false }
func (v *view) NrIdleScan(c topology.CPU) int       { return int(v.e.scanHint[v.e.cpus[c].llc]) }

// only returns the single member of words, if there is just one.
func only(words []uint64) (int32, bool) {
	c := int32(none)
	for i, m := range words {
		if m == 0 {
			continue
		}
		if c != none || m&(m-1) != 0 {
			return none, false
		}
		c = int32(i<<6 + bits.TrailingZeros64(m))
	}
	return c, c != none
}

func setOf(words []uint64) topology.CPUSet {
	var cpus []topology.CPU
	for i, m := range words {
		for ; m != 0; m &= m - 1 {
			cpus = append(cpus, topology.CPU(i<<6+bits.TrailingZeros64(m)))
		}
	}
	return topology.NewCPUSet(cpus...)
}

// The observers see the machine from the CPU the news comes from; what they
// look at is free, since no waker waits for them.
func (e *engine) tellIdle(c int32, idle bool) {
	e.view.open(policy.Wakeup{Wakee: workload.NoTask, Waker: workload.NoTask, This: topology.CPU(c), Prev: topology.CPU(c)})
	e.onIdle.CPUIdle(&e.view, topology.CPU(c), idle)
}

func (e *engine) tellSlept(t, c int32) {
	e.view.open(policy.Wakeup{Wakee: workload.TaskID(t), Waker: workload.NoTask, This: topology.CPU(c), Prev: topology.CPU(c)})
	e.onNap.TaskSlept(&e.view, workload.TaskID(t), topology.CPU(c))
}

func (e *engine) tellTick(c int32) {
	e.view.open(policy.Wakeup{Wakee: workload.NoTask, Waker: workload.NoTask, This: topology.CPU(c), Prev: topology.CPU(c)})
	e.onTick.Tick(&e.view, topology.CPU(c))
}
