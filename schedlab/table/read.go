package table

import (
	"bufio"
	"fmt"
	"io"
	"sort"
	"strings"
)

// dialect recognises one way of printing a table.
type dialect interface {
	name() Dialect
	// find returns the rows in a line, in order, sound and damaged ones.
	find(text string) []hit
	// heading reads title and column names of a table with n columns from what
	// stands before its first row: the text before it in its own line, or, if
	// that is blank, the lines above (nearest last). complaint is "" or what
	// could not be read; the column names are then numbers.
	heading(above []string, lead string, n int) (h heading, complaint string)
	// finish completes the rows of a whole table and reports contradictions.
	finish(t *Table, warn func(r Row, format string, args ...any))
}

// dialects in the order in which they may claim a piece of text.
var dialects = []dialect{schedtests{}, mmtests{}, mmtestsTimes{}}

// hit is one row found in a line.
type hit struct {
	start, end int // bytes of the line it covers
	row        Row
	damage     string // not "": no sound row, and why
	sure       bool   // damage is worth a warning even where no table is open
	by         dialect
}

type heading struct {
	title   string
	columns []string
}

// maxAbove is how many lines above a table are kept to find its heading.
const maxAbove = 6

// Reader takes tables from a stream of text, one after the other.
type Reader struct {
	file     string
	lines    lines
	above    []string // lines since the last row, nearest last
	open     *Table
	by       dialect // dialect of open
	ready    []Table
	warnings []Warning
	lost     int // warnings beyond MaxWarnings
	err      error
}

// NewReader reads from r; name stands for the input in warnings and errors.
func NewReader(r io.Reader, name string) *Reader {
	rd := &Reader{file: name}
	rd.lines = lines{br: bufio.NewReaderSize(r, 64<<10), warn: rd.warn}
	return rd
}

// Read reads all tables of r. name stands for the input in warnings and
// errors. An input without a table gives no table and no error. An error means
// that the input could not be read or that a table exceeds MaxRows.
func Read(r io.Reader, name string) ([]Table, []Warning, error) {
	rd := NewReader(r, name)
	var all []Table
	for {
		t, err := rd.Next()
		if err == io.EOF {
			return all, rd.Warnings(), nil
		}
		if err != nil {
			return all, rd.Warnings(), err
		}
		all = append(all, t)
	}
}

// Next returns the next table, or io.EOF after the last.
func (r *Reader) Next() (Table, error) {
	for len(r.ready) == 0 {
		if r.err != nil {
			return Table{}, r.err
		}
		l, err := r.lines.next()
		switch {
		case err == io.EOF:
			r.err = io.EOF
			r.close()
		case err != nil:
			r.err = fmt.Errorf("table: %s:%d: %w", r.file, r.lines.read+1, err)
		default:
			r.take(l)
		}
	}
	t := r.ready[0]
	r.ready = r.ready[1:]
	return t, nil
}

// Warnings returns what was noticed so far, in the order of the tables.
func (r *Reader) Warnings() []Warning {
	all := append([]Warning(nil), r.warnings...)
	if r.lost > 0 {
		all = append(all, Warning{File: r.file, Line: r.lines.read, Message: fmt.Sprintf("%d more warnings are not shown", r.lost)})
	}
	return all
}

func (r *Reader) warn(number, column int, format string, args ...any) {
	if len(r.warnings) == MaxWarnings {
		r.lost++
		return
	}
	r.warnings = append(r.warnings, Warning{r.file, number, column, fmt.Sprintf(format, args...)})
}

// take places the rows of one line.
func (r *Reader) take(l line) {
	hits := findAll(l.text)
	if len(hits) == 0 {
		r.takeOther(l.text)
		return
	}
	end := 0
	for _, h := range hits {
		h.row.Line, h.row.Column = l.number, h.start+1
		lead := strings.TrimSpace(l.text[end:h.start])
		if h.damage != "" {
			r.takeDamaged(l, h, lead)
		} else {
			r.place(h, lead)
		}
		end = h.end
		r.above = nil
	}
	// In text that lost its line breaks, words after a row end the table.
	if tail := l.text[end:]; len(hits) > 1 && len(strings.Fields(tail)) > 3 {
		r.takeOther(tail)
	}
}

// findAll asks every dialect; where two claim the same text the first wins.
func findAll(text string) []hit {
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	var all []hit
	for _, d := range dialects {
		for _, h := range d.find(text) {
			h.by = d
			all = append(all, h)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].start < all[j].start })
	kept, end := all[:0], 0
	for _, h := range all {
		if h.start >= end {
			kept, end = append(kept, h), h.end
		}
	}
	return kept
}

// takeOther remembers a line without rows: it may be a heading. A table goes
// on over blank lines and rules, and ends at anything else.
func (r *Reader) takeOther(text string) {
	if !isRule(text) {
		r.close()
	}
	if len(r.above) == maxAbove {
		r.above = append(r.above[:0], r.above[1:]...)
	}
	r.above = append(r.above, text)
}

// takeDamaged warns about a row that cannot be read, where there is reason to
// think that it is one.
func (r *Reader) takeDamaged(l line, h hit, lead string) {
	_, complaint := h.by.heading(r.above, lead, 2)
	if h.sure || r.by == h.by || complaint == "" {
		r.warn(l.number, h.start+1, "%s row left out: %s: %q", h.by.name(), h.damage, excerpt(l.text[h.start:]))
	}
}

// place adds a row to the open table or opens a new one for it.
func (r *Reader) place(h hit, lead string) {
	n := len(h.row.Cells)
	fresh := r.open == nil || r.by != h.by || lead != ""
	if !fresh && n != len(r.open.Columns) {
		r.warn(h.row.Line, h.row.Column, "%s row left out: it has %d cells, its table has %d", h.by.name(), n, len(r.open.Columns))
		return
	}
	if fresh {
		r.close()
		head, complaint := h.by.heading(r.above, lead, n)
		if complaint != "" {
			r.warn(h.row.Line, h.row.Column, "%s table: %s", h.by.name(), complaint)
		}
		r.by = h.by
		r.open = &Table{Dialect: h.by.name(), Name: head.title, Columns: head.columns, Line: h.row.Line}
	}
	if len(r.open.Rows) == MaxRows {
		r.err = fmt.Errorf("table: %s:%d: more than %d rows in one table: split the input", r.file, h.row.Line, MaxRows)
		return
	}
	r.open.Rows = append(r.open.Rows, h.row)
}

// close hands the open table over.
func (r *Reader) close() {
	if r.open == nil {
		return
	}
	r.by.finish(r.open, func(row Row, format string, args ...any) {
		r.warn(row.Line, row.Column, format, args...)
	})
	r.ready = append(r.ready, *r.open)
	r.open, r.by = nil, nil
}

// isRule reports a line without words: blank or drawn.
func isRule(text string) bool {
	return strings.Trim(text, " \t-=~_*#+|^") == ""
}

// excerpt shortens a piece of text for a message.
func excerpt(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return text[:most] + "..."
}
