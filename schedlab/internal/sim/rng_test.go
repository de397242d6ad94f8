package sim

import (
	"math"
	"testing"
)

// TestStreamPins fixes the generator: other draws are another engine version.
func TestStreamPins(t *testing.T) {
	s := newStream(1, 0, forService)
	pins := []uint64{s.next(), s.next(), s.next()}
	want := []uint64{0x96c9f513020798b9, 0xf7dd055ed9ec356f, 0xed35e8a386754903}
	for i := range want {
		if pins[i] != want[i] {
			t.Errorf("draw %d = %#x, want %#x", i, pins[i], want[i])
		}
	}
	s = newStream(1, 0, forService)
	if a, b := s.jittered(10_000, 5), s.exponential(10_000); a != 10089 || b != 34489 {
		t.Errorf("jittered, exponential = %d, %d; want 10089, 34489", a, b)
	}
	// The published first outputs of SplitMix64 from state 0.
	zero := stream(0)
	if got := zero.next(); got != 0xe220a8397b1dcdaf {
		t.Errorf("SplitMix64(0) = %#x, want 0xe220a8397b1dcdaf", got)
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[stream]bool{}
	for seed := range uint64(8) {
		for owner := range uint64(64) {
			for p := forService; p <= forTick; p++ {
				s := newStream(seed, owner, p)
				if seen[s] {
					t.Fatalf("seed %d owner %d purpose %d shares its stream", seed, owner, p)
				}
				seen[s] = true
			}
		}
	}
}

func TestExpTable(t *testing.T) {
	for i, got := range expEdge {
		want := math.Round(-math.Log(1-float64(i)/1024) * (1 << 20))
		if float64(got) != want {
			t.Errorf("expEdge[%d] = %d, want %.0f", i, got, want)
		}
	}
}

// moments of n draws
func moments(n int, draw func() int64) (mean, variance float64) {
	var sum, square float64
	for range n {
		x := float64(draw())
		sum += x
		square += x * x
	}
	mean = sum / float64(n)
	return mean, square/float64(n) - mean*mean
}

func TestDraws(t *testing.T) {
	const n, mean = 1_000_000, 10_000
	s := newStream(7, 3, forService)
	m, v := moments(n, func() int64 { return s.exponential(mean) })
	if math.Abs(m/mean-1) > 0.005 || math.Abs(v/(mean*mean)-1) > 0.02 {
		t.Errorf("exponential: mean %.1f, variance %.3g; want %d and %.3g", m, v, mean, 1e8)
	}
	low, high := int64(math.MaxInt64), int64(0)
	m, v = moments(n, func() int64 {
		x := s.jittered(mean, 5)
		low, high = min(low, x), max(high, x)
		return x
	})
	if math.Abs(m/mean-1) > 0.001 || math.Abs(v/(1000*1000/12.)-1) > 0.01 {
		t.Errorf("jittered: mean %.1f, variance %.1f; want %d and %.1f", m, v, mean, 1000*1000/12.)
	}
	if low < 9500 || high > 10500 || low > 9510 || high < 10490 {
		t.Errorf("jittered: draws from %d to %d, want 9500 to 10500", low, high)
	}
}

// TestExponentialTail checks the law itself at a few points, the tail beyond the
// table among them.
func TestExponentialTail(t *testing.T) {
	const n, mean = 1_000_000, 1000
	s := newStream(9, 9, forSleep)
	above := map[int64]float64{100: 0, 700: 0, 2000: 0, 7000: 0, 9000: 0}
	for range n {
		x := s.exponential(mean)
		for k := range above {
			if x >= k {
				above[k]++
			}
		}
	}
	for k, got := range above {
		p := math.Exp(-float64(k) / mean)
		if sd := math.Sqrt(n * p * (1 - p)); math.Abs(got-n*p) > 5*sd+1 {
			t.Errorf("%.0f draws of %d are at least %d; want %.0f +- %.0f", got, n, k, n*p, sd)
		}
	}
}

// TestTwoTails: a draw that falls into the last cell twice is longer than twice
// its edge.
func TestTwoTails(t *testing.T) {
	s := newStream(1, 1, forService)
	for range 20_000_000 {
		before := s
		if s.next()>>54 != 1023 {
			continue
		}
		if again := s; again.next()>>54 != 1023 {
			continue
		}
		edge := int64(expEdge[1023])
		if got := before.exponential(1 << 20); got < 2*edge {
			t.Errorf("a draw of two tails is %d, want %d or more", got, 2*edge)
		}
		return
	}
	t.Error("no such draw found")
}

// TestCompiledStreams: lengths of work and of sleep are drawn apart.
func TestCompiledStreams(t *testing.T) {
	e := prepare(t, Config{Machine: cores(t, 1), Workload: copies(t, 3, "", sleepExp(us), runExp(us)), Policy: linux(t, "6.10"), Duration: 1})
	seen := map[stream]bool{}
	for i := range e.tasks {
		seen[e.tasks[i].service], seen[e.naps[i]] = true, true
	}
	if len(seen) != 6 {
		t.Errorf("%d streams, want 6", len(seen))
	}
}

func TestLongDrawsDoNotOverflow(t *testing.T) {
	s := newStream(1, 1, forSleep)
	const mean = 1<<33 - 1
	m, _ := moments(200_000, func() int64 {
		x := s.exponential(mean)
		if x < 0 || x > 40*mean {
			t.Fatalf("exponential(%d) = %d", int64(mean), x)
		}
		if y := s.jittered(mean, 5); y < mean*94/100 || y > mean*106/100 {
			t.Fatalf("jittered(%d) = %d", int64(mean), y)
		}
		return x
	})
	if math.Abs(m/mean-1) > 0.02 {
		t.Errorf("mean %g, want %g", m, float64(mean))
	}
}
