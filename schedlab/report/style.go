package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MaxSeries is how many series or bands one figure can keep apart.
const MaxSeries = 7

// Font sizes in points at the figure's own size.
const (
	titleSize  = 12
	labelSize  = 10.5
	tickSize   = 9.5
	legendSize = 9.5
	cellSize   = 8.5
)

var (
	ink      = rgb(0x22, 0x22, 0x22)
	axisGrey = rgb(0x66, 0x66, 0x66)
	gridGrey = rgb(0xdd, 0xdd, 0xdd)
)

func rgb(r, g, b uint8) color.Color { return color.RGBA{r, g, b, 0xff} }

// Weights of the font, as golang.org/x/image/font numbers them.
const (
	regular = 0
	bold    = 3
)

// sans is the font of all figures.
func sans(size float64, weight int) font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)}
	if weight == bold {
		f.Weight = bold
	}
	return f
}

func textStyle(size float64, weight int) draw.TextStyle {
	return draw.TextStyle{Color: ink, Font: sans(size, weight), Handler: plot.DefaultTextHandler}
}

// dress sets the house style of fonts, axes and grid.
func dress(p *plot.Plot) {
	p.BackgroundColor = color.White
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = sans(labelSize, regular)
		a.Label.TextStyle.Color = ink
		a.Label.Padding = 5
		a.Tick.Label.Font = sans(tickSize, regular)
		a.Tick.Label.Color = ink
		a.Tick.Length = 3
		a.Tick.LineStyle = draw.LineStyle{Color: axisGrey, Width: 0.6}
		a.LineStyle = draw.LineStyle{Color: axisGrey, Width: 0.8}
		a.Padding = 0
	}
}

// grid draws a pale line at each labelled tick of the y axis.
func grid() plot.Plotter {
	g := plotter.NewGrid()
	g.Vertical.Color = nil
	g.Horizontal = draw.LineStyle{Color: gridGrey, Width: 0.6}
	return g
}

// lineLook is how one series of a line figure looks. Any two differ in marker,
// in dash and in colour, so that each alone tells them apart.
type lineLook struct {
	color  color.Color
	dashes []vg.Length
	marker marker
}

// Colours distinguishable with the common kinds of colour blindness
// (Okabe and Ito's set, the yellow left out).
var lineLooks = [MaxSeries]lineLook{
	{rgb(0x11, 0x11, 0x11), nil, marker{sides: 0, fill: true}},
	{rgb(0xd5, 0x5e, 0x00), []vg.Length{6, 3}, marker{sides: 4, turn: math.Pi / 4}},
	{rgb(0x00, 0x72, 0xb2), []vg.Length{2, 2}, marker{sides: 3, turn: math.Pi / 2, fill: true}},
	{rgb(0x00, 0x9e, 0x73), []vg.Length{9, 3, 2, 3}, marker{sides: 4, turn: math.Pi / 2}},
	{rgb(0xcc, 0x79, 0xa7), []vg.Length{12, 4}, marker{sides: 4, turn: math.Pi / 4, fill: true}},
	{rgb(0x56, 0xb4, 0xe9), []vg.Length{4, 2, 1, 2, 1, 2}, marker{sides: 0}},
	{rgb(0xb3, 0x7c, 0x00), []vg.Length{1, 3}, marker{sides: 3, turn: -math.Pi / 2}},
}

func (l lineLook) line() draw.LineStyle {
	return draw.LineStyle{Color: l.color, Width: 1.5, Dashes: l.dashes}
}

func (l lineLook) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.color, Radius: 3.4, Shape: l.marker}
}

// marker is a regular polygon (a circle for 0 sides), filled or white with an
// outline. It is a draw.GlyphDrawer.
type marker struct {
	sides int
	turn  float64 // direction of the first corner, radians
	fill  bool
}

// DrawGlyph draws the marker at a point.
func (m marker) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	var p vg.Path
	r := sty.Radius
	if m.sides == 0 {
		p.Move(vg.Point{X: at.X + r, Y: at.Y})
		p.Arc(at, r, 0, 2*math.Pi)
	} else {
		r *= 1.2 // a polygon needs a larger radius for the same weight
		for i := range m.sides {
			sin, cos := math.Sincos(m.turn + 2*math.Pi*float64(i)/float64(m.sides))
			corner := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
			if i == 0 {
				p.Move(corner)
			} else {
				p.Line(corner)
			}
		}
	}
	p.Close()
	if m.fill {
		c.SetColor(sty.Color)
	} else {
		c.SetColor(color.White)
	}
	c.Fill(p)
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: 1.2})
	c.Stroke(p)
}
