package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"

	"github.com/schedlab/lab/datasets"
	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/experiment"
)

// ScoreTable is the scoreboard of a mail, every published comparison a row: the
// columns of `schedlab reproduce --format csv`, exactly. Changes, noise and the
// interval are in percent of base, positive = better; published figures that the
// mail does not state are absent, as is everything simulated in rows that are
// not.
func ScoreTable(p *experiment.Prediction) (Table, error) {
	rows := p.Rows
	text := func(f func(r experiment.Row) string) []string { return each(rows, f) }
	num := func(f func(r experiment.Row) float64) []float64 { return each(rows, f) }
	return NewTable("Published against simulated: "+p.Mail,
		"Changes in percent of base, positive = better; the interval is 95 % over seeds. `-`: not stated, or not simulated.",
		Strings("mail", text(func(r experiment.Row) string { return r.Mail })),
		Strings("benchmark", text(func(r experiment.Row) string { return r.Benchmark })),
		Strings("metric", text(func(r experiment.Row) string { return r.Metric })),
		Floats("load", "", 0, num(load)),
		Strings("machine", text(func(r experiment.Row) string { return r.Machine })),
		Floats("published_base", "", Auto, num(func(r experiment.Row) float64 { return r.Comparison.Base })),
		Floats("published_patched", "", Auto, num(func(r experiment.Row) float64 { return r.Comparison.Patched })),
		Floats("published_change_pct", "", 2, num(func(r experiment.Row) float64 { return r.ChangePct })),
		Floats("published_noise_pct", "", 2, num(func(r experiment.Row) float64 { return r.Noise.Threshold() })),
		Floats("simulated_base", "", 0, num(func(r experiment.Row) float64 { return r.BaseMean })),
		Floats("simulated_patched", "", 0, num(func(r experiment.Row) float64 { return r.PatchedMean })),
		Floats("simulated_change_pct", "", 2, num(func(r experiment.Row) float64 { return r.Change.Center })),
		Floats("simulated_low_pct", "", 2, num(func(r experiment.Row) float64 { return finite(r.Change.Low) })),
		Floats("simulated_high_pct", "", 2, num(func(r experiment.Row) float64 { return finite(r.Change.High) })),
		Strings("verdict", text(func(r experiment.Row) string { return string(r.Verdict) })),
		Strings("reason", text(explain)),
	)
}

// ScoreFrame is ScoreTable as a dataframe.
func ScoreFrame(p *experiment.Prediction) (dataframe.DataFrame, error) {
	return frame(ScoreTable(p))
}

// ScoreSummary is the scoreboard on one screen: what a terminal can hold.
func ScoreSummary(p *experiment.Prediction) (Table, error) {
	rows := p.Rows
	text := func(f func(r experiment.Row) string) []string { return each(rows, f) }
	num := func(f func(r experiment.Row) float64) []float64 { return each(rows, f) }
	t, err := NewTable("Published against simulated: "+p.Mail,
		"Change of the patch in percent, positive = better. Low and high bound the simulated change with 95 % over seeds.",
		Strings("benchmark", text(func(r experiment.Row) string { return r.Benchmark })),
		Strings("metric", text(func(r experiment.Row) string { return r.Metric })),
		Floats("load", "", 0, num(load)),
		Strings("machine", text(func(r experiment.Row) string { return r.Machine })),
		Floats("published", "%", 1, num(func(r experiment.Row) float64 { return r.ChangePct })).Signed(),
		Floats("noise", "%", 1, num(func(r experiment.Row) float64 { return r.Noise.Threshold() })),
		Floats("simulated", "%", 1, num(func(r experiment.Row) float64 { return r.Change.Center })).Signed(),
		Floats("low", "%", 1, num(func(r experiment.Row) float64 { return finite(r.Change.Low) })).Signed(),
		Floats("high", "%", 1, num(func(r experiment.Row) float64 { return finite(r.Change.High) })).Signed(),
		Strings("verdict", text(func(r experiment.Row) string { return string(r.Verdict) })),
	)
	return t.Keys(4), err
}

// ScorePlot draws the rows of one benchmark over load: the published change with
// its noise, the simulated one with its interval.
func ScorePlot(p *experiment.Prediction, benchmark string) (*Figure, error) {
	var loads []string
	published := Series{Name: "published (bars: noise)"}
	simulated := Series{Name: "simulated (bars: 95 % over seeds)"}
	for _, r := range p.Rows {
		if r.Benchmark != benchmark || !r.Simulated() {
			continue
		}
		loads = append(loads, strconv.Itoa(r.Load))
		published.Y = append(published.Y, r.ChangePct)
		published.Low = append(published.Low, r.ChangePct-r.Noise.Threshold())
		published.High = append(published.High, r.ChangePct+r.Noise.Threshold())
		simulated.Y = append(simulated.Y, r.Change.Center)
		simulated.Low = append(simulated.Low, finite(r.Change.Low))
		simulated.High = append(simulated.High, finite(r.Change.High))
	}
	if len(loads) == 0 {
		return nil, fmt.Errorf("report: no row of %q is simulated in %s", benchmark, p.Mail)
	}
	return LinesFigure(benchmark+": change of the patch", "load", "change (%)", loads, []Series{published, simulated}, Changes(),
		Caption("Change of throughput by the patch over load; positive = better."))
}

