package report_test

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/schedlab/lab/schedlab/report"
)

var loads = []string{"60", "120", "180", "240", "300", "360", "420"}

// published and simulated are TCP_RR of the SIS_SYNC mail and a prediction with a
// hole.
var (
	published = report.Series{Name: "published", Y: []float64{-0.03, -0.09, 0.93, 190.13, 120.07, 0.27, 13.39}}
	simulated = report.Series{Name: "simulated",
		Y:    []float64{0, 0, 20, nan, 119, 3, 5},
		Low:  []float64{0, 0, 0, nan, 103, 0, -4},
		High: []float64{0, 0, 40, nan, 135, 6, 14}}
)

func svg(t *testing.T, f *report.Figure) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// figures is one figure of each kind, with gaps, losses and every option.
func figures() map[string]*report.Figure {
	both := []report.Series{published, simulated}
	positive := []report.Series{{Name: "a", Y: []float64{1, 20, nan, 4000, 5, 6, 7}, Low: []float64{-1, 2, nan, 4, 5, 6, 7}, High: []float64{9, 30, nan, 5000, 6, 7, 8}}}
	nothing := []report.Series{{Name: "a", Y: []float64{nan, nan}}}
	return map[string]*report.Figure{
		"lines":    must(report.LinesFigure("TCP_RR", "threads", "change (%)", loads, both, report.Changes(), report.Caption("As published."))),
		"symlog":   must(report.LinesFigure("TCP_RR", "threads", "change (%)", loads, both, report.SymlogY(3))),
		"log":      must(report.LinesFigure("Log", "threads", "tx/s", loads, positive, report.LogY())),
		"bars":     must(report.BarsFigure("TCP_RR", "threads", "change (%)", loads, both, report.Changes())),
		"logbars":  must(report.BarsFigure("Log", "threads", "tx/s", loads, positive, report.LogY())),
		"stacked":  must(report.StackedBarsFigure("Time", "threads", "share (%)", loads, many(9, 7))),
		"xy":       must(report.XYFigure("Score", "published (%)", "simulated (%)", []report.XY{{Name: "a", X: published.Y, Y: simulated.Y, Low: simulated.Low, High: simulated.High}}, report.Identity(), report.Changes())),
		"logx":     must(report.XYFigure("Sensitivity", "refill (ns)", "change (%)", []report.XY{{Name: "a", X: []float64{500, nan, 5000}, Y: []float64{1, 2, 3}, Joined: true}}, report.LogX(), report.Size(4, 3))),
		"heat":     must(report.HeatFigure("Risk", "load", "machine", loads, []string{"xeon240", "ivb48"}, [][]float64{published.Y, simulated.Y}, report.Changes())),
		"flat":     must(report.LinesFigure("Flat", "x", "y", []string{"a", "b"}, []report.Series{{Name: "y", Y: []float64{7, 7}}})),
		"nothing":  must(report.LinesFigure("Nothing", "x", "y", []string{"a", "b"}, nothing)),
		"nolog":    must(report.BarsFigure("Nothing", "x", "y", []string{"a", "b"}, nothing, report.LogY())),
		"noheat":   must(report.HeatFigure("Nothing", "x", "y", []string{"a"}, []string{"b"}, [][]float64{{nan}})),
		"longname": must(report.BarsFigure("Names", "policy", "", []string{strings.Repeat("6.10+SIS_SYNC", 4), "b\x1b[2J", "c", "d"}, []report.Series{{Name: "y", Y: []float64{1, 2, 3, 4}}})),
		"tiny":     must(report.LinesFigure("Tiny", "x", strings.Repeat("y ", 90), []string{"a"}, []report.Series{{Name: "y", Y: []float64{1e-9}}}, report.Size(0, 0))),
	}
}

// many gives n bands over m x values; band i is i+1 everywhere.
func many(n, m int) []report.Series {
	out := make([]report.Series, n)
	for i := range out {
		out[i].Name = fmt.Sprintf("band %d", i)
		for range m {
			out[i].Y = append(out[i].Y, float64(i+1))
		}
	}
	return out
}

