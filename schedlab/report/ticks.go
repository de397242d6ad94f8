package report

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// linearTicks marks an axis at round numbers.
type linearTicks struct{ signed bool }

// Ticks gives about six ticks at multiples of 1, 2, 2.5 or 5 times a power of
// ten. From 100 000 on they are labelled in k, M, G or T.
func (t linearTicks) Ticks(lo, hi float64) []plot.Tick {
	step := niceStep(lo, hi)
	if step == 0 {
		return nil
	}
	unit, suffix := engineering(max(math.Abs(lo), math.Abs(hi)))
	var out []plot.Tick
	for i := math.Ceil(lo/step - 1e-9); i*step <= hi+step*1e-9; i++ {
		v := i * step
		label := tickLabel(v/unit, step/unit, t.signed)
		if label != "0" {
			label += suffix
		}
		out = append(out, plot.Tick{Value: v, Label: label})
	}
	return out
}

// niceStep is the distance between ticks, 0 where the range is empty or not
// finite.
func niceStep(lo, hi float64) float64 {
	span := hi - lo
	if !(span > 0) || math.IsInf(span, 0) {
		return 0
	}
	const ticks = 6
	power := math.Pow(10, math.Floor(math.Log10(span/ticks)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m == 2.5 && power < 9 { // 0, 25, 50 but not 0, 2.5, 5.0
			continue
		}
		if span/(m*power) <= ticks {
			return m * power
		}
	}
	return 10 * power
}

// niceRange widens a range to fifths of a step: room above and below the data,
// but no empty step.
func niceRange(lo, hi float64) (float64, float64) {
	if lo == hi {
		pad := max(1, math.Abs(lo)/2)
		lo, hi = lo-pad, hi+pad
	}
	pad := (hi - lo) / 50
	if lo != 0 {
		lo -= pad
	}
	if hi != 0 {
		hi += pad
	}
	step := niceStep(lo, hi) / 5
	if step == 0 {
		return lo, hi
	}
	return math.Floor(lo/step+1e-9) * step, math.Ceil(hi/step-1e-9) * step
}

func engineering(top float64) (unit float64, suffix string) {
	for _, s := range []struct {
		unit   float64
		suffix string
	}{{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if top >= s.unit && top >= 1e5 {
			return s.unit, s.suffix
		}
	}
	return 1, ""
}

// tickLabel writes v with as many decimals as step needs.
func tickLabel(v, step float64, signed bool) string {
	if math.Abs(v) < step/1e6 {
		return "0"
	}
	decimals := 0
	for d := step; d != 0 && decimals < 9 && math.Abs(d-math.Round(d)) > 1e-6*math.Abs(d); d *= 10 {
		decimals++
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if decimals == 9 {
		s = strconv.FormatFloat(v, 'g', 3, 64)
	}
	if signed && v > 0 {
		s = "+" + s
	}
	return s
}

// logTicks marks a logarithmic axis: each power of ten, and 2 and 5 between them
// where there is room.
type logTicks struct{}

// Ticks needs lo and hi above 0 and gives none otherwise.
func (logTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0) || !(hi > lo) || math.IsInf(hi, 0) {
		return nil
	}
	decades := math.Log10(hi / lo)
	every := int(math.Ceil(decades / 8))
	var out []plot.Tick
	for e := int(math.Floor(math.Log10(lo))); e <= int(math.Ceil(math.Log10(hi))); e++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, float64(e))
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			tick := plot.Tick{Value: v}
			if m == 1 && e%max(1, every) == 0 || decades <= 2.2 && (m == 2 || m == 5) {
				unit, suffix := engineering(v)
				tick.Label = strconv.FormatFloat(v/unit, 'g', 6, 64) + suffix
			}
			out = append(out, tick)
		}
	}
	return out
}

// symlogScale is linear near 0 and logarithmic beyond linear, on both sides.
type symlogScale struct{ linear float64 }

// Normalize maps x to its fraction of the axis.
func (s symlogScale) Normalize(lo, hi, x float64) float64 {
	f := func(x float64) float64 {
		return math.Copysign(math.Log1p(math.Abs(x)/s.linear), x)
	}
	return (f(x) - f(lo)) / (f(hi) - f(lo))
}

// Ticks marks 0 and, on both sides, powers of ten from linear on; 3 times these
// as well where they are few.
func (s symlogScale) Ticks(lo, hi float64) []plot.Tick {
	var out []plot.Tick
	add := func(v float64) {
		if v >= lo && v <= hi {
			out = append(out, plot.Tick{Value: v, Label: tickLabel(v, math.Abs(v), true)})
		}
	}
	add(0)
	top := max(math.Abs(lo), math.Abs(hi))
	for e := math.Floor(math.Log10(s.linear)); e <= math.Log10(top); e++ {
		for _, m := range []float64{1, 3} {
			v := m * math.Pow(10, e)
			if v < s.linear*(1-1e-9) || m == 3 && top/s.linear > 300 {
				continue
			}
			add(v)
			add(-v)
		}
	}
	return out
}
