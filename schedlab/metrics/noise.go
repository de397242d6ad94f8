package metrics

import (
	"fmt"
	"math"
)

// NoiseFloor is the smallest noise a verdict works with, in points of base:
// under 3 points nobody acts. It is also what is assumed where a mail tells
// nothing about spread.
const NoiseFloor = 3.0

// netperfRuns is the number of iterations of each netperf instance that the
// harness takes its std% over.
const netperfRuns = 3

// Noise is the standard deviation of a published change.
type Noise struct {
	Points  float64 // in points of base, before the floor; >= 0
	Assumed bool    // the mail does not tell it for both arms
}

// Threshold is the n of the verdict: max(Points, NoiseFloor).
func (n Noise) Threshold() float64 { return math.Max(n.Points, NoiseFloor) }

// Significant reports whether a published change is outside the noise.
func (n Noise) Significant(published float64) bool {
	return math.Abs(published) > n.Threshold()
}

// AssumedNoise is the noise of a row with a star and no spread, or neither.
func AssumedNoise() Noise { return Noise{Points: NoiseFloor, Assumed: true} }

// RunNoise is the noise of a row whose spreads are deviations between runs, in
// percent of each arm's own mean (schedtests' std% of tbench and hackbench; for
// mmtests 100*Stddev/mean): sqrt(sd_base^2 + sd_head^2) with
// sd_head = headStdPct * (1 + changePct/100), which turns points of head into
// points of base. One rule for both directions of a metric: where lower is
// better it errs to the larger noise for an improvement. A NaN spread means not
// reported.
func RunNoise(changePct, baseStdPct, headStdPct float64) Noise {
	head := math.Abs(headStdPct * (1 + changePct/100))
	baseKnown, headKnown := !math.IsNaN(baseStdPct), !math.IsNaN(head)
	switch {
	case baseKnown && headKnown:
		return Noise{Points: math.Hypot(baseStdPct, head)}
	case baseKnown: // half the truth: never less than the half that is known
		return Noise{Points: math.Max(baseStdPct, NoiseFloor), Assumed: true}
	case headKnown:
		return Noise{Points: math.Max(head, NoiseFloor), Assumed: true}
	default:
		return AssumedNoise()
	}
}

// PairNoise is the noise of a netperf row: its std% is the dispersion between
// pairs over three iterations each, so the mean of 3*pairs samples is known to
// std% / sqrt(3*pairs). pairs is the load; below 1 the noise is NaN.
func PairNoise(changePct, baseStdPct, headStdPct float64, pairs int) Noise {
	if pairs < 1 {
		return Noise{Points: math.NaN()}
	}
	root := math.Sqrt(float64(netperfRuns * pairs))
	return RunNoise(changePct, baseStdPct/root, headStdPct/root)
}

// StddevNoise is the noise of an mmtests row from the table's own figures: the
// mean of the base and the Stddev rows of both arms, all in the metric's unit.
func StddevNoise(baseMean, baseStddev, headStddev float64) Noise {
	return RunNoise(0, percentOf(baseStddev, math.Abs(baseMean)), percentOf(headStddev, math.Abs(baseMean)))
}

// PublishedNoise chooses by what the spread of a row is taken over: "pairs"
// (PairNoise, load = pairs), "runs" (RunNoise) or "" for not reported
// (AssumedNoise). Other words, a spread without a word for it and a load below
// 1 pair are errors.
func PublishedNoise(spreadOf string, changePct, baseStdPct, headStdPct float64, load int) (Noise, error) {
	switch spreadOf {
	case "pairs":
		if load < 1 {
			return Noise{}, fmt.Errorf("metrics: spread of pairs at load %d: want at least 1 pair", load)
		}
		return PairNoise(changePct, baseStdPct, headStdPct, load), nil
	case "runs":
		return RunNoise(changePct, baseStdPct, headStdPct), nil
	case "":
		if !math.IsNaN(baseStdPct) || !math.IsNaN(headStdPct) {
			return Noise{}, fmt.Errorf("metrics: spread %v, %v without saying of what: want \"pairs\" or \"runs\"", baseStdPct, headStdPct)
		}
		return AssumedNoise(), nil
	default:
		return Noise{}, fmt.Errorf("metrics: spread of %q: want \"pairs\", \"runs\" or \"\"", spreadOf)
	}
}
