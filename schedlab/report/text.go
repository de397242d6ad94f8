package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	gap      = 2  // blanks between columns of text
	minText  = 12 // a wrapped text column is not made narrower than this
	absent   = "-"
	minWidth = 20 // no table is laid out in less
)

// shown is a column laid out for text: its lines of heading and its cells.
type shown struct {
	header string
	cells  []string
	right  bool
	text   bool // may be wrapped
	width  int
}

// WriteText writes the table for a terminal or a mail: title, headings with
// units, aligned rows, caption. Numbers are right aligned, absent values are
// "-". See Width for long lines.
func (t Table) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	limit := t.width
	if limit > 0 {
		limit = max(limit, minWidth)
	}
	if t.title != "" {
		writeLines(out, clean(t.title), limit)
	}
	for i, block := range fit(t.layout(), t.keys, limit) {
		if i > 0 {
			fmt.Fprintln(out)
		}
		writeBlock(out, block, t.Rows())
	}
	if t.Rows() == 0 {
		fmt.Fprintln(out, "(no rows)")
	}
	if t.caption != "" {
		writeLines(out, clean(t.caption), limit)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("report: table %q: %w", t.title, err)
	}
	return nil
}

func writeLines(out io.Writer, s string, limit int) {
	for _, line := range wrap(s, limit) {
		fmt.Fprintln(out, line)
	}
}

// layout formats all cells and gives each column its natural width: that of its
// longest cell and of the longest word of its heading.
func (t Table) layout() []shown {
	out := make([]shown, len(t.columns))
	for i, c := range t.columns {
		s := shown{header: clean(c.Header()), cells: c.cells(), right: c.numeric(), text: c.kind == stringKind}
		for j, cell := range s.cells {
			if cell = strings.TrimSpace(clean(cell)); cell == "" {
				cell = absent
			}
			s.cells[j] = cell
			s.width = max(s.width, length(cell))
		}
		for _, word := range strings.Fields(s.header) {
			s.width = max(s.width, length(word))
		}
		if t.width == 0 { // room enough: headings in one line
			s.width = max(s.width, length(s.header))
		}
		out[i] = s
	}
	return out
}

// fit lays columns side by side in lines of at most limit characters: text
// columns are narrowed first; where that is not enough, the table is broken into
// blocks led by the key columns.
func fit(columns []shown, keys, limit int) [][]shown {
	narrowed := slices.Clone(columns)
	if limit == 0 || shrink(narrowed, limit) {
		return [][]shown{narrowed}
	}
	lead := slices.Clone(columns[:keys])
	room := limit - total(lead) - gap
	if keys == len(columns) || !shrink(lead, limit/2) || slices.ContainsFunc(columns[keys:], func(c shown) bool {
		return !c.text && c.width > room
	}) { // keys that leave no room for the rest are not repeated
		lead = nil
	}
	room = limit - total(lead) - gap
	var out [][]shown
	block := slices.Clone(lead)
	for _, c := range columns[len(lead):] {
		c.width = min(c.width, room)
		if len(block) > len(lead) && total(block)+gap+c.width > limit {
			out = append(out, block)
			block = slices.Clone(lead)
		}
		block = append(block, c)
	}
	return append(out, block)
}

// shrink narrows text columns, the widest first, and reports whether the columns
// fit then.
func shrink(columns []shown, limit int) bool {
	for total(columns) > limit {
		widest := -1
		for i, c := range columns {
			if c.text && c.width > minText && (widest < 0 || c.width > columns[widest].width) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		columns[widest].width--
	}
	return true
}

func total(columns []shown) int {
	sum := -gap
	for _, c := range columns {
		sum += c.width + gap
	}
	return sum
}

func writeBlock(out io.Writer, columns []shown, rows int) {
	lines := make([][]string, len(columns))
	for i, c := range columns {
		lines[i] = wrap(c.header, c.width)
	}
	writeRow(out, columns, lines, true)
	rule := make([]string, len(columns))
	for i, c := range columns {
		rule[i] = strings.Repeat("-", c.width)
	}
	fmt.Fprintln(out, strings.Join(rule, strings.Repeat(" ", gap)))
	for row := range rows {
		for i, c := range columns {
			lines[i] = wrap(c.cells[row], c.width)
		}
		writeRow(out, columns, lines, false)
	}
}

// writeRow writes one row of cells with several lines each; headings stand on
// the rule, cells hang from the top.
func writeRow(out io.Writer, columns []shown, lines [][]string, bottom bool) {
	height := 0
	for _, l := range lines {
		height = max(height, len(l))
	}
	for y := range height {
		var b strings.Builder
		for i, c := range columns {
			at := y
			if bottom {
				at = y - (height - len(lines[i]))
			}
			cell := ""
			if at >= 0 && at < len(lines[i]) {
				cell = lines[i][at]
			}
			fill := strings.Repeat(" ", max(0, c.width-length(cell)))
			if i > 0 {
				b.WriteString(strings.Repeat(" ", gap))
			}
			if c.right {
				b.WriteString(fill + cell)
			} else {
				b.WriteString(cell + fill)
			}
		}
		fmt.Fprintln(out, strings.TrimRight(b.String(), " "))
	}
}
