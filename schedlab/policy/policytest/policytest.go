package policytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/policy"
)

// clause is one part of the contract; nil means kept.
type clause struct {
	name  string
	check func(p policy.Policy, stages []stage) error
}

var clauses = []clause{
	{"placements", placements},
	{"repeatable", repeatable},
	{"searches", searches},
	{"allocations", allocations},
	{"draws", draws},
	{"wakeups", wakeups},
}

// Test checks p against every clause, one subtest each. It takes some seconds,
// less with -short, and MUST NOT run in parallel with other tests, because it
// counts allocations.
func Test(t *testing.T, p policy.Policy) {
	t.Helper()
	all, err := stages(testing.Short())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clauses {
		t.Run(c.name, func(t *testing.T) {
			if err := c.check(p, all); err != nil {
				t.Errorf("policy %q: %v", p.Name(), err)
			}
		})
	}
}

// each plays every stage under p and stops at the first error.
func each(p policy.Policy, stages []stage, f func(s stage, r *schedlab.Result) error) error {
	for _, s := range stages {
		r, err := schedlab.Simulate(s.under(p))
		if err == nil {
			err = f(s, r)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func placements(p policy.Policy, stages []stage) error {
	for _, s := range stages {
		var first error
		w := watch(p, func(v policy.View, w policy.Wakeup, base policy.Selector) policy.Placement {
			got := base.SelectCPU(v, w)
			if err := answer(v, w, got); err != nil && first == nil {
				first = fmt.Errorf("at %d ns: %w", v.Now(), err)
			}
			return got
		})
		r, err := schedlab.Simulate(s.under(w))
		if first != nil {
			err = first
		}
		if err == nil && r.Searches == 0 {
			err = fmt.Errorf("was never asked")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// answer checks one placement.
func answer(v policy.View, w policy.Wakeup, got policy.Placement) error {
	if !v.Allowed(w.Wakee, got.CPU) {
		return fmt.Errorf("task %d is placed on CPU %d, where it is not allowed", w.Wakee, got.CPU)
	}
	switch {
	case got.Reason == policy.Pinned, got.Reason == policy.SwitchingOut:
		return fmt.Errorf("task %d is placed for reason %q, which only the engine gives (set Reason: policy.Custom)", w.Wakee, got.Reason)
	case got.Reason >= policy.NumReasons:
		return fmt.Errorf("task %d is placed for unknown reason %d (a policy of your own gives policy.Custom)", w.Wakee, got.Reason)
	}
	return nil
}

func repeatable(p policy.Policy, stages []stage) error {
	if k := p.Kernel(); p.Name() == "" || p.Name() != p.Name() || k != p.Kernel() {
		return fmt.Errorf("name %q or kernel is empty or changes from call to call", p.Name())
	}
	return each(p, stages, func(s stage, first *schedlab.Result) error {
		var again [3][]byte
		var errs [3]error
		again[0], errs[0] = play(s.under(p))
		var wg sync.WaitGroup
		for i := 1; i < len(again); i++ {
			wg.Go(func() { again[i], errs[i] = play(s.under(p)) })
		}
		wg.Wait()
		want, err := json.Marshal(first)
		if err != nil {
			return err
		}
		for i, got := range again {
			switch {
			case errs[i] != nil:
				return errs[i]
			case bytes.Equal(got, want):
			case i == 0:
				return fmt.Errorf("the same run again gives another result: the policy keeps something between runs")
			default:
				return fmt.Errorf("two runs at once give another result: they share something")
			}
		}
		return nil
	})
}

func play(c schedlab.Config) ([]byte, error) {
	r, err := schedlab.Simulate(c)
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

// allocations compares a run with one four times as long: what is allocated once
// cancels out.
func allocations(p policy.Policy, stages []stage) error {
	for _, s := range stages {
		var r *schedlab.Result
		var err error
		count := func(d time.Duration) float64 {
			c := s.under(p)
			c.Duration = d
			return testing.AllocsPerRun(1, func() {
				if err == nil {
					r, err = schedlab.Simulate(c)
				}
			})
		}
		short, long := count(s.cfg.Duration), count(4*s.cfg.Duration)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if more := long - short; more > 10+float64(r.Searches)/50 {
			return fmt.Errorf("%s: a longer run makes %.0f more allocations in about %d searches: SelectCPU or an observer allocates", s.name, more, r.Searches)
		}
	}
	return nil
}

// draws plays a workload that comes to an end under p and under plain 6.10.
func draws(p policy.Policy, _ []stage) error {
	plain, err := policy.Linux("6.10")
	if err != nil {
		return err
	}
	s, err := finite()
	if err != nil {
		return err
	}
	want, err := schedlab.Simulate(s.under(plain))
	if err != nil {
		return err
	}
	got, err := schedlab.Simulate(s.under(p))
	if err != nil {
		return err
	}
	return sameWork(got, want)
}

// sameWork compares what the tasks did in all, which the draws alone decide.
func sameWork(got, want *schedlab.Result) error {
	for i, n := range want.DoneByGroup {
		if got.DoneByGroup[i] != n {
			return fmt.Errorf("group %d completes %d rounds of %d: the run starves it", i, got.DoneByGroup[i], n)
		}
	}
	if g, w := got.TaskTime[schedlab.Work], want.TaskTime[schedlab.Work]; g != w {
		return fmt.Errorf("the tasks work %d ns in all, under %s %d: the policy shifts what the workload draws", g, want.Policy, w)
	}
	return nil
}

func wakeups(p policy.Policy, stages []stage) error {
	for _, s := range stages {
		var first error
		w := watch(p, func(v policy.View, w policy.Wakeup, base policy.Selector) policy.Placement {
			if err := question(v, w); err != nil && first == nil {
				first = fmt.Errorf("at %d ns: %w", v.Now(), err)
			}
			return base.SelectCPU(v, w)
		})
		r, err := schedlab.Simulate(s.under(w))
		if first != nil {
			err = first
		}
		if err == nil && s.pinned && r.Placements[policy.Pinned] == 0 {
			err = fmt.Errorf("no wakeup of a pinned task was counted")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// question checks one wakeup.
func question(v policy.View, w policy.Wakeup) error {
	all := v.Topology().All()
	allowed := 0
	for c := range all.Wrap(0) {
		if v.Allowed(w.Wakee, c) {
			allowed++
		}
	}
	switch {
	case allowed < 2:
		return fmt.Errorf("asked about task %d, which has %d CPUs to run on", w.Wakee, allowed)
	case w.Wakee == w.Waker:
		return fmt.Errorf("task %d wakes itself", w.Wakee)
	case !all.Has(w.This) || !v.Allowed(w.Wakee, w.Prev):
		return fmt.Errorf("task %d: this is CPU %d, prev is CPU %d", w.Wakee, w.This, w.Prev)
	}
	return nil
}
