package table_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/table"
)

const netperf = `netperf
=======
case            	load    	baseline(std%)	compare%( std%)
TCP_RR          	64-threads	 1.00 (  1.20)	 +3.40 (  1.10)
TCP_RR          	128-threads	 1.00 ( 45.28)	+120.07 ( 19.41)
UDP_RR          	64-threads	 1.00 (  0.09)	 -0.29 (  2.66)
`

const tbench = `tbench4
                       6.9.0-rc2              6.9.0-rc2
                         vanilla               patch-v1
Hmean     8      1845.04 (   0.00%)     1990.10 *   7.86%*
Hmean     16     2000.00 (   0.00%)     1900.00 (  -5.00%)
Stddev    8        26.70 (   0.00%)       24.00 (  10.11%)
Stddev    16       10.00 (   0.00%)       40.00 (-300.00%)

            6.9.0-rc2   6.9.0-rc2
              vanilla    patch-v1
User         1058.32     1077.42
System       5729.22     5287.61
Elapsed      1550.69     1553.09
`

func read(t *testing.T, text string) ([]table.Table, []table.Warning) {
	t.Helper()
	tables, warnings, err := table.Read(strings.NewReader(text), "mail.txt")
	if err != nil {
		t.Fatal(err)
	}
	return tables, warnings
}

