package report_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/schedlab/lab/schedlab/report"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	nan    = math.NaN()
)

// golden compares with testdata/name; run with -update to rewrite it.
func golden(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", path, got)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// board is a small scoreboard with everything a cell can be.
func board() report.Table {
	return must(report.NewTable("TCP_RR, 6.10 against 6.10+SIS_SYNC",
		"Change in transactions per second, positive = better; noise is that of the published change.",
		report.Ints("threads", "", []int{60, 240, 300, 360}),
		report.Floats("published", "%", 2, []float64{-0.03, 190.13, 120.07, 0.27}).Signed(),
		report.Floats("simulated", "%", 1, []float64{-0.04, 177, nan, 1e3}).Signed(),
		report.Floats("noise", "points", report.Auto, []float64{0.12, 0.5, nan, 2.083}),
		report.Strings("verdict", []string{"agree", "agree", "", "sign"}),
		report.Bools("significant", []bool{false, true, true, false}),
		report.Strings("reason", []string{"", "prev <idle> | kept", "a long story about the idle-core flag and who clears it", "x\x1b[31mred\x07\nnext"}),
	))
}

func TestTableGolden(t *testing.T) {
	b := board()
	golden(t, "board.txt", b.WriteText)
	golden(t, "board-80.txt", b.Width(80).WriteText)
	golden(t, "board-40.txt", b.Width(40).WriteText)
	golden(t, "board.md", b.WriteMarkdown)
	golden(t, "board.html", b.WriteHTML)
	golden(t, "board.csv", b.WriteCSV)
}

func TestNewTableRefuses(t *testing.T) {
	one := []float64{1}
	for _, c := range []struct {
		name    string
		columns []report.Column
		want    string
	}{
		{"nothing", nil, "no columns"},
		{"zero column", []report.Column{{}}, "no name"},
		{"blank name", []report.Column{report.Floats(" ", "ns", 1, one)}, `unit "ns"`},
		{"lengths", []report.Column{report.Floats("a", "", 1, one), report.Strings("b", nil)}, `"b" has 0 rows, column "a" has 1`},
		{"twins", []report.Column{report.Floats("a", "ns", 1, one), report.Ints("a", "ns", []int{1})}, `"a (ns)"`},
		{"decimals", []report.Column{report.Floats("a", "", 16, one)}, "16 decimals"},
		{"decimals below Auto", []report.Column{report.Floats("a", "", -2, one)}, "-2 decimals"},
	} {
		_, err := report.NewTable("x", "", c.columns...)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), `report: table "x": `) {
			t.Errorf("%s: error %v, want it to say %s", c.name, err, c.want)
		}
	}
}

func TestTableKeepsItsOwnData(t *testing.T) {
	xs, names := []float64{1}, []string{"a"}
	tab := must(report.NewTable("", "", report.Floats("x", "", 0, xs), report.Strings("s", names)))
	before := tab.String()
	xs[0], names[0] = 9, "z"
	wide := tab.Width(30).Titled("t", "c").Keys(9)
	if tab.String() != before || wide.String() == before || wide.Title() != "t" || wide.Caption() != "c" {
		t.Errorf("table changed: %q", tab)
	}
}

func TestFloatForms(t *testing.T) {
	for _, c := range []struct {
		decimals int
		values   []float64
		want     string
	}{
		{2, []float64{1.005, -0.001, math.Copysign(0, -1)}, "1.00 0.00 0.00"},
		{0, []float64{math.Inf(1), math.Inf(-1), nan}, "+Inf -Inf -"},
		{report.Auto, []float64{1, 2, 3}, "1 2 3"},
		{report.Auto, []float64{1, 2.5}, "1.0 2.5"},
		{report.Auto, []float64{1. / 3, 2}, "0.333 2.000"},
		{report.Auto, []float64{83528.11, 1}, "83528 1"},
		{report.Auto, []float64{1e-9, 2e-9}, "1e-09 2e-09"},
		{report.Auto, []float64{nan, 0}, "- 0"},
		{report.Auto, []float64{1e13}, "1e+13"},
	} {
		tab := must(report.NewTable("", "", report.Floats("x", "", c.decimals, c.values)))
		got := strings.Join(strings.Fields(tab.String())[2:], " ")
		if got != c.want {
			t.Errorf("%v with %d decimals: %s, want %s", c.values, c.decimals, got, c.want)
		}
	}
}

func TestCSVIsExact(t *testing.T) {
	values := []float64{1e-9, 1. / 3, nan, 83528.11, math.Inf(1)}
	text := []string{"a,b", `"`, "", "two\nlines", "\x1b[0m"}
	tab := must(report.NewTable("", "", report.Floats("x", "ns", 0, values).Signed(), report.Strings("s", text),
		report.Ints("n", "", []int{1, -2, 3, 4, 1 << 60}).Signed()))
	var b bytes.Buffer
	if err := tab.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	records := must(csv.NewReader(&b).ReadAll())
	want := [][]string{{"x (ns)", "s", "n"}, {"1e-09", "a,b", "1"}, {"0.3333333333333333", `"`, "-2"}, {"", "", "3"},
		{"83528.11", "two\nlines", "4"}, {"+Inf", "\x1b[0m", "1152921504606846976"}}
	if fmt.Sprint(records) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", records, want)
	}
}

func TestEmptyTable(t *testing.T) {
	tab := must(report.NewTable("Nothing", "", report.Floats("x", "ns", 1, nil), report.Strings("s", nil)))
	if got, want := tab.String(), "Nothing\nx (ns)  s\n------  -\n(no rows)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, write := range []func(io.Writer) error{tab.WriteMarkdown, tab.WriteHTML, tab.WriteCSV, report.Table{}.WriteText, report.Table{}.WriteHTML} {
		if err := write(io.Discard); err != nil {
			t.Error(err)
		}
	}
}

