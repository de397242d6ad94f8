package experiment

import (
	"context"
	"fmt"

	"github.com/schedlab/lab/datasets"
	"github.com/schedlab/lab/schedlab"
)

// Pinned is one pair with both ends held in place: an absolute figure of the
// SIS_SYNC mail beside its simulation.
type Pinned struct {
	Placement string // datasets.SameCPU or datasets.OtherCPU
	Spec      schedlab.Spec
	Published float64 // Trans/s
	Result    *schedlab.Result
}

// PinnedPair simulates the pinned netperf TCP_RR pair of the SIS_SYNC mail on
// one CPU and on two, on one seed: with every task pinned there is nothing to
// place and little to draw.
func PinnedPair(ctx context.Context, o Options) ([]Pinned, error) {
	rates, err := datasets.TasksetRates()
	if err != nil {
		return nil, err
	}
	var pairs []Pinned
	var specs []schedlab.Spec
	for _, r := range rates {
		s := schedlab.Spec{
			Machine: "xeon240", Policy: "6.10", Seed: 1, Warmup: o.Warmup, Duration: o.Duration,
			Workload: fmt.Sprintf("netperf-tcp_rr:1,client=%d,server=%d", r.ClientCPU, r.ServerCPU),
		}
		specs = append(specs, s)
		pairs = append(pairs, Pinned{Placement: r.Placement, Spec: s, Published: r.TransPerSec})
	}
	results, err := o.Sweep.Run(ctx, specs)
	if err != nil {
		return nil, err
	}
	for i := range pairs {
		pairs[i].Result = results[i]
	}
	return pairs, nil
}
