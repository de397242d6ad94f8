package sim

import (
	"fmt"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// wake places wakee, woken by task t on c, and plans the waker's time for it.
func (e *engine) wake(c, t, wakee int32, sync bool, context workload.Context) {
	k := &e.tasks[wakee]
	p := &e.cpus[c]
	e.become(wakee, WakePath)
	k.wokenAt = e.now
	e.recordWakee(t, wakee)
	e.showClaims()
	w := policy.Wakeup{
		Wakee: workload.TaskID(wakee), Waker: workload.TaskID(t),
		This: topology.CPU(c), Prev: topology.CPU(k.cpu), Sync: sync, Context: context,
	}
	target, reason, price := k.cpu, policy.SwitchingOut, int64(0)
	if e.recorder != nil {
		e.recordHints(c, k.cpu)
	}
	if !e.queueOnOwn(c, k) {
		if spin := min(k.offCPUAt-e.now, e.price.contextSwitch); spin > 0 {
			// Not taken by its CPU's wakelist: the waker waits for the switch.
			e.add(c, WakePath, spin)
		}
		target, reason = e.choose(w)
		if reason != policy.Pinned {
			price = e.price.scanFixed + e.view.cost
			e.add(c, Search, price)
		}
	}
	e.meter.reasons[reason]++
	if e.recorder != nil {
		e.record(w, target, reason, price)
	}
	window := e.enqueueCost(c, target)
	if target != k.cpu {
		e.add(c, WakePath, e.price.moving)
		window += e.price.moving
	}
	e.claims.push(claim{e.now + stretched(window, e.stretchOf[e.busy[p.core]]), target})
	p.wakee, p.target = wakee, target
}

// recordWakee is the kernel's bookkeeping of who wakes whom.
func (e *engine) recordWakee(waker, wakee int32) {
	k := &e.tasks[waker]
	if e.now > k.flipStamp+1_000_000_000 {
		k.flips /= 2
		k.flipStamp = e.now
	}
	if k.lastWakee != wakee {
		k.lastWakee = wakee
		k.flips++
	}
}

// queueOnOwn: the wakee is still switching out and its own CPU takes it back
// over the wakelist, without placement.
func (e *engine) queueOnOwn(c int32, k *task) bool {
	if !e.kernel.QueueOnSwitchingOut || e.now >= k.offCPUAt || k.cpu == c || e.kernel.Wakelist == policy.WakelistOff {
		return false
	}
	own := &e.cpus[k.cpu]
	return own.llc != e.cpus[c].llc || int(own.nr) <= e.kernel.SwitchingOutMax
}

// choose asks the policy; a wakee allowed on one CPU is not placed.
func (e *engine) choose(w policy.Wakeup) (int32, policy.Reason) {
	e.view.open(w)
	allowed := e.view.mask
	if e.tasks[w.Wakee].restricted {
		if c, single := only(allowed); single {
			return c, policy.Pinned
		}
	}
	got := e.sel.SelectCPU(&e.view, w)
	e.meter.searches++
	e.meter.probes += int64(e.view.probes)
	c := int32(got.CPU)
	if c < 0 || int(c) >= len(e.cpus) || allowed[c>>6]>>(c&63)&1 == 0 {
		e.fail(fmt.Errorf("sim: policy %q placed task %d %q on CPU %d at %d ns, where it is not allowed to run (allowed: %s)",
			e.cfg.Policy.Name(), w.Wakee, e.cfg.Workload.Tasks[w.Wakee].Name, got.CPU, e.now, setOf(allowed)))
		return int32(w.Prev), policy.Custom
	}
	if got.Reason >= policy.NumReasons {
		e.fail(fmt.Errorf("sim: policy %q gave reason %d at %d ns, which is not one of the known ones", e.cfg.Policy.Name(), got.Reason, e.now))
		return c, policy.Custom
	}
	return c, got.Reason
}

// enqueueCost plans what queueing on target costs the waker on c, and returns
// how long it is before target no longer looks idle.
func (e *engine) enqueueCost(c, target int32) int64 {
	p, q := &e.cpus[c], &e.cpus[target]
	p.wakelist = false
	if target == c {
		e.add(c, WakePath, e.price.localWake)
		return e.price.localWake
	}
	switch e.kernel.Wakelist {
	case policy.WakelistOtherLLC:
		p.wakelist = p.llc != q.llc
	case policy.WakelistEmpty:
		p.wakelist = p.llc != q.llc || q.nr == 0
	}
	line := e.price.line[e.distance(c, target)]
	ns := e.price.remoteEnqueue + max(0, line-e.price.line[topology.LLC])
	if p.wakelist {
		ns = e.price.wakelistAdd + line
	}
	if !q.active && !e.sleeps[e.idlers[target].state].polling {
		ns += e.price.ipiSend
	}
	e.add(c, RemoteEnqueue, ns)
	return ns
}

// deliver queues the wakee c has placed.
func (e *engine) deliver(c int32) {
	p := &e.cpus[c]
	t, target := p.wakee, p.target
	p.wakee = none
	e.settleClaim(target)
	e.migrate(t, target)
	var lead int64
	if d := e.distance(c, target); d != topology.SameCPU && !e.sleeps[e.idlers[target].state].polling {
		lead = e.price.ipiDelivery
		if d == topology.Remote {
			lead += e.price.ipiRemoteExtra
		}
	}
	e.idlers[target].sampleIdle(e.now)
	e.enqueue(target, t, lead, p.wakelist)
}

// timer handles the timer of slot: a task's start or wakeup, or a CPU's tick.
func (e *engine) timer(slot int32) {
	e.timers.clear(slot)
	e.self = none
	if n := int32(len(e.tasks)); slot >= n {
		e.timers.set(slot, e.now+e.tickNS)
		e.tick(slot - n)
		return
	}
	k := &e.tasks[slot]
	if k.cpu == none {
		e.avg[slot].stamp = e.now
		e.enqueue(e.forkCPU(slot), slot, 0, false)
		return
	}
	e.wakeFromTimer(slot)
}

// wakeFromTimer places a sleeper from the interrupt on its last CPU. The
// interrupt lengthens what that CPU does; an idle one pays for it on its way out
// of idle, and nothing if the sleeper goes elsewhere.
func (e *engine) wakeFromTimer(t int32) {
	k := &e.tasks[t]
	c := k.cpu
	e.become(t, WakePath)
	k.wokenAt = e.now
	if waker := e.cpus[c].curr; waker != none {
		e.recordWakee(waker, t)
	}
	e.showClaims()
	w := policy.Wakeup{
		Wakee: workload.TaskID(t), Waker: workload.TaskID(e.cpus[c].curr),
		This: topology.CPU(c), Prev: topology.CPU(c), Context: workload.InIRQ,
	}
	if e.recorder != nil {
		e.recordHints(c, c)
	}
	target, reason := e.choose(w)
	e.meter.reasons[reason]++
	if e.recorder != nil {
		e.record(w, target, reason, e.view.cost)
	}
	e.migrate(t, target)
	e.idlers[target].sampleIdle(e.now)
	e.interrupt(c, Interrupt, e.price.tick)
	e.enqueue(target, t, 0, false)
}

// migrate notes how far wakee t goes.
func (e *engine) migrate(t, target int32) {
	d := e.distance(e.tasks[t].cpu, target)
	e.meter.migrations[d]++
	if d != topology.SameCPU {
		e.noteMove(t, target)
	}
}

func (e *engine) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}
