package report

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series is one line or one set of bars: a value per x. NaN is "not there".
// Low and High are the ends of an interval around Y, both nil for none; NaN in
// either means no interval at that x.
type Series struct {
	Name         string
	Y, Low, High []float64
}

// Option adjusts a figure.
type Option func(*settings)

type settings struct {
	caption       string
	width, height float64
	changes       bool
	log           bool
	logX          bool
	symlog        float64
	identity      bool
}

// Caption sets the sentence shown below the figure.
func Caption(text string) Option { return func(s *settings) { s.caption = text } }

// Size sets the size in inches; the default is 6 by 4.
func Size(width, height float64) Option {
	return func(s *settings) { s.width, s.height = width, height }
}

// Changes says that y is a change, positive = better: tick labels carry their
// sign and 0 is on the axis, marked by a line.
func Changes() Option { return func(s *settings) { s.changes = true } }

// LogY makes the y axis logarithmic. Every value must be above 0; ends of
// intervals at or below 0 are cut off at the axis.
func LogY() Option { return func(s *settings) { s.log = true } }

// LogX makes the x axis of an XYFigure logarithmic. Every x must be above 0.
func LogX() Option { return func(s *settings) { s.logX = true } }

// SymlogY makes the y axis logarithmic on both sides of 0 and linear up to
// about linear (above 0), for changes from -2 to +900 in one figure.
func SymlogY(linear float64) Option { return func(s *settings) { s.symlog = linear } }

// Identity adds the line y = x to an XYFigure and gives both axes one range: for
// predicted against published.
func Identity() Option { return func(s *settings) { s.identity = true } }

func options(opts []Option) settings {
	s := settings{width: DefaultWidth, height: DefaultHeight}
	for _, o := range opts {
		o(&s)
	}
	return s
}

func (s settings) check() error {
	if s.log && s.symlog != 0 {
		return errors.New("LogY and SymlogY exclude each other")
	}
	if s.log && s.changes {
		return errors.New("a change can be 0 or below: want SymlogY instead of LogY")
	}
	if s.symlog != 0 && !(s.symlog > 0) || math.IsInf(s.symlog, 0) {
		return fmt.Errorf("SymlogY(%v): want a number above 0", s.symlog)
	}
	if s.identity && (s.log || s.logX || s.symlog != 0) {
		return errors.New("Identity needs linear axes")
	}
	return nil
}

// checkSeries checks what every figure over named x values needs.
func checkSeries(s settings, xs []string, series []Series) error {
	if err := s.check(); err != nil {
		return err
	}
	if len(xs) == 0 {
		return errors.New("no x values")
	}
	if len(series) == 0 || len(series) > MaxSeries {
		return fmt.Errorf("%d series: want 1..%d, more cannot be told apart", len(series), MaxSeries)
	}
	for _, v := range series {
		for _, part := range []struct {
			what   string
			values []float64
		}{{"y", v.Y}, {"low", v.Low}, {"high", v.High}} {
			if part.what != "y" && v.Low == nil && v.High == nil {
				continue
			}
			if len(part.values) != len(xs) {
				return fmt.Errorf("series %q has %d %s values for %d x values", v.Name, len(part.values), part.what, len(xs))
			}
			for i, y := range part.values {
				if math.IsInf(y, 0) {
					return fmt.Errorf("series %q: %s is %v at %q", v.Name, part.what, y, xs[i])
				}
				if s.log && part.what == "y" && y <= 0 {
					return fmt.Errorf("series %q: %v at %q: a log axis needs values above 0", v.Name, y, xs[i])
				}
			}
		}
	}
	return nil
}

// seriesTable is the table behind a figure over named x values.
func seriesTable(title, caption, xlabel string, xs []string, series []Series) (Table, error) {
	if xlabel == "" {
		xlabel = "x"
	}
	columns := []Column{Strings(xlabel, xs)}
	for _, s := range series {
		columns = append(columns, Floats(s.Name, "", Auto, s.Y))
		if s.Low != nil {
			columns = append(columns, Floats(s.Name+" low", "", Auto, s.Low), Floats(s.Name+" high", "", Auto, s.High))
		}
	}
	return NewTable(title, caption, columns...)
}

