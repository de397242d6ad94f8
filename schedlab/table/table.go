package table

import (
	"fmt"
	"strconv"
)

// Limits of the reader. Whatever goes beyond them is reported: a longer line
// is cut with a Warning, more warnings are counted in one last Warning, and a
// longer table is an error.
const (
	MaxLine     = 1 << 20 // bytes in one line, soft breaks joined
	MaxRows     = 1 << 17 // rows in one table
	MaxWarnings = 1000    // warnings of one input
)

// Dialect is one way of printing a table.
type Dialect string

// The dialects the reader knows.
const (
	Schedtests   Dialect = "schedtests"    // case, load, baseline(std%), compare%( std%)
	Mmtests      Dialect = "mmtests"       // Op, label, value (pct%) per kernel
	MmtestsTimes Dialect = "mmtests-times" // User, System, Elapsed seconds per kernel
)

// Direction says which raw values are better. A Change needs none: it is
// positive where better.
type Direction int8

// Directions. The zero value is UnknownBetter.
const (
	UnknownBetter Direction = iota
	HigherBetter            // throughput
	LowerBetter             // time, latency, deviation
)

// String gives "higher", "lower" or "unknown".
func (d Direction) String() string {
	switch d {
	case HigherBetter:
		return "higher"
	case LowerBetter:
		return "lower"
	}
	return "unknown"
}

// Evidence says what a row's direction was taken from.
type Evidence string

// Evidence for a direction. The zero value means there is none.
const (
	FromFigures  Evidence = "figures"  // the printed percentages decide it
	FromOperator Evidence = "operator" // the row's operator (Hmean, Amean, ...) decides it
)

// Table is one posted table.
type Table struct {
	Dialect Dialect
	Name    string   // the title printed above it, "" where there is none
	Columns []string // one per kernel, the baseline first
	Rows    []Row
	Line    int // line of the first row, from 1
}

// Row is one printed line: one statistic at one load, one cell per kernel.
type Row struct {
	Op     string    // mmtests operator such as "Hmean" or "User"; "" in schedtests
	Case   string    // benchmark case such as "TCP_RR" or "send-64"; "" where the row has only a load
	Load   string    // load as printed, such as "60-threads" or "128"; "" where none is printed
	Better Direction // direction of the raw values; schedtests does not tell
	From   Evidence  // what Better was taken from
	Cells  []Cell    // one per column of the table
	Line   int       // line in the input, from 1
	Column int       // byte in that line, decoded, from 1
}

// Cell is one kernel's figures in one row. A figure that is not printed is NaN.
type Cell struct {
	Value    float64 // in the benchmark's unit; schedtests prints 1.00 for the baseline and nothing else
	Decimals int     // digits printed after the point of Value
	Spread   float64 // % of the value, as printed
	Change   float64 // % against the first column, positive = better, as printed
	Derived  float64 // % against the first column worked out from the values, NaN where they do not allow it
	Star     bool    // mmtests marked the change as significant
}

// LoadCount is the whole number in the row's load: 60 for "60-threads",
// "thread-60" or "60". It is false where the load holds no number or several.
func (r Row) LoadCount() (int, bool) {
	first, last, runs := -1, -1, 0
	for i := 0; i < len(r.Load); i++ {
		if r.Load[i] < '0' || r.Load[i] > '9' {
			continue
		}
		if last != i-1 || first < 0 {
			first, runs = i, runs+1
		}
		last = i
	}
	if runs != 1 {
		return 0, false
	}
	n, err := strconv.Atoi(r.Load[first : last+1])
	return n, err == nil
}

// Warning is something in the input that was left out, cut or contradicts
// itself.
type Warning struct {
	File    string // the name given to the reader
	Line    int    // from 1
	Column  int    // byte in the decoded line, from 1; 0 means the whole line
	Message string
}

// String gives "file:line:column: message".
func (w Warning) String() string {
	if w.Column == 0 {
		return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", w.File, w.Line, w.Column, w.Message)
}