// No line is longer than asked for and no cell is lost, whatever the strings.
func FuzzText(f *testing.F) {
	f.Add("plain", "a b c", 40)
	f.Add("\x1b[2J\u202e", "wide wide wide wide wide wide wide wide wide wide", 24)
	f.Add("", strings.Repeat("x", 300), 0)
	f.Add("a|b*c`d<e>", "\xff\xfe", 80)
	f.Fuzz(func(t *testing.T, a, b string, width int) {
		tab, err := report.NewTable(a, b, report.Strings("first", []string{a, b}), report.Ints("n", "", []int{-12345, 7}),
			report.Strings("second", []string{b, a}), report.Floats("x", "µs", 2, []float64{1, nan}))
		if err != nil {
			t.Fatal(err)
		}
		limit := width % 200
		got := tab.Width(limit).String()
		if !utf8.ValidString(got) {
			t.Errorf("invalid text %q", got)
		}
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(line, "\n")
			for _, r := range line {
				if r < ' ' || (r >= 0x7f && r < 0xa0) || r == 0x202e {
					t.Fatalf("control character %q in %q", r, line)
				}
			}
			if n := utf8.RuneCountInString(line); limit > 0 && n > max(limit, 20) {
				t.Fatalf("line of %d characters, limit %d: %q", n, limit, line)
			}
		}
		if !strings.Contains(got, "-12345") {
			t.Errorf("a cell is lost: %q", got)
		}
		var md bytes.Buffer
		if err := tab.Titled("", "").WriteMarkdown(&md); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(md.String()) {
			if n := strings.Count(strings.ReplaceAll(strings.ReplaceAll(line, `\\`, ""), `\|`, ""), "|"); n != 5 {
				t.Fatalf("%d bars in %q", n, line)
			}
		}
	})
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrorsAreReported(t *testing.T) {
	b := board()
	for name, write := range map[string]func(io.Writer) error{"text": b.WriteText, "markdown": b.WriteMarkdown, "html": b.WriteHTML, "csv": b.WriteCSV} {
		if err := write(failing{}); err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFrameRoundTrip(t *testing.T) {
	b := board()
	df := must(b.Frame())
	if df.Nrow() != 4 || df.Ncol() != 7 {
		t.Fatalf("frame of %d rows, %d columns", df.Nrow(), df.Ncol())
	}
	back := must(report.FromFrame(df))
	var first, second bytes.Buffer
	if err := errors.Join(b.WriteCSV(&first), back.WriteCSV(&second)); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("frame and back:\n%s\nwant\n%s", &second, &first)
	}
	df = df.Drop([]int{0, 1, 2, 3, 4, 5, 6, 7})
	if _, err := report.FromFrame(df); err == nil {
		t.Error("the frame's error was swallowed")
	}
	empty := must(report.NewTable("", "", report.Floats("x", "", 0, nil), report.Bools("b", nil)))
	if again := must(report.FromFrame(must(empty.Frame()))); again.Rows() != 0 || len(again.Headers()) != 2 {
		t.Errorf("empty frame: %v", again.Headers())
	}
}

func ExampleTable_WriteText() {
	t, err := report.NewTable("TCP_RR", "Change in transactions per second, positive = better.",
		report.Ints("threads", "", []int{180, 240, 300}),
		report.Floats("published", "%", 2, []float64{0.93, 190.13, 120.07}).Signed(),
		report.Floats("simulated", "%", 0, []float64{0, 177, math.NaN()}).Signed(),
		report.Strings("verdict", []string{"agree", "agree", ""}))
	if err != nil {
		fmt.Println(err)
		return
	}
	t.WriteText(os.Stdout)
	// Output:
	// TCP_RR
	// threads  published (%)  simulated (%)  verdict
	// -------  -------------  -------------  -------
	//     180          +0.93              0  agree
	//     240        +190.13           +177  agree
	//     300        +120.07              -  -
	// Change in transactions per second, positive = better.
}

func TestTextIsSafeForATerminal(t *testing.T) {
	hostile := "a\x1b[31mred\x1b[0m \x1b]0;title\x07b\x00\x08\x7f\u009b\u0085\u202e\u2028c\td\r\ne\xff"
	tab := must(report.NewTable(hostile, hostile, report.Strings(hostile, []string{hostile})))
	var got []string
	for line := range strings.Lines(tab.String()) {
		got = append(got, strings.TrimSpace(line))
	}
	if len(got) != 5 {
		t.Fatalf("lines %q", got)
	}
	for _, i := range []int{0, 1, 3, 4} {
		if s := strings.Join(strings.Fields(got[i]), " "); s != "ared b c d e" {
			t.Errorf("line %d is %q", i, s)
		}
	}
}

// Keys that would take more than half of the line are not repeated.
func TestLongKeysAreNotRepeated(t *testing.T) {
	columns := []report.Column{report.Ints("a very-long-heading-of-a-key", "", []int{1})}
	for _, name := range []string{"second", "third", "fourth", "fifth"} {
		columns = append(columns, report.Ints(name, "", []int{1234567}))
	}
	tab := must(report.NewTable("", "", columns...))
	if n := strings.Count(tab.Width(40).String(), "very-long"); n != 1 {
		t.Errorf("the key is written %d times:\n%s", n, tab.Width(40))
	}
	if n := strings.Count(tab.Keys(0).Width(45).String(), "very-long"); n != 1 {
		t.Errorf("no key columns, written %d times", n)
	}
}
