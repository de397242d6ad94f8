package machine

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Grade says how solid a figure is, 'A' best, 'E' worst. The zero value is not a grade.
type Grade byte

const (
	GradeA Grade = 'A' // measured on this very machine or CPU, or a setting read from its source
	GradeB Grade = 'B' // measured on a close relative, or arithmetic on grade A figures
	GradeC Grade = 'C' // a vendor's or the kernel's table, or one weak source
	GradeD Grade = 'D' // transferred from another family or read off a plot
	GradeE Grade = 'E' // a reasoned estimate, published nowhere
)

// Sigma is the log-normal standard deviation a figure of this grade is trusted with when its source
// gives no interval: the 95 % interval is value*exp(±1.96*sigma). NaN if g is not a grade.
func (g Grade) Sigma() float64 {
	switch g {
	case GradeA:
		return 0.07
	case GradeB:
		return 0.20
	case GradeC:
		return 0.27
	case GradeD:
		return 0.31
	case GradeE:
		return 0.35
	}
	return math.NaN()
}

// Interval is the 95 % interval of a positive value known with this grade and no better.
func (g Grade) Interval(value float64) (low, high float64) {
	spread := math.Exp(1.96 * g.Sigma())
	return value / spread, value * spread
}

// String is the letter.
func (g Grade) String() string { return string(rune(g)) }

// Cost is one figure with everything needed to judge it. The zero value is not valid.
type Cost struct {
	Param  Param
	Value  float64 // in Unit; for clock_governor a [Governor]
	Low    float64 // Low and High: 95 % interval, Low <= Value <= High
	High   float64
	Unit   string // must be Param.Unit()
	Grade  Grade
	Source string // who measured it and on what, or how it was estimated; never empty
}

// Text is the value as a data file writes it: the shortest decimal, or the governor's name.
func (c Cost) Text() string { return formatValue(c.Param, c.Value) }

// At is the cost with another value, for calibration and sensitivity: the interval is widened to
// hold the value, the source says what the value was. Grade and unit stay.
func (c Cost) At(value float64, source string) Cost {
	c.Source = fmt.Sprintf("%s (prior %s: %s)", source, c.Text(), c.Source)
	c.Value = value
	c.Low = math.Min(c.Low, value)
	c.High = math.Max(c.High, value)
	return c
}

// check says what is wrong with a cost as (field, reason), or nil.
func (c Cost) check() *fieldError {
	low, high := c.Param.Range()
	switch {
	case c.Unit != c.Param.Unit():
		return fieldErrorf("unit", "%s is in %q, not %q", c.Param, c.Param.Unit(), c.Unit)
	case !(c.Value >= low && c.Value <= high):
		return fieldErrorf("value", "%s = %v is outside %v to %v %s: wrong unit?", c.Param, c.Value, low, high, c.Unit)
	case !(c.Low >= low && c.Low <= c.Value):
		return fieldErrorf("low", "%s: low %v must lie between %v and the value %v", c.Param, c.Low, low, c.Value)
	case !(c.High <= high && c.High >= c.Value):
		return fieldErrorf("high", "%s: high %v must lie between the value %v and %v", c.Param, c.High, c.Value, high)
	case c.Grade < GradeA || c.Grade > GradeE:
		return fieldErrorf("grade", "%s: grade %q is not one of A, B, C, D, E", c.Param, c.Grade.String())
	case !isProse(c.Source):
		return fieldErrorf("source", "%s has no source on one line: say who measured it, or \"estimate\" and why", c.Param)
	case c.Unit == unitGovernor && c.Value != math.Trunc(c.Value):
		return fieldErrorf("value", "%s = %v is not a governor", c.Param, c.Value)
	}
	return nil
}

// isProse says whether a source is there, on one line, without blanks around it.
func isProse(source string) bool {
	return source != "" && strings.TrimSpace(source) == source && !strings.ContainsFunc(source, unicode.IsControl)
}

// fieldError names the column a value stands in, so that a loader can point at it.
type fieldError struct{ field, text string }

func fieldErrorf(field, format string, args ...any) *fieldError {
	return &fieldError{field, fmt.Sprintf(format, args...)}
}

func (e *fieldError) Error() string { return e.field + ": " + e.text }

func formatValue(p Param, v float64) string {
	if p.Unit() == unitGovernor {
		return Governor(v).String()
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
