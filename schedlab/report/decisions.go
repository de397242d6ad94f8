package report

import (
	"github.com/go-gota/gota/dataframe"

	"github.com/schedlab/lab/schedlab"
)

// DecisionsTable shows single placements, a row each, in the order given: the
// question, how the two CPUs looked, the hints of the answer's LLC, the answer
// and what it took. Waker -1 is an interrupt on an idle CPU. No decisions give
// an empty table.
func DecisionsTable(decisions []schedlab.Decision) (Table, error) {
	ints := func(name, unit string, value func(d *schedlab.Decision) int) Column {
		return Ints(name, unit, column(decisions, value))
	}
	words := func(name string, value func(d *schedlab.Decision) string) Column {
		return Strings(name, column(decisions, value))
	}
	truths := func(name string, value func(d *schedlab.Decision) bool) Column {
		return Bools(name, column(decisions, value))
	}
	t, err := NewTable("Single placements",
		"Time counts from the start of the window; the search is priced at full speed.",
		ints("time", "ns", func(d *schedlab.Decision) int { return int(d.TimeNS) }),
		ints("wakee", "", func(d *schedlab.Decision) int { return int(d.Wakee) }),
		ints("waker", "", func(d *schedlab.Decision) int { return int(d.Waker) }),
		words("context", func(d *schedlab.Decision) string { return d.Context.String() }),
		truths("sync", func(d *schedlab.Decision) bool { return d.Sync }),
		ints("this", "", func(d *schedlab.Decision) int { return int(d.This) }),
		truths("this idle", func(d *schedlab.Decision) bool { return d.ThisIdle }),
		ints("prev", "", func(d *schedlab.Decision) int { return int(d.Prev) }),
		truths("prev idle", func(d *schedlab.Decision) bool { return d.PrevIdle }),
		truths("has_idle_cores", func(d *schedlab.Decision) bool { return d.HasIdleCores }),
		ints("nr_idle_scan", "", func(d *schedlab.Decision) int { return d.NrIdleScan }),
		ints("CPU", "", func(d *schedlab.Decision) int { return int(d.CPU) }),
		words("reason", func(d *schedlab.Decision) string { return d.Reason.String() }),
		words("distance", func(d *schedlab.Decision) string { return d.Distance.String() }),
		ints("probes", "", func(d *schedlab.Decision) int { return d.Probes }),
		ints("search", "ns", func(d *schedlab.Decision) int { return int(d.SearchNS) }))
	return t.Keys(2), err
}

// DecisionsFrame is DecisionsTable as a dataframe.
func DecisionsFrame(decisions []schedlab.Decision) (dataframe.DataFrame, error) {
	return frame(DecisionsTable(decisions))
}

func column[T any](decisions []schedlab.Decision, value func(d *schedlab.Decision) T) []T {
	out := make([]T, len(decisions))
	for i := range decisions {
		out[i] = value(&decisions[i])
	}
	return out
}
