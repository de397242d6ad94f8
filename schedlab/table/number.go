package table

import (
	"math"
	"strconv"
	"strings"
)

// number reads a printed figure; what is no finite number ("nan", "inf", an
// overflow) is not reported, hence NaN.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// decimals counts the digits after the point of a printed figure, at most 20:
// 2 for "1.25" and "1.2e-1", 0 for "12" and "1.25e2".
func decimals(text string) int {
	n := 0
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if _, digits, ok := strings.Cut(mantissa, "."); ok {
		n = len(digits)
	}
	if e, err := strconv.Atoi(exponent); err == nil {
		n -= e
	}
	return min(max(n, 0), 20)
}

// ChangePct is the change from base to value in percent of base, positive
// where better. It is NaN where base is not positive or the direction unknown.
func ChangePct(base, value float64, better Direction) float64 {
	switch {
	case !(base > 0):
		return math.NaN()
	case better == HigherBetter:
		return value*100/base - 100
	case better == LowerBetter:
		return 100 - value*100/base
	}
	return math.NaN()
}

// Significant reports whether mmtests would mark the step from base to value
// with asterisks: it exceeds 1.96 times the sum of the two standard deviations,
// which are in the unit of the values and not divided by the number of runs.
func Significant(base, value, baseDeviation, deviation float64) bool {
	return math.Abs(value-base) > 1.96*(baseDeviation+deviation)
}

// explains reports whether the printed change can come from the printed
// values: each is known only to half of its last digit.
func explains(base, c Cell, better Direction) bool {
	hb, hv := halfUnit(base.Decimals), halfUnit(c.Decimals)
	if base.Value <= hb {
		return true // the base itself may be 0: anything goes
	}
	small := ChangePct(base.Value+hb, c.Value-hv, better)
	large := ChangePct(base.Value-hb, c.Value+hv, better)
	if small > large {
		small, large = large, small
	}
	slack := 0.005 + 1e-6*math.Abs(c.Change) // the change is printed with two digits
	return c.Change >= small-slack && c.Change <= large+slack
}

func halfUnit(decimals int) float64 { return 0.5 * math.Pow10(-decimals) }
