package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// dodge is how far series are moved apart along a nominal x axis, as a fraction
// of the distance between two x values, so that equal values stay visible.
const dodge = 0.07

// LinesFigure draws one line per series over named x values (loads, machines):
// equal distances whatever the numbers. Lines are broken where a value is NaN;
// intervals are drawn as bars. At most MaxSeries series.
func LinesFigure(title, xlabel, ylabel string, xs []string, series []Series, opts ...Option) (*Figure, error) {
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
	var values [][]float64
	for _, v := range series {
		values = append(values, v.Y, v.Low, v.High)
	}
	for i, v := range series {
		at := make([]float64, len(xs))
		for j := range at {
			at[j] = float64(j) + dodge*(float64(i)-float64(len(series)-1)/2)
		}
		l := line{x: at, y: v.Y, low: v.Low, high: v.High, look: lineLooks[i], points: true, joined: true}
		f.plot.Add(l)
		f.Legend(v.Name, l)
	}
	if len(series) == 1 && series[0].Name == ylabel {
		f.legend = nil // it would say the same twice
	}
	finishY(f, s, false, values...)
	nominalX(f, xs)
	return f, nil
}

// finishY scales the y axis and, for changes, marks 0.
func finishY(f *Figure, s settings, zero bool, values ...[]float64) {
	scaleY(f.plot, s, zero, values...)
	if f.plot.Y.Min < 0 && f.plot.Y.Max > 0 {
		f.plot.Add(zeroLine{})
	}
}

// zeroLine marks y = 0.
type zeroLine struct{}

func (zeroLine) Plot(c draw.Canvas, p *plot.Plot) {
	y := c.Y(p.Y.Norm(0))
	c.StrokeLine2(draw.LineStyle{Color: axisGrey, Width: 0.8}, c.Min.X, y, c.Max.X, y)
}

// line is a series with its intervals and markers. It is a plot.Plotter and a
// plot.Thumbnailer.
type line struct {
	x, y, low, high []float64
	look            lineLook
	points, joined  bool
}

// Plot draws intervals first, then the line in pieces between gaps, then the
// markers on top.
func (l line) Plot(c draw.Canvas, p *plot.Plot) {
	for i := range l.low {
		drawInterval(c, p, l.x[i], l.low[i], l.high[i], draw.LineStyle{Color: l.look.color, Width: 1})
	}
	var piece []vg.Point
	for i, y := range l.y {
		if math.IsNaN(y) || math.IsNaN(l.x[i]) {
			c.StrokeLines(l.look.line(), piece)
			piece = nil
			continue
		}
		at := vg.Point{X: c.X(p.X.Norm(l.x[i])), Y: c.Y(p.Y.Norm(y))}
		if l.joined {
			piece = append(piece, at)
		}
		if l.points {
			defer c.DrawGlyphNoClip(l.look.glyph(), at)
		}
	}
	c.StrokeLines(l.look.line(), piece)
}

// Thumbnail draws the legend picture.
func (l line) Thumbnail(c *draw.Canvas) {
	if l.joined {
		c.StrokeLine2(l.look.line(), c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
	}
	if l.points {
		c.DrawGlyphNoClip(l.look.glyph(), c.Center())
	}
}

// drawInterval draws a bar with caps from low to high, cut off at the axis.
func drawInterval(c draw.Canvas, p *plot.Plot, x, low, high float64, style draw.LineStyle) {
	if math.IsNaN(low) || math.IsNaN(high) || low > high {
		return
	}
	const cap = 3
	at := c.X(p.X.Norm(x))
	clipped := func(v float64) vg.Length { return c.Y(p.Y.Norm(min(max(v, p.Y.Min), p.Y.Max))) }
	bottom, top := clipped(low), clipped(high)
	c.StrokeLine2(style, at, bottom, at, top)
	if low >= p.Y.Min {
		c.StrokeLine2(style, at-cap, bottom, at+cap, bottom)
	}
	if high <= p.Y.Max {
		c.StrokeLine2(style, at-cap, top, at+cap, top)
	}
}
