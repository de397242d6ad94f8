package report

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// HeatFigure draws a grid of numbers over two sets of names, z[y][x], the first
// row on top: the risk map of a patch over machines and loads. Each cell carries
// its number, so the colour is help, not information. With Changes, colours run
// from red (worse) over white (0) to blue (better), else from white to blue. NaN
// is an empty, crossed-out cell. Log axes are refused.
func HeatFigure(title, xlabel, ylabel string, xs, ys []string, z [][]float64, opts ...Option) (*Figure, error) {
	s := options(opts)
	err := checkHeat(s, xs, ys, z)
	var data Table
	if err == nil {
		data, err = heatTable(title, s.caption, ylabel, xs, ys, z)
	}
	if err != nil {
		return nil, fmt.Errorf("report: figure %q: %w", title, err)
	}
	f := build(s, title, xlabel, ylabel, data)
	f.plot.Add(newHeat(z, s.changes))
	nominalX(f, xs)
	ticks := make([]plot.Tick, len(ys))
	for i, name := range ys {
		ticks[i] = plot.Tick{Value: float64(len(ys) - 1 - i), Label: abbreviate(clean(name), 28)}
	}
	f.plot.Y.Tick.Marker = plot.ConstantTicks(ticks)
	f.plot.Y.Min, f.plot.Y.Max = -0.5, float64(len(ys))-0.5
	return f, nil
}

func checkHeat(s settings, xs, ys []string, z [][]float64) error {
	if s.log || s.logX || s.symlog != 0 || s.identity {
		return errors.New("a heat map has no numeric axes: want no axis options")
	}
	if len(xs) == 0 || len(ys) == 0 {
		return fmt.Errorf("%d x and %d y names: want at least one of each", len(xs), len(ys))
	}
	if len(z) != len(ys) {
		return fmt.Errorf("%d rows for %d y names", len(z), len(ys))
	}
	for i, row := range z {
		if len(row) != len(xs) {
			return fmt.Errorf("row %q has %d values for %d x names", ys[i], len(row), len(xs))
		}
		for j, v := range row {
			if math.IsInf(v, 0) {
				return fmt.Errorf("%v at (%q, %q)", v, xs[j], ys[i])
			}
		}
	}
	return nil
}

func heatTable(title, caption, ylabel string, xs, ys []string, z [][]float64) (Table, error) {
	if ylabel == "" {
		ylabel = "y"
	}
	columns := []Column{Strings(ylabel, ys)}
	for j, x := range xs {
		column := make([]float64, len(ys))
		for i := range ys {
			column[i] = z[i][j]
		}
		columns = append(columns, Floats(x, "", Auto, column))
	}
	return NewTable(title, caption, columns...)
}

// heat is the grid of cells.
type heat struct {
	z       [][]float64
	labels  [][]string
	lo, hi  float64
	changes bool
}

func newHeat(z [][]float64, changes bool) heat {
	h := heat{z: z, changes: changes}
	var ok bool
	if h.lo, h.hi, ok = extent(false, z...); !ok {
		h.lo, h.hi = 0, 1
	}
	for _, row := range z {
		c := Floats("z", "", Auto, row)
		if top := max(math.Abs(h.lo), math.Abs(h.hi)); top >= 10 {
			c.decimals = 0
		}
		c.signed = changes
		h.labels = append(h.labels, c.cells())
	}
	return h
}

// Plot draws the cells with their numbers; numbers that do not fit are left out
// of all cells alike.
func (h heat) Plot(c draw.Canvas, p *plot.Plot) {
	style := textStyle(cellSize, regular)
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	cell := vg.Point{X: c.X(p.X.Norm(1)) - c.X(p.X.Norm(0)), Y: c.Y(p.Y.Norm(1)) - c.Y(p.Y.Norm(0))}
	fits := cell.Y > cellSize*1.2
	for _, row := range h.labels {
		for _, label := range row {
			fits = fits && style.Width(label)+3 < cell.X
		}
	}
	for i, row := range h.z {
		for j, v := range row {
			center := vg.Point{X: c.X(p.X.Norm(float64(j))), Y: c.Y(p.Y.Norm(float64(len(h.z) - 1 - i)))}
			half := vg.Point{X: cell.X/2 - 0.6, Y: cell.Y/2 - 0.6}
			box := vg.Rectangle{Min: center.Sub(half), Max: center.Add(half)}
			if math.IsNaN(v) {
				hatchDiagonal(&c, box, draw.LineStyle{Color: gridGrey, Width: 0.7}, 1)
				continue
			}
			fill, dark := h.color(v)
			c.FillPolygon(fill, []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}})
			if style.Color = ink; dark {
				style.Color = color.White
			}
			if fits {
				c.FillText(style, center, h.labels[i][j])
			}
		}
	}
}

// color is the cell's colour and whether it is dark enough for white letters.
func (h heat) color(v float64) (color.Color, bool) {
	full := [3]float64{0x1f, 0x5f, 0x99} // blue
	share := 0.0
	if h.changes {
		if top := max(math.Abs(h.lo), math.Abs(h.hi)); top > 0 {
			share = math.Sqrt(math.Abs(v) / top) // small changes stay visible beside +190
		}
		if v < 0 {
			full = [3]float64{0xa6, 0x30, 0x1f} // red
		}
	} else if h.hi > h.lo {
		share = (v - h.lo) / (h.hi - h.lo)
	}
	mix := func(i int) uint8 { return uint8(math.Round(0xf7 + (full[i]-0xf7)*share)) }
	return rgb(mix(0), mix(1), mix(2)), share > 0.6
}
