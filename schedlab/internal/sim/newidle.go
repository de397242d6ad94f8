package sim

// notYet is later than any run.
const notYet = int64(1) << 62

// newIdlePeak is how far the dearest newidle pass a CPU remembers lies above the
// usual one. The kernel keeps the largest it ever measured, losing a hundredth a
// second, and interrupts and waiting fall into the measurement. An estimate: no
// figure is published.
const newIdlePeak = 3

// newIdle begins to look for a task to pull before c goes idle: level by level
// upwards, each a segment of its own, since a task that is queued meanwhile ends
// it. CPUs that idle for microseconds at a time skip it: it would cost more time
// than they have. It reports whether there is anything to do.
func (e *engine) newIdle(c int32) bool {
	d := &e.idlers[c]
	d.stamp = e.now
	d.spent = 0
	if !e.overloaded || d.avgIdle < d.firstGate {
		return false
	}
	if d.pair && d.avgIdle < d.firstCost+d.secondGate && e.cpus[e.siblings[c]].nr < 2 {
		// The sibling has nothing to spare and nowhere else is worth a look:
		// straight on to idle, in one segment.
		d.maxCost = max(d.maxCost, d.firstCost)
		e.add(c, Balance, d.firstCost)
		e.switchOut(c)
		return true
	}
	return e.newIdleLevel(c, 0)
}

// newIdleLevel begins the pass over the first worthwhile domain from level on.
func (e *engine) newIdleLevel(c int32, level int) bool {
	d := &e.idlers[c]
	for ; level < len(e.domains[c]); level++ {
		x := &e.domains[c][level]
		if !e.worthALook(c, level) {
			return false
		}
		if !x.newIdleOn {
			continue
		}
		cost := e.balanceCost(x)
		d.spent += cost
		d.maxCost = max(d.maxCost, d.spent)
		d.level = uint8(level)
		e.add(c, Balance, cost)
		e.cpus[c].effect = effNewIdle
		e.begin(c)
		return true
	}
	return false
}

// worthALook: c is idle for long enough at a time to look at domain level.
func (e *engine) worthALook(c int32, level int) bool {
	d := &e.idlers[c]
	return level < len(e.domains[c]) && d.avgIdle >= d.spent+e.domains[c][level].newIdleCost
}

// newIdleDone ends the pass over one domain.
func (e *engine) newIdleDone(c int32) {
	p, d := &e.cpus[c], &e.idlers[c]
	if p.nr == 0 && p.claims == 0 {
		if e.balance(c, &e.domains[c][d.level], goingIdle) > 0 {
			d.stamp = 0
		}
	}
	switch {
	case p.nr > 0:
		e.tasks[p.leaving].offCPUAt = e.now + e.price.contextSwitch
		e.next(c)
	case p.claims > 0 || !e.newIdleLevel(c, int(d.level)+1):
		e.switchOut(c)
	}
}

// switchOut begins the switch to the idle task.
func (e *engine) switchOut(c int32) {
	p := &e.cpus[c]
	e.tasks[p.leaving].offCPUAt = e.now + stretched(e.price.contextSwitch, e.stretchOf[e.busy[p.core]])
	e.add(c, ContextSwitch, e.price.contextSwitch)
	p.effect = effIdle
	e.begin(c)
}
