package metrics

import (
	"math"
	"slices"
)

// Row is one published comparison beside its prediction, all in points,
// positive = better.
type Row struct {
	Table         string // the table it stands in; one rank correlation each
	Load          int
	Published     float64
	Noise         Noise
	Simulated     float64 // NaN = not simulated
	Low, High     float64 // 95 % interval of Simulated
	OutsideReason string  // not empty: the mechanism is not modelled

	// Spreads in percent of their own mean, NaN where unknown: published and
	// simulated, of either arm. Base and head are both compared.
	BaseSpread, HeadSpread                   float64
	SimulatedBaseSpread, SimulatedHeadSpread float64
}

// Verdict judges the row: see Judge.
func (r Row) Verdict() Verdict {
	return Judge(r.Published, r.Noise.Points, r.Simulated, r.Low, r.High, r.OutsideReason)
}

// Significant reports whether the published change is outside its noise.
func (r Row) Significant() bool { return r.Noise.Significant(r.Published) }

// Tally counts rows by verdict.
type Tally struct {
	Agree, Sign, Undecided, Disagree, Outside, Unjudged int
}

// Rows is the number of rows counted, of whatever verdict.
func (t Tally) Rows() int { return t.Judged() + t.Outside + t.Unjudged }

// Judged is the number of rows with a verdict other than Outside and Unjudged.
func (t Tally) Judged() int { return t.Agree + t.Sign + t.Undecided + t.Disagree }

// AgreePct is the share of Agree in the judged rows in percent, NaN for none.
func (t Tally) AgreePct() float64 { return percentOf(float64(t.Agree), float64(t.Judged())) }

func (t *Tally) add(v Verdict) {
	switch v {
	case Agree:
		t.Agree++
	case Sign:
		t.Sign++
	case Undecided:
		t.Undecided++
	case Disagree:
		t.Disagree++
	case Outside:
		t.Outside++
	default:
		t.Unjudged++
	}
}

// Score sums up a set of rows.
type Score struct {
	All         Tally
	Significant Tally // rows published outside their noise; AgreePct is the headline
	Assumed     int   // rows whose noise is assumed

	MeanAbsError float64   // points, over judged rows; NaN for none
	SpreadRatio  float64   // geometric mean of simulated/published spread; NaN for none
	SpreadRows   int       // spreads compared (up to two a row)
	SpreadAgree  int       // of them within a factor of 2
	Ranks        []RankRow // tables with a significant row, in order of appearance
}

// RankRow is the rank correlation over load within one table.
type RankRow struct {
	Table string
	N     int     // judged rows
	Rho   float64 // Spearman's; NaN where it is not defined (constant, or one row)
}

// Headline is the score in one number: agree among significant rows, in percent.
// Rows outside the model and rows not simulated are counted in Significant but
// are no part of the percentage.
func (s Score) Headline() float64 { return s.Significant.AgreePct() }

// ScoreRows judges and sums up rows.
func ScoreRows(rows []Row) Score {
	var s Score
	var published, simulated, logs []float64
	for _, r := range rows {
		v := r.Verdict()
		s.All.add(v)
		if r.Significant() {
			s.Significant.add(v)
		}
		if r.Noise.Assumed {
			s.Assumed++
		}
		if v == Outside || v == Unjudged {
			continue
		}
		published, simulated = append(published, r.Published), append(simulated, r.Simulated)
		for _, pair := range [][2]float64{{r.BaseSpread, r.SimulatedBaseSpread}, {r.HeadSpread, r.SimulatedHeadSpread}} {
			ratio := SpreadRatio(pair[0], pair[1])
			if !(ratio > 0) || math.IsInf(ratio, 0) {
				continue
			}
			s.SpreadRows++
			logs = append(logs, ratio)
			if JudgeSpread(pair[0], pair[1]) == Agree {
				s.SpreadAgree++
			}
		}
	}
	s.MeanAbsError = MeanAbsError(published, simulated)
	s.SpreadRatio = Gmean(logs)
	s.Ranks = ranksByTable(rows)
	return s
}

func ranksByTable(rows []Row) []RankRow {
	var tables []string
	for _, r := range rows {
		if r.Significant() && r.Verdict() != Outside && !slices.Contains(tables, r.Table) {
			tables = append(tables, r.Table)
		}
	}
	ranks := make([]RankRow, 0, len(tables))
	for _, table := range tables {
		var published, simulated []float64
		for _, r := range rows {
			if v := r.Verdict(); r.Table == table && v != Outside && v != Unjudged {
				published, simulated = append(published, r.Published), append(simulated, r.Simulated)
			}
		}
		ranks = append(ranks, RankRow{Table: table, N: len(published), Rho: Spearman(published, simulated)})
	}
	return ranks
}

// Scoreboard is a model's score beside those of two null models, which any
// model has to beat.
type Scoreboard struct {
	Model     Score
	NoChange  Score // predicts 0 for every row
	MeanOfAll Score // predicts the mean published change for every row
}

// ScoreAgainstNulls scores rows and the two null models on the same rows.
func ScoreAgainstNulls(rows []Row) Scoreboard {
	return Scoreboard{
		Model:     ScoreRows(rows),
		NoChange:  ScoreRows(NoChange(rows)),
		MeanOfAll: ScoreRows(MeanOfAll(rows)),
	}
}

// NoChange gives the rows with the prediction "nothing happens": 0, surely.
func NoChange(rows []Row) []Row { return predictAll(rows, 0) }

// MeanOfAll gives the rows with one prediction for all, surely: the mean of the
// published changes of those rows that are not outside. It has seen the answers,
// which makes it a stronger opponent than an honest guess.
func MeanOfAll(rows []Row) []Row {
	var published []float64
	for _, r := range rows {
		if r.OutsideReason == "" && !math.IsNaN(r.Published) {
			published = append(published, r.Published)
		}
	}
	return predictAll(rows, Amean(published))
}

// predictAll predicts change for every row the model has a figure for, so that
// both are scored on the same rows; null models say nothing about spread.
func predictAll(rows []Row, change float64) []Row {
	out := slices.Clone(rows)
	for i := range out {
		out[i].SimulatedBaseSpread, out[i].SimulatedHeadSpread = math.NaN(), math.NaN()
		if !math.IsNaN(out[i].Simulated) {
			out[i].Simulated, out[i].Low, out[i].High = change, change, change
		}
	}
	return out
}
