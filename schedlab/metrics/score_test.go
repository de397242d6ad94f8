package metrics_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedlab/lab/schedlab/metrics"
)

func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y []float64
		want float64
	}{
		{"same order", []float64{1, 2, 3}, []float64{10, 200, 3000}, 1},
		{"opposite order", []float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		// d = 0, 1, -1, 0: 1 - 6*2/(4*15) = 0.8
		{"two swapped", []float64{1, 2, 3, 4}, []float64{1, 3, 2, 4}, 0.8},
		// ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: cov 4.5, var 4.5 and 5
		{"a tie", []float64{1, 2, 2, 3}, []float64{1, 2, 3, 4}, 4.5 / math.Sqrt(22.5)},
		{"NaN pairs are skipped", []float64{1, nan, 2, 3}, []float64{1, 9, nan, 3}, 1},
		{"constant", []float64{1, 1, 1}, []float64{1, 2, 3}, nan},
		{"one pair", []float64{1}, []float64{1}, nan},
		{"lengths", []float64{1, 2}, []float64{1}, nan},
	} {
		near(t, c.name, metrics.Spearman(c.x, c.y), c.want, 1e-12)
	}
	if got := metrics.Ranks([]float64{3, 1, 3, nan}); !slices.Equal(got, []float64{3.5, 2, 3.5, 1}) {
		t.Errorf("ranks %v", got)
	}
}

func TestMeanAbsError(t *testing.T) {
	near(t, "error", metrics.MeanAbsError([]float64{1, -2, nan, 4}, []float64{2, 2, 1, nan}), 2.5, 0)
	near(t, "none", metrics.MeanAbsError(nil, nil), nan, 0)
	near(t, "lengths", metrics.MeanAbsError([]float64{1}, nil), nan, 0)
}

// rows: the TCP_RR table, a UDP_RR row the model gets wrong, one row outside and
// one not simulated.
func rows() []metrics.Row {
	row := func(table string, load int, published, base, head, simulated, half float64) metrics.Row {
		return metrics.Row{
			Table: table, Load: load, Published: published,
			Noise:     metrics.PairNoise(published, base, head, load),
			Simulated: simulated, Low: simulated - half, High: simulated + half,
			BaseSpread: base, HeadSpread: head, SimulatedBaseSpread: base * 2, SimulatedHeadSpread: nan,
		}
	}
	out := []metrics.Row{
		row("TCP_RR", 60, -0.03, 1.04, 1.27, 0, 0),
		row("TCP_RR", 180, 0.93, 1.77, 1.16, 20, 30),     // an effect where there is none
		row("TCP_RR", 240, 190.13, 9.39, 3.66, 177, 27),  // agree
		row("TCP_RR", 300, 120.07, 45.28, 19.41, 60, 10), // sign
		row("TCP_RR", 420, 13.39, 30.85, 46.38, 5, 9),    // undecided
		row("UDP_RR", 60, -0.29, 11.86, 2.66, 0.1, 0.1),  // agree, not significant
		row("lmbench", 1, 33.8, 1, 1, 30, 1),             // outside below
		row("vm-rw", 224, 250.8, nan, nan, nan, nan),     // not simulated
	}
	out[6].OutsideReason = "no such path"
	out[7].Noise = metrics.AssumedNoise()
	return out
}

func TestScoreRows(t *testing.T) {
	s := metrics.ScoreRows(rows())
	if want := (metrics.Tally{Agree: 3, Sign: 1, Undecided: 1, Disagree: 1, Outside: 1, Unjudged: 1}); s.All != want {
		t.Errorf("all rows %+v, want %+v", s.All, want)
	}
	if want := (metrics.Tally{Agree: 1, Sign: 1, Undecided: 1, Outside: 1, Unjudged: 1}); s.Significant != want {
		t.Errorf("significant rows %+v, want %+v", s.Significant, want)
	}
	if s.All.Rows() != 8 || s.All.Judged() != 6 || s.Assumed != 1 {
		t.Errorf("%d rows, %d judged, %d assumed", s.All.Rows(), s.All.Judged(), s.Assumed)
	}
	near(t, "headline", s.Headline(), 100./3, 1e-9)
	// 0.03 + 19.07 + 13.13 + 60.07 + 8.39 + 0.39 over 6
	near(t, "error", s.MeanAbsError, 101.08/6, 1e-9)
	near(t, "spread ratio", s.SpreadRatio, 2, 1e-12)
	if s.SpreadRows != 6 || s.SpreadAgree != 6 {
		t.Errorf("%d of %d spreads agree", s.SpreadAgree, s.SpreadRows)
	}
	if len(s.Ranks) != 2 || s.Ranks[0].Table != "TCP_RR" || s.Ranks[0].N != 5 {
		t.Fatalf("ranks %+v", s.Ranks)
	}
	// published 1 2 5 4 3, simulated 1 3 5 4 2: 1 - 6*2/(5*24)
	near(t, "rank correlation", s.Ranks[0].Rho, 0.9, 1e-12)
}

func TestNullModels(t *testing.T) {
	in := rows()
	b := metrics.ScoreAgainstNulls(in)
	if in[2].Simulated != 177 {
		t.Fatal("the caller's rows were changed")
	}
	if b.NoChange.Headline() != 0 || b.NoChange.Significant.Disagree != 3 || b.NoChange.All.Agree != 3 {
		t.Errorf("no change: %+v", b.NoChange)
	}
	// (-0.03 + 0.93 + 190.13 + 120.07 + 13.39 - 0.29 + 250.8) / 7 = 82.142857
	mean := metrics.MeanOfAll(in)[0].Simulated
	near(t, "mean of all", mean, 575./7, 1e-9)
	if b.MeanOfAll.All.Unjudged != 1 || b.MeanOfAll.Significant.Sign != 2 || b.MeanOfAll.Significant.Agree != 1 {
		t.Errorf("mean of all: %+v", b.MeanOfAll.Significant)
	}
	if b.NoChange.SpreadRows != 0 || !math.IsNaN(b.NoChange.SpreadRatio) {
		t.Error("a null model says nothing about spread")
	}
	if e := metrics.ScoreRows(nil); !math.IsNaN(e.Headline()) || e.All.Rows() != 0 {
		t.Errorf("no rows: %+v", e)
	}
}

func ExampleScoreAgainstNulls() {
	b := metrics.ScoreAgainstNulls(rows())
	fmt.Printf("model       %.0f %% of significant rows, error %.1f points\n", b.Model.Headline(), b.Model.MeanAbsError)
	fmt.Printf("no change   %.0f %% of significant rows, error %.1f points\n", b.NoChange.Headline(), b.NoChange.MeanAbsError)
	// Output:
	// model       33 % of significant rows, error 16.8 points
	// no change   0 % of significant rows, error 54.1 points
}
