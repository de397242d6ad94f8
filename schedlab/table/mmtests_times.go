package table

import (
	"math"
	"regexp"
	"strings"
)

// mmtestsTimes is the block of CPU seconds that mmtests prints under a table.
type mmtestsTimes struct{}

var timesRow = regexp.MustCompile(`(?:^|[ \t])((?:Duration[ \t]+)?(User|System|Elapsed)((?:[ \t]+[0-9]+\.[0-9]{2}){2,}))`)

func (mmtestsTimes) name() Dialect { return MmtestsTimes }

func (mmtestsTimes) find(text string) []hit {
	var hits []hit
	for _, m := range timesRow.FindAllStringSubmatchIndex(text, -1) {
		if m[1] < len(text) && text[m[1]] != ' ' && text[m[1]] != '\t' {
			continue // the last figure goes on: some other kind of line
		}
		h := hit{start: m[2], end: m[3], row: Row{Op: text[m[4]:m[5]], Better: LowerBetter, From: FromOperator}}
		for _, v := range strings.Fields(text[m[6]:m[7]]) {
			h.row.Cells = append(h.row.Cells, Cell{Value: number(v), Decimals: decimals(v),
				Spread: math.NaN(), Change: math.NaN(), Derived: math.NaN()})
		}
		hits = append(hits, h)
	}
	return hits
}

func (mmtestsTimes) heading(above []string, lead string, n int) (heading, string) {
	return kernelHeading(above, lead, n)
}

// finish derives the changes; none are printed.
func (mmtestsTimes) finish(t *Table, _ func(Row, string, ...any)) {
	for i := range t.Rows {
		cells := t.Rows[i].Cells
		for j := 1; j < len(cells); j++ {
			cells[j].Derived = ChangePct(cells[0].Value, cells[j].Value, LowerBetter)
		}
	}
}
