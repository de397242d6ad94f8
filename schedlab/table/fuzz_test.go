package table_test

import (
	"math"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/table"
)

// FuzzRead looks for a panic, a row outside the input, and a table that was
// read without complaint but comes back changed after writing it.
func FuzzRead(f *testing.F) {
	for _, s := range []string{netperf, tbench, flatten(tbench), eachLine(netperf, ">> "), quotedPrintable("a = b\n"+netperf, 30),
		" a1 b1\nHmean x 1e-3 (0.00%) 2e5 *1.00%*\n", "Amean 1 +- 2% ( ) 3 (4%)", "1.00 (1) case load baseline(std%) compare%( std%) a 1 1.00 (1) +1 (1)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tables, warnings, err := table.Read(strings.NewReader(text), "f")
		if err != nil {
			t.Fatal(err)
		}
		for _, tab := range tables {
			for _, r := range tab.Rows {
				if len(r.Cells) != len(tab.Columns) || len(r.Cells) < 2 || r.Line < 1 || r.Line > strings.Count(text, "\n")+1 || r.Column < 1 {
					t.Fatalf("bad row %+v", r)
				}
			}
			if len(warnings) == 0 {
				writeAndReadAgain(t, tab)
			}
		}
	})
}

func writeAndReadAgain(t *testing.T, tab table.Table) {
	var b strings.Builder
	write := table.WriteMmtests
	if tab.Dialect == table.Schedtests {
		write = table.WriteSchedtests
	}
	tab.Name = "" // a title is free text and may read as a heading
	if write(&b, tab) != nil {
		return // something the dialect cannot print
	}
	again, _, err := table.Read(strings.NewReader(b.String()), "again")
	if err != nil || len(again) != 1 || len(again[0].Rows) != len(tab.Rows) {
		t.Fatalf("%v: %d tables from\n%s", err, len(again), b.String())
	}
	for i, r := range tab.Rows {
		s := again[0].Rows[i]
		if r.Op != s.Op || r.Case != s.Case || r.Load != s.Load {
			t.Fatalf("row %+v came back as %+v from\n%s", r, s, b.String())
		}
		for j := range r.Cells {
			if j > 0 && !near(r.Cells[j].Change, s.Cells[j].Change, 0.0051) || r.Cells[j].Star != s.Cells[j].Star ||
				!near(r.Cells[j].Value, s.Cells[j].Value, math.Pow10(-r.Cells[j].Decimals)) {
				t.Fatalf("cell %+v came back as %+v from\n%s", r.Cells[j], s.Cells[j], b.String())
			}
		}
	}
}

func near(a, b, tolerance float64) bool {
	return math.IsNaN(a) == math.IsNaN(b) && !(math.Abs(a-b) > tolerance+1e-9*math.Abs(a))
}
