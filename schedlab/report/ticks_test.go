package report

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func labels(ticks []plot.Tick) string {
	var out []string
	for _, t := range ticks {
		if t.Label != "" {
			out = append(out, t.Label)
		}
	}
	return strings.Join(out, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		ticks  plot.Ticker
		lo, hi float64
		want   string
	}{
		{linearTicks{}, 0, 100, "0 20 40 60 80 100"},
		{linearTicks{signed: true}, -10, 200, "0 +50 +100 +150 +200"},
		{linearTicks{signed: true}, -8, 7, "-5 0 +5"},
		{linearTicks{}, 0, 0.3, "0 0.05 0.10 0.15 0.20 0.25 0.30"},
		{linearTicks{}, 0, 36.9e6, "0 10 M 20 M 30 M"},
		{linearTicks{}, 0, 99999, "0 20000 40000 60000 80000"},
		{linearTicks{}, 0, 3e-12, "0 5e-13 1e-12 1.5e-12 2e-12 2.5e-12 3e-12"},
		{linearTicks{}, 1, 1, ""},
		{linearTicks{}, math.Inf(-1), 1, ""},
		{logTicks{}, 15e3, 40e6, "100 k 1 M 10 M"},
		{logTicks{}, 400, 12000, "500 1000 2000 5000 10000"},
		{logTicks{}, 0, 10, ""},
		{symlogScale{3}, -5, 250, "-3 0 +3 +10 +30 +100"},
		{symlogScale{1}, -2, 900, "-1 0 +1 +10 +100"},
	} {
		ticks := c.ticks.Ticks(c.lo, c.hi)
		got := strings.Join(strings.Fields(labels(ticks)), " ")
		if s, ok := c.ticks.(symlogScale); ok { // both signs are given in turn
			got = labels(sortedTicks(ticks))
			for _, v := range ticks {
				if n := s.Normalize(c.lo, c.hi, v.Value); n < 0 || n > 1 {
					t.Errorf("tick %v is off the axis: %v", v.Value, n)
				}
			}
		}
		if got != c.want {
			t.Errorf("%T %v..%v: %s, want %s", c.ticks, c.lo, c.hi, got, c.want)
		}
	}
}

func sortedTicks(ticks []plot.Tick) []plot.Tick {
	out := append([]plot.Tick(nil), ticks...)
	for i := range out {
		for j := i; j > 0 && out[j].Value < out[j-1].Value; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func TestNiceRangeHoldsTheData(t *testing.T) {
	for _, c := range [][2]float64{{0, 1}, {-0.03, 190.13}, {5, 5}, {0, 0}, {-7, -7}, {1e-9, 2e-9}, {1e9, 1e9 + 1}, {-1e12, 3}} {
		lo, hi := niceRange(c[0], c[1])
		if !(lo <= c[0] && hi >= c[1] && lo < hi) {
			t.Errorf("%v: range %v..%v", c, lo, hi)
		}
		if c[0] == 0 && c[1] > 0 && lo != 0 {
			t.Errorf("%v: a range from 0 begins at %v", c, lo)
		}
	}
}

func TestSymlogIsMonotoneAndOdd(t *testing.T) {
	s := symlogScale{2}
	last := math.Inf(-1)
	for x := -500.0; x <= 500; x += 0.5 {
		y := s.Normalize(-500, 500, x)
		if y <= last {
			t.Fatalf("not increasing at %v", x)
		}
		if mirrored := s.Normalize(-500, 500, -x); math.Abs(y+mirrored-1) > 1e-12 {
			t.Fatalf("%v and %v: %v and %v", x, -x, y, mirrored)
		}
		last = y
	}
}
