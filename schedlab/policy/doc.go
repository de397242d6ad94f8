// Package policy decides where a waking task goes.
//
// It stands fourth in the pipeline (topology < machine < workload < policy <
// internal/sim < schedlab). A Policy is a kernel version, a kernel version with
// a patch laid over it, or ten lines of your own:
//
//	Policy --Start(topology)--> Selector --SelectCPU(View, Wakeup)--> Placement
//	  |                            |                  |
//	  Kernel: data the engine      one run's          the machine as the waker
//	  follows outside placement    private state      can see it; looks are metered
//
// Invariants:
//   - A Selector MUST learn about the machine only through its View: what it
//     looks at is what it pays for.
//   - SelectCPU is called exactly once per placed wakeup and MUST return a CPU
//     the wakee is allowed on; anything else stops the run with a message
//     naming the policy, the time and the wakee.
//   - A Policy MUST be safe to Start many times at once; a Selector belongs to
//     one run.
//   - A loop of single looks and the bulk search over the same CPUs MUST give
//     equal CPU, probes and cost. The engine keeps this; policytest checks it.
//
// Kernel bookkeeping (has_idle_cores, nr_idle_scan, last_wakee, duration_avg,
// recent_used_cpu) belongs to the engine and is read through the View.
package policy
