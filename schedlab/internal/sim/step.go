package sim

import (
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// plan lays out what task t does on c up to its next effect.
func (e *engine) plan(c, t int32) {
	k := &e.tasks[t]
	p := &e.cpus[c]
	for range k.end - k.steps {
		s := &e.steps[k.pc]
		switch s.Op {
		case workload.Run:
			e.add(c, Work, draw(&k.service, s))
		case workload.Done:
			// Counted when planned: at most one segment early, for all alike.
			e.meter.groups[k.group]++
		case workload.Send:
			e.add(c, Syscall, e.price.syscall)
			p.effect = effSend
			return
		case workload.Recv:
			e.add(c, Syscall, e.price.syscall)
			p.effect = effRecv
			return
		case workload.Sleep:
			e.add(c, Syscall, e.price.syscall)
			p.effect = effSleep
			return
		}
		k.advance()
	}
	p.effect = effRound
}

func (k *task) advance() {
	k.pc++
	if k.pc == k.end {
		k.pc = k.steps
	}
}

func draw(s *stream, step *workload.Step) int64 {
	switch step.Dist {
	case workload.Jittered:
		return s.jittered(step.Time, workload.JitterPercent)
	case workload.Exponential:
		return s.exponential(step.Time)
	}
	return step.Time
}

// complete handles the end of c's segment.
func (e *engine) complete(c int32) {
	e.finish(c)
	p := &e.cpus[c]
	t := p.curr
	switch p.effect {
	case effSend:
		e.send(c, t)
	case effEnqueue:
		e.deliver(c)
		e.proceed(c, t)
	case effRecv:
		e.recv(c, t)
	case effSleep:
		k := &e.tasks[t]
		s := &e.steps[k.pc]
		k.advance()
		e.timers.set(t, e.now+draw(&e.naps[t], s))
		e.block(c, t)
	case effIdle:
		e.switchedOut(c)
	case effRound:
		e.plan(c, t)
		e.begin(c)
	}
}

// proceed goes on with t after the step it stands on.
func (e *engine) proceed(c, t int32) {
	e.tasks[t].advance()
	e.plan(c, t)
	e.begin(c)
}

// send puts the message on its channel; if the receiver sleeps there, it is
// placed and c is busy waking it.
func (e *engine) send(c, t int32) {
	k := &e.tasks[t]
	ch := &e.chans[k.channels+int32(e.steps[k.pc].Channel)]
	ch.messages++
	ch.fromCPU = c
	if !ch.waiting {
		e.proceed(c, t)
		return
	}
	ch.waiting = false
	e.wake(c, t, ch.to, ch.sync, ch.context)
	e.cpus[c].effect = effEnqueue
	e.begin(c)
}

// recv takes a message or blocks. A task that was woken comes back here.
func (e *engine) recv(c, t int32) {
	k := &e.tasks[t]
	ch := &e.chans[k.channels+int32(e.steps[k.pc].Channel)]
	if ch.messages == 0 {
		ch.waiting = true
		k.receiving = true
		e.block(c, t)
		return
	}
	e.take(c, t)
	e.proceed(c, t)
}

// take removes one message and fetches the lines its sender left behind.
func (e *engine) take(c, t int32) {
	k := &e.tasks[t]
	ch := &e.chans[k.channels+int32(e.steps[k.pc].Channel)]
	ch.messages--
	if d := e.dist[c*e.stride+ch.fromCPU]; d != topology.SameCPU {
		e.add(c, LineTransfer, int64(ch.lines)*e.price.line[d]>>8)
	}
}

// block puts t to sleep and gives c to the next task or to the idle task.
func (e *engine) block(c, t int32) {
	k := &e.tasks[t]
	p := &e.cpus[c]
	e.become(t, Blocked)
	k.sumExec += e.now - k.execFrom
	k.duration += (k.sumExec - k.sleepExec - k.duration) >> 3
	k.sleepExec = k.sumExec
	k.offCPUAt = e.now + stretched(e.price.contextSwitch, e.stretchOf[e.busy[p.core]])
	p.nr--
	p.curr = none
	if e.onNap != nil {
		e.tellSlept(t, c)
	}
	if p.head != none {
		e.next(c, 0)
		return
	}
	e.add(c, ContextSwitch, e.price.contextSwitch)
	p.effect = effIdle
	e.begin(c)
}

// switchedOut ends the switch to the idle task: c idles, unless something was
// queued meanwhile.
func (e *engine) switchedOut(c int32) {
	if e.cpus[c].head != none {
		e.next(c, 0)
		return
	}
	e.deactivate(c)
}

// next gives c to the first task of its queue, after lead ns that are planned
// already.
func (e *engine) next(c int32, lead int64) {
	p := &e.cpus[c]
	t := p.head
	k := &e.tasks[t]
	p.head = k.next
	if p.head == none {
		p.tail = none
	}
	p.curr = t
	e.become(t, running)
	e.add(c, ContextSwitch, e.price.contextSwitch)
	k.execFrom = e.now + lead + e.price.contextSwitch
	if k.wokenAt >= 0 {
		e.meter.wakeups++
		e.meter.latency.add(k.execFrom - k.wokenAt)
		k.wokenAt = none
	}
	if k.receiving {
		// Woken from a receive: back in the system call, past its entry.
		k.receiving = false
		e.take(c, t)
		k.advance()
	}
	e.plan(c, t)
	e.begin(c)
}

// enqueue makes t runnable on c. over tells that the enqueue went over c's
// wakelist, so that c itself pays for it.
func (e *engine) enqueue(c, t int32, lead int64, over bool) {
	p := &e.cpus[c]
	k := &e.tasks[t]
	e.become(t, Queued)
	k.cpu = c
	k.next = none
	if p.head == none {
		p.head = t
	} else {
		e.tasks[p.tail].next = t
	}
	p.tail = t
	p.nr++
	if p.active {
		return
	}
	e.activate(c)
	p.curr = t // the exit from idle is for t, on both accounts
	e.become(t, running)
	e.add(c, RemoteEnqueue, lead)
	e.add(c, IdleExit, e.price.idleExit)
	lead += e.price.idleExit
	if over {
		e.add(c, WakePath, e.price.localWake)
		lead += e.price.localWake
	}
	e.next(c, lead)
}
