package metrics

import "math"

// ChangePct is the change from base to head in percent of base, positive =
// better: 100*head/base - 100 where higher is better, 100 - 100*head/base where
// lower is (throughput 200 -> 300 and seconds 2 -> 1 give +50). It is what
// mmtests, schedtests and LKP print. Equal figures give 0, also 0 -> 0; any
// other change from a base of 0 is NaN (mmtests prints 100 or -99 there).
func ChangePct(base, head float64, higherIsBetter bool) float64 {
	switch {
	case base == head:
		return 0
	case base == 0:
		return math.NaN()
	case higherIsBetter:
		return 100*head/base - 100
	default:
		return 100 - 100*head/base
	}
}

// HeadFromChange is the inverse of ChangePct: the head figure that a base and a
// published change stand for.
func HeadFromChange(base, changePct float64, higherIsBetter bool) float64 {
	if higherIsBetter {
		return base * (1 + changePct/100)
	}
	return base * (1 - changePct/100)
}
