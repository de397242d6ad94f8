package policy

import (
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// Func is a policy of your own in one function: f is asked for each wakeup and
// may call base for the answer of the policy underneath, whose kernel and
// bookkeeping it keeps. f MUST keep no state between calls; what it needs to
// know it looks up in the View, and pays for.
//
// base MUST be called at most once per wakeup and only before f returns.
func Func(name string, base Policy, f func(v View, w Wakeup, base func() Placement) Placement) Policy {
	return &funcPolicy{name, base, f}
}

type funcPolicy struct {
	name string
	base Policy
	f    func(v View, w Wakeup, base func() Placement) Placement
}

func (p *funcPolicy) Name() string   { return p.name }
func (p *funcPolicy) Kernel() Kernel { return p.base.Kernel() }

func (p *funcPolicy) Start(t *topology.Topology) Selector {
	s := &funcSelector{f: p.f, base: p.base.Start(t)}
	// One closure per run, not per wakeup: the hot path allocates nothing.
	s.ask = func() Placement { return s.base.SelectCPU(s.v, s.w) }
	s.idle, _ = s.base.(IdleObserver)
	s.slept, _ = s.base.(SleepObserver)
	s.tick, _ = s.base.(TickObserver)
	return s
}

type funcSelector struct {
	f     func(v View, w Wakeup, base func() Placement) Placement
	base  Selector
	ask   func() Placement
	v     View
	w     Wakeup
	idle  IdleObserver
	slept SleepObserver
	tick  TickObserver
}

func (s *funcSelector) SelectCPU(v View, w Wakeup) Placement {
	s.v, s.w = v, w
	return s.f(v, w, s.ask)
}

func (s *funcSelector) CPUIdle(v View, c topology.CPU, idle bool) {
	if s.idle != nil {
		s.idle.CPUIdle(v, c, idle)
	}
}

func (s *funcSelector) TaskSlept(v View, t workload.TaskID, c topology.CPU) {
	if s.slept != nil {
		s.slept.TaskSlept(v, t, c)
	}
}

func (s *funcSelector) Tick(v View, c topology.CPU) {
	if s.tick != nil {
		s.tick.Tick(v, c)
	}
}
