package metrics_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedlab/lab/schedlab/metrics"
)

// Rows as published, each with its own direction.
func TestChangePctOfPublishedRows(t *testing.T) {
	for _, c := range []struct {
		name       string
		base, head float64
		higher     bool
		want       float64
	}{
		{"dbench ext4, 1 client, MB/s", 854.64, 865.01, true, 1.21},
		{"dbench ext4, 8 clients, MB/s", 1845.04, 1831.80, true, -0.72},
		{"dbench xfs, 1 client, MB/s", 392.92, 1024.22, true, 160.67},
		{"tbench4, 128 clients, MB/s", 7422.75, 8941.65, true, 20.46},
		{"hackbench, 4 groups, s", 1.6168, 0.9831, false, 39.19},
		{"Stddev of dbench, 8 clients", 26.70, 9.41, false, 64.76},
		{"same and other CPU, trans/s", 83528.11, 134504.35, true, 61.03},
		{"no change", 5, 5, false, 0},
		{"nothing to nothing", 0, 0, true, 0},
		{"from nothing", 0, 1, true, nan},
		{"not measured", 1, nan, true, nan},
	} {
		near(t, c.name, metrics.ChangePct(c.base, c.head, c.higher), c.want, 0.005)
	}
}

func TestHeadFromChangeInverts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		base, head, higher := 1+rng.Float64(), 10*rng.Float64(), rng.IntN(2) == 0
		near(t, "head", metrics.HeadFromChange(base, metrics.ChangePct(base, head, higher), higher), head, 1e-12)
	}
}

// The five kinds of row in the mails.
func TestPublishedNoise(t *testing.T) {
	for _, c := range []struct {
		name               string
		of                 string
		change, base, head float64
		load               int
		points, threshold  float64
		assumed            bool
	}{
		// 9.39/sqrt(720) = 0.34994; 3.66/sqrt(720)*2.9013 = 0.39574
		{"TCP_RR 240", "pairs", 190.13, 9.39, 3.66, 240, 0.52827, 3, false},
		// 45.28/30 = 1.50933; 19.41/30*2.2007 = 1.42385
		{"TCP_RR 300", "pairs", 120.07, 45.28, 19.41, 300, 2.07494, 3, false},
		// 11.86/sqrt(180) = 0.88399; 2.66/sqrt(180)*0.9971 = 0.19769
		{"UDP_RR 60", "pairs", -0.29, 11.86, 2.66, 60, 0.90583, 3, false},
		// 26.22*1.6205 = 42.48951 beside 0.42
		{"tbench 180", "runs", 62.05, 0.42, 26.22, 180, 42.49159, 42.49159, false},
		// 30.43 and 15.27*1.7761 = 27.12105
		{"tbench 240", "runs", 77.61, 30.43, 15.27, 240, 40.76194, 40.76194, false},
		// 0.65 and 0.41*0.9899 = 0.40586
		{"tbench 120", "runs", -1.01, 0.65, 0.41, 120, 0.76630, 3, false},
		// 6.92 and 5.85*1.047 = 6.12495
		{"hackbench 1 group", "runs", 4.70, 6.92, 5.85, 1, 9.24129, 9.24129, false},
		{"a star, no spread", "", 19.26, nan, nan, 64, 3, 3, true},
		{"one arm reported", "runs", 10, 8, nan, 1, 8, 8, true},
		{"one arm reported, small", "runs", 10, nan, 1, 1, 3, 3, true},
	} {
		n, err := metrics.PublishedNoise(c.of, c.change, c.base, c.head, c.load)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		near(t, c.name+" points", n.Points, c.points, 2e-5)
		near(t, c.name+" threshold", n.Threshold(), c.threshold, 2e-5)
		if n.Assumed != c.assumed {
			t.Errorf("%s: assumed = %v", c.name, n.Assumed)
		}
	}
	// dbench ext4, 1 client: 100*14.31/854.64 = 1.67439, 100*5.35/854.64 = 0.62600
	near(t, "mmtests Stddev", metrics.StddevNoise(854.64, 14.31, 5.35).Points, 1.78758, 1e-5)
}

func TestPublishedNoiseRefuses(t *testing.T) {
	for _, c := range []struct {
		of   string
		base float64
		load int
	}{{"pairs", 1, 0}, {"instances", 1, 1}, {"", 1, 1}} {
		if n, err := metrics.PublishedNoise(c.of, 0, c.base, 1, c.load); err == nil {
			t.Errorf("spread of %q, load %d: noise %v and no error", c.of, c.load, n)
		}
	}
	near(t, "pairs below 1", metrics.PairNoise(0, 1, 1, 0).Points, nan, 0)
}

func ExampleChangePct() {
	fmt.Printf("throughput %+.2f %%\n", metrics.ChangePct(83528.11, 134504.35, true))
	fmt.Printf("seconds    %+.2f %%\n", metrics.ChangePct(1.6168, 0.9831, false))
	// Output:
	// throughput +61.03 %
	// seconds    +39.19 %
}
