package policytest

import (
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// ask stands between the engine and the selector of the policy under test.
type ask func(v policy.View, w policy.Wakeup, base policy.Selector) policy.Placement

// watch is p with ask in front of each SelectCPU. Unlike policy.Func it hands on
// the selector itself and may keep what it sees.
func watch(p policy.Policy, f ask) policy.Policy { return watched{p, f} }

type watched struct {
	policy.Policy
	ask ask
}

func (p watched) Start(t *topology.Topology) policy.Selector {
	return &watcher{base: p.Policy.Start(t), ask: p.ask}
}

type watcher struct {
	base policy.Selector
	ask  ask
}

func (s *watcher) SelectCPU(v policy.View, w policy.Wakeup) policy.Placement {
	return s.ask(v, w, s.base)
}

func (s *watcher) CPUIdle(v policy.View, c topology.CPU, idle bool) {
	if o, ok := s.base.(policy.IdleObserver); ok {
		o.CPUIdle(v, c, idle)
	}
}

func (s *watcher) TaskSlept(v policy.View, t workload.TaskID, c topology.CPU) {
	if o, ok := s.base.(policy.SleepObserver); ok {
		o.TaskSlept(v, t, c)
	}
}

func (s *watcher) Tick(v policy.View, c topology.CPU) {
	if o, ok := s.base.(policy.TickObserver); ok {
		o.Tick(v, c)
	}
}
