package metrics

import (
	"math"
	"slices"
)

// Amean is the arithmetic mean, mmtests' choice for metrics where lower is
// better (seconds, latency). NaN for an empty slice.
func Amean(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// Hmean is the harmonic mean n / sum(1/x), mmtests' choice for rates. NaN for
// an empty slice and where a value is not positive: a rate of nothing has no
// harmonic mean (mmtests prints -1 there).
func Hmean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		if !(x > 0) {
			return math.NaN()
		}
		sum += 1 / x
	}
	if len(xs) == 0 {
		return math.NaN()
	}
	return float64(len(xs)) / sum
}

// Gmean is the geometric mean, taken over logarithms so that a long product
// cannot overflow. NaN for an empty slice and where a value is not positive.
func Gmean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		if !(x > 0) {
			return math.NaN()
		}
		sum += math.Log(x)
	}
	if len(xs) == 0 {
		return math.NaN()
	}
	return math.Exp(sum / float64(len(xs)))
}

// BHmean is the harmonic mean of the best n percent of rates, mmtests'
// "BHmean-n". As there, floor(len*n/100)+1 of the highest values are kept (one
// more than the share asks for), all of them at most: of 20 values BHmean-95
// drops none, of 40 it drops 1. NaN for n outside 0..100 and where Hmean is NaN.
func BHmean(xs []float64, n float64) float64 {
	keep := share(len(xs), n) + 1
	if anyNaN(xs) || !(n >= 0 && n <= 100) {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(xs))
	return Hmean(sorted[max(0, len(sorted)-keep):])
}

// BAmean is the arithmetic mean of the best n percent where lower is better,
// mmtests' "BAmean-n": the floor(len*n/100) lowest values. As there, all values
// are taken when that share is less than one value. NaN for n outside 0..100.
func BAmean(xs []float64, n float64) float64 {
	keep := share(len(xs), n)
	if anyNaN(xs) || !(n >= 0 && n <= 100) {
		return math.NaN()
	}
	if keep == 0 {
		keep = len(xs)
	}
	return Amean(slices.Sorted(slices.Values(xs))[:keep])
}

// share is floor(count*n/100), computed so that 95 % of 20 is 19 and not 18.
func share(count int, n float64) int {
	return int(math.Floor(float64(count)*n/100 + 1e-9))
}

func anyNaN(xs []float64) bool { return slices.ContainsFunc(xs, math.IsNaN) }
