package workload

// Metric says what the benchmark reports: a rate, or how long a fixed amount of
// work takes.
type Metric struct {
	Name, Unit     string
	HigherIsBetter bool
	// PerDone is how many units one Done step is worth: 1 for a transaction.
	PerDone float64
	// Work is how many units the benchmark does in all; what it reports is then
	// the time they take, in seconds. 0: it reports units per second. A fixed
	// amount of work is simulated in a steady window all the same.
	Work float64
}

// Value is what the benchmark reports after done Done steps in a window of ns.
// A time without any is reported as 0: there is no such figure.
func (m Metric) Value(done, ns int64) float64 {
	rate := float64(done) * m.PerDone / (float64(ns) / 1e9)
	switch {
	case m.Work == 0:
		return rate
	case rate == 0:
		return 0
	}
	return m.Work / rate
}