// build makes an empty figure with labels, data table and size set.
func build(s settings, title, xlabel, ylabel string, data Table) *Figure {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = clean(xlabel), clean(ylabel)
	f := NewFigure(p, s.caption)
	f.title, f.data = title, data
	return f.Sized(s.width, s.height)
}

// extent is the range of the finite values; ok is false where there is none.
// Values at or below 0 are left out for a log axis.
func extent(log bool, slices ...[]float64) (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, xs := range slices {
		for _, x := range xs {
			if math.IsNaN(x) || math.IsInf(x, 0) || log && x <= 0 {
				continue
			}
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi, lo <= hi
}

// scaleY sets range, scale and ticks of the y axis. zero puts 0 on a linear axis.
func scaleY(p *plot.Plot, s settings, zero bool, values ...[]float64) {
	lo, hi, ok := extent(s.log, values...)
	if !ok {
		lo, hi = 0, 1
		if s.log {
			lo = 0.1
		}
	}
	switch {
	case s.log:
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, logTicks{}
		lo, hi = lo/1.25, hi*1.25
		if hi/lo < 10 { // at least a decade, or no tick may fall inside
			lo, hi = lo/math.Sqrt(10), hi*math.Sqrt(10)
		}
	case s.symlog > 0:
		scale := symlogScale{s.symlog}
		p.Y.Scale, p.Y.Tick.Marker = scale, scale
		lo, hi = min(1.3*lo, -0.3*s.symlog), max(1.3*hi, s.symlog)
	default:
		if zero || s.changes || lo > 0 && lo < hi/2 {
			lo, hi = min(0, lo), max(0, hi)
		}
		lo, hi = niceRange(lo, hi)
		p.Y.Tick.Marker = linearTicks{signed: s.changes}
	}
	p.Y.Min, p.Y.Max = lo, hi
}

// nominalX names the positions 0, 1, 2, ... of the x axis. Labels that would
// touch each other are turned; where even that is too tight, some are left out.
func nominalX(f *Figure, xs []string) {
	p := f.plot
	style := p.X.Tick.Label
	widest := vg.Length(0)
	names := make([]string, len(xs))
	for i, x := range xs {
		names[i] = abbreviate(clean(x), 24)
		widest = max(widest, style.Width(names[i]))
	}
	room := (f.width - 70) / vg.Length(len(xs)) // per label, the y axis taken off
	every := 1
	if widest+4 > room {
		const turn = math.Pi / 5
		p.X.Tick.Label.Rotation = turn
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = -1, -0.9
		every = max(1, int(math.Ceil(float64(tickSize*1.5/room))))
		free := vg.Length(20) // what the y axis leaves free below itself
		if p.Y.Label.Text != "" {
			free += labelSize * 1.5
		}
		f.plot.Add(leftRoom{widths: style, names: names, cos: vg.Length(math.Cos(turn)), free: free})
	}
	ticks := make([]plot.Tick, len(xs))
	for i := range xs {
		ticks[i].Value = float64(i)
		if i%every == 0 {
			ticks[i].Label = names[i]
		}
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.X.Min, p.X.Max = -0.5, float64(len(xs))-0.5
}

// leftRoom keeps turned labels from running out of the canvas on the left: the
// plot itself makes room on the right only.
type leftRoom struct {
	widths draw.TextStyle
	names  []string
	cos    vg.Length
	free   vg.Length
}

func (leftRoom) Plot(draw.Canvas, *plot.Plot) {}

// GlyphBoxes gives the horizontal room each label takes, without height.
func (r leftRoom) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	var out []plot.GlyphBox
	for i, name := range r.names {
		w := max(0, r.widths.Width(name)*r.cos-r.free)
		out = append(out, plot.GlyphBox{X: p.X.Norm(float64(i)), Rectangle: vg.Rectangle{
			Min: vg.Point{X: -w}, Max: vg.Point{}}})
	}
	return out
}
