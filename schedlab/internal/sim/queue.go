package sim

import "github.com/schedlab/lab/schedlab/topology"

// signals brings c's queue signals up to now. Until its task has come out of
// idle and been picked nothing runs: start moves the stamp ahead of now.
func (e *engine) signals(c int32) {
	p := &e.cpus[c]
	weight := e.cpus[c].rq.weight
	if p.curr != none {
		weight += e.ents[p.curr].weight
	}
	e.rqAvg[c].update(e.now, p.curr != none, weight)
}

// running is the entity c runs, nil if none.
func (e *engine) running(c int32) *entity {
	if t := e.cpus[c].curr; t != none {
		return &e.ents[t]
	}
	return nil
}

// updateCurr books the run time of c's task up to now.
func (e *engine) updateCurr(c int32) {
	p := &e.cpus[c]
	if p.curr == none {
		return
	}
	k := &e.tasks[p.curr]
	ns := e.now - k.execFrom
	if ns <= 0 {
		return
	}
	k.execFrom = e.now
	k.sumExec += ns
	if e.ents[p.curr].advance(ns, e.slice) && p.nr > 1 {
		p.resched = true
	}
}

// join makes t runnable on c: signals, virtual time, counts; not yet in the
// queue's list.
func (e *engine) join(c, t int32) {
	p, k, a := &e.cpus[c], &e.tasks[t], &e.avg[t]
	e.updateCurr(c)
	e.signals(c)
	a.update(e.now, false, 0)
	if k.cpu != c {
		if k.cpu != none {
			e.signals(k.cpu) // what is taken has been aged: so must the sum be
			e.rqAvg[k.cpu].detach(a)
		}
		e.rqAvg[c].attach(a)
	}
	e.rqEst[c] += e.est[t]
	fresh := k.cpu == none
	k.cpu = c
	e.cpus[c].rq.place(&e.ents[t], e.running(c), e.slice, e.kernel.PlaceLag && p.nr > 0, fresh)
	p.nr++
	if p.nr == 2 {
		e.overloaded = true
	}
}

// quit is the reverse: t, running on c or in its list, stops being runnable
// there.
func (e *engine) quit(c, t int32) {
	p, en := &e.cpus[c], &e.ents[t]
	e.updateCurr(c)
	e.signals(c)
	e.avg[t].update(e.now, p.curr == t, en.weight)
	e.cpus[c].rq.leave(en, e.running(c), e.slice, e.tickNS)
	e.rqEst[c] -= e.est[t]
	p.nr--
}

// enqueue makes t runnable on c. over tells that the enqueue went over c's
// wakelist, so that c itself pays for it; lead is what passes before c hears of
// it.
func (e *engine) enqueue(c, t int32, lead int64, over bool) {
	p := &e.cpus[c]
	e.become(t, Queued)
	e.join(c, t)
	if p.active {
		e.cpus[c].rq.insert(t, &e.ents[t])
		e.checkPreempt(c, t)
		return
	}
	e.markBusy(c) // it has a task now, whatever the state of its idle loop
	exit := e.leaveIdle(c)
	p.curr = t // the exit from idle is for t, on both accounts
	e.become(t, running)
	e.add(c, RemoteEnqueue, lead)
	e.add(c, IdleExit, exit)
	lead += exit
	if over {
		e.add(c, WakePath, e.price.drain)
		lead += e.price.drain
	}
	e.start(c, t, lead)
}

// checkPreempt: does t, just queued on busy c, run instead of its task?
func (e *engine) checkPreempt(c, t int32) {
	p := &e.cpus[c]
	if p.curr == none {
		return // switching: t is there to be picked
	}
	if !p.resched && e.cpus[c].rq.pick(e.ents, e.running(c), e.kernel.RunToParity) == t {
		p.resched = true
	}
	if p.resched {
		e.reschedule(c)
	}
}

// reschedule takes c's task off if another should run. A CPU that is in the
// middle of queueing a wakee (locks held), or whose step is being handled, does
// it when the step is over.
func (e *engine) reschedule(c int32) {
	p := &e.cpus[c]
	if c == e.self || p.effect == effEnqueue {
		return
	}
	p.resched = false
	if !e.beaten(c) {
		return
	}
	e.settle(c)
	e.save(c)
	e.yield(c)
}

// beaten: another task of c should run now. If not, its own goes on; a claim to
// parity that has lapsed stays lapsed.
func (e *engine) beaten(c int32) bool {
	e.updateCurr(c)
	if e.cpus[c].rq.pick(e.ents, e.running(c), e.kernel.RunToParity) != none {
		return true
	}
	e.cpus[c].resched = false
	return false
}

