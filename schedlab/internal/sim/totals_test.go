package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHistogramQuantiles compares with sorting: a bucket is 1/16 wide, so its
// middle is within 1/32 of what it holds, give or take one.
func TestHistogramQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{1, 2, 10, 999, 20_000} {
		for _, top := range []int64{1, 15, 17, 100, 5_000, 1 << 40} {
			var h histogram
			values := make([]int64, n)
			for i := range values {
				values[i] = rng.Int64N(top + 1)
				h.add(values[i])
			}
			slices.Sort(values)
			for _, permille := range []int64{1, 500, 900, 990, 1000} {
				want := values[(int64(n)*permille+999)/1000-1]
				got := h.quantile(permille)
				if diff := got - want; max(diff, -diff) > want/16+1 {
					t.Errorf("%d values up to %d: quantile %d = %d, want %d", n, top, permille, got, want)
				}
			}
			if s := h.summary(); s.Max != values[n-1] || s.P50 > s.P90 || s.P90 > s.P99 || s.P99 > s.Max {
				t.Errorf("%d values up to %d: summary %+v, largest %d", n, top, s, values[n-1])
			}
		}
	}
	var empty histogram
	if s := empty.summary(); s != (Latency{}) {
		t.Errorf("an empty histogram says %+v", s)
	}
}

// TestBucketsTile: every value lies in its bucket, buckets touch, order holds.
func TestBucketsTile(t *testing.T) {
	for i := range 40*16 - 1 {
		low, high := floor(i), floor(i+1)
		if low >= high {
			t.Fatalf("bucket %d is [%d, %d)", i, low, high)
		}
		for _, x := range []int64{low, (low + high) / 2, high - 1} {
			if bucket(x) != i {
				t.Fatalf("bucket(%d) = %d, want %d = [%d, %d)", x, bucket(x), i, low, high)
			}
		}
	}
	if bucket(-5) != 0 || bucket(1<<62) != 40*16-1 {
		t.Error("values outside the range belong to the first and the last bucket")
	}
}

func TestCategoryNames(t *testing.T) {
	seen := map[string]bool{}
	for c := range NumCategories {
		if s := c.String(); s == "" || seen[s] {
			t.Errorf("category %d is called %q", c, s)
		} else {
			seen[s] = true
		}
	}
	if got := NumCategories.String(); got != "category(18)" {
		t.Errorf("an unknown category prints %q", got)
	}
}
