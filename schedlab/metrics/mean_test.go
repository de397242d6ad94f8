package metrics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedlab/lab/schedlab/metrics"
)

var nan = math.NaN()

// near checks to the digits a table prints; want NaN matches NaN.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > tolerance {
		t.Errorf("%s = %.8g, want %.8g", what, got, want)
	}
}

func TestMeansAndSpreads(t *testing.T) {
	eight := []float64{2, 4, 4, 4, 5, 5, 7, 9} // the textbook set: mean 5, population deviation 2
	rates := []float64{1, 2, 4}
	for _, c := range []struct {
		name string
		f    func([]float64) float64
		xs   []float64
		want float64
	}{
		{"Amean", metrics.Amean, eight, 5},
		{"Amean", metrics.Amean, nil, nan},
		{"Amean", metrics.Amean, []float64{1, nan}, nan},
		{"Hmean", metrics.Hmean, rates, 12. / 7},
		{"Hmean", metrics.Hmean, []float64{1, 0}, nan},
		{"Hmean", metrics.Hmean, []float64{1, nan}, nan},
		{"Hmean", metrics.Hmean, nil, nan},
		{"Gmean", metrics.Gmean, rates, 2},
		{"Gmean", metrics.Gmean, []float64{1e300, 1e300, 1e300}, 1e300},
		{"Gmean", metrics.Gmean, []float64{-1, -1}, nan},
		{"Gmean", metrics.Gmean, nil, nan},
		{"PopStddev", metrics.PopStddev, eight, 2},
		{"PopStddev", metrics.PopStddev, []float64{7}, 0},
		{"Stddev", metrics.Stddev, eight, math.Sqrt(32. / 7)},
		{"Stddev", metrics.Stddev, []float64{7}, nan},
		{"SpreadPct", metrics.SpreadPct, eight, 40},
		{"SpreadPct", metrics.SpreadPct, []float64{-1, 1}, nan},
		{"CoeffVar", metrics.CoeffVar, eight, 100 * math.Sqrt(32./7) / 5},
		// 1/x - 1/m = 5/12, -1/12, -4/12; m^2 = 144/49; sqrt(42/144/3)*144/49
		{"HarmonicStddev", metrics.HarmonicStddev, rates, 0.91632426},
		{"HarmonicStddev", metrics.HarmonicStddev, []float64{3, 3, 3}, 0},
		{"HarmonicStddev", metrics.HarmonicStddev, nil, nan},
	} {
		near(t, c.name, c.f(c.xs), c.want, 1e-7*math.Max(1, math.Abs(c.want)))
	}
}

func TestBestMeans(t *testing.T) {
	to20, to40 := make([]float64, 20), make([]float64, 40)
	for i := range to40 {
		to40[i] = float64(40 - i) // descending: the selection must sort for itself
	}
	copy(to20, to40[20:])
	near(t, "BHmean-95 of 20", metrics.BHmean(to20, 95), metrics.Hmean(to20), 0)
	near(t, "BHmean-95 of 40", metrics.BHmean(to40, 95), metrics.Hmean(to40[:39]), 1e-12)
	near(t, "BHmean-100", metrics.BHmean(to40, 100), metrics.Hmean(to40), 1e-12)
	near(t, "BAmean-50", metrics.BAmean(to40, 50), 10.5, 1e-12)
	near(t, "BAmean-1 of 20", metrics.BAmean(to20, 1), 10.5, 1e-12)
	near(t, "BAmean of none", metrics.BAmean(nil, 50), nan, 0)
	near(t, "BHmean of none", metrics.BHmean(nil, 50), nan, 0)
	near(t, "BHmean-101", metrics.BHmean(to40, 101), nan, 0)
	near(t, "BAmean of NaN", metrics.BAmean([]float64{1, nan}, 50), nan, 0)
	if to40[0] != 40 || to40[39] != 1 {
		t.Error("the caller's slice was sorted")
	}
}

// Pairs stacked on CPUs share them evenly, which fixes the dispersion.
func TestPairDispersionIsTheFingerprintOfStacking(t *testing.T) {
	for _, c := range []struct {
		pairs int
		want  float64
	}{{300, 30.62}, {360, 35.36}, {420, 30.59}} { // 1.25, 1.5 and 1.75 pairs a CPU
		const cpus = 240
		double := c.pairs - cpus // CPUs with two pairs
		var perPair []float64
		for i := range c.pairs {
			if i < 2*double {
				perPair = append(perPair, 0.5)
			} else {
				perPair = append(perPair, 1)
			}
		}
		near(t, "dispersion", metrics.PairDispersion(perPair), c.want, 0.03)
	}
	// tbench 180, patched: two of three runs in the fast state.
	near(t, "spread of a state", metrics.SpreadPct([]float64{1.93, 1.93, 1}), 27.06, 0.005)
}

func TestMeanProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		xs := make([]float64, 1+rng.IntN(20))
		for i := range xs {
			xs[i] = 0.1 + 1000*rng.Float64()
		}
		before := slices.Clone(xs)
		a, g, h := metrics.Amean(xs), metrics.Gmean(xs), metrics.Hmean(xs)
		if !(h <= g*(1+1e-12) && g <= a*(1+1e-12)) {
			t.Fatalf("harmonic %v <= geometric %v <= arithmetic %v does not hold for %v", h, g, a, xs)
		}
		b := metrics.BHmean(xs, 50)
		if b < h*(1-1e-12) {
			t.Fatalf("the best half %v is worse than all %v of %v", b, h, xs)
		}
		scaled := make([]float64, len(xs))
		for i, x := range xs {
			scaled[i] = 8 * x
		}
		near(t, "SpreadPct of scaled values", metrics.SpreadPct(scaled), metrics.SpreadPct(xs), 1e-9)
		near(t, "Stddev of scaled values", metrics.Stddev(scaled), 8*metrics.Stddev(xs), 1e-9*a)
		near(t, "HarmonicStddev of scaled values", metrics.HarmonicStddev(scaled), 8*metrics.HarmonicStddev(xs), 1e-9*a)
		if !slices.Equal(xs, before) {
			t.Fatal("the caller's slice was changed")
		}
	}
}
