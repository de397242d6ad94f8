package table_test

import (
	"math"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/table"
)

func TestWritersPrintWhatWasRead(t *testing.T) {
	tables, _ := read(t, netperf+"\n"+wideTbench)
	var b strings.Builder
	if err := table.WriteSchedtests(&b, tables[0]); err != nil {
		t.Fatal(err)
	}
	b.WriteString("\n")
	for i, tab := range tables[1:] {
		if i > 0 {
			b.WriteString("\n")
		}
		if err := table.WriteMmtests(&b, tab); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := b.String(), netperf+"\n"+wideTbench; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// wideTbench has the column widths of mmtests.
const wideTbench = `tbench4
                          6.9.0-rc2              6.9.0-rc2              6.9.0-rc2
                            vanilla               patch-v1               patch-v2
Hmean     8      1845.04 (   0.00%)     1990.10 *   7.86%*     1845.04 (   0.00%)
Hmean     16     2000.00 (   0.00%)     1900.00 (  -5.00%)     2000.00 (   0.00%)
Stddev    8      26.7000 (   0.00%)     24.0000 (  10.11%)     26.7000 (   0.00%)
Stddev    16     10.0000 (   0.00%)     40.0000 (-300.00%)     10.0000 (   0.00%)

           6.9.0-rc2   6.9.0-rc2
             vanilla    patch-v1
User         1058.32     1077.42
System       5729.22     5287.61
Elapsed      1550.69     1553.09
`

func TestWriteSeveralKernelsInSchedtests(t *testing.T) {
	const want = "case            \tload    \tbaseline(std%)\tcompare%( std%)\tcompare%( std%)\n" +
		"normal          \t8 mthreads\t 1.00 (  5.47)\t +9.81 ( 14.28)\t -0.50 (  0.00)\n"
	tables, warnings := read(t, want)
	if len(tables) != 1 || len(warnings) > 0 {
		t.Fatalf("%d tables, %v", len(tables), warnings)
	}
	var b strings.Builder
	if err := table.WriteSchedtests(&b, tables[0]); err != nil || b.String() != want {
		t.Errorf("err %v, got:\n%s", err, b.String())
	}
}

func TestWritersRefuseWhatTheyCannotPrint(t *testing.T) {
	nan := math.NaN()
	tab := func(r table.Row, columns ...string) table.Table {
		return table.Table{Columns: columns, Rows: []table.Row{r}}
	}
	full := table.Cell{Value: 1, Spread: 1, Change: 1}
	tests := []struct {
		name  string
		write func(*strings.Builder, table.Table) error
		t     table.Table
		want  string
	}{
		{"no case", schedtests, tab(table.Row{Load: "8"}, "a", "b"), `table: schedtests needs one word as the case of a row, not ""`},
		{"no load", schedtests, tab(table.Row{Case: "RR", Load: "many"}, "a", "b"), `table: schedtests needs a load such as "60-threads" in row "RR", not "many"`},
		{"no spread", schedtests, tab(table.Row{Case: "RR", Load: "8", Cells: []table.Cell{full, {Spread: nan}}}, "a", "b"), `table: row "RR 8" has no figure to print as a spread in column "b"`},
		{"no change", schedtests, tab(table.Row{Case: "RR", Load: "8", Cells: []table.Cell{full, {Spread: 1, Change: math.Inf(1)}}}, "a", "b"), `table: row "RR 8" has no figure to print as a change in column "b"`},
		{"no operator", mmtests, tab(table.Row{Load: "8"}, "a", "b"), `table: mmtests needs one word as the operator of row "8", not ""`},
		{"no value", mmtests, tab(table.Row{Op: "Hmean", Load: "8", Cells: []table.Cell{full, {Value: nan}}}, "a", "b"), `table: row "Hmean 8" has no figure to print as a value in column "b"`},
		{"no mmtests change", mmtests, tab(table.Row{Op: "Hmean", Load: "8", Cells: []table.Cell{full, {Value: 1, Change: nan}}}, "a", "b"), `table: row "Hmean 8" has no figure to print as a change in column "b"`},
		{"one column", mmtests, tab(table.Row{Op: "Hmean", Cells: []table.Cell{full}}, "a"), `table: row "Hmean" has 1 cells for 1 columns: a comparison needs two or more of each`},
		{"a space", mmtests, tab(table.Row{Op: "Hmean"}, "a b", "c"), `table: mmtests needs kernel names without spaces, not "a b"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			if err := tt.write(&b, tt.t); err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func schedtests(b *strings.Builder, t table.Table) error { return table.WriteSchedtests(b, t) }
func mmtests(b *strings.Builder, t table.Table) error    { return table.WriteMmtests(b, t) }
