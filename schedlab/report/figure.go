package report

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/schedlab/lab/schedlab/internal/atomicfile"
)

// Size of a figure where none is asked for, in inches, and the resolution of PNG.
const (
	DefaultWidth  = 6.0
	DefaultHeight = 4.0
	dotsPerInch   = 150
)

// Figure is a plot with a title and a legend above the data and a caption for
// whoever shows it. It is made by LinesFigure and its kin, or from any gonum plot
// by NewFigure. Drawing one figure from several goroutines at once is not safe.
type Figure struct {
	plot           *plot.Plot
	title, caption string
	width, height  vg.Length
	legend         []legendEntry
	data           Table
}

// NewFigure wraps a plot of your own: fonts, axes and grid are set in the house
// style, the plot's title moves to the figure. Legend entries go through
// Legend, not through the plot's own legend, which would cover the data.
func NewFigure(p *plot.Plot, caption string) *Figure {
	f := &Figure{plot: p, title: p.Title.Text, caption: caption}
	p.Title.Text = ""
	dress(p)
	return f.Sized(DefaultWidth, DefaultHeight)
}

// Plot is the wrapped plot, to add to.
func (f *Figure) Plot() *plot.Plot { return f.plot }

// Title is the figure's title.
func (f *Figure) Title() string { return f.title }

// Caption is the sentence to be shown below the figure; it is not drawn.
func (f *Figure) Caption() string { return f.caption }

// Data is the table behind the figure, one column per x axis, series and bound.
// A figure made by NewFigure has none: a table without columns.
func (f *Figure) Data() Table { return f.data }

// Legend appends an entry to the legend above the data.
func (f *Figure) Legend(name string, thumbs ...plot.Thumbnailer) {
	f.legend = append(f.legend, legendEntry{clean(name), thumbs})
}

// Sized sets the size in inches and returns the figure; values below 1 inch are
// raised to it.
func (f *Figure) Sized(width, height float64) *Figure {
	f.width = vg.Length(max(1, width)) * vg.Inch
	f.height = vg.Length(max(1, height)) * vg.Inch
	return f
}

// WritePNG writes the figure as PNG, 150 dots per inch. Equal figures give equal
// bytes.
func (f *Figure) WritePNG(w io.Writer) error {
	return f.render(w, "PNG", bold, func() (draw.Canvas, io.WriterTo) {
		c := vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dotsPerInch))
		return draw.New(c), vgimg.PngCanvas{Canvas: c}
	})
}

// WriteSVG writes the figure as SVG. Fonts are named, not embedded: Liberation
// Sans, or Arial and Helvetica of the same widths. Equal figures give equal bytes.
func (f *Figure) WriteSVG(w io.Writer) error {
	var b bytes.Buffer
	err := f.render(&b, "SVG", bold, func() (draw.Canvas, io.WriterTo) {
		c := vgsvg.New(f.width, f.height)
		return draw.New(c), c
	})
	if err != nil {
		return err
	}
	svg := strings.ReplaceAll(b.String(), "font-family:Liberation Sans", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif")
	if _, err := io.WriteString(w, svg); err != nil {
		return fmt.Errorf("report: figure %q: %w", f.title, err)
	}
	return nil
}

// WritePDF writes the figure as PDF with embedded fonts. The bytes carry the time
// of writing: do not compare them. The title is not bold there: the PDF canvas
// cannot select a bold font it embeds.
func (f *Figure) WritePDF(w io.Writer) error {
	return f.render(w, "PDF", regular, func() (draw.Canvas, io.WriterTo) {
		c := vgpdf.New(f.width, f.height)
		return draw.New(c), c
	})
}

// Save writes the figure to a file in the format of its extension: .png, .svg or
// .pdf. The file is whole or not there.
func (f *Figure) Save(path string) error {
	var write func(io.Writer) error
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png":
		write = f.WritePNG
	case ".svg":
		write = f.WriteSVG
	case ".pdf":
		write = f.WritePDF
	default:
		return fmt.Errorf("report: figure %q: cannot save as %q: want .png, .svg or .pdf", f.title, ext)
	}
	return atomicfile.Write(path, 0o644, write)
}

// render draws on a new canvas and writes it. Plotting code panics on data it
// does not like (a log axis at 0); a plot of the caller's own can still hold
// such, so that is turned into an error here.
func (f *Figure) render(w io.Writer, format string, weight int, canvas func() (draw.Canvas, io.WriterTo)) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("report: figure %q: drawing %s: %v", f.title, format, r)
		}
	}()
	c, out := canvas()
	f.draw(c, weight)
	if _, err := out.WriteTo(w); err != nil {
		return fmt.Errorf("report: figure %q: %w", f.title, err)
	}
	return nil
}

// draw lays out title, legend and plot from top to bottom.
func (f *Figure) draw(c draw.Canvas, weight int) {
	c.FillPolygon(color.White, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
	const margin = 8
	c = draw.Crop(c, margin, -margin-4, margin, -margin)
	if f.title != "" {
		c.Max.Y -= drawTitle(c, clean(f.title), weight)
	}
	if len(f.legend) > 0 {
		c.Max.Y -= drawLegend(c, f.legend)
	}
	drawPlot(c, f.plot)
}
