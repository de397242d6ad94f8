package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Confidence is the level of every interval in this package.
const Confidence = 0.95

// Estimate is a figure with its 95 % interval over seeds.
type Estimate struct {
	Center, Low, High float64
	N                 int     // seeds used
	Warnings          []error // what the reader must know about it; shown, not fatal
}

// MeanEstimate is the mean of one figure per seed with its Student t interval.
// NaN and infinite values are skipped with a warning. One seed has no interval: Low is -Inf,
// High is +Inf, with a warning. No seed gives NaN.
func MeanEstimate(perSeed []float64) Estimate {
	usable := make([]float64, 0, len(perSeed))
	for _, x := range perSeed {
		if finite(x) {
			usable = append(usable, x)
		}
	}
	return estimate(usable, len(perSeed)-len(usable))
}

// PairedChange is the change in percent from base to head (positive = better)
// with its 95 % interval, from one figure per seed and arm; base[i] and head[i]
// are of the same seed.
//
// The change is that of the means, as published tables form it. The interval
// uses the pairing: with r = mean(head)/mean(base), the residuals
// head[i] - r*base[i] hold only what the seeds do not share, and Student's t
// with n-1 degrees of freedom is taken over them (ratio estimator). Where head is
// base times a constant the interval is a point, however much the seeds differ.
//
// A seed with NaN or infinity in either arm is skipped with a warning. Unequal
// lengths and a mean base of 0 are errors, the latter unless both arms are equal
// seed by seed (no migrations in either: no change).
func PairedChange(base, head []float64, higherIsBetter bool) (Estimate, error) {
	if len(base) != len(head) {
		return Estimate{}, fmt.Errorf("metrics: paired change of %d base and %d head figures: want the same seeds in both arms", len(base), len(head))
	}
	var b, h []float64
	for i := range base {
		if finite(base[i]) && finite(head[i]) {
			b, h = append(b, base[i]), append(h, head[i])
		}
	}
	mb, mh := Amean(b), Amean(h)
	if slices.Equal(b, h) {
		return estimate(make([]float64, len(b)), len(base)-len(b)), nil
	}
	if mb == 0 {
		return Estimate{}, errors.New("metrics: paired change: the mean of the base is 0, so percent of base means nothing")
	}
	change := ChangePct(mb, mh, higherIsBetter)
	sign := 1.0
	if !higherIsBetter {
		sign = -1
	}
	pseudo := make([]float64, len(b)) // one value a seed; their mean is the change
	for i := range b {
		pseudo[i] = change + sign*100*(h[i]-mh/mb*b[i])/mb
	}
	e := estimate(pseudo, len(base)-len(b))
	if e.N > 0 { // free of the rounding of the pseudo-values
		e.Center = change
		e.Low, e.High = math.Min(e.Low, change), math.Max(e.High, change)
	}
	return e, nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// estimate owns xs and may sort it.
func estimate(xs []float64, skipped int) Estimate {
	e := Estimate{Center: math.NaN(), Low: math.NaN(), High: math.NaN(), N: len(xs)}
	if skipped > 0 {
		e.Warnings = append(e.Warnings, fmt.Errorf("%d of %d seeds gave no figure and were skipped", skipped, skipped+len(xs)))
	}
	switch {
	case len(xs) == 0:
		e.Warnings = append(e.Warnings, errors.New("no seed gave a figure"))
		return e
	case len(xs) == 1:
		e.Center, e.Low, e.High = xs[0], math.Inf(-1), math.Inf(1)
		e.Warnings = append(e.Warnings, errors.New("one seed: no interval"))
		return e
	case slices.Min(xs) == slices.Max(xs):
		e.Center, e.Low, e.High = xs[0], xs[0], xs[0]
		return e
	}
	s := benchmath.AssumeNormal.Summary(benchmath.NewSample(xs, &benchmath.DefaultThresholds), Confidence)
	e.Center, e.Low, e.High = s.Center, s.Lo, s.Hi
	e.Warnings = append(e.Warnings, s.Warnings...)
	if len(xs) == 2 {
		e.Warnings = append(e.Warnings, errors.New("two seeds: the interval is 12.7 times the difference between them"))
	}
	return e
}