// figures prints tables without the places of their rows.
func figures(tables []table.Table) string {
	var b strings.Builder
	for _, t := range tables {
		fmt.Fprintf(&b, "%s %q %q\n", t.Dialect, t.Name, t.Columns)
		for _, r := range t.Rows {
			fmt.Fprintf(&b, "  %q %q %q %s:", r.Op, r.Case, r.Load, r.Better)
			for _, c := range r.Cells {
				fmt.Fprintf(&b, " %.*f ±%v %v%% %.2f%% %v;", c.Decimals, c.Value, c.Spread, c.Change, c.Derived, c.Star)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func TestReadGivesTheFigures(t *testing.T) {
	const want = `schedtests "netperf" ["baseline" "compare"]
  "" "TCP_RR" "64-threads" unknown: 1.00 ±1.2 NaN% NaN% false; NaN ±1.1 3.4% NaN% false;
  "" "TCP_RR" "128-threads" unknown: 1.00 ±45.28 NaN% NaN% false; NaN ±19.41 120.07% NaN% false;
  "" "UDP_RR" "64-threads" unknown: 1.00 ±0.09 NaN% NaN% false; NaN ±2.66 -0.29% NaN% false;
mmtests "tbench4" ["6.9.0-rc2-vanilla" "6.9.0-rc2-patch-v1"]
  "Hmean" "" "8" higher: 1845.04 ±NaN 0% NaN% false; 1990.10 ±NaN 7.86% 7.86% true;
  "Hmean" "" "16" higher: 2000.00 ±NaN 0% NaN% false; 1900.00 ±NaN -5% -5.00% false;
  "Stddev" "" "8" lower: 26.70 ±NaN 0% NaN% false; 24.00 ±NaN 10.11% 10.11% false;
  "Stddev" "" "16" lower: 10.00 ±NaN 0% NaN% false; 40.00 ±NaN -300% -300.00% false;
mmtests-times "" ["6.9.0-rc2-vanilla" "6.9.0-rc2-patch-v1"]
  "User" "" "" lower: 1058.32 ±NaN NaN% NaN% false; 1077.42 ±NaN NaN% -1.80% false;
  "System" "" "" lower: 5729.22 ±NaN NaN% NaN% false; 5287.61 ±NaN NaN% 7.71% false;
  "Elapsed" "" "" lower: 1550.69 ±NaN NaN% NaN% false; 1553.09 ±NaN NaN% -0.15% false;
`
	tables, warnings := read(t, netperf+"\n"+tbench)
	if len(warnings) > 0 {
		t.Errorf("warnings: %v", warnings)
	}
	if got := figures(tables); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if got := tables[0].Rows[1].Line; got != 5 {
		t.Errorf("second row is on line %d, want 5", got)
	}
}

// What mailers and archives do to a table must not change a figure.
func TestReadUndoesWhatMailDoes(t *testing.T) {
	plain := "Results on a machine with two sockets.\n\n" + netperf + "\n" + tbench + "\nThat is all there is to say about it.\n"
	ways := []struct {
		name string
		do   func(string) string
	}{
		{"quoted", func(s string) string { return eachLine(s, "> ") }},
		{"quoted twice", func(s string) string { return eachLine(s, ">> ") }},
		{"quoted loosely", func(s string) string { return eachLine(s, "> > ") }},
		{"carriage returns", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
		{"no-break spaces", func(s string) string { return strings.ReplaceAll(s, "   ", "\u00a0 \u00a0") }},
		{"byte order mark", func(s string) string { return "\ufeff" + s }},
		{"quoted-printable, declared", func(s string) string {
			return "Content-Transfer-Encoding: Quoted-Printable\n\n" + quotedPrintable(s, 40)
		}},
		{"quoted-printable, bare", func(s string) string { return "a =3D b\n\n" + quotedPrintable(s, 76) }},
		{"quoted, then quoted-printable", func(s string) string { return "a =3D b\n\n" + quotedPrintable(eachLine(s, "> "), 76) }},
		{"flattened", flatten},
		{"quoted-printable, flattened", func(s string) string { return flatten("a =3D b\n\n" + quotedPrintable(s, 60)) }},
	}
	base, _ := read(t, plain)
	want := figures(base)
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			tables, warnings := read(t, w.do(plain))
			if got := figures(tables); got != want {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
			if len(warnings) > 0 {
				t.Errorf("warnings: %v", warnings)
			}
		})
	}
}

// A rule that was left bare in quoted-printable text is no soft break.
func TestRuleIsNoSoftBreak(t *testing.T) {
	tables, warnings := read(t, "a =3D b\n\ncase load baseline(std%) compare%( std%)\n=====\nTCP_RR 8-threads 1.00 ( 1.00) +2.00 ( 1.00)\n")
	if len(tables) != 1 || len(warnings) > 0 || tables[0].Rows[0].Case != "TCP_RR" || tables[0].Line != 5 {
		t.Errorf("warnings %v, got:\n%s", warnings, figures(tables))
	}
}

func eachLine(s, prefix string) string {
	return prefix + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+prefix) + "\n"
}

// quotedPrintable breaks lines after width bytes.
func quotedPrintable(s string, width int) string {
	var b strings.Builder
	column := 0
	for i := 0; i < len(s); i++ {
		piece := s[i : i+1]
		if piece == "=" {
			piece = "=3D"
		}
		if piece == "\t" && i%2 == 0 {
			piece = "=09"
		}
		if piece != "\n" && column+len(piece) >= width {
			b.WriteString("=\n")
			column = 0
		}
		b.WriteString(piece)
		column += len(piece)
		if piece == "\n" {
			column = 0
		}
	}
	return b.String()
}

func flatten(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestHeadings(t *testing.T) {
	row2 := "Amean  1   0.43 ( 0.00%)   0.44 ( -2.33%)\n"
	row3 := "Amean  1   0.43 ( 0.00%)   0.44 ( -2.33%)   0.42 ( 2.33%)\n"
	tests := []struct{ name, text, title, columns string }{
		{"one line", "pipes:\n   Baseline     Patched\n" + row2, "pipes", "Baseline|Patched"},
		{"two lines", "pipes\n  4.15.0-rc3   4.15.0-rc3\n   noirq   wakeprev\n" + row2, "pipes", "4.15.0-rc3-noirq|4.15.0-rc3-wakeprev"},
		{"names with spaces", "  5.2.0 vanilla (BASELINE)     5.2.0 turbo\n- - - - - -\n" + row2, "", "5.2.0 vanilla (BASELINE)|5.2.0 turbo"},
		{"title in the same line", "tbench4   5.16-rc1-vanilla  5.16-rc1+patch\n" + row2, "tbench4", "5.16-rc1-vanilla|5.16-rc1+patch"},
		{"the word kernel", "kernel   tip  SIS_NODE   SIS_LIMIT\n" + row3, "", "tip|SIS_NODE|SIS_LIMIT"},
		{"a sentence is no title", "the problem is shown by this.\n base patched\n" + row2, "", "base|patched"},
		{"nor is what a blank line parts", "the problem\n\n base patched\n" + row2, "", "base|patched"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tables, warnings := read(t, tt.text)
			if len(tables) != 1 || len(warnings) > 0 {
				t.Fatalf("%d tables, warnings %v", len(tables), warnings)
			}
			if got := strings.Join(tables[0].Columns, "|"); tables[0].Name != tt.title || got != tt.columns {
				t.Errorf("got %q %q, want %q %q", tables[0].Name, got, tt.title, tt.columns)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	head := " base patched\n"
	sched := "case load baseline(std%) compare%( std%)\n"
	tests := []struct {
		name, text string
		rows       int
		want       string
	}{
		{"no heading", "Hmean 1 1.00 (0.00%) 2.00 (100.00%)\n", 1,
			`mail.txt:1:1: mmtests table: no heading names its 2 columns: they are numbered`},
		{"no schedtests heading", "TCP_RR 8-threads 1.00 ( 1.00) +2.00 ( 1.00)\n", 1,
			`mail.txt:1:1: schedtests table: no line "case load baseline(std%) compare%( std%)" above it`},
		{"damaged change", sched + "TCP_RR 8-threads 1.00 ( 1.00) +2.x0 ( 1.00)\n", 0,
			`mail.txt:2:1: schedtests row left out: it does not read as "case load 1.00 (spread) +change (spread)": "TCP_RR 8-threads 1.00 ( 1.00) +2.x0 ( 1.00)"`},
		{"damaged second change", sched + "TCP_RR 8-threads 1.00 ( 1.00) +2.00 ( 1.00) +3.00 ( 1.x0)\n", 0,
			`mail.txt:2:1: schedtests row left out: the last change does not read as "+change (spread)": "TCP_RR 8-threads 1.00 ( 1.00) +2.00 ( 1.00) +3.00 ( 1.x0)"`},
		{"damaged cell", head + "Hmean 1 1.00 (0.00%) 2.00 (100.00%)\nHmean 2 1.00 (0.00%) 2.00 (10o.00%)\n", 1,
			`mail.txt:3:1: mmtests row left out: the cell after it does not read as "value (pct%)": "Hmean 2 1.00 (0.00%) 2.00 (10o.00%)"`},
		{"damaged first cell", head + "Hmean 1 1.00 (0.0o%) 2.00 (0.00%)\n", 0,
			`mail.txt:2:1: mmtests row left out: a cell does not read as "value (pct%)": "Hmean 1 1.00 (0.0o%) 2.00 (0.00%)"`},
		{"no cell at all", head + "Hmean 1 1.00 (0.00%) 2.00 (100.00%)\nHmean 2 l.00 (O.00%) 2.00 (l.00%)\n", 1,
			`mail.txt:3:1: mmtests row left out: no cell reads as "value (pct%)": "Hmean 2 l.00 (O.00%) 2.00 (l.00%)"`},
		{"one cell", head + "Hmean 1 1.00 (0.00%) 2.00 (100.00%)\nHmean 2 1.00 (0.00%)\n", 1,
			`mail.txt:3:1: mmtests row left out: it has one cell, a comparison needs two: "Hmean 2 1.00 (0.00%)"`},
		{"a cell too many", head + "Hmean 1 1.00 (0.00%) 2.00 (100.00%)\nHmean 2 1.00 (0.00%) 2.00 (100.00%) 2.00 (100.00%)\n", 1,
			`mail.txt:3:1: mmtests row left out: it has 3 cells, its table has 2`},
		{"wrong percentage", head + "Hmean 1 100.00 (0.00%) 110.00 (10.00%)\nHmean 2 100.00 (0.00%) 110.00 (11.00%)\n", 2,
			`mail.txt:3:1: column "patched": 11.00 % is printed, 10.00 % follows from 100.00 and 110.00`},
		{"wrong sign", head + "Hmean 1 100.00 (0.00%) 110.00 (10.00%)\nHmean 2 100.00 (0.00%) 120.00 (20.00%)\nHmean 4 100.00 (0.00%) 90.00 (10.00%)\n", 3,
			`mail.txt:4:1: column "patched": 10.00 % is printed, -10.00 % follows from 100.00 and 90.00`},
		{"small disagreement", head + "Hmean 1 100.00 (0.00%) 110.00 (10.02%)\n", 1,
			`mail.txt:2:1: column "patched": 10.02 % is printed, 10.00 % follows from 100.00 and 110.00`},
		{"unusual direction", head + "Amean 1 100.00 (0.00%) 110.00 (10.00%)\n", 1,
			`mail.txt:2:1: the percentages of "Amean" say that higher is better, mmtests uses it where lower is`},
		{"unknown operator", head + "Ops 1 100.00 (0.00%) 110.00 (10.00%)\n", 1,
			`mail.txt:2:1: operator "Ops" is not one of mmtests: higher is better, from the figures`},
		{"base64", "Content-Transfer-Encoding: base64\n", 0,
			`mail.txt:1: a base64 body is not decoded: save the mail as plain text first`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tables, warnings := read(t, tt.text)
			rows := 0
			for _, tab := range tables {
				rows += len(tab.Rows)
			}
			if rows != tt.rows {
				t.Errorf("%d rows, want %d", rows, tt.rows)
			}
			if len(warnings) != 1 || warnings[0].String() != tt.want {
				t.Errorf("got  %v\nwant [%s]", warnings, tt.want)
			}
		})
	}
}

// A percentage worked out before its values were rounded is no disagreement.
func TestRoundingIsNoDisagreement(t *testing.T) {
	tables, warnings := read(t, " base patched\nStddev 1 0.0052 (0.00%) 0.0025 (51.57%)\nStddev 2 0.00 (0.00%) 0.01 (-99.00%)\n")
	if len(tables) != 1 || len(warnings) > 0 {
		t.Errorf("%d tables, warnings %v", len(tables), warnings)
	}
}

// A damaged row in text that lost its line breaks must not take its
// neighbours with it.
func TestDamageInFlattenedText(t *testing.T) {
	text := strings.Replace(flatten(netperf), "+120.07 (", "+12o.07 (", 1)
	tables, warnings := read(t, text)
	if len(tables) != 2 || len(tables[0].Rows)+len(tables[1].Rows) != 2 {
		t.Errorf("got:\n%s", figures(tables))
	}
	if len(warnings) == 0 || !strings.Contains(warnings[0].Message, "row left out") {
		t.Errorf("warnings: %v", warnings)
	}
}

func TestProseIsNoTable(t *testing.T) {
	for _, text := range []string{
		"", "\n\n", "=", "=3", "> > >",
		"It went from 10 (5.0%) to 20 (10.0%) and the factor is 1.00 (unchanged).",
		"Latency     0.00us    0.00us   0.00us    -nan%",
		"1-groups:   4.29 (0.00 pct)   4.32 (-0.69 pct)",
		"1-groups   1.00 [ -0.00]( 2.64)    1.02 [ -1.98]( 1.89)",
		"User space needs 3 things. System calls 12 15.",
		"+\tif (Max foo1( ) > 1.00)",
	} {
		tables, warnings := read(t, text)
		if len(tables) != 0 || len(warnings) != 0 {
			t.Errorf("%q: %v %v", text, figures(tables), warnings)
		}
	}
}

func TestNotANumberIsNotReported(t *testing.T) {
	tables, _ := read(t, " base patched\nHmean 1 0.00 (0.00%) nan (-nan%)\n")
	if len(tables) != 1 || !math.IsNaN(tables[0].Rows[0].Cells[1].Value) || !math.IsNaN(tables[0].Rows[0].Cells[1].Change) {
		t.Errorf("got %s", figures(tables))
	}
}

func TestLoadCount(t *testing.T) {
	for load, want := range map[string]int{
		"60-threads": 60, "thread-60": 60, "28 threads": 28, "128": 128, "": -1, "threads": -1, "2x4": -1,
		"99999999999999999999": -1,
	} {
		got, ok := table.Row{Load: load}.LoadCount()
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("LoadCount of %q is %d %v, want %d", load, got, ok, want)
		}
	}
}

func TestChangePct(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		base, value float64
		better      table.Direction
		want        float64
	}{
		{100, 110, table.HigherBetter, 10}, {100, 110, table.LowerBetter, -10},
		{27, 25, table.LowerBetter, 200.0 / 27}, {100, 110, table.UnknownBetter, nan},
		{0, 1, table.HigherBetter, nan}, {-1, 1, table.HigherBetter, nan}, {nan, 1, table.HigherBetter, nan},
	}
	for _, tt := range tests {
		got := table.ChangePct(tt.base, tt.value, tt.better)
		if math.IsNaN(got) != math.IsNaN(tt.want) || math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("ChangePct(%v, %v, %s) = %v, want %v", tt.base, tt.value, tt.better, got, tt.want)
		}
	}
}

func TestSignificant(t *testing.T) {
	if table.Significant(100, 119.6, 4, 6) || !table.Significant(100, 119.7, 4, 6) || !table.Significant(100, 80, 4, 6) {
		t.Error("the limit is 1.96 times the sum of the deviations, either way")
	}
	if table.Significant(100, 200, math.NaN(), 1) {
		t.Error("without a deviation nothing is significant")
	}
}
