package metrics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/metrics"
)

func TestMeanEstimate(t *testing.T) {
	xs := []float64{5, 1, 4, 2, 3}
	e := metrics.MeanEstimate(xs)
	// t(4, 97.5 %) = 2.776445; deviation sqrt(2.5); 2.776445*sqrt(2.5/5) = 1.963243
	near(t, "center", e.Center, 3, 1e-12)
	near(t, "low", e.Low, 3-1.963243, 1e-5)
	near(t, "high", e.High, 3+1.963243, 1e-5)
	if e.N != 5 || len(e.Warnings) != 0 {
		t.Errorf("n = %d, warnings %v", e.N, e.Warnings)
	}
	if xs[0] != 5 {
		t.Error("the caller's slice was sorted")
	}
}

func TestEstimateWarnings(t *testing.T) {
	for _, c := range []struct {
		xs             []float64
		center, lo, hi float64
		warning        string
	}{
		{nil, nan, nan, nan, "no seed"},
		{[]float64{nan, nan}, nan, nan, nan, "2 of 2 seeds"},
		{[]float64{7}, 7, math.Inf(-1), math.Inf(1), "one seed"},
		{[]float64{7, 7}, 7, 7, 7, ""},
		{[]float64{7, nan, 7}, 7, 7, 7, "1 of 3 seeds"},
		{[]float64{7, math.Inf(1), 7}, 7, 7, 7, "1 of 3 seeds"},
		{[]float64{0, 1}, 0.5, 0.5 - 6.353102, 0.5 + 6.353102, "two seeds"}, // t(1) = 12.706205
	} {
		e := metrics.MeanEstimate(c.xs)
		for _, v := range [][2]float64{{e.Center, c.center}, {e.Low, c.lo}, {e.High, c.hi}} {
			if v[0] != v[1] {
				near(t, "estimate", v[0], v[1], 1e-5)
			}
		}
		var all []string
		for _, w := range e.Warnings {
			all = append(all, w.Error())
		}
		text := strings.Join(all, "; ")
		if (c.warning == "") != (text == "") || !strings.Contains(text, c.warning) {
			t.Errorf("%v: warnings %q, want %q", c.xs, text, c.warning)
		}
	}
}

func TestPairedChange(t *testing.T) {
	// r = 330/300 = 1.1; residuals 110-110, 100-99, 120-121 = 0, 1, -1; in percent of
	// the mean base 100: deviation 1, half width t(2) * 1/sqrt(3) = 4.302653/1.732051
	e, err := metrics.PairedChange([]float64{100, 90, 110}, []float64{110, 100, 120}, true)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "change", e.Center, 10, 1e-12)
	near(t, "low", e.Low, 10-2.484138, 1e-5)
	near(t, "high", e.High, 10+2.484138, 1e-5)

	// Lower is better: the same figures are a loss, mirrored.
	e, err = metrics.PairedChange([]float64{100, 90, 110}, []float64{110, 100, 120}, false)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "change", e.Center, -10, 1e-12)
	near(t, "low", e.Low, -10-2.484138, 1e-5)
	near(t, "high", e.High, -10+2.484138, 1e-5)

	e, err = metrics.PairedChange([]float64{0, 0}, []float64{0, 0}, false)
	if err != nil || e.Center != 0 || e.Low != 0 || e.High != 0 {
		t.Errorf("0 -> 0: %v, %v", e, err)
	}
	e, err = metrics.PairedChange([]float64{2, nan, 4}, []float64{3, 1, 6}, true)
	if err != nil || e.Center != 50 || e.Low != 50 || e.High != 50 || e.N != 2 || len(e.Warnings) != 1 {
		t.Errorf("a seed without a figure: %v, %v", e, err)
	}
	if e, err = metrics.PairedChange(nil, nil, true); err != nil || !math.IsNaN(e.Center) || len(e.Warnings) == 0 {
		t.Errorf("no seeds: %v, %v", e, err)
	}
}

func TestPairedChangeRefuses(t *testing.T) {
	for _, c := range [][2][]float64{{{1}, {1, 2}}, {{0, 0}, {1, 1}}} {
		if e, err := metrics.PairedChange(c[0], c[1], true); err == nil {
			t.Errorf("%v and %v: %v without an error", c[0], c[1], e)
		}
	}
}

func TestPairedChangeProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	covered := 0
	const trials = 2000
	for range trials {
		n := 3 + rng.IntN(6)
		base, head, order := make([]float64, n), make([]float64, n), rng.Perm(n)
		for i := range base {
			base[i] = 100 + 30*rng.Float64()
			head[i] = 1.5*base[i] + 2*rng.NormFloat64()
		}
		b0, h0 := slices.Clone(base), slices.Clone(head)
		e, err := metrics.PairedChange(base, head, true)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(base, b0) || !slices.Equal(head, h0) {
			t.Fatal("the caller's slices were changed")
		}
		if !(e.Low <= e.Center && e.Center <= e.High) {
			t.Fatalf("%v outside its own interval", e)
		}
		if e.Low <= 50 && 50 <= e.High {
			covered++
		}
		for i, j := range order {
			base[i], head[i] = 1000*b0[j], 1000*h0[j] // another unit, another order of seeds
		}
		f, _ := metrics.PairedChange(base, head, true)
		near(t, "low, in another unit", f.Low, e.Low, 1e-8)
		near(t, "high, in another unit", f.High, e.High, 1e-8)
	}
	if covered < trials*93/100 || covered > trials*97/100 {
		t.Errorf("the 95 %% interval holds the truth in %d of %d trials", covered, trials)
	}
}
