package sim

// rebalance walks c's domains whose time has come.
func (e *engine) rebalance(c int32, idle bool) {
	next := e.now + 60_000_000_000
	why, factor := whileBusy, int64(1)
	if idle {
		why = whileIdle
	}
	var cost int64
	for i := range e.domains[c] {
		d := &e.domains[c][i]
		if !idle {
			factor = d.busyFactor
		}
		interval := max(e.tickNS, d.interval*factor)
		if !idle {
			interval = max(e.tickNS, interval-e.tickNS)
		}
		interval = min(interval, e.maxInterval)
		if e.now >= d.last+interval {
			cost += e.balanceCost(d)
			d.last = e.now
			e.balance(c, d, why)
			if idle && e.cpus[c].active {
				idle, why = false, whileBusy // it has pulled something
			}
		}
		next = min(next, d.last+interval)
	}
	e.idlers[c].nextBal = next
	e.interrupt(c, Balance, cost)
}

func (e *engine) balanceCost(d *domain) int64 {
	return e.price.newIdleFixed + e.price.newIdlePerCPU*d.span
}

// age draws the phases of all balancing anew, as those of a machine that has
// been in its present state for long. A busy CPU balances its LLC about once a
// second, which is longer than runs last; without this a state that forms while
// the tasks start would keep the scan hint of the state before it for a second.
func (e *engine) age() {
	for _, c := range e.everyone {
		next := notYet
		for i := range e.domains[c] {
			d := &e.domains[c][i]
			interval := d.interval
			if e.cpus[c].active {
				interval *= d.busyFactor
			}
			d.last = e.now - int64(d.phase.next()%uint64(max(1, interval)))
			next = min(next, d.last+interval)
		}
		e.idlers[c].nextBal = next
	}
}

// dueIdle is when idle c is due to balance: going idle pulls what a busy CPU had
// planned forward to the idle interval of its lowest domain.
func (e *engine) dueIdle(c int32) int64 {
	due := e.idlers[c].nextBal
	if levels := e.domains[c]; len(levels) > 0 {
		due = min(due, levels[0].last+levels[0].interval)
	}
	return due
}

// kickIdle lets idle CPUs balance, on the initiative of busy c: its own tick
// sees work that idle CPUs, whose ticks are stopped, cannot. It happens while c
// has tasks waiting or is not the only busy CPU of its LLC. What an idle CPU
// does for balancing is not charged: it has nothing else to do.
func (e *engine) kickIdle(c int32) {
	if e.now < e.nohzNext || e.cpus[c].nr < 2 && e.llcBusy[e.cpus[c].llc] < 2 {
		return
	}
	e.nohzNext = e.now + e.tickNS
	for _, x := range e.everyone {
		if !e.looksIdle(x) || e.now < e.dueIdle(x) {
			continue
		}
		e.rqAvg[x].update(e.now, false, 0)
		e.rebalance(x, true)
	}
}
