package schedlab

import (
	"context"
	"time"

	"github.com/schedlab/lab/schedlab/internal/sim"
	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/workload"
)

// Config is a run with every name resolved. Spec.Config makes one; change a
// field to simulate what no Spec can name, such as a policy of your own, and
// the Result says so.
type Config struct {
	// Spec is the name this Config was made from, for the label of the Result.
	// Set it to the zero Spec when you change what it names; where names, seed
	// or times no longer fit, the Result goes without a label anyway.
	Spec     Spec
	Machine  *machine.Machine
	Workload *workload.Workload
	Policy   policy.Policy
	Seed     uint64
	// Warmup is simulated after the last task has started and not counted;
	// Duration, the measured window, must be positive.
	Warmup, Duration time.Duration
	// Progress, if not nil, is called now and then from the simulating
	// goroutine with how much simulated time is done.
	Progress func(done, total time.Duration)
	// Record asks for single placements, Result.Decisions; the zero value for
	// none.
	Record Record
}

// Simulate plays c and reports what happened in its window. Errors are about
// the Config, about a policy that chose a CPU the wakee may not use, or about a
// workload that makes no progress.
func Simulate(c Config) (*Result, error) { return SimulateContext(context.Background(), c) }

// SimulateContext is Simulate, given up with the context's error when ctx is
// cancelled.
func SimulateContext(ctx context.Context, c Config) (*Result, error) {
	sc := sim.Config{
		Machine: c.Machine, Workload: c.Workload, Policy: c.Policy, Seed: c.Seed,
		Warmup: int64(c.Warmup), Duration: int64(c.Duration),
		Record: c.Record.sim(),
	}
	if c.Progress != nil {
		sc.Progress = func(done, total int64) { c.Progress(time.Duration(done), time.Duration(total)) }
	}
	t, err := sim.Run(ctx, sc)
	if err != nil {
		return nil, err
	}
	return newResult(c, t), nil
}
