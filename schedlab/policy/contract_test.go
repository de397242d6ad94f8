package policy_test

import (
	"testing"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/policy/policytest"
	"github.com/schedlab/lab/schedlab/topology"
)

func parse(tb testing.TB, text string) policy.Policy {
	tb.Helper()
	p, err := policy.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// dice places on any allowed CPU. Its generator lives in the selector, so that
// each run throws the same.
type dice struct{ policy.Policy }

func (dice) Name() string                               { return "dice" }
func (dice) Start(t *topology.Topology) policy.Selector { return &die{state: 1, cpus: t.All().CPUs()} }

type die struct {
	state uint64
	cpus  []topology.CPU
}

func (d *die) SelectCPU(v policy.View, w policy.Wakeup) policy.Placement {
	for {
		d.state = d.state*6364136223846793005 + 1442695040888963407
		c := d.cpus[d.state>>33%uint64(len(d.cpus))]
		if v.Allowed(w.Wakee, c) {
			return policy.Placement{CPU: c, Reason: policy.Custom}
		}
	}
}

// TestContract runs the contract on the built-in policies, on one made with Func
// and on one that shares nothing with them.
func TestContract(t *testing.T) {
	policies := []policy.Policy{}
	for _, text := range []string{"6.10", "6.10+SIS_SYNC", "6.10+NO_WA_IDLE", "6.10+NO_TTWU_QUEUE"} {
		policies = append(policies, parse(t, text))
	}
	stay := policy.Func("stay", parse(t, "6.10"), func(v policy.View, w policy.Wakeup, base func() policy.Placement) policy.Placement {
		if v.NrRunning(w.Prev) == 0 {
			return policy.Placement{CPU: w.Prev, Reason: policy.Custom}
		}
		return base()
	})
	for _, p := range append(policies, stay, dice{parse(t, "6.10")}) {
		t.Run(p.Name(), func(t *testing.T) { policytest.Test(t, p) })
	}
}