func TestFiguresDraw(t *testing.T) {
	again := figures()
	for name, f := range figures() {
		one := svg(t, f)
		if one != svg(t, f) || one != svg(t, again[name]) {
			t.Errorf("%s: equal figures give different SVG", name)
		}
		for _, bad := range []string{"NaN", "Inf", "\x1b"} {
			if strings.Contains(one, bad) {
				t.Errorf("%s: %q in the SVG", name, bad)
			}
		}
		var a, b bytes.Buffer
		if err := f.WritePNG(&a); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := again[name].WritePNG(&b); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: equal figures give different PNG, %v", name, err)
		}
		picture, err := png.Decode(&a)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if name == "lines" && (picture.Bounds().Dx() != 900 || picture.Bounds().Dy() != 600) {
			t.Errorf("%s: %v, want 900x600", name, picture.Bounds())
		}
		if err := f.WritePDF(io.Discard); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFigureData(t *testing.T) {
	all := figures()
	for name, want := range map[string]string{
		"lines": "threads,published,simulated,simulated low,simulated high\n60,-0.03,0,0,0\n120,-0.09,0,0,0\n180,0.93,20,0,40\n" +
			"240,190.13,,,\n300,120.07,119,103,135\n360,0.27,3,0,6\n420,13.39,5,-4,14\n",
		"logx": "series,x,y\na,500,1\na,,2\na,5000,3\n",
		"heat": "machine,60,120,180,240,300,360,420\nxeon240,-0.03,-0.09,0.93,190.13,120.07,0.27,13.39\nivb48,0,0,20,,119,3,5\n",
	} {
		var b bytes.Buffer
		if err := all[name].Data().WriteCSV(&b); err != nil || b.String() != want {
			t.Errorf("%s: %v, data\n%s\nwant\n%s", name, err, &b, want)
		}
	}
	lines := all["lines"]
	if lines.Title() != "TCP_RR" || lines.Caption() != "As published." || lines.Data().Caption() != "As published." {
		t.Errorf("title %q, caption %q, of data %q", lines.Title(), lines.Caption(), lines.Data().Caption())
	}
}

// A NaN splits a line in two instead of being drawn or skipped over.
func TestGapsSplitLines(t *testing.T) {
	pieces := func(y ...float64) int {
		f := must(report.LinesFigure("", "x", "y", []string{"a", "b", "c", "d", "e"}, []report.Series{{Name: "y", Y: y}}))
		return strings.Count(svg(t, f), "stroke-width:1.5")
	}
	if whole, split, ends := pieces(1, 2, 3, 4, 5), pieces(1, 2, nan, 4, 5), pieces(nan, 2, 3, 4, nan); whole != 1 || split != 2 || ends != 1 {
		t.Errorf("pieces: whole line %d, with a hole %d, without ends %d", whole, split, ends)
	}
}

func TestSeriesDifferWithoutColour(t *testing.T) {
	f := must(report.LinesFigure("", "x", "y", []string{"a", "b"}, many(report.MaxSeries, 2)))
	dashes := map[string]bool{}
	for _, part := range strings.Split(svg(t, f), "stroke-width:1.5")[1:] {
		dashes[part[:strings.IndexByte(part, '"')]] = true
	}
	if len(dashes) != report.MaxSeries {
		t.Errorf("%d different dashes for %d series", len(dashes), report.MaxSeries)
	}
}

func TestFiguresRefuse(t *testing.T) {
	x, y := []string{"a", "b"}, func(v ...float64) []report.Series { return []report.Series{{Name: "s", Y: v}} }
	lines := func(xs []string, s []report.Series, o ...report.Option) error {
		_, err := report.LinesFigure("T", "x", "y", xs, s, o...)
		return err
	}
	xy := func(v report.XY, o ...report.Option) error {
		_, err := report.XYFigure("T", "x", "y", []report.XY{v}, o...)
		return err
	}
	heat := func(z [][]float64, o ...report.Option) error {
		_, err := report.HeatFigure("T", "x", "y", x, []string{"r"}, z, o...)
		return err
	}
	stacked := func(s []report.Series, o ...report.Option) error {
		_, err := report.StackedBarsFigure("T", "x", "y", x, s, o...)
		return err
	}
	_, bars := report.BarsFigure("T", "x", "y", x, y(1, 0), report.LogY())
	for _, c := range []struct {
		err  error
		want string
	}{
		{lines(nil, y()), "no x values"},
		{lines(x, nil), "0 series: want 1..7"},
		{lines(x, many(8, 2)), "8 series: want 1..7"},
		{lines(x, y(1)), `series "s" has 1 y values for 2 x values`},
		{lines(x, y(1, math.Inf(1))), `y is +Inf at "b"`},
		{lines(x, y(1, 0), report.LogY()), `0 at "b": a log axis needs values above 0`},
		{bars, `0 at "b": a log axis needs values above 0`},
		{lines(x, y(1, 2), report.LogY(), report.Changes()), "want SymlogY"},
		{lines(x, y(1, 2), report.LogY(), report.SymlogY(1)), "exclude each other"},
		{lines(x, y(1, 2), report.SymlogY(-1)), "SymlogY(-1)"},
		{lines(x, []report.Series{{Name: "s", Y: []float64{1, 2}, Low: []float64{1, 2}}}), "0 high values"},
		{lines(x, []report.Series{{Name: "s", Y: []float64{1, 2}}, {Name: "s", Y: []float64{1, 2}}}), `two columns are called "s"`},
		{lines(x, []report.Series{{Y: []float64{1, 2}}}), "no name"},
		{stacked(y(1, 2), report.LogY()), "want a linear axis"},
		{stacked([]report.Series{{Name: "s", Y: []float64{1, 2}, Low: []float64{1, 2}}}), `band "s" has an interval`},
		{stacked(append(many(9, 2), report.Series{Name: "short", Y: []float64{100}})), "1 y values for 2"},
		{xy(report.XY{Name: "s"}), "no points"},
		{xy(report.XY{Name: "s", X: []float64{1}, Y: nil}), "1 x and 0 y"},
		{xy(report.XY{Name: "s", X: []float64{0}, Y: []float64{1}}, report.LogX()), "(0, 1): a log axis"},
		{xy(report.XY{Name: "s", X: []float64{1}, Y: []float64{1}}, report.LogX(), report.Identity()), "linear axes"},
		{xy(report.XY{Name: "s", X: []float64{1}, Y: []float64{math.Inf(-1)}}), "(1, -Inf)"},
		{heat(nil), "0 rows for 1 y names"},
		{heat([][]float64{{1}}), `row "r" has 1 values for 2 x names`},
		{heat([][]float64{{1, 2}}, report.LogY()), "no numeric axes"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) || !strings.HasPrefix(c.err.Error(), `report: figure "T": `) {
			t.Errorf("error %v, want it to say %s", c.err, c.want)
		}
	}
}

func TestGroupBands(t *testing.T) {
	bands := many(9, 3)
	got := report.GroupBands(bands, 7)
	var names []string
	sum := 0.0
	for _, b := range got {
		names = append(names, b.Name)
		sum += b.Y[1]
	}
	if want := "band 3,band 4,band 5,band 6,band 7,band 8,other"; strings.Join(names, ",") != want {
		t.Errorf("bands %v, want %s", names, want)
	}
	if sum != 45 || got[6].Y[0] != 1+2+3 {
		t.Errorf("sum %v, other %v", sum, got[6].Y)
	}
	if len(bands) != 9 || bands[0].Y[0] != 1 {
		t.Error("the caller's bands were changed")
	}
	if same := report.GroupBands(bands[:7], 7); len(same) != 7 || same[6].Name != "band 6" {
		t.Errorf("seven bands need no grouping: %v", same)
	}
	mixed := report.GroupBands([]report.Series{{Name: "other", Y: []float64{1}}, {Name: "loss", Y: []float64{-9}}, {Name: "gain", Y: []float64{5}}, {Name: "nothing", Y: []float64{nan}}}, 2)
	if len(mixed) != 2 || mixed[0].Name != "loss" || mixed[1].Name != "other" || mixed[1].Y[0] != 6 {
		t.Errorf("mixed bands: %v", mixed)
	}
}

// A plot of the caller's own with a log axis at 0 panics in gonum; here it is an
// error.
func TestForeignPlotPanicsBecomeErrors(t *testing.T) {
	p := plot.New()
	p.Title.Text = "bad"
	p.Add(must(plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})))
	p.Y.Scale = plot.LogScale{}
	f := report.NewFigure(p, "")
	for _, write := range []func(io.Writer) error{f.WritePNG, f.WriteSVG, f.WritePDF} {
		if err := write(io.Discard); err == nil || !strings.Contains(err.Error(), `figure "bad"`) {
			t.Errorf("got %v", err)
		}
	}
	f.Plot().Y.Scale = plot.LinearScale{}
	if err := f.WritePNG(io.Discard); err != nil || len(f.Data().Headers()) != 0 {
		t.Errorf("%v, data %v", err, f.Data().Headers())
	}
}

