package sim

// pull moves up to amount from the busiest queue of g to c.
func (e *engine) pull(c int32, d *domain, g *group, amount int64, by currency, why occasion) int {
	from := e.busiestQueue(c, g, by)
	if from == none {
		d.balanced(why)
		return 0
	}
	moved := 0
	if e.cpus[from].nr > 1 {
		moved = e.detach(c, from, d, amount, by, why)
	}
	d.interval = d.min
	switch {
	case moved > 0:
		d.failed = 0
	case why != goingIdle:
		d.failed++
		if by == byTasks && d.failed > d.tries+2 && e.push(from, c) {
			d.failed = d.tries + 1
		}
	}
	return moved
}

func (e *engine) busiestQueue(c int32, g *group, by currency) int32 {
	best, most := int32(none), int64(0)
	for _, x := range g.cpus {
		p := &e.cpus[x]
		if x == c || p.nr == 0 {
			continue
		}
		var y int64
		switch by {
		case byTasks:
			y = int64(p.nr)
		case byUtil:
			if p.nr <= 1 {
				continue
			}
			y = e.cpuUtil(x)
		case byLoad:
			y = e.rqAvg[x].load >> peltShift
		}
		if y > most {
			best, most = x, y
		}
	}
	return best
}

// maxMoves is sched_nr_migrate.
const maxMoves = 32

// detach moves waiting tasks, the longest not run first.
func (e *engine) detach(c, from int32, d *domain, amount int64, by currency, why occasion) int {
	moved := 0
	tried := 0
	for amount > 0 && tried < maxMoves && e.cpus[from].nr > 1 {
		t := e.oldest(from, tried)
		if t == none {
			break
		}
		tried++
		if !e.mayMove(t, c, d) {
			continue
		}
		a := &e.avg[t]
		a.update(e.now, false, e.ents[t].weight)
		switch by {
		case byTasks:
			amount--
		case byUtil:
			util := max(1, a.util>>peltShift)
			if util>>min(uint(d.failed), 20) > amount {
				continue
			}
			amount -= util
		case byLoad:
			x := max(1, a.load>>peltShift)
			if x>>min(uint(d.failed), 20) > amount {
				continue
			}
			amount -= x
		}
		e.move(t, from, c)
		moved++
		tried--
		if why == goingIdle {
			break
		}
	}
	if e.cpus[from].resched { // its task's slice was found used up on the way
		e.reschedule(from)
	}
	return moved
}

// oldest is the waiting task of from that ran n-th longest ago; those that have
// not run there come last.
func (e *engine) oldest(from int32, n int) int32 {
	queue := e.cpus[from].rq.queue
	if n >= len(queue) {
		return none
	}
	// Selection by rank: queues are short and balancing is rare.
	for _, t := range queue {
		rank := 0
		for _, x := range queue {
			if a, b := uint64(e.tasks[x].ranAt), uint64(e.tasks[t].ranAt); a < b || a == b && x < t {
				rank++
			}
		}
		if rank == n {
			return t
		}
	}
	return none
}

// mayRun: c is among the CPUs t is allowed on.
func (e *engine) mayRun(t, c int32) bool { return e.allowed[t][c>>6]>>(c&63)&1 != 0 }

// mayMove: allowed there, and cold or the domain has failed often enough.
func (e *engine) mayMove(t, c int32, d *domain) bool {
	if !e.mayRun(t, c) {
		return false
	}
	hot := !d.sharesCore && e.tasks[t].ranAt >= 0 && e.now-e.tasks[t].ranAt < e.kernel.MigrationCost
	return !hot || d.failed > d.tries
}

// move takes waiting task t from one queue to another.
func (e *engine) move(t, from, to int32) {
	e.quit(from, t)
	e.cpus[from].rq.remove(t, &e.ents[t])
	e.noteMove(t, to)
	e.meter.balanced++
	e.enqueue(to, t, 0, false)
}

// noteMove remembers that t will find a cold cache, and that it has not run
// where it is now.
func (e *engine) noteMove(t, to int32) {
	k := &e.tasks[t]
	if d := e.distance(k.cpu, to); d > k.moved {
		k.moved = d
	}
	k.ranAt = none
}

// push takes the running task of from, by the stopper thread, to c.
func (e *engine) push(from, c int32) bool {
	p := &e.cpus[from]
	t := p.curr
	if t == none || from == e.self || p.effect == effEnqueue || !e.mayRun(t, c) {
		return false
	}
	e.settle(from)
	e.save(from)
	e.quit(from, t)
	p.curr, p.resched = none, false
	e.become(t, Queued)
	e.noteMove(t, c)
	e.meter.pushed++
	e.add(from, Balance, 2*e.price.contextSwitch)
	if p.nr > 0 {
		e.next(from)
	} else {
		p.leaving = t
		e.switchOut(from)
	}
	e.enqueue(c, t, 0, false)
	return true
}
