package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// barLook is how one band or set of bars looks: any two differ in lightness or
// in hatching.
type barLook struct {
	fill  color.Color
	hatch hatch
	ink   color.Color // of the hatching
}

type hatch uint8

const (
	plain hatch = iota
	rising
	falling
	crossed
	level
	dotted
)

var barLooks = [MaxSeries]barLook{
	{rgb(0x1f, 0x3f, 0x66), plain, nil},
	{rgb(0xf0, 0xb2, 0x4b), rising, rgb(0x7a, 0x4a, 0x00)},
	{rgb(0x8f, 0xbf, 0xdd), plain, nil},
	{rgb(0xa6, 0x3c, 0x2a), falling, rgb(0xff, 0xff, 0xff)},
	{rgb(0xdf, 0xe5, 0xe8), crossed, rgb(0x78, 0x86, 0x8e)},
	{rgb(0x4f, 0x93, 0x62), level, rgb(0xff, 0xff, 0xff)},
	{rgb(0xff, 0xff, 0xff), dotted, rgb(0x55, 0x55, 0x55)},
}

const hatchSpacing = 5 // points

// fillBox fills a rectangle with colour, hatching and a thin outline. The
// hatching hangs on the canvas, not on the box, so that neighbours match.
func fillBox(c *draw.Canvas, r vg.Rectangle, look barLook) {
	if !(r.Max.X > r.Min.X) || !(r.Max.Y > r.Min.Y) {
		return
	}
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
	c.FillPolygon(look.fill, corners)
	if look.hatch != plain {
		style := draw.LineStyle{Color: look.ink, Width: 0.7}
		switch look.hatch {
		case rising:
			hatchDiagonal(c, r, style, 1)
		case falling:
			hatchDiagonal(c, r, style, -1)
		case crossed:
			hatchDiagonal(c, r, style, 1)
			hatchDiagonal(c, r, style, -1)
		case level:
			for y := firstMultiple(r.Min.Y, 3.5); y < r.Max.Y; y += 3.5 {
				c.StrokeLine2(style, r.Min.X, y, r.Max.X, y)
			}
		case dotted:
			hatchDots(c, r, look.ink)
		}
	}
	outline := append(corners, corners[0])
	c.StrokeLines(draw.LineStyle{Color: ink, Width: 0.5}, outline)
}

func firstMultiple(from, step vg.Length) vg.Length {
	return step * vg.Length(math.Ceil(float64(from/step)))
}

// hatchDiagonal draws the lines y = slope*x + k*spacing that cross r.
func hatchDiagonal(c *draw.Canvas, r vg.Rectangle, style draw.LineStyle, slope vg.Length) {
	offset := func(p vg.Point) vg.Length { return p.Y - slope*p.X }
	a, b := offset(vg.Point{X: r.Max.X, Y: r.Min.Y}), offset(vg.Point{X: r.Min.X, Y: r.Max.Y})
	if slope < 0 {
		a, b = offset(r.Min), offset(r.Max)
	}
	const spacing = hatchSpacing * math.Sqrt2
	for k := firstMultiple(a, spacing); k < b; k += spacing {
		x0, x1 := r.Min.X, r.Max.X
		// where the line meets the lower and upper edge
		low, high := (r.Min.Y-k)/slope, (r.Max.Y-k)/slope
		x0, x1 = max(x0, min(low, high)), min(x1, max(low, high))
		if x1 > x0 {
			c.StrokeLine2(style, x0, slope*x0+k, x1, slope*x1+k)
		}
	}
}

func hatchDots(c *draw.Canvas, r vg.Rectangle, ink color.Color) {
	const radius = 0.55
	for y := firstMultiple(r.Min.Y+radius, 4); y < r.Max.Y-radius; y += 4 {
		for x := firstMultiple(r.Min.X+radius, 4); x < r.Max.X-radius; x += 4 {
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: ink, Radius: radius, Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y})
		}
	}
}
