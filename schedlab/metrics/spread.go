package metrics

import "math"

// Stddev is the sample standard deviation (divisor n-1), mmtests' Stddev. NaN
// below two values.
func Stddev(xs []float64) float64 {
	if len(xs) < 2 {
		return math.NaN()
	}
	return math.Sqrt(squares(xs) / float64(len(xs)-1))
}

// PopStddev is the population standard deviation (divisor n), as schedtests
// uses it. 0 for one value, NaN for none.
func PopStddev(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	return math.Sqrt(squares(xs) / float64(len(xs)))
}

// squares is the sum of squared distances from the arithmetic mean.
func squares(xs []float64) float64 {
	mean, sum := Amean(xs), 0.0
	for _, x := range xs {
		sum += (x - mean) * (x - mean)
	}
	return sum
}

// HarmonicStddev is the deviation mmtests prints beside Hmean:
// sqrt(sum((1/x - 1/m)^2) * m^4 / n) with m the harmonic mean; the deviation of
// the reciprocals carried back to the unit of the values. NaN where Hmean is.
func HarmonicStddev(xs []float64) float64 {
	m := Hmean(xs)
	sum := 0.0
	for _, x := range xs {
		d := 1/x - 1/m
		sum += d * d
	}
	return math.Sqrt(sum/float64(len(xs))) * m * m
}

// CoeffVar is mmtests' coefficient of variation in percent: 100 * Stddev /
// Amean, with the sample deviation. NaN below two values and for a mean of 0.
func CoeffVar(xs []float64) float64 { return percentOf(Stddev(xs), Amean(xs)) }

// SpreadPct is schedtests' "std%": 100 * population deviation / mean. NaN for
// an empty slice and for a mean of 0.
func SpreadPct(xs []float64) float64 { return percentOf(PopStddev(xs), Amean(xs)) }

// PairDispersion is the spread in percent between the pairs of one run, one
// figure a pair: what the std% of a netperf row is, and a fingerprint of the
// state the scheduler is in (pairs stacked 1 or 2 a CPU at 1.25 pairs a CPU give
// 30.6 %). It is not the noise of their mean, which is smaller by the root of
// the number of samples: see PairNoise.
func PairDispersion(perPair []float64) float64 { return SpreadPct(perPair) }

// SpreadRatio is simulated / published spread, both in percent of their own
// mean; 1 is perfect. NaN where a figure is missing or the published one is 0.
func SpreadRatio(published, simulated float64) float64 {
	if published == 0 {
		return math.NaN()
	}
	return simulated / published
}

func percentOf(part, whole float64) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return 100 * part / whole
}
