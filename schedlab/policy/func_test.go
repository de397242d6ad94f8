package policy_test

import (
	"testing"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// nosy writes down what its selector hears.
type nosy struct {
	policy.Policy
	heard *[]string
}

type nosySelector struct {
	policy.Selector
	heard *[]string
}

func (p nosy) Start(t *topology.Topology) policy.Selector {
	return nosySelector{p.Policy.Start(t), p.heard}
}

func (s nosySelector) CPUIdle(policy.View, topology.CPU, bool) { *s.heard = append(*s.heard, "idle") }
func (s nosySelector) TaskSlept(policy.View, workload.TaskID, topology.CPU) {
	*s.heard = append(*s.heard, "slept")
}
func (s nosySelector) Tick(policy.View, topology.CPU) { *s.heard = append(*s.heard, "tick") }

func TestFunc(t *testing.T) {
	var heard []string
	base := nosy{parse(t, "6.10+SIS_SYNC"), &heard}
	var asked int
	p := policy.Func("mine", base, func(v policy.View, w policy.Wakeup, base func() policy.Placement) policy.Placement {
		if asked++; w.This == 5 {
			return policy.Placement{CPU: 11, Reason: policy.Custom}
		}
		return base()
	})
	if p.Name() != "mine" || p.Kernel() != base.Kernel() {
		t.Errorf("name %q, kernel %+v", p.Name(), p.Kernel())
	}
	v := newFake(t, xeon)
	s := p.Start(v.topo)
	if got := s.SelectCPU(v, loopback(5, near)); got != (policy.Placement{CPU: 11, Reason: policy.Custom}) {
		t.Errorf("its own answer is %+v", got)
	}
	if got := s.SelectCPU(v, loopback(a, near)); got != (policy.Placement{CPU: a, Reason: policy.SyncStack}) {
		t.Errorf("the base's answer is %+v", got)
	}
	s.(policy.IdleObserver).CPUIdle(v, 0, true)
	s.(policy.SleepObserver).TaskSlept(v, 0, 0)
	s.(policy.TickObserver).Tick(v, 0)
	if len(heard) != 3 {
		t.Errorf("the base hears %v, want all three", heard)
	}
	// A base that observes nothing is left in peace.
	quiet := policy.Func("quiet", parse(t, "6.10"), nil).Start(v.topo)
	quiet.(policy.IdleObserver).CPUIdle(v, 0, true)
	quiet.(policy.SleepObserver).TaskSlept(v, 0, 0)
	quiet.(policy.TickObserver).Tick(v, 0)
}
