package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table is a set of typed columns of equal length with a title and a caption.
// It is immutable: methods that change something return a copy. The zero value
// is an empty table without columns; use NewTable.
type Table struct {
	title, caption string
	columns        []Column
	width          int // of text output in characters, 0 = as wide as it gets
	keys           int // leading columns that name a row
}

// NewTable builds a table. Title and caption may be empty. It is an error if
// there is no column, if two columns have the same heading, if lengths differ,
// or if a column has no name or an impossible number of decimals.
func NewTable(title, caption string, columns ...Column) (Table, error) {
	t := Table{title: title, caption: caption, columns: slices.Clone(columns), keys: 1}
	if err := t.check(); err != nil {
		if title != "" {
			return Table{}, fmt.Errorf("report: table %q: %w", title, err)
		}
		return Table{}, fmt.Errorf("report: table: %w", err)
	}
	return t, nil
}

func (t Table) check() error {
	if len(t.columns) == 0 {
		return errors.New("no columns")
	}
	for i, c := range t.columns {
		if err := c.check(); err != nil {
			return err
		}
		first := t.columns[0]
		if c.rows() != first.rows() {
			return fmt.Errorf("column %q has %d rows, column %q has %d", c.name, c.rows(), first.name, first.rows())
		}
		for _, d := range t.columns[:i] {
			if c.Header() == d.Header() {
				return fmt.Errorf("two columns are called %q", c.Header())
			}
		}
	}
	return nil
}

// Title is the table's title.
func (t Table) Title() string { return t.title }

// Caption is the sentence below the table.
func (t Table) Caption() string { return t.caption }

// Headers lists the headings, units included.
func (t Table) Headers() []string {
	out := make([]string, len(t.columns))
	for i, c := range t.columns {
		out[i] = c.Header()
	}
	return out
}

// Rows is the number of rows.
func (t Table) Rows() int {
	if len(t.columns) == 0 {
		return 0
	}
	return t.columns[0].rows()
}

// Titled gives the table with another title and caption.
func (t Table) Titled(title, caption string) Table {
	t.title, t.caption = title, caption
	return t
}

// Width gives the table with a limit for the lines of WriteText, in characters;
// 0 (the default) and below mean no limit. Where it is needed, text columns are
// wrapped and, at last, columns that do not fit continue below, with the key
// columns repeated.
func (t Table) Width(characters int) Table {
	t.width = max(0, characters)
	return t
}

// Keys gives the table with the first n columns as those that name a row
// (default 1): they are repeated where a wide table is broken and are row
// headers in HTML. n is cut to 0..number of columns.
func (t Table) Keys(n int) Table {
	t.keys = min(max(0, n), len(t.columns))
	return t
}

// WriteCSV writes a heading line and one line per row: numbers in their shortest
// exact form, absent values empty, text as it is (control characters included).
// Title and caption are left out.
func (t Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	columns := make([][]string, len(t.columns))
	for i, c := range t.columns {
		columns[i] = c.raw()
	}
	if err := out.Write(t.Headers()); err != nil {
		return fmt.Errorf("report: table %q: %w", t.title, err)
	}
	record := make([]string, len(columns))
	for row := range t.Rows() {
		for i := range columns {
			record[i] = columns[i][row]
		}
		if err := out.Write(record); err != nil {
			return fmt.Errorf("report: table %q: %w", t.title, err)
		}
	}
	out.Flush()
	return out.Error()
}

// String is what WriteText writes.
func (t Table) String() string {
	var b strings.Builder
	t.WriteText(&b) // a strings.Builder does not fail
	return b.String()
}