func TestSaveByExtension(t *testing.T) {
	f, dir := figures()["lines"], t.TempDir()
	for ext, magic := range map[string]string{".png": "\x89PNG", ".SVG": "<?xml", ".pdf": "%PDF"} {
		path := filepath.Join(dir, "f"+ext)
		if err := f.Save(path); err != nil {
			t.Error(err)
			continue
		}
		if b := must(os.ReadFile(path)); !strings.HasPrefix(string(b), magic) {
			t.Errorf("%s begins with %q", ext, b[:5])
		}
	}
	if err := f.Save(filepath.Join(dir, "f.jpg")); err == nil || !strings.Contains(err.Error(), ".jpg") {
		t.Errorf("jpg: %v", err)
	}
	if err := f.WriteSVG(failing{}); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("failing writer: %v", err)
	}
}

func ExampleLinesFigure() {
	nan := math.NaN() // not simulated: a gap in the line
	f, err := report.LinesFigure("TCP_RR", "threads", "change (%)", []string{"180", "240", "300"}, []report.Series{
		{Name: "published", Y: []float64{0.93, 190.13, 120.07}},
		{Name: "simulated", Y: []float64{20, 177, nan}, Low: []float64{0, 160, nan}, High: []float64{40, 194, nan}},
	}, report.Changes())
	if err != nil {
		fmt.Println(err)
		return
	}
	f.WritePNG(io.Discard) // or WriteSVG, WritePDF, Save
	fmt.Print(f.Data())
	// Output:
	// TCP_RR
	// threads  published  simulated  simulated low  simulated high
	// -------  ---------  ---------  -------------  --------------
	// 180            0.9         20              0              40
	// 240          190.1        177            160             194
	// 300          120.1          -              -               -
}
