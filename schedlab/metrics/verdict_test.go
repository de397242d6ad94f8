package metrics_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedlab/lab/schedlab/metrics"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name                        string
		published, noise, simulated float64
		low, high                   float64
		outside                     string
		want                        metrics.Verdict
	}{
		{"TCP_RR 240, LLC of 60", 190.13, 0.53, 177, 150, 204, "", metrics.Agree},
		{"TCP_RR 360, both quiet", 0.27, 2.1, 2.9, 1, 5, "", metrics.Agree},
		{"quiet row, a simulated effect", 0.27, 2.1, 3.1, 1, 5, "", metrics.Disagree},
		{"quiet row: its interval does not matter", 0.27, 2.1, 40, -90, 90, "", metrics.Disagree},
		{"quiet because noisy", 62.05, 62.05, 62, 60, 64, "", metrics.Agree},
		{"published exactly n is not significant", 3, 0, 9, 8, 10, "", metrics.Disagree},
		{"just above n", 3.01, 0, 3.01, 1, 5, "", metrics.Agree},
		{"interval holds both signs", 20, 0, 20, -1, 41, "", metrics.Undecided},
		{"undecided before the sign", 20, 0, -5, -11, 1, "", metrics.Undecided},
		{"interval ends at 0", 20, 0, 10, 0, 20, "", metrics.Sign},
		{"no interval", 20, 0, 20, nan, nan, "", metrics.Undecided},
		{"one seed", 20, 0, 20, math.Inf(-1), math.Inf(1), "", metrics.Undecided},
		{"one end missing, the other decides nothing", 20, 0, 20, nan, 30, "", metrics.Undecided},
		{"wrong sign", 20, 0, -5, -6, -4, "", metrics.Disagree},
		{"loss predicted as gain", -20, 0, 20, 19, 21, "", metrics.Disagree},
		{"0 for a significant gain", 20, 0, 0, 0, 0, "", metrics.Disagree},
		{"0 for a significant loss", -20, 0, 0, 0, 0, "", metrics.Disagree},
		{"ratio 3/2", 20, 0, 30, 29, 31, "", metrics.Agree},
		{"ratio 2/3", 9, 0, 6, 5, 7, "", metrics.Agree},
		{"ratio over 3/2", 20, 0, 30.1, 29, 31, "", metrics.Sign},
		{"ratio under 2/3", 30, 0, 19.9, 19, 21, "", metrics.Sign},
		{"3 points save a small row", 4, 0, 1, 0.5, 1.5, "", metrics.Agree},
		{"losses alike", -9, 0, -6, -7, -5, "", metrics.Agree},
		{"losses of unlike size", -90, 0, -6, -7, -5, "", metrics.Sign},
		{"outside comes first", 20, 0, 20, 19, 21, "no block layer", metrics.Outside},
		{"outside without figures", nan, nan, nan, nan, nan, "no block layer", metrics.Outside},
		{"nothing published", nan, 0, 1, 0, 2, "", metrics.Unjudged},
		{"not simulated", 20, 0, nan, nan, nan, "", metrics.Unjudged},
		{"noise unknown", 20, nan, 20, 19, 21, "", metrics.Unjudged},
	} {
		if got := metrics.Judge(c.published, c.noise, c.simulated, c.low, c.high, c.outside); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestJudgeProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	draw := func() float64 { return math.Round(400*rng.Float64()-200) / 4 }
	for range 5000 {
		p, n, s := draw(), math.Abs(draw())/4, draw()
		half := math.Abs(draw())
		v := metrics.Judge(p, n, s, s-half, s+half, "")
		if m := metrics.Judge(-p, n, -s, -s-half, -s+half, ""); m != v {
			t.Fatalf("published %v, simulated %v: %q, mirrored %q", p, s, v, m)
		}
		significant := metrics.Noise{Points: n}.Significant(p)
		if significant && v == metrics.Agree && s*p <= 0 {
			t.Fatalf("published %v agrees with %v", p, s)
		}
		if perfect := metrics.Judge(p, n, p, p, p, ""); perfect != metrics.Agree {
			t.Fatalf("a perfect prediction of %v is judged %q", p, perfect)
		}
		if !significant && (v == metrics.Undecided || v == metrics.Sign) {
			t.Fatalf("row without significance judged %q", v)
		}
	}
}

func TestJudgeSpread(t *testing.T) {
	for _, c := range []struct {
		published, simulated float64
		want                 metrics.Verdict
	}{
		{30, 15, metrics.Agree}, {30, 60, metrics.Agree}, {30, 14.9, metrics.Disagree},
		{30, 60.1, metrics.Disagree}, {0, 0, metrics.Agree}, {0, 1, metrics.Disagree},
		{1, 0, metrics.Disagree}, {nan, 1, metrics.Unjudged}, {1, nan, metrics.Unjudged},
	} {
		if got := metrics.JudgeSpread(c.published, c.simulated); got != c.want {
			t.Errorf("spread %v published, %v simulated: %q, want %q", c.published, c.simulated, got, c.want)
		}
	}
}

// TCP_RR 240 of the SIS_SYNC mail: 1.00 (9.39) against +190.13 (3.66).
func ExampleJudge() {
	noise := metrics.PairNoise(190.13, 9.39, 3.66, 240)
	fmt.Printf("noise %.2f points, n = %.0f\n", noise.Points, noise.Threshold())
	fmt.Println(metrics.Judge(190.13, noise.Points, 177, 150, 204, ""))
	// Output:
	// noise 0.53 points, n = 3
	// agree
}
