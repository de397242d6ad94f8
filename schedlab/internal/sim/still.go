package sim

import (
	"context"
	"fmt"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// Still is a machine at one instant, set up by hand: the same engine state and
// the same metered View as in a run, without time passing. Scenario tests ask it
// where a policy would place a wakee.
type Still struct {
	e *engine
}

// NewStill returns an idle machine with tasks sleeping tasks that never ran.
func NewStill(m *machine.Machine, p policy.Policy, tasks int) (*Still, error) {
	w := &workload.Workload{Name: "still", Groups: 1, Programs: []workload.Program{{{Op: workload.Recv}}}}
	for i := range tasks {
		w.Tasks = append(w.Tasks, workload.Task{Name: fmt.Sprint(i), Base: workload.ChannelID(i)})
		w.Channels = append(w.Channels, workload.Channel{From: workload.TaskID(i), To: workload.TaskID(i)})
	}
	e, err := compile(context.Background(), Config{Machine: m, Workload: w, Policy: p, Duration: 1})
	if err != nil {
		return nil, err
	}
	for i := range e.avg {
		e.avg[i] = average{}
		e.tasks[i].cpu = 0
	}
	return &Still{e}, nil
}

func (s *Still) check(t workload.TaskID, c topology.CPU) error {
	if t < 0 || int(t) >= len(s.e.tasks) {
		return fmt.Errorf("sim: no task %d", t)
	}
	if !s.e.topo.All().Has(c) {
		return fmt.Errorf("sim: no CPU %d", c)
	}
	return nil
}

// Run makes t the running task of c, Queue one that waits there.
func (s *Still) Run(t workload.TaskID, c topology.CPU) error {
	if err := s.check(t, c); err != nil {
		return err
	}
	e, x := s.e, int32(c)
	if e.cpus[x].curr != none {
		return fmt.Errorf("sim: CPU %d already runs a task", c)
	}
	e.cpus[x].active = true
	e.cpus[x].curr = int32(t)
	e.busy[e.cpus[x].core]++
	s.add(int32(t), x)
	return nil
}

// Queue: see Run.
func (s *Still) Queue(t workload.TaskID, c topology.CPU) error {
	if err := s.check(t, c); err != nil {
		return err
	}
	s.e.cpus[c].rq.insert(int32(t), &s.e.ents[t])
	s.add(int32(t), int32(c))
	return nil
}

func (s *Still) add(t, c int32) {
	s.e.tasks[t].cpu = c
	s.e.cpus[c].nr++
	s.e.markBusy(c)
}

// Sleep makes t a sleeper that last ran on c.
func (s *Still) Sleep(t workload.TaskID, c topology.CPU) error {
	if err := s.check(t, c); err != nil {
		return err
	}
	s.e.tasks[t].cpu = int32(c)
	return nil
}

// TaskState is what a task remembers; zero fields mean what a new task has.
type TaskState struct {
	Recent       topology.CPU // recent_used_cpu, NoCPU for none
	LastWakee    workload.TaskID
	Flips        int
	Duration     int64 // duration_avg, ns
	Load         int64 // load average, 1024 = always runnable at nice 0
	BoundKthread bool
	Allowed      topology.CPUSet
}

// SetTask gives t its memory.
func (s *Still) SetTask(t workload.TaskID, x TaskState) error {
	if err := s.check(t, s.e.topo.All().First()); err != nil {
		return err
	}
	k := &s.e.tasks[t]
	k.recent, k.lastWakee, k.flips = int32(x.Recent), int32(x.LastWakee), int32(x.Flips)
	k.duration, k.boundKthread = x.Duration, x.BoundKthread
	s.e.avg[t].load = x.Load << peltShift
	if !x.Allowed.Empty() {
		words := make([]uint64, len(s.e.idle))
		copy(words, x.Allowed.And(s.e.topo.All()).Words())
		s.e.allowed[t], k.restricted = words, true
	}
	return nil
}

// SetLoad sets the load average of c's queue.
func (s *Still) SetLoad(c topology.CPU, load int64) { s.e.rqAvg[c].load = load << peltShift }

// SetHints sets has_idle_cores and nr_idle_scan of c's LLC; a negative scan
// keeps the whole LLC.
func (s *Still) SetHints(c topology.CPU, idleCores bool, scan int64) {
	llc := s.e.cpus[c].llc
	s.e.idleCores[llc] = idleCores
	if scan >= 0 {
		s.e.scanHint[llc] = scan
	}
}

// HasIdleCores is the hint as the last placement left it.
func (s *Still) HasIdleCores(c topology.CPU) bool { return s.e.idleCores[s.e.cpus[c].llc] }

// Ask places w as the engine does, bookkeeping of the waker included, and
// returns the answer with its probes and their price in ns.
func (s *Still) Ask(w policy.Wakeup) (policy.Placement, int, int64, error) {
	e := s.e
	if w.Waker != workload.NoTask {
		e.recordWakee(int32(w.Waker), int32(w.Wakee))
	}
	c, reason := e.choose(w)
	return policy.Placement{CPU: topology.CPU(c), Reason: reason}, e.view.probes, e.view.cost, e.err
}
