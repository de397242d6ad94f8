package docs_test

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/report"
)

var pairsMark = regexp.MustCompile(`^<!-- pairs: (\S+) (\S+) start=(\S+) -->$`)

// The tables of docs/pairs.md are those of the kept rows. -update and -pairs
// write them.
func TestPairsPage(t *testing.T) {
	runs := readPairs(t)
	d := read(t, "docs/pairs.md")
	found := 0
	for i := len(d.lines) - 1; i >= 0; i-- {
		m := pairsMark.FindStringSubmatch(d.lines[i])
		if m == nil {
			continue
		}
		found++
		end := i + 1
		for end < len(d.lines) && strings.HasPrefix(d.lines[end], "|") {
			end++
		}
		want := pairsTable(meansOf(runs, m[1], m[2], m[3]))
		switch {
		case slices.Equal(d.lines[i+1:end], want):
		case *update || *playPairs:
			d.lines = slices.Replace(d.lines, i+1, end, want...)
		default:
			t.Errorf("docs/pairs.md:%d: the table is not that of the rows of %s; -update writes it", i+1, pairsCSV)
		}
	}
	if found != 5 {
		t.Errorf("%d tables found, want 5", found)
	}
	if *update || *playPairs {
		write(t, filepath.Join(root, "docs/pairs.md"), strings.Join(d.lines, "\n"))
	}
}

// fewColors writes a PNG anew with its 64 most frequent colours: a figure has few,
// and their edges need no more.
func fewColors(t *testing.T, b *bytes.Buffer) {
	t.Helper()
	in, err := png.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	count := map[color.RGBA]int{}
	r := in.Bounds()
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(in.At(x, y)).(color.RGBA) }
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	order := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range order[:min(64, len(order))] {
		palette = append(palette, c)
	}
	nearest := map[color.RGBA]uint8{}
	out := image.NewPaletted(r, palette)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := at(x, y)
			i, known := nearest[c]
			if !known {
				i = uint8(palette.Index(c))
				nearest[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	b.Reset()
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(b, out); err != nil {
		t.Fatal(err)
	}
}

// curve is one line of a figure.
type curve struct {
	name, machine, start string
}

var curves = []curve{
	{"LLC 60, started spread", "xeon240", "spread"}, {"LLC 60, started stacked", "xeon240", "stacked"},
	{"LLC 120, started spread", "xeon240-llc120", "spread"}, {"LLC 120, started stacked", "xeon240-llc120", "stacked"},
}

// The figures of docs/pairs.md can be drawn from the kept rows; -update and
// -pairs write them.
func TestPairsFigures(t *testing.T) {
	runs := readPairs(t)
	for _, f := range []struct {
		file, title, y string
		value          int
		scale          float64
	}{
		{"pairs-throughput.png", "netperf TCP_RR on xeon240, 6.10", "thousand transactions/s per pair", perPair, 1e-3},
		{"pairs-halted.png", "netperf TCP_RR on xeon240, 6.10", "CPU time halted (%)", idleShare, 1},
		{"pairs-moves.png", "netperf TCP_RR on xeon240, 6.10", "migrations per wakeup", moves, 1},
	} {
		var xs []string
		var series []report.Series
		for _, n := range pairLoads {
			xs = append(xs, strconv.Itoa(n))
		}
		for _, c := range curves {
			s := report.Series{Name: c.name}
			for _, m := range meansOf(runs, "netperf-tcp_rr", c.machine, c.start) {
				s.Y = append(s.Y, f.scale*m.values[f.value])
			}
			series = append(series, s)
		}
		figure, err := report.LinesFigure(f.title, "pairs", f.y, xs, series)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := figure.WritePNG(&b); err != nil {
			t.Fatal(err)
		}
		fewColors(t, &b)
		if b.Len() > 60_000 {
			t.Errorf("%s would have %d bytes", f.file, b.Len())
		}
		path := filepath.Join(root, "docs/figures", f.file)
		if *update || *playPairs {
			write(t, path, b.String())
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}
