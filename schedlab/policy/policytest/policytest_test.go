package policytest

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
)

func linux(t *testing.T) policy.Policy {
	p, err := policy.Linux("6.10")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runs is shared by all runs of a policy, as no policy's state may be.
var runs atomic.Int64

var sink []byte

// TestBrokenPolicies: each breaks one clause, and that clause says so.
func TestBrokenPolicies(t *testing.T) {
	base := linux(t)
	change := func(f func(v policy.View, w policy.Wakeup, p policy.Placement) policy.Placement) policy.Policy {
		return policy.Func("broken", base, func(v policy.View, w policy.Wakeup, base func() policy.Placement) policy.Placement {
			return f(v, w, base())
		})
	}
	for _, c := range []struct {
		name, clause, want string
		p                  policy.Policy
	}{
		{"goes anywhere", "placements", "where it is not allowed", change(func(v policy.View, w policy.Wakeup, p policy.Placement) policy.Placement {
			return policy.Placement{CPU: 0, Reason: policy.Custom}
		})},
		{"goes nowhere", "placements", "placed on CPU -1, where it is not allowed", change(func(v policy.View, w policy.Wakeup, p policy.Placement) policy.Placement {
			return policy.Placement{CPU: topology.NoCPU, Reason: policy.Custom}
		})},
		{"forgets the reason", "placements", `reason "pinned", which only the engine gives`, change(func(v policy.View, w policy.Wakeup, p policy.Placement) policy.Placement {
			return policy.Placement{CPU: p.CPU}
		})},
		{"invents a reason", "placements", "unknown reason 99", change(func(v policy.View, w policy.Wakeup, p policy.Placement) policy.Placement {
			return policy.Placement{CPU: p.CPU, Reason: 99}
		})},
		{"remembers runs", "repeatable", "keeps something between runs", counting{base}},
		{"renames itself", "repeatable", "changes from call to call", &renamed{Policy: base}},
		{"allocates", "allocations", "SelectCPU or an observer allocates", change(func(v policy.View, w policy.Wakeup, p policy.Placement) policy.Placement {
			sink = make([]byte, 16)
			return p
		})},
		{"does not tell what it costs", "searches", "has no method Meter", blind{base}},
		{"miscounts", "searches", "FirstIdle", cheat{base}},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, err := stages(true)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range clauses {
				if k.name != c.clause {
					continue
				}
				if c.clause == "searches" {
					// The engine's part: put the broken View under the comparison.
					err = brokenView(c.p, all[0])
				} else {
					err = k.check(c.p, all)
				}
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("clause %s says %v, want %q", c.clause, err, c.want)
			}
		})
	}
}

// counting places by how many runs there have been.
type counting struct{ policy.Policy }

func (p counting) Start(t *topology.Topology) policy.Selector {
	n := runs.Add(1)
	return policy.Func("counting", p.Policy, func(v policy.View, w policy.Wakeup, base func() policy.Placement) policy.Placement {
		if p := base(); (v.Now()+int64(p.CPU))%7 != n%7 {
			return p
		}
		return policy.Placement{CPU: w.Prev, Reason: policy.Custom}
	}).Start(t)
}

type renamed struct {
	policy.Policy
	n int
}

func (p *renamed) Name() string {
	p.n++
	return strings.Repeat("x", p.n)
}

// blind and cheat hand out a View that breaks the engine's word.
type blind struct{ policy.Policy }
type cheat struct{ policy.Policy }

type blindView struct{ policy.View }

type cheatView struct {
	policy.View
	metered
}

// FirstIdle looks at everything before it says what the real one says.
func (v cheatView) FirstIdle(set topology.CPUSet, from topology.CPU, budget int) (topology.CPU, int) {
	c, n := v.View.FirstIdle(set, from, budget)
	v.View.Idle(0)
	return c, n + 1
}

func brokenView(p policy.Policy, s stage) error {
	var first error
	_, err := schedlab.Simulate(s.under(watch(p, func(v policy.View, w policy.Wakeup, base policy.Selector) policy.Placement {
		if first == nil {
			switch p.(type) {
			case blind:
				first = compare(blindView{v}, w, 1)
			case cheat:
				first = compare(cheatView{v, v.(metered)}, w, 1)
			}
		}
		return base.SelectCPU(v, w)
	})))
	if err != nil {
		return err
	}
	return first
}

func TestQuestions(t *testing.T) {
	all, err := stages(true)
	if err != nil {
		t.Fatal(err)
	}
	// A question as no engine may ask it, checked inside a run.
	for _, c := range []struct {
		want   string
		change func(w *policy.Wakeup)
	}{
		{"which has 1 CPUs to run on", func(w *policy.Wakeup) { w.Wakee = 5 }}, // worker-1-0 is pinned
		{"wakes itself", func(w *policy.Wakeup) { w.Waker = w.Wakee }},
		{"prev is CPU -1", func(w *policy.Wakeup) { w.Prev = topology.NoCPU }},
		{"this is CPU 99", func(w *policy.Wakeup) { w.This = 99 }},
	} {
		var got error
		_, err := schedlab.Simulate(all[2].under(watch(linux(t), func(v policy.View, w policy.Wakeup, base policy.Selector) policy.Placement {
			x := w
			c.change(&x)
			if got == nil {
				got = question(v, x)
			}
			return base.SelectCPU(v, w)
		})))
		if err != nil {
			t.Fatal(err)
		}
		if got == nil || !strings.Contains(got.Error(), c.want) {
			t.Errorf("%v, want %q", got, c.want)
		}
	}
}

func TestSameWork(t *testing.T) {
	s, err := finite()
	if err != nil {
		t.Fatal(err)
	}
	a, err := schedlab.Simulate(s.under(linux(t)))
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range a.DoneByGroup {
		if n != 40 {
			t.Errorf("pair %d goes %d rounds, want 40", i, n)
		}
	}
	s.cfg.Seed++
	b, err := schedlab.Simulate(s.under(linux(t)))
	if err != nil {
		t.Fatal(err)
	}
	if err := sameWork(a, b); err == nil || !strings.Contains(err.Error(), "shifts what the workload draws") {
		t.Errorf("other draws: %v", err)
	}
	b.DoneByGroup[3]--
	if err := sameWork(b, a); err == nil || !strings.Contains(err.Error(), "group 3 completes 39 rounds of 40") {
		t.Errorf("a starved pair: %v", err)
	}
}
