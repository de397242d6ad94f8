package schedlab_test

import (
	"context"
	"fmt"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/policy"
)

// Does SIS_SYNC help 110 netperf pairs on 240 CPUs? Both runs share their draws.
func Example() {
	sweep := schedlab.Sweep{}
	var specs []schedlab.Spec
	for _, p := range []string{"6.10", "6.10+SIS_SYNC"} {
		s, err := schedlab.Parse("xeon240 netperf-tcp_rr:110 " + p + " seed=1 warmup=2ms duration=3ms")
		if err != nil {
			fmt.Println(err)
			return
		}
		specs = append(specs, s)
	}
	results, err := sweep.Run(context.Background(), specs)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Printf("%s: %d CPUs, %d tasks, every ns accounted for: %v\n",
			r.Policy, r.CPUs, r.Tasks, r.CPUTime.Total() == int64(r.CPUs)*r.WindowNS)
	}
	// Output:
	// 6.10: 240 CPUs, 220 tasks, every ns accounted for: true
	// 6.10+SIS_SYNC: 240 CPUs, 220 tasks, every ns accounted for: true
}

func ExampleParse() {
	s, err := schedlab.Parse("xeon240 netperf-tcp_rr:240 6.10+SIS_SYNC seed=1")
	fmt.Println(s, err)
	_, err = schedlab.Parse("xeon24 netperf-tcp_rr:240 6.10")
	fmt.Println(err)
	// Output:
	// xeon240 netperf-tcp_rr:240 6.10+SIS_SYNC seed=1 warmup=150ms duration=60ms <nil>
	// machine: unknown machine "xeon24": nearest are xeon240, xeon240-llc120, spr224
}

// A policy of your own in ten lines: everybody stays where they were.
func ExampleSimulate() {
	cfg, err := schedlab.Spec{Machine: "ivb48", Workload: "pipe:24", Policy: "6.10", Warmup: 1e6, Duration: 2e6}.Config()
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg.Spec = schedlab.Spec{} // this run has no name
	cfg.Policy = policy.Func("stay", cfg.Policy, func(v policy.View, w policy.Wakeup, base func() policy.Placement) policy.Placement {
		return policy.Placement{CPU: w.Prev, Reason: policy.Custom}
	})
	r, err := schedlab.Simulate(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	moved := r.Wakeups - r.Migrations[0]
	fmt.Printf("%s: looked at %d CPUs, moved tasks: %v\n", r.Policy, r.Probes, moved > 1)
	// Output: stay: looked at 0 CPUs, moved tasks: false
}
