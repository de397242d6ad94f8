package metrics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Spearman is the rank correlation of two series of equal length, -1..1: do the
// loads that gain most in one gain most in the other? Ties share the mean of
// their ranks. Pairs with a NaN are skipped. NaN where fewer than two pairs
// remain, where a series is constant, or for unequal lengths.
func Spearman(x, y []float64) float64 {
	if len(x) != len(y) {
		return math.NaN()
	}
	var a, b []float64
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			a, b = append(a, x[i]), append(b, y[i])
		}
	}
	if len(a) < 2 {
		return math.NaN()
	}
	r := stat.Correlation(Ranks(a), Ranks(b), nil)
	return math.Max(-1, math.Min(1, r)) // NaN stays NaN
}

// Ranks gives each value its rank from 1 (the smallest); ties share the mean of
// the ranks they take up. NaN sorts before everything.
func Ranks(xs []float64) []float64 {
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case xs[i] < xs[j] || math.IsNaN(xs[i]) && !math.IsNaN(xs[j]):
			return -1
		case xs[i] > xs[j] || math.IsNaN(xs[j]) && !math.IsNaN(xs[i]):
			return 1
		}
		return 0
	})
	ranks := make([]float64, len(xs))
	for lo := 0; lo < len(order); {
		hi := lo + 1
		for hi < len(order) && xs[order[hi]] == xs[order[lo]] {
			hi++
		}
		for _, i := range order[lo:hi] {
			ranks[i] = float64(lo+1+hi) / 2
		}
		lo = hi
	}
	return ranks
}

// MeanAbsError is the mean of |simulated - published| in points. Pairs with a
// NaN are skipped; NaN where none remain or for unequal lengths.
func MeanAbsError(published, simulated []float64) float64 {
	if len(published) != len(simulated) {
		return math.NaN()
	}
	var errs []float64
	for i := range published {
		if d := math.Abs(simulated[i] - published[i]); !math.IsNaN(d) {
			errs = append(errs, d)
		}
	}
	return Amean(errs)
}
