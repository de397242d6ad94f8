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
			p.effect = effRecv // its system call is paid with the message
			return
		case workload.Touch:
			p.effect = effTouch
			return
		case workload.Sleep:
			e.add(c, Syscall, e.price.syscall)
			p.effect = effSleep
			return
		case workload.Pass:
			if k.passing {
				p.effect = effPass
				return
			}
		case opSetUp:
			e.setUp(c, t)
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
	e.self = c
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
	case effTouch:
		e.touch(c, t)
	case effPass:
		e.pass(c, t)
	case effSetUp:
		e.await(c, t)
	case effNewIdle:
		e.newIdleDone(c)
	case effIdle:
		e.switchedOut(c)
	case effRound:
		e.goOn(c, t)
	}
}

// proceed goes on with t after the step it stands on.
func (e *engine) proceed(c, t int32) {
	e.tasks[t].advance()
	e.goOn(c, t)
}

// goOn plans t's next stretch, unless another task is due on c. A receive that
// comes next is looked at right away, which saves an event.
func (e *engine) goOn(c, t int32) {
	p := &e.cpus[c]
	if p.resched && e.beaten(c) {
		e.yield(c)
		return
	}
	k := &e.tasks[t]
	if e.steps[k.pc].Op == workload.Recv && p.segLeft == 0 {
		e.recv(c, t)
		return
	}
	e.plan(c, t)
	e.begin(c)
}

// send puts the message on its channel; if the receiver sleeps there, it is
// placed and c is busy waking it.
func (e *engine) send(c, t int32) {
	k := &e.tasks[t]
	ch := &e.chans[k.channels+int32(e.steps[k.pc].Channel)]
	if ch.pipe != none && !e.admit(c, t, ch.pipe) {
		return
	}
	ch.messages++
	ch.fromCPU = c
	ch.bytes = e.steps[k.pc].Bytes
	if !ch.waiting {
		e.proceed(c, t)
		return
	}
	ch.waiting = false
	e.wake(c, t, ch.to, ch.sync, ch.context)
	e.cpus[c].effect = effEnqueue
	e.begin(c)
}

// recv takes a message or blocks; a task that was woken takes it in resume.
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
	k.advance()
	e.plan(c, t)
	e.begin(c)
}

// take removes one message, pays for the system call and fetches the lines its
// sender left behind.
func (e *engine) take(c, t int32) {
	k := &e.tasks[t]
	ch := &e.chans[k.channels+int32(e.steps[k.pc].Channel)]
	ch.messages--
	if ch.pipe != none {
		e.drawOff(t, ch.pipe)
	}
	e.add(c, Syscall, e.price.syscall)
	if d := e.distance(c, ch.fromCPU); d != topology.SameCPU {
		e.add(c, LineTransfer, (int64(ch.lines)+int64(ch.bytes)*e.payload>>16)*e.price.line[d]>>8)
	}
}