// explain is why a row is outside, or what else there is to say.
func explain(r experiment.Row) string {
	if r.Reason != "" {
		return r.Reason
	}
	return r.Note
}

// load is the load as printed; one the mail does not state is absent.
func load(r experiment.Row) float64 {
	if r.Load == 0 {
		return math.NaN()
	}
	return float64(r.Load)
}

// finite takes the end of an interval that a single seed leaves open as absent.
func finite(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

func each[T any](rows []experiment.Row, f func(r experiment.Row) T) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = f(r)
	}
	return out
}

// frame turns what a table constructor returns into a dataframe.
func frame(t Table, err error) (dataframe.DataFrame, error) {
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return t.Frame()
}

// PinnedTable sets the absolute figures of a pinned pair beside the simulation.
func PinnedTable(pairs []experiment.Pinned) (Table, error) {
	var placement []string
	var published, simulated, off []float64
	for _, p := range pairs {
		placement = append(placement, p.Placement)
		published = append(published, p.Published)
		simulated = append(simulated, math.Round(p.Result.Throughput))
		off = append(off, 100*p.Result.Throughput/p.Published-100)
	}
	return NewTable("One netperf TCP_RR pair, pinned",
		"Absolute figures. The leg of the model is taken from this pair: that they agree is a check of the arithmetic, not a prediction.",
		Strings("placement", placement), Floats("published", "Trans/s", 0, published),
		Floats("simulated", "Trans/s", 0, simulated), Floats("difference", "%", 1, off).Signed())
}

// ReasonTable counts the rows by verdict and reason, in order of appearance.
func ReasonTable(p *experiment.Prediction) (Table, error) {
	type kind struct{ verdict, reason string }
	var kinds []kind
	count := map[kind]int{}
	for _, r := range p.Rows {
		k := kind{string(r.Verdict), explain(r)}
		if count[k] == 0 {
			kinds = append(kinds, k)
		}
		count[k]++
	}
	var rows []int
	var verdicts, reasons []string
	for _, k := range kinds {
		rows, verdicts, reasons = append(rows, count[k]), append(verdicts, k.verdict), append(reasons, k.reason)
	}
	return NewTable("Verdicts and reasons", "", Ints("rows", "", rows), Strings("verdict", verdicts), Strings("reason", reasons))
}

// PinnedTimeTable says where the time of a pinned pair goes, on one CPU and on
// two: shares of the time its tasks run or are on their way to running. Line
// transfer and line wait stand for what the mail's top-down counters call
// contested accesses; they are a proxy, time against issue slots.
func PinnedTimeTable(pairs []experiment.Pinned) (Table, error) {
	var arms []Arm
	for _, p := range pairs {
		arms = append(arms, Arm{Label: p.Placement, Results: []*schedlab.Result{p.Result}})
	}
	series := shares(arms, int(schedlab.Queued), // what follows is waiting
		func(i int) string { return schedlab.Category(i).String() },
		func(r *schedlab.Result, i int) int64 { return r.TaskTime[i] },
		func(r *schedlab.Result) int64 {
			return r.TaskTime.Total() - r.TaskTime[schedlab.Queued] - r.TaskTime[schedlab.Blocked]
		})
	return armsTable("Where a pinned pair's time goes",
		"Share of the pair's time, waiting left out. The mail counts 59.5 % of slots as contested accesses on two CPUs and prints none on one: line transfer is the proxy.",
		"category", arms, series)
}

// PublishedTable shows comparisons as they were published, a row each.
func PublishedTable(mail string, rows []datasets.Comparison) (Table, error) {
	var benchmark, metric []string
	var loads, change, base, patched []float64
	for _, c := range rows {
		benchmark, metric = append(benchmark, c.Benchmark), append(metric, c.Metric)
		loads = append(loads, load(experiment.Row{Comparison: c}))
		change, base, patched = append(change, c.ChangePct), append(base, c.BaseSpreadPct), append(patched, c.PatchedSpreadPct)
	}
	return NewTable("Published: "+mail, "Change in percent of base, positive = better; spreads in percent of their own mean.",
		Strings("benchmark", benchmark), Strings("metric", metric), Floats("load", "", 0, loads),
		Floats("change", "%", 2, change).Signed(), Floats("base spread", "%", 2, base), Floats("patched spread", "%", 2, patched))
}

// PublishedFrame is PublishedTable as a dataframe.
func PublishedFrame(mail string, rows []datasets.Comparison) (dataframe.DataFrame, error) {
	return frame(PublishedTable(mail, rows))
}
