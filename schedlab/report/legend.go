package report

import (
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legendEntry is a name with the small picture it is explained by.
type legendEntry struct {
	name   string
	thumbs []plot.Thumbnailer
}

const (
	thumbWidth  = 26 // points
	thumbGap    = 5
	entryGap    = 16
	legendAfter = 6
)

// drawTitle writes the title at the top left, broken into lines where it is
// longer than the figure is wide, and returns the height used.
func drawTitle(c draw.Canvas, title string, weight int) vg.Length {
	style := textStyle(titleSize, weight)
	style.YAlign = draw.YTop
	line, y := "", c.Max.Y
	put := func() {
		c.FillText(style, vg.Point{X: c.Min.X, Y: y}, line)
		y -= titleSize * 1.25
	}
	for _, word := range strings.Fields(title) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && style.Width(longer) > c.Max.X-c.Min.X {
			put()
			longer = word
		}
		line = longer
	}
	put()
	return c.Max.Y - y + legendAfter
}

// drawLegend writes the entries in rows along the top and returns the height
// used. Entries flow like words; one longer than a row gets a row of its own.
func drawLegend(c draw.Canvas, entries []legendEntry) vg.Length {
	style := textStyle(legendSize, regular)
	style.YAlign = draw.YCenter
	const row = legendSize * 1.5
	x, y := c.Min.X, c.Max.Y
	for _, e := range entries {
		width := thumbWidth + thumbGap + style.Width(e.name)
		if x > c.Min.X && x+width > c.Max.X {
			x, y = c.Min.X, y-row
		}
		thumb := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - legendSize - 0.5}, Max: vg.Point{X: x + thumbWidth, Y: y}}}
		for _, t := range e.thumbs {
			t.Thumbnail(&thumb)
		}
		c.FillText(style, vg.Point{X: x + thumbWidth + thumbGap, Y: thumb.Center().Y}, e.name)
		x += width + entryGap
	}
	return c.Max.Y - y + row + legendAfter
}

// drawPlot draws the plot with its axis titles centred on the data. The plot
// would centre them on the middle of the axis range, which on a log axis is far
// from the middle of the axis.
func drawPlot(c draw.Canvas, p *plot.Plot) {
	x, y := p.X.Label.Text, p.Y.Label.Text
	defer func() { p.X.Label.Text, p.Y.Label.Text = x, y }()
	p.X.Label.Text, p.Y.Label.Text = "", ""
	xStyle, yStyle := p.X.Label.TextStyle, p.Y.Label.TextStyle
	inner := c
	if x != "" {
		inner.Min.Y += xStyle.Font.Size*1.2 + p.X.Label.Padding
	}
	if y != "" {
		inner.Min.X += yStyle.Font.Size*1.2 + p.Y.Label.Padding
	}
	p.Draw(inner)
	data := p.DataCanvas(inner)
	if x != "" {
		xStyle.XAlign, xStyle.YAlign = draw.XCenter, draw.YBottom
		shrinkText(&xStyle, x, c.Max.X-c.Min.X)
		c.FillText(xStyle, vg.Point{X: data.Center().X, Y: c.Min.Y + xStyle.FontExtents().Descent}, x)
	}
	if y != "" {
		yStyle.XAlign, yStyle.YAlign, yStyle.Rotation = draw.XCenter, draw.YTop, math.Pi/2
		shrinkText(&yStyle, y, c.Max.Y-c.Min.Y)
		half := yStyle.Width(y) / 2 // a long title may reach beyond the data, not beyond the canvas
		middle := min(max(data.Center().Y, c.Min.Y+half), max(c.Max.Y-half, c.Min.Y+half))
		c.FillText(yStyle, vg.Point{X: c.Min.X, Y: middle}, y)
	}
}

// shrinkText makes the font smaller, down to 6 points, until text fits.
func shrinkText(style *draw.TextStyle, text string, room vg.Length) {
	if w := style.Width(text); w > room && w > 0 {
		style.Font.Size = max(6, style.Font.Size*room/w)
	}
}
