package report

import (
	"github.com/go-gota/gota/dataframe"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/policy"
)

// Arm is a labelled set of runs that differ in their seed alone; tables and
// plots show their mean.
type Arm struct {
	Label   string
	Results []*schedlab.Result
}

// share is the mean over the arm's runs of count(r) as a percentage of total(r).
func (a Arm) share(count, total func(r *schedlab.Result) int64) float64 {
	var n, all int64
	for _, r := range a.Results {
		n += count(r)
		all += total(r)
	}
	if all == 0 {
		return 0
	}
	return 100 * float64(n) / float64(all)
}

// shares makes one series per name with a value per arm; series that are 0
// everywhere are left out.
func shares(arms []Arm, names int, name func(i int) string, count func(r *schedlab.Result, i int) int64, total func(r *schedlab.Result) int64) []Series {
	var out []Series
	for i := range names {
		s := Series{Name: name(i)}
		some := false
		for _, a := range arms {
			y := a.share(func(r *schedlab.Result) int64 { return count(r, i) }, total)
			s.Y = append(s.Y, y)
			some = some || y != 0
		}
		if some {
			out = append(out, s)
		}
	}
	return out
}

// seriesTable turns the series into a table: a row per series, a column per arm.
func armsTable(title, caption, key string, arms []Arm, series []Series) (Table, error) {
	names := make([]string, len(series))
	for i, s := range series {
		names[i] = s.Name
	}
	columns := []Column{Strings(key, names)}
	for j, a := range arms {
		y := make([]float64, len(series))
		for i, s := range series {
			y[i] = s.Y[j]
		}
		columns = append(columns, Floats(a.Label, "%", 1, y))
	}
	return NewTable(title, caption, columns...)
}

func armLabels(arms []Arm) []string {
	out := make([]string, len(arms))
	for i, a := range arms {
		out[i] = a.Label
	}
	return out
}

func timeSeries(arms []Arm) []Series {
	return shares(arms, int(schedlab.NumCategories),
		func(i int) string { return schedlab.Category(i).String() },
		func(r *schedlab.Result, i int) int64 { return r.CPUTime[i] },
		func(r *schedlab.Result) int64 { return r.CPUTime.Total() })
}

func placementSeries(arms []Arm) []Series {
	return shares(arms, int(policy.NumReasons),
		func(i int) string { return policy.Reason(i).String() },
		func(r *schedlab.Result, i int) int64 { return r.Placements[i] },
		func(r *schedlab.Result) int64 {
			var n int64
			for _, x := range r.Placements {
				n += x
			}
			return n
		})
}

const (
	timeTitle        = "Where the CPUs' time goes"
	timeCaption      = "Share of all CPU time in the measured window, by category."
	placementTitle   = "Why wakeups went where they went"
	placementCaption = "Share of placed wakeups, by the rule that decided."
)

// TimeTable shows where the CPUs' time goes: a row per category, a column per
// arm, in percent of all CPU time.
func TimeTable(arms []Arm) (Table, error) {
	return armsTable(timeTitle, timeCaption, "category", arms, timeSeries(arms))
}

// TimeFrame is TimeTable as a dataframe.
func TimeFrame(arms []Arm) (dataframe.DataFrame, error) { return frame(TimeTable(arms)) }

// TimePlot draws TimeTable as stacked bars of at most seven bands.
func TimePlot(arms []Arm) (*Figure, error) {
	return StackedBarsFigure(timeTitle, "", "CPU time (%)", armLabels(arms), GroupBands(timeSeries(arms), MaxSeries), Caption(timeCaption))
}

// PlacementTable shows which rule decided: a row per reason, a column per arm,
// in percent of placed wakeups.
func PlacementTable(arms []Arm) (Table, error) {
	return armsTable(placementTitle, placementCaption, "reason", arms, placementSeries(arms))
}

// PlacementFrame is PlacementTable as a dataframe.
func PlacementFrame(arms []Arm) (dataframe.DataFrame, error) { return frame(PlacementTable(arms)) }

// PlacementPlot draws PlacementTable as stacked bars of at most seven bands.
func PlacementPlot(arms []Arm) (*Figure, error) {
	return StackedBarsFigure(placementTitle, "", "wakeups (%)", armLabels(arms), GroupBands(placementSeries(arms), MaxSeries), Caption(placementCaption))
}
