package report

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// barGroup is the width of all bars at one x, as a fraction of the distance
// between two x values.
const barGroup = 0.76

// BarsFigure draws the series side by side over named x values, with intervals
// where given. A NaN leaves a hole. At most MaxSeries series.
func BarsFigure(title, xlabel, ylabel string, xs []string, series []Series, opts ...Option) (*Figure, error) {
	s := options(opts)
	err := checkSeries(s, xs, series)
	var data Table
	if err == nil {
		data, err = seriesTable(title, s.caption, xlabel, xs, series)
	}
	if err != nil {
		return nil, fmt.Errorf("report: figure %q: %w", title, err)
	}
	f := build(s, title, xlabel, ylabel, data)
	f.plot.Add(grid())
	width := barGroup / float64(len(series))
	var values [][]float64
	for i, v := range series {
		b := bars{width: width * 0.94, look: barLooks[i], low: v.Low, high: v.High}
		for j, y := range v.Y {
			b.x = append(b.x, float64(j)-barGroup/2+width*(float64(i)+0.5))
			b.from, b.to = append(b.from, 0), append(b.to, y)
		}
		f.plot.Add(b)
		f.Legend(v.Name, b)
		values = append(values, v.Y, v.Low, v.High)
	}
	if len(series) == 1 {
		f.legend = nil
	}
	finishY(f, s, true, values...)
	nominalX(f, xs)
	return f, nil
}

// StackedBarsFigure draws one bar per x, made of the bands from bottom to top:
// where the time went. More than MaxSeries bands are grouped (see GroupBands).
// Negative values are stacked downwards from 0, NaN counts as nothing. Bands have
// no intervals; log axes are refused, for the height of a stack means nothing
// there.
func StackedBarsFigure(title, xlabel, ylabel string, xs []string, bands []Series, opts ...Option) (*Figure, error) {
	s := options(opts)
	bands = GroupBands(bands, MaxSeries)
	err := checkStack(s, xs, bands)
	var data Table
	if err == nil {
		data, err = seriesTable(title, s.caption, xlabel, xs, bands)
	}
	if err != nil {
		return nil, fmt.Errorf("report: figure %q: %w", title, err)
	}
	f := build(s, title, xlabel, ylabel, data)
	f.plot.Add(grid())
	up, down := make([]float64, len(xs)), make([]float64, len(xs))
	for i, v := range bands {
		b := bars{width: 0.66, look: barLooks[i]}
		if v.Name == Other {
			b.look = barLooks[MaxSeries-1]
		}
		for j, y := range v.Y {
			side := up
			if y < 0 {
				side = down
			}
			if math.IsNaN(y) {
				y = 0
			}
			b.x = append(b.x, float64(j))
			b.from, b.to = append(b.from, side[j]), append(b.to, side[j]+y)
			side[j] += y
		}
		f.plot.Add(b)
		f.Legend(v.Name, b)
	}
	finishY(f, s, true, up, down)
	nominalX(f, xs)
	return f, nil
}

func checkStack(s settings, xs []string, bands []Series) error {
	if s.log || s.symlog != 0 {
		return errors.New("stacked bars on a log axis: want a linear axis")
	}
	for _, b := range bands {
		if b.Low != nil || b.High != nil {
			return fmt.Errorf("band %q has an interval: want none in a stack", b.Name)
		}
	}
	return checkSeries(s, xs, bands)
}

// Other is the name of the band that GroupBands gathers the small ones in.
const Other = "other"

// GroupBands reduces bands to at most n (at least 1): the largest by the sum of
// their absolute values keep their order, the rest are added up in a last band
// called "other", as is any band of that name already there. Sums over all bands
// stay what they were. NaN counts as 0 beside a number and stays where all are
// NaN. The bands given are not changed; unequal lengths are left to the figure
// to refuse.
func GroupBands(bands []Series, n int) []Series {
	var named, rest []Series
	for _, b := range bands {
		if b.Name == Other {
			rest = append(rest, b)
		} else {
			named = append(named, b)
		}
	}
	n = max(1, n)
	if len(named) > n || len(rest) > 0 && len(named) > n-1 {
		order := make([]int, len(named))
		for i := range order {
			order[i] = i
		}
		sort.SliceStable(order, func(a, b int) bool { return weight(named[order[a]].Y) > weight(named[order[b]].Y) })
		keep := make([]bool, len(named))
		for _, i := range order[:n-1] {
			keep[i] = true
		}
		var kept []Series
		for i, b := range named {
			if keep[i] {
				kept = append(kept, b)
			} else {
				rest = append(rest, b)
			}
		}
		named = kept
	}
	if len(rest) == 0 {
		return named
	}
	return append(named, sumBands(rest))
}

func weight(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		if !math.IsNaN(x) {
			sum += math.Abs(x)
		}
	}
	return sum
}

func sumBands(bands []Series) Series {
	out := Series{Name: Other}
	for _, b := range bands {
		for i, y := range b.Y {
			if i == len(out.Y) {
				out.Y = append(out.Y, math.NaN())
			}
			if math.IsNaN(out.Y[i]) {
				out.Y[i] = y
			} else if !math.IsNaN(y) {
				out.Y[i] += y
			}
		}
	}
	return out
}

// bars is a set of bars of one look. It is a plot.Plotter and a plot.Thumbnailer.
type bars struct {
	x, from, to, low, high []float64
	width                  float64 // in units of x
	look                   barLook
}

// Plot draws the bars, cut off at the ends of the y axis.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	y := func(v float64) vg.Length { return c.Y(p.Y.Norm(min(max(v, p.Y.Min), p.Y.Max))) }
	for i := range b.x {
		if math.IsNaN(b.to[i]) {
			continue
		}
		from, to := y(b.from[i]), y(b.to[i])
		fillBox(&c, vg.Rectangle{
			Min: vg.Point{X: c.X(p.X.Norm(b.x[i] - b.width/2)), Y: min(from, to)},
			Max: vg.Point{X: c.X(p.X.Norm(b.x[i] + b.width/2)), Y: max(from, to)},
		}, b.look)
	}
	for i := range b.low {
		for _, style := range []draw.LineStyle{{Color: color.White, Width: 2.6}, {Color: ink, Width: 1}} {
			drawInterval(c, p, b.x[i], b.low[i], b.high[i], style) // with a white rim, to be seen on dark bars
		}
	}
}

// Thumbnail draws the legend picture.
func (b bars) Thumbnail(c *draw.Canvas) {
	fillBox(c, vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Max.X - 6, Y: c.Max.Y}}, b.look)
}
