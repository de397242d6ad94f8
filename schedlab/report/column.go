package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Auto as the decimals of a Float column shows as many as the column's values
// need, up to four significant digits of its largest value.
const Auto = -1

// maxDecimals is as far as a float64 can be worth showing.
const maxDecimals = 15

type kind uint8

const (
	floatKind kind = iota
	intKind
	stringKind
	boolKind
)

// Column is a named, typed column of a Table, made by Floats, Ints, Strings or
// Bools. The zero value is not a column: NewTable refuses it.
type Column struct {
	name, unit string
	kind       kind
	decimals   int
	signed     bool

	floats  []float64
	ints    []int
	strings []string
	bools   []bool
}

// Floats is a column of numbers. unit may be empty. decimals is the number of
// digits after the point in text, Markdown and HTML (0..15 or Auto); CSV and
// frames keep every digit. NaN is an absent value. The slice is copied.
func Floats(name, unit string, decimals int, values []float64) Column {
	return Column{name: name, unit: unit, kind: floatKind, decimals: decimals, floats: slices.Clone(values)}
}

// Ints is a column of whole numbers. unit may be empty. The slice is copied.
func Ints(name, unit string, values []int) Column {
	return Column{name: name, unit: unit, kind: intKind, ints: slices.Clone(values)}
}

// Strings is a column of text; the empty string is an absent value. The slice
// is copied.
func Strings(name string, values []string) Column {
	return Column{name: name, kind: stringKind, strings: slices.Clone(values)}
}

// Bools is a column of yes and no. The slice is copied.
func Bools(name string, values []bool) Column {
	return Column{name: name, kind: boolKind, bools: slices.Clone(values)}
}

// Signed gives the column with a plus sign before positive numbers, as changes
// are printed; CSV and frames are not affected.
func (c Column) Signed() Column {
	c.signed = true
	return c
}

// Header is the column's heading: "name" or "name (unit)". It is also the name
// of the series in a frame and the heading in CSV.
func (c Column) Header() string {
	if c.unit == "" {
		return c.name
	}
	return c.name + " (" + c.unit + ")"
}

func (c Column) rows() int {
	return max(len(c.floats), len(c.ints), len(c.strings), len(c.bools))
}

func (c Column) check() error {
	if strings.TrimSpace(c.name) == "" {
		return fmt.Errorf("a column has no name (unit %q)", c.unit)
	}
	if c.kind == floatKind && (c.decimals < Auto || c.decimals > maxDecimals) {
		return fmt.Errorf("column %q: %d decimals: want 0..%d or Auto", c.name, c.decimals, maxDecimals)
	}
	return nil
}

// numeric columns are aligned to the right.
func (c Column) numeric() bool { return c.kind == floatKind || c.kind == intKind }

// cells formats the column for a reader; absent values are "".
func (c Column) cells() []string {
	out := make([]string, c.rows())
	decimals := c.decimals
	if c.kind == floatKind && decimals == Auto {
		decimals = autoDecimals(c.floats)
	}
	for i := range out {
		switch c.kind {
		case floatKind:
			out[i] = c.float(c.floats[i], decimals)
		case intKind:
			out[i] = strconv.Itoa(c.ints[i])
			if c.signed && c.ints[i] > 0 {
				out[i] = "+" + out[i]
			}
		case stringKind:
			out[i] = c.strings[i]
		case boolKind:
			out[i] = "no"
			if c.bools[i] {
				out[i] = "yes"
			}
		}
	}
	return out
}

// raw formats the column for a machine: every digit, "" for absent.
func (c Column) raw() []string {
	if c.kind == intKind {
		c.signed = false
		return c.cells()
	}
	out := make([]string, c.rows())
	for i := range out {
		switch c.kind {
		case floatKind:
			if !math.IsNaN(c.floats[i]) {
				out[i] = strconv.FormatFloat(c.floats[i], 'g', -1, 64)
			}
		case boolKind:
			out[i] = strconv.FormatBool(c.bools[i])
		case stringKind:
			out[i] = c.strings[i]
		}
	}
	return out
}

func (c Column) float(x float64, decimals int) string {
	if math.IsNaN(x) {
		return ""
	}
	var s string
	if decimals == Auto || math.Abs(x) >= 1e15 {
		s = strconv.FormatFloat(x, 'g', 4, 64)
	} else {
		s = strconv.FormatFloat(x, 'f', decimals, 64)
	}
	if strings.Trim(s, "-0.") == "" { // no "-0.00": the sign of nothing misleads
		return strings.TrimPrefix(s, "-")
	}
	if c.signed && x > 0 && !math.IsInf(x, 0) {
		s = "+" + s
	}
	return s
}

// autoDecimals is the smallest number of decimals that shows every value as it
// is, but no more than four significant digits of the largest; Auto where the
// column is too small or too large for a fixed point.
func autoDecimals(xs []float64) int {
	top, need := 0.0, 0
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		top = max(top, math.Abs(x))
		s := strconv.FormatFloat(x, 'f', -1, 64)
		if point := strings.IndexByte(s, '.'); point >= 0 {
			need = max(need, len(s)-point-1)
		}
	}
	if top == 0 {
		return 0
	}
	if top < 1e-4 || top >= 1e12 {
		return Auto
	}
	limit := max(0, 3-int(math.Floor(math.Log10(top))))
	return min(need, limit)
}
