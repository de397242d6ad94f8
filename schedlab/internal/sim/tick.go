package sim

// tick is the periodic interrupt of c. An idle CPU has stopped its tick.
func (e *engine) tick(c int32) {
	p := &e.cpus[c]
	if !p.active {
		return
	}
	if e.onTick != nil {
		e.tellTick(c)
	}
	if p.curr == none {
		return // switching; the next one will see
	}
	e.updateCurr(c)
	e.signals(c)
	if e.follows {
		e.sampleClock(c)
	}
	e.interrupt(c, Interrupt, e.tickLength(c))
	if p.resched {
		e.reschedule(c)
	}
	if e.now >= e.idlers[c].nextBal {
		e.rebalance(c, false)
	}
	e.kickIdle(c)
}

// tickLength draws how long a tick holds c up. Timers and softirqs of all sorts
// ride on it, so its length varies: exponential, the machine's background noise.
func (e *engine) tickLength(c int32) int64 {
	if e.price.tick == 0 {
		return 0
	}
	return e.noise[c].exponential(e.price.tick)
}

// interrupt lengthens what c is doing by ns of cat, which come first: parts of
// interrupts do not pile up behind a long stretch of work.
func (e *engine) interrupt(c int32, cat Category, ns int64) {
	p := &e.cpus[c]
	if ns == 0 || !p.active || c == e.self {
		return
	}
	e.settle(c)
	parts := &e.parts[c]
	p.segLeft += ns
	switch {
	case p.first == 0 && p.nparts == maxParts:
		e.squeeze(c, cat, ns)
	case p.first == 0:
		p.nparts = uint8(copy(parts[1:], parts[:p.nparts])) + 1
		parts[0] = part(ns<<8) | part(cat)
	default:
		p.first--
		parts[p.first] = part(ns<<8) | part(cat)
	}
	e.done.set(c, e.now+stretched(p.segLeft, p.stretch))
}
