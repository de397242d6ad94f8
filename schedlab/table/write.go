package table

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
)

// WriteSchedtests prints t as schedtests does: title and rule, then one line
// per row with tabs between the columns. Every row needs a case, a load and a
// spread in each cell, and a change in each cell but the first; values are not
// printed. An empty name leaves the title out.
func WriteSchedtests(w io.Writer, t Table) error {
	b := bufio.NewWriter(w)
	if t.Name != "" {
		fmt.Fprintf(b, "%s\n%s\n", t.Name, strings.Repeat("=", len(t.Name)))
	}
	fmt.Fprintf(b, "%-16s\t%-8s\tbaseline(std%%)%s\n", "case", "load", strings.Repeat("\tcompare%( std%)", max(len(t.Columns)-1, 0)))
	for _, r := range t.Rows {
		if err := writableSchedtests(t, r); err != nil {
			return err
		}
		fmt.Fprintf(b, "%-16s\t%-8s\t%5.2f (%6.2f)", r.Case, r.Load, 1.0, r.Cells[0].Spread)
		for _, c := range r.Cells[1:] {
			fmt.Fprintf(b, "\t%+6.2f (%6.2f)", c.Change, c.Spread)
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}

func writableSchedtests(t Table, r Row) error {
	switch {
	case len(strings.Fields(r.Case)) != 1:
		return fmt.Errorf("table: schedtests needs one word as the case of a row, not %q", r.Case)
	case !strings.ContainsAny(r.Load, "0123456789") || len(strings.Fields(r.Load)) > 2:
		return fmt.Errorf("table: schedtests needs a load such as \"60-threads\" in row %q, not %q", r.Case, r.Load)
	}
	return writableCells(t, r, func(i int, c Cell) string {
		switch {
		case !finite(c.Spread) || c.Spread < 0:
			return "a spread"
		case i > 0 && !finite(c.Change):
			return "a change"
		}
		return ""
	})
}

// WriteMmtests prints t as mmtests does: kernel names right-aligned over their
// columns, in two lines where every name has two halves, then one line per row.
// A table of dialect MmtestsTimes becomes a block of CPU seconds. Every cell
// needs a value and, in a comparison, every cell but the first a change; values
// keep their Decimals. An empty name leaves the title out.
func WriteMmtests(w io.Writer, t Table) error {
	b := bufio.NewWriter(w)
	if t.Name != "" {
		fmt.Fprintln(b, t.Name)
	}
	op, label, cell := 8, 0, 12 // the block of CPU seconds
	if t.Dialect != MmtestsTimes {
		op, label, cell = 10, 0, 12+len(" (   0.00%)")
		for _, r := range t.Rows {
			op, label = max(op, len(r.Op)+2), max(label, len(r.label()))
		}
	}
	if err := writeKernels(b, t.Columns, op+label, cell); err != nil {
		return err
	}
	for _, r := range t.Rows {
		if err := writableMmtests(t, r); err != nil {
			return err
		}
		fmt.Fprintf(b, "%-*s%-*s", op, r.Op, label, r.label())
		for i, c := range r.Cells {
			writeMmtestsCell(b, t.Dialect, i, c)
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}

func writeMmtestsCell(b *bufio.Writer, d Dialect, i int, c Cell) {
	// A figure too wide for its column still needs a gap before it.
	value := fmt.Sprintf("%.*f", c.Decimals, c.Value)
	fmt.Fprintf(b, "%*s", max(12, len(value)+1), value)
	switch {
	case d == MmtestsTimes:
	case i == 0:
		fmt.Fprintf(b, " (%7.2f%%)", 0.0)
	case c.Star:
		fmt.Fprintf(b, " *%7.2f%%*", c.Change)
	default:
		fmt.Fprintf(b, " (%7.2f%%)", c.Change)
	}
}

// label is the row's case or load, whichever it has.
func (r Row) label() string { return strings.TrimSpace(r.Case + " " + r.Load) }

func writableMmtests(t Table, r Row) error {
	if len(strings.Fields(r.Op)) != 1 {
		return fmt.Errorf("table: mmtests needs one word as the operator of row %q, not %q", r.label(), r.Op)
	}
	return writableCells(t, r, func(i int, c Cell) string {
		switch {
		case !finite(c.Value):
			return "a value"
		case t.Dialect != MmtestsTimes && i > 0 && !finite(c.Change):
			return "a change"
		}
		return ""
	})
}

// writableCells checks that a row fills its table; missing names what a cell
// lacks, or is "".
func writableCells(t Table, r Row, missing func(i int, c Cell) string) error {
	row := strings.TrimSpace(r.Op + " " + r.label())
	if len(t.Columns) < 2 || len(r.Cells) != len(t.Columns) {
		return fmt.Errorf("table: row %q has %d cells for %d columns: a comparison needs two or more of each", row, len(r.Cells), len(t.Columns))
	}
	for i, c := range r.Cells {
		if m := missing(i, c); m != "" {
			return fmt.Errorf("table: row %q has no figure to print as %s in column %q", row, m, t.Columns[i])
		}
	}
	return nil
}

// writeKernels prints the heading over columns of the given width, the first
// of which starts after lead bytes.
func writeKernels(b *bufio.Writer, names []string, lead, width int) error {
	upper, lower := make([]string, len(names)), make([]string, len(names))
	both := true
	for i, n := range names {
		if len(strings.Fields(n)) != 1 || strings.TrimSpace(n) != n {
			return fmt.Errorf("table: mmtests needs kernel names without spaces, not %q", n)
		}
		upper[i], lower[i] = splitKernel(n)
		both = both && lower[i] != ""
	}
	if !both {
		writeAligned(b, names, lead, width)
		return nil
	}
	writeAligned(b, upper, lead, width)
	writeAligned(b, lower, lead, width)
	return nil
}

func writeAligned(b *bufio.Writer, names []string, lead, width int) {
	for i, n := range names {
		w := width
		if i == 0 {
			w += lead
		}
		fmt.Fprintf(b, "%*s", max(w, len(n)+1), n)
	}
	fmt.Fprintln(b)
}

// splitKernel cuts a kernel name at its first dash that does not open "-rcN".
func splitKernel(name string) (upper, lower string) {
	for i := 1; i < len(name); i++ {
		if name[i] == '-' && !(strings.HasPrefix(name[i:], "-rc") && len(name) > i+3 && '0' <= name[i+3] && name[i+3] <= '9') {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
