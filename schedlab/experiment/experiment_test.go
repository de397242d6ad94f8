package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/schedlab/lab/datasets"
	"github.com/schedlab/lab/schedlab/metrics"
)

// quick plays two small rows for an instant.
var quick = Options{
	Seeds: 2, Warmup: time.Millisecond, Duration: 2 * time.Millisecond,
	Choose: func(c datasets.Comparison) bool { return c.Benchmark == "netperf-tcp_rr" && c.Load <= 120 },
}

// simulated is everything the simulation gave for a prediction, as bytes.
func simulated(t *testing.T, p *Prediction) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range p.Rows {
		if err := json.NewEncoder(&b).Encode([]any{r.Benchmark, r.Load, r.Base, r.Patched}); err != nil {
			t.Fatal(err)
		}
		if r.Simulated() {
			if err := json.NewEncoder(&b).Encode([]float64{r.BaseMean, r.PatchedMean, r.Change.Center, r.Change.Low, r.Change.High}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Bytes()
}

// TestScrambled replaces every published figure of a patched kernel by noise: no
// byte of what is simulated may change.
func TestScrambled(t *testing.T) {
	rows, err := datasets.Comparisons("sis-sync")
	if err != nil {
		t.Fatal(err)
	}
	p, err := predict(context.Background(), "sis-sync", rows, quick)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	scrambled := append([]datasets.Comparison(nil), rows...)
	for i := range scrambled {
		c := &scrambled[i]
		c.Patched *= 10 * rng.Float64()
		c.ChangePct = 1000 * rng.Float64()
		c.PatchedSpreadPct *= 10 * rng.Float64()
		c.Star = !c.Star
	}
	q, err := predict(context.Background(), "sis-sync", scrambled, quick)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(simulated(t, p), simulated(t, q)) {
		t.Error("published figures of the patched kernel reach the simulation")
	}
}

func TestEveryRowStays(t *testing.T) {
	p, err := Predict(context.Background(), "sis-sync", quick)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Rows) != 28 {
		t.Fatalf("%d rows, want 28", len(p.Rows))
	}
	for _, r := range p.Rows {
		if r.Simulated() == (r.Reason != "") {
			t.Errorf("%s:%d: simulated %t with reason %q", r.Benchmark, r.Load, r.Simulated(), r.Reason)
		}
		if (r.Reason != "") != (r.Verdict == metrics.Outside) {
			t.Errorf("%s:%d: verdict %s with reason %q", r.Benchmark, r.Load, r.Verdict, r.Reason)
		}
	}
	if n := len(p.Simulated().Rows); n != 2 {
		t.Errorf("%d rows simulated, want the 2 chosen", n)
	}
}

func TestVariant(t *testing.T) {
	o := quick
	o.Variant = "xeon240-llc120"
	p, err := Predict(context.Background(), "sis-sync", o)
	if err != nil {
		t.Fatal(err)
	}
	if m := p.Simulated().Rows[0].Base[0].Machine; m != o.Variant {
		t.Errorf("simulated on %s, want %s", m, o.Variant)
	}
	// A variant is called the way its machine is.
	for _, machine := range []string{"xeon240", "xeon240-llc120"} {
		c := datasets.Comparison{Mail: "sis-sync", Machine: machine, Benchmark: "hackbench-process-pipe"}
		if got := optionsOf(c); got != ",fds=30,loops=300000" {
			t.Errorf("hackbench on %s is called with %q", machine, got)
		}
	}
	o.Variant = "ivb48"
	if _, err := Predict(context.Background(), "sis-sync", o); err == nil {
		t.Error("any machine passes for a variant")
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := Predict(ctx, "sis-sync", quick)
	if err == nil || p == nil || p.Rows[0].Reason == "" || p.Rows[0].Verdict != metrics.Outside {
		t.Errorf("stopped: %v, %+v", err, p)
	}
}

// TestPinnedPair: the two pinned runs carry the mail's figures, and the model's
// leg, which is taken from them, gives them back.
func TestPinnedPair(t *testing.T) {
	pairs, err := PinnedPair(context.Background(), Options{Warmup: 5 * time.Millisecond, Duration: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pairs {
		if off := p.Result.Throughput/p.Published - 1; off < -0.05 || off > 0.05 {
			t.Errorf("%s: %.0f Trans/s, published %.0f", p.Placement, p.Result.Throughput, p.Published)
		}
	}
}
