package sim

import "github.com/schedlab/lab/schedlab/workload"

// opSetUp, beyond the workload's operations, is what a task does between its
// fork and its program.
const opSetUp = workload.Op(255)

// compileBarrier lets tasks that have something to do before their programs begin
// with a step that stands after all programs'. entry is where they go on.
func (e *engine) compileBarrier() {
	w := e.cfg.Workload
	e.entry, e.release = make([]int32, len(w.Tasks)), make([]int64, len(w.Tasks))
	release := w.Barrier.Release
	begin := int32(len(e.steps))
	e.steps = append(e.steps, workload.Step{Op: opSetUp})
	for i, t := range w.Tasks {
		if t.AtBarrier || t.Setup > 0 {
			e.entry[i], e.tasks[i].pc = e.tasks[i].pc, begin
		}
		if t.AtBarrier {
			e.release[i] = release
			release += w.Barrier.Gap
		}
	}
}

// setUp plans t's set-up on c.
func (e *engine) setUp(c, t int32) {
	e.add(c, Work, e.cfg.Workload.Tasks[t].Setup)
	e.add(c, Syscall, e.price.syscall)
	e.cpus[c].effect = effSetUp
}

// await lets t, set up on c, sleep until the barrier opens, if it is to.
func (e *engine) await(c, t int32) {
	e.tasks[t].pc = e.entry[t]
	if e.now >= e.release[t] {
		e.goOn(c, t)
		return
	}
	e.timers.set(t, e.release[t])
	e.block(c, t)
}
