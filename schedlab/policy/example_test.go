package policy_test

import (
	"fmt"
	"time"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/policy"
)

// A policy of your own: a wakee whose CPU has nothing else to do stays there;
// about everything else Linux 6.10 is asked.
func ExampleFunc() {
	linux, err := policy.Parse("6.10")
	if err != nil {
		fmt.Println(err)
		return
	}
	sticky := policy.Func("sticky", linux, func(v policy.View, w policy.Wakeup, base func() policy.Placement) policy.Placement {
		if v.NrRunning(w.Prev) == 0 {
			return policy.Placement{CPU: w.Prev, Reason: policy.Custom}
		}
		return base()
	})

	cfg, err := schedlab.Spec{Machine: "ivb48", Workload: "netperf-tcp_rr:10", Policy: "6.10"}.Config()
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg.Spec, cfg.Policy = schedlab.Spec{}, sticky // no Spec can name this one
	cfg.Warmup, cfg.Duration = time.Millisecond, 5*time.Millisecond
	r, err := schedlab.Simulate(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("policy:", r.Policy)
	fmt.Println("most wakees stay:", r.Placements[policy.Custom] > 9*r.Wakeups/10)
	// Output:
	// policy: sticky
	// most wakees stay: true
}

// Features are toggled by the kernel's own names.
func ExampleLinux() {
	p, err := policy.Linux("6.10", policy.Feature{Name: "SIS_SYNC"}, policy.Feature{Name: "WA_IDLE", Off: true})
	fmt.Println(p.Name(), err)
	_, err = policy.Linux("6.10", policy.Feature{Name: "SIS_SINC"})
	fmt.Println(err)
	// Output:
	// 6.10+NO_WA_IDLE+SIS_SYNC <nil>
	// policy: unknown feature of Linux 6.10 "SIS_SINC": nearest are SIS_SYNC, SIS_PROP, SIS_UTIL
}

func ExampleCanonical() {
	fmt.Println(policy.Canonical("6.10+SIS_SYNC+NO_TTWU_QUEUE+WA_IDLE"))
	// Output: 6.10+NO_TTWU_QUEUE+SIS_SYNC <nil>
}
