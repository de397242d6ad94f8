package metrics

import "math"

// Verdict is how a simulated change relates to a published one.
type Verdict string

const (
	// Agree: same size within 3 points or a factor of 1.5; or both within noise.
	Agree Verdict = "agree"
	// Sign: right direction, wrong size.
	Sign Verdict = "sign"
	// Undecided: the simulated interval holds gains and losses.
	Undecided Verdict = "undecided"
	// Disagree: wrong direction, an effect where none was published, or none
	// where one was.
	Disagree Verdict = "disagree"
	// Outside: the mechanism is not in the model, with a reason given.
	Outside Verdict = "outside"
	// Unjudged is the zero value: a figure is missing (NaN).
	Unjudged Verdict = ""
)

// Verdicts lists the judged values in the order tables print them.
func Verdicts() []Verdict { return []Verdict{Agree, Sign, Undecided, Disagree, Outside} }

const (
	closePoints = 3.0 // |simulated - published| that counts as equal, in points
	closeRatio  = 1.5 // and the ratio that does
	spreadRatio = 2.0 // factor within which a published Stddev row is met
)

// Judge compares a simulated change with a published one, all in points,
// positive = better. noise is the Points of a Noise (the floor of 3 is applied
// here), low and high are the 95 % interval of the simulated change. In this
// order:
//
//  1. an outsideReason is given: Outside;
//  2. |published| <= n, not significant: Agree if |simulated| <= n, else Disagree;
//  3. the interval holds both signs (low < 0 < high): Undecided;
//  4. the signs differ: Disagree (so a prediction of 0 for a significant row is
//     a disagreement);
//  5. |simulated - published| <= 3 or the ratio within 2/3..3/2: Agree;
//  6. else Sign.
//
// A missing interval (NaN low or high, as from a single seed) is as wide as can
// be, hence Undecided at step 3. NaN in published, noise or simulated is
// Unjudged.
func Judge(published, noise, simulated, low, high float64, outsideReason string) Verdict {
	if outsideReason != "" {
		return Outside
	}
	if math.IsNaN(published) || math.IsNaN(noise) || math.IsNaN(simulated) {
		return Unjudged
	}
	n := Noise{Points: noise}
	if !n.Significant(published) {
		if math.Abs(simulated) <= n.Threshold() {
			return Agree
		}
		return Disagree
	}
	if !(low >= 0) && !(high <= 0) {
		return Undecided
	}
	if (simulated > 0) != (published > 0) || simulated == 0 {
		return Disagree
	}
	ratio := simulated / published
	if math.Abs(simulated-published) <= closePoints || (ratio >= 1/closeRatio && ratio <= closeRatio) {
		return Agree
	}
	return Sign
}

// JudgeSpread compares a simulated spread with a published one: Agree within a
// factor of 2 either way (both 0 agree as well), else Disagree; Unjudged for
// NaN. These rows are counted apart from the changes.
func JudgeSpread(published, simulated float64) Verdict {
	switch {
	case math.IsNaN(published) || math.IsNaN(simulated):
		return Unjudged
	case simulated <= spreadRatio*published && published <= spreadRatio*simulated:
		return Agree
	default:
		return Disagree
	}
}
