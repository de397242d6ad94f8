package experiment

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/schedlab/lab/datasets"
	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/metrics"
	"github.com/schedlab/lab/schedlab/workload"
)

// Row is one published comparison beside its simulation.
type Row struct {
	datasets.Comparison
	// Noise is the standard deviation of the published change.
	Noise metrics.Noise
	// Base and Patched hold one Result per seed, nil where the row is not
	// simulated; the means are NaN then.
	Base, Patched         []*schedlab.Result
	BaseMean, PatchedMean float64
	// Change is the simulated change in percent, positive = better, with its
	// 95 % interval over seeds.
	Change  metrics.Estimate
	Verdict metrics.Verdict
	// Reason says why the row is outside, "" when it is judged. Note is what
	// else the reader must know.
	Reason, Note string
}

// Simulated reports whether the row has Results.
func (r Row) Simulated() bool { return len(r.Base) > 0 }

// SpreadPct is the simulated dispersion between pairs of an arm, averaged over
// seeds; NaN without Results.
func SpreadPct(arm []*schedlab.Result) float64 {
	xs := make([]float64, len(arm))
	for i, r := range arm {
		xs[i] = r.SpreadPct
	}
	return metrics.Amean(xs)
}

// Options say how much to simulate. The zero value of a field means its default.
type Options struct {
	// Seeds is the number of seeds per arm, default DefaultSeeds.
	Seeds int
	// Variant, if not "", is simulated in place of the machine it is a variant
	// of: the SIS_SYNC mail does not say which of two LLC sizes its machine has,
	// so xeon240-llc120 may stand for xeon240.
	Variant string
	// Choose, if not nil, limits what is simulated to the comparisons it accepts.
	Choose func(datasets.Comparison) bool
	// Warmup and Duration of every run, default those of schedlab.
	Warmup, Duration time.Duration
	// Sweep runs the Specs.
	Sweep schedlab.Sweep
}

// DefaultSeeds is enough for an interval and few enough to wait for.
const DefaultSeeds = 3

// Prediction is one mail, compared.
type Prediction struct {
	Mail string
	Rows []Row
	// Options are those used, defaults filled in.
	Options Options
}

// variantOf names the machines that may stand for another.
var variantOf = map[string]string{"xeon240-llc120": "xeon240"}

// Simulated returns the prediction with the simulated rows alone.
func (p *Prediction) Simulated() *Prediction {
	q := *p
	q.Rows = nil
	for _, r := range p.Rows {
		if r.Simulated() {
			q.Rows = append(q.Rows, r)
		}
	}
	return &q
}

// plan is where the Results of a row stand among those of the sweep.
type plan struct {
	row   int
	first int // index of the first base Spec; the patched ones follow
}

// Predict simulates every comparison of a mail that can be simulated, both arms
// on the same seeds, and judges all of them. When it is stopped, by ctx or by a
// failing run, it returns the rows with what is finished and the error.
func Predict(ctx context.Context, mail string, o Options) (*Prediction, error) {
	comparisons, err := datasets.Comparisons(mail)
	if err != nil {
		return nil, err
	}
	return predict(ctx, mail, comparisons, o)
}

func predict(ctx context.Context, mail string, comparisons []datasets.Comparison, o Options) (*Prediction, error) {
	if o.Seeds == 0 {
		o.Seeds = DefaultSeeds
	}
	if _, ok := variantOf[o.Variant]; !ok && o.Variant != "" {
		return nil, fmt.Errorf("experiment: %q is no variant of a machine; xeon240-llc120 is one", o.Variant)
	}
	p := &Prediction{Mail: mail, Options: o, Rows: make([]Row, len(comparisons))}
	var specs []schedlab.Spec
	var plans []plan
	for i, c := range comparisons {
		row := &p.Rows[i]
		if variantOf[o.Variant] == c.Machine {
			c.Machine = o.Variant
		}
		row.Comparison = c
		row.BaseMean, row.PatchedMean = math.NaN(), math.NaN()
		row.Change = metrics.Estimate{Center: math.NaN(), Low: math.NaN(), High: math.NaN()}
		var err error
		if row.Noise, err = metrics.PublishedNoise(c.SpreadOf, c.ChangePct, c.BaseSpreadPct, c.PatchedSpreadPct, c.Load); err != nil {
			return nil, fmt.Errorf("experiment: %s: %s:%d: %w", mail, c.File, c.Line, err)
		}
		if row.Reason = outside(c); row.Reason == "" && o.Choose != nil && !o.Choose(c) {
			row.Reason = "not asked for"
		}
		if row.Reason == "" {
			plans = append(plans, plan{i, len(specs)})
			specs = append(specs, arms(c, o)...)
		}
	}
	results, err := o.Sweep.Run(ctx, specs)
	for _, at := range plans {
		p.Rows[at.row].fill(results[at.first:at.first+2*o.Seeds], o.Seeds)
	}
	for i := range p.Rows {
		p.Rows[i].judge()
	}
	return p, err
}

// outside says why a comparison cannot be simulated, "" if it can.
func outside(c datasets.Comparison) string {
	for _, b := range workload.Benchmarks() {
		if b.Name != c.Benchmark {
			continue
		}
		if !b.Built() {
			return "workload " + b.Name + " is not built yet"
		}
		if c.Load == 0 {
			return "the mail does not state the load"
		}
		return ""
	}
	return "no workload stands for " + c.Benchmark
}

// arms lists the Specs of a row: the base on every seed, then the patch.
func arms(c datasets.Comparison, o Options) []schedlab.Spec {
	var specs []schedlab.Spec
	for _, policy := range []string{c.BasePolicy, c.PatchedPolicy} {
		for seed := range o.Seeds {
			specs = append(specs, schedlab.Spec{
				Machine: c.Machine, Workload: fmt.Sprintf("%s:%d%s", c.Benchmark, c.Load, optionsOf(c)), Policy: policy,
				Seed: uint64(seed + 1), Warmup: o.Warmup, Duration: o.Duration,
			})
		}
	}
	return specs
}

// fill takes a row's Results; an unfinished row stays empty.
func (r *Row) fill(results []*schedlab.Result, seeds int) {
	for _, x := range results {
		if x == nil {
			r.Reason = "stopped before it was simulated"
			return
		}
	}
	r.Base, r.Patched = results[:seeds], results[seeds:]
	base, patched := throughputs(r.Base), throughputs(r.Patched)
	r.BaseMean, r.PatchedMean = metrics.Amean(base), metrics.Amean(patched)
	change, err := metrics.PairedChange(base, patched, r.HigherIsBetter)
	if err != nil {
		r.Reason = "nothing completed in the window: " + err.Error()
		return
	}
	r.Change = change
	for _, x := range results {
		if x.Transient {
			r.Note = "transient: the halves of a window differ by more than 10 %"
			break
		}
	}
}

func (r *Row) judge() {
	r.Verdict = metrics.Judge(r.ChangePct, r.Noise.Points, r.Change.Center, r.Change.Low, r.Change.High, r.Reason)
}

func throughputs(arm []*schedlab.Result) []float64 {
	xs := make([]float64, len(arm))
	for i, r := range arm {
		xs[i] = r.Throughput
	}
	return xs
}