// save keeps what is left of c's segment for when its task runs again.
func (e *engine) save(c int32) {
	p := &e.cpus[c]
	s := &e.saved[p.curr]
	e.tasks[p.curr].interrupted = true
	s.effect = p.effect
	s.n = uint8(copy(s.parts[:], e.parts[c][p.first:p.nparts]))
	p.segLeft, p.first, p.nparts = 0, 0, 0
}

// yield queues c's task again and starts the one that beat it.
func (e *engine) yield(c int32) {
	p := &e.cpus[c]
	t := p.curr
	e.updateCurr(c)
	e.signals(c)
	e.avg[t].update(e.now, true, e.ents[t].weight)
	e.tasks[t].ranAt = e.now
	p.resched = false
	p.curr = none
	e.become(t, Queued)
	e.cpus[c].rq.insert(t, &e.ents[t])
	e.next(c)
}

// next starts the task c's queue picks; there must be one.
func (e *engine) next(c int32) {
	q := &e.cpus[c].rq
	t := q.pick(e.ents, nil, e.kernel.RunToParity)
	q.remove(t, &e.ents[t])
	e.start(c, t, 0)
}

// start gives c to t, after lead ns that are planned already.
func (e *engine) start(c, t int32, lead int64) {
	p, k, en := &e.cpus[c], &e.tasks[t], &e.ents[t]
	e.become(t, running)
	at := e.now + lead
	e.avg[t].update(at, false, en.weight)
	e.rqAvg[c].update(at, false, e.cpus[c].rq.weight+en.weight)
	p.curr = t
	p.resched = false
	en.picked = en.deadline
	k.execFrom = at
	e.add(c, ContextSwitch, e.price.contextSwitch)
	if k.wokenAt >= 0 {
		e.meter.wakeups++
		e.meter.latency.add(at + e.price.contextSwitch - k.wokenAt)
		k.wokenAt = none
	}
	if k.moved > topology.SMT {
		e.add(c, CacheRefill, e.refill[t][k.moved])
	}
	k.moved = topology.SameCPU
	e.resume(c, t)
	e.begin(c)
}

// resume plans what t does next: what it was interrupted in, the rest of a
// receive it was woken from, or its next step.
func (e *engine) resume(c, t int32) {
	k := &e.tasks[t]
	if k.interrupted {
		k.interrupted = false
		s := &e.saved[t]
		for _, x := range s.parts[:s.n] {
			e.add(c, Category(x&0xff), int64(x>>8))
		}
		e.cpus[c].effect = s.effect
		return
	}
	if k.writing { // looks again when it runs
		e.cpus[c].effect = effSend
		return
	}
	if k.receiving {
		k.receiving = false
		e.take(c, t)
		k.advance()
	}
	e.plan(c, t)
}

// block puts t to sleep and gives c to the next task or to the idle task.
func (e *engine) block(c, t int32) {
	k, p := &e.tasks[t], &e.cpus[c]
	e.become(t, Blocked)
	e.quit(c, t)
	k.duration += (k.sumExec - k.sleepExec - k.duration) >> 3
	k.sleepExec = k.sumExec
	k.ranAt = e.now
	e.estimate(t)
	p.curr = none
	p.leaving = t
	p.resched = false
	if e.onNap != nil {
		e.tellSlept(t, c)
	}
	if p.nr > 0 {
		k.offCPUAt = e.now + stretched(e.price.contextSwitch, e.stretchOf[e.busy[p.core]])
		e.next(c)
		return
	}
	k.offCPUAt = notYet
	if !e.newIdle(c) {
		e.switchOut(c)
	}
}

// estimate is util_est: what the task used when it last slept, forgotten by a
// quarter of the difference when it used less, unless it was kept waiting and
// could not use more.
func (e *engine) estimate(t int32) {
	util, load := e.avg[t].util>>peltShift, e.avg[t].load>>peltShift
	old := e.est[t]
	switch gap := old - util; {
	case gap <= 0:
		e.est[t] = util
	case gap >= 1024/100 && load*niceZero/e.ents[t].weight <= util+10:
		e.est[t] = old - gap/4
	}
}

// switchedOut ends the switch to the idle task: c idles, unless something was
// queued meanwhile.
func (e *engine) switchedOut(c int32) {
	if e.cpus[c].nr > 0 {
		e.next(c)
		return
	}
	e.deactivate(c)
}
