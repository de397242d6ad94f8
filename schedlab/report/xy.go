package report

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// XY is a series over numbers: a curve, or a cloud of points where Joined is
// false. NaN in X or Y is "not there". Low and High are as in Series.
type XY struct {
	Name            string
	X, Y, Low, High []float64
	Joined          bool
}

// XYFigure draws series over a numeric x axis: a sensitivity curve over a cost,
// predicted against published changes. Joined points are joined in the order
// given. At most MaxSeries series.
func XYFigure(title, xlabel, ylabel string, series []XY, opts ...Option) (*Figure, error) {
	s := options(opts)
	err := checkXY(s, series)
	var data Table
	if err == nil {
		data, err = xyTable(title, s.caption, series)
	}
	if err != nil {
		return nil, fmt.Errorf("report: figure %q: %w", title, err)
	}
	f := build(s, title, xlabel, ylabel, data)
	f.plot.Add(grid())
	var xs, ys [][]float64
	for _, v := range series {
		xs, ys = append(xs, v.X), append(ys, v.Y, v.Low, v.High)
	}
	if s.identity {
		xs, ys = append(xs, ys...), append(ys, xs...)
		f.plot.Add(identityLine{})
		f.Legend("equal", identityLine{})
	}
	for i, v := range series {
		l := line{x: v.X, y: v.Y, low: v.Low, high: v.High, look: lineLooks[i], points: true, joined: v.Joined}
		f.plot.Add(l)
		f.Legend(v.Name, l)
	}
	if len(f.legend) == 1 {
		f.legend = nil
	}
	finishY(f, s, false, ys...)
	scaleX(f.plot, s, xs...)
	if s.identity {
		f.plot.X.Min, f.plot.X.Max = f.plot.Y.Min, f.plot.Y.Max
		f.plot.X.Tick.Marker = f.plot.Y.Tick.Marker
	}
	return f, nil
}

func checkXY(s settings, series []XY) error {
	if err := s.check(); err != nil {
		return err
	}
	if len(series) == 0 || len(series) > MaxSeries {
		return fmt.Errorf("%d series: want 1..%d, more cannot be told apart", len(series), MaxSeries)
	}
	for _, v := range series {
		if len(v.X) != len(v.Y) {
			return fmt.Errorf("series %q has %d x and %d y values", v.Name, len(v.X), len(v.Y))
		}
		if (v.Low != nil || v.High != nil) && (len(v.Low) != len(v.Y) || len(v.High) != len(v.Y)) {
			return fmt.Errorf("series %q has %d low and %d high values for %d points", v.Name, len(v.Low), len(v.High), len(v.Y))
		}
		for i := range v.X {
			for _, x := range []float64{v.X[i], v.Y[i]} {
				if math.IsInf(x, 0) {
					return fmt.Errorf("series %q: point %d is (%v, %v)", v.Name, i, v.X[i], v.Y[i])
				}
			}
			if s.log && v.Y[i] <= 0 || s.logX && v.X[i] <= 0 {
				return fmt.Errorf("series %q: point %d is (%v, %v): a log axis needs values above 0", v.Name, i, v.X[i], v.Y[i])
			}
		}
		for i := range v.Low {
			if math.IsInf(v.Low[i], 0) || math.IsInf(v.High[i], 0) {
				return fmt.Errorf("series %q: interval %d is %v..%v", v.Name, i, v.Low[i], v.High[i])
			}
		}
	}
	return nil
}

// xyTable is the long form: one row per point.
func xyTable(title, caption string, series []XY) (Table, error) {
	var names []string
	var x, y, low, high []float64
	intervals := false
	for _, s := range series {
		for i := range s.X {
			names, x, y = append(names, s.Name), append(x, s.X[i]), append(y, s.Y[i])
			l, h := math.NaN(), math.NaN()
			if s.Low != nil {
				l, h, intervals = s.Low[i], s.High[i], true
			}
			low, high = append(low, l), append(high, h)
		}
	}
	columns := []Column{Strings("series", names), Floats("x", "", Auto, x), Floats("y", "", Auto, y)}
	if intervals {
		columns = append(columns, Floats("low", "", Auto, low), Floats("high", "", Auto, high))
	}
	if len(names) == 0 {
		return Table{}, errors.New("no points")
	}
	return NewTable(title, caption, columns...)
}

// scaleX sets range, scale and ticks of a numeric x axis.
func scaleX(p *plot.Plot, s settings, values ...[]float64) {
	lo, hi, ok := extent(s.logX, values...)
	if !ok {
		lo, hi = 0.1, 1
	}
	if s.logX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, logTicks{}
		p.X.Min, p.X.Max = lo/1.2, hi*1.2
		return
	}
	if lo > 0 && lo < hi/2 {
		lo = 0
	}
	p.X.Min, p.X.Max = niceRange(lo, hi)
	p.X.Tick.Marker = linearTicks{}
}

// identityLine is y = x.
type identityLine struct{}

var identityStyle = draw.LineStyle{Color: axisGrey, Width: 0.8, Dashes: []vg.Length{3, 2}}

func (identityLine) Plot(c draw.Canvas, p *plot.Plot) {
	c.StrokeLine2(identityStyle, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
}

// Thumbnail draws the legend picture.
func (identityLine) Thumbnail(c *draw.Canvas) {
	c.StrokeLine2(identityStyle, c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
}
