package policytest

import (
	"fmt"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
)

// metered is what the engine's View offers beyond policy.View.
type metered interface {
	Meter() (probes int, cost int64)
}

// searches compares bulk searches with loops from inside SelectCPU, on sets,
// starts and budgets that change from wakeup to wakeup.
func searches(p policy.Policy, stages []stage) error {
	for _, s := range stages {
		var first error
		n := uint64(0)
		w := watch(p, func(v policy.View, w policy.Wakeup, base policy.Selector) policy.Placement {
			if n++; first == nil && n%5 == 0 {
				if err := compare(v, w, n); err != nil {
					first = fmt.Errorf("at %d ns, %+v: %w", v.Now(), w, err)
				}
			}
			return base.SelectCPU(v, w)
		})
		_, err := schedlab.Simulate(s.under(w))
		if first != nil {
			err = first
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// outcome is what a search found and what it cost.
type outcome struct {
	cpu, fallback topology.CPU
	probes        int // as returned
	metered       int
	cost          int64
}

func compare(v policy.View, w policy.Wakeup, n uint64) error {
	m, ok := v.(metered)
	if !ok {
		return fmt.Errorf("the View has no method Meter() (probes int, cost int64)")
	}
	set, from, budget := draw(v.Topology(), w, n)
	bulk := measure(m, func(o *outcome) { o.cpu, o.probes = v.FirstIdle(set, from, budget) })
	loop := measure(m, func(o *outcome) { o.cpu, o.probes = loopIdle(v, w, set, from, budget) })
	if bulk != loop {
		return fmt.Errorf("FirstIdle([%s], %d, %d) gives %+v, a loop %+v", set, from, budget, bulk, loop)
	}
	bulk = measure(m, func(o *outcome) { o.cpu, o.fallback, o.probes = v.FirstIdleCore(set, from) })
	loop = measure(m, func(o *outcome) { o.cpu, o.fallback, o.probes = loopCore(v, w, set, from) })
	if bulk != loop {
		return fmt.Errorf("FirstIdleCore([%s], %d) gives %+v, a loop %+v", set, from, bulk, loop)
	}
	if bulk.probes != bulk.metered {
		return fmt.Errorf("FirstIdleCore([%s], %d) says %d probes and meters %d", set, from, bulk.probes, bulk.metered)
	}
	return nil
}

func measure(m metered, f func(o *outcome)) outcome {
	probes, cost := m.Meter()
	var o outcome
	f(&o)
	p, c := m.Meter()
	o.metered, o.cost = p-probes, c-cost
	return o
}

// draw is the n-th set, start and budget: an LLC, a cluster, all CPUs, or some of
// them, often over several LLCs.
func draw(t *topology.Topology, w policy.Wakeup, n uint64) (topology.CPUSet, topology.CPU, int) {
	h := n * 0x9e3779b97f4a7c15
	h ^= h >> 29
	size := uint64(t.NumCPUs())
	from := topology.CPU(h>>8%(size+3)) - 1
	var set topology.CPUSet
	switch h % 5 {
	case 0:
		set = t.LLCCPUs(t.LLC(w.Prev))
	case 1:
		set = t.ClusterCPUs(t.Cluster(w.This))
	case 2:
		set = t.All()
	case 3:
		lo := topology.CPU(h >> 20 % size)
		set = topology.Range(lo, lo+topology.CPU(h>>40%size))
	default:
		for c := range t.All().Wrap(0) {
			if h>>(uint(c)%61)&1 != 0 {
				set = set.Or(topology.NewCPUSet(c))
			}
		}
	}
	return set, from, int(h>>33%(size+2)) - 1
}

// loopIdle is View.FirstIdle in single looks.
func loopIdle(v policy.View, w policy.Wakeup, set topology.CPUSet, from topology.CPU, budget int) (topology.CPU, int) {
	probes := 0
	for c := range set.Wrap(from) {
		if !v.Allowed(w.Wakee, c) {
			continue
		}
		if probes == budget {
			break
		}
		probes++
		if v.Idle(c) {
			return c, probes
		}
	}
	return topology.NoCPU, probes
}

// loopCore is View.FirstIdleCore in single looks.
func loopCore(v policy.View, w policy.Wakeup, set topology.CPUSet, from topology.CPU) (topology.CPU, topology.CPU, int) {
	t, fallback, probes := v.Topology(), topology.NoCPU, 0
	var seen topology.CPUSet
	for c := range set.Wrap(from) {
		if !v.Allowed(w.Wakee, c) || seen.Has(c) {
			continue
		}
		core := t.CoreCPUs(t.Core(c))
		seen = seen.Or(core)
		free := true
		for x := range core.Wrap(0) {
			probes++
			if v.Idle(x) {
				if fallback == topology.NoCPU && set.Has(x) && v.Allowed(w.Wakee, x) {
					fallback = x
				}
				continue
			}
			free = false
			if fallback != topology.NoCPU {
				break
			}
		}
		if free {
			return c, fallback, probes
		}
	}
	return topology.NoCPU, fallback, probes
}
