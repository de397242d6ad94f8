package report

import (
	"strconv"

	"github.com/go-gota/gota/dataframe"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
)

// ResultTable is one run at a glance: a row per figure.
func ResultTable(r *schedlab.Result) (Table, error) {
	var names, values, units []string
	row := func(name, value, unit string) {
		names, values, units = append(names, name), append(values, value), append(units, unit)
	}
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	fixed := func(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }
	per := func(n, d int64) string {
		if d == 0 {
			return ""
		}
		return fixed(float64(n)/float64(d), 2)
	}
	seconds := float64(r.WindowNS) / 1e9
	name, decimals := "throughput", 0
	if r.Unit == "s" {
		name, decimals = "time of the benchmark", 3
	}
	row(name, fixed(r.Throughput, decimals), r.Unit)
	row("spread between groups", fixed(r.SpreadPct, 1), "%")
	row("second half of the window against the first", fixed(r.DriftPct, 1), "%")
	row("wakeups", fixed(float64(r.Wakeups)/seconds, 0), "1/s")
	row("placements asked of the policy", fixed(float64(r.Searches)/seconds, 0), "1/s")
	row("probes per placement", per(r.Probes, r.Searches), "CPUs")
	row("wakeup latency, median", count(r.LatencyNS.P50), "ns")
	row("wakeup latency, 99 %", count(r.LatencyNS.P99), "ns")
	row("wakeup latency, longest", count(r.LatencyNS.Max), "ns")
	return NewTable(r.Workload+" on "+r.Machine+" under "+r.Policy,
		"Measured window "+fixed(seconds*1000, 0)+" ms; "+strconv.Itoa(r.Tasks)+" tasks on "+strconv.Itoa(r.CPUs)+" CPUs.",
		Strings("figure", names), Strings("value", values), Strings("unit", units))
}

// ResultFrame is ResultTable as a dataframe.
func ResultFrame(r *schedlab.Result) (dataframe.DataFrame, error) { return frame(ResultTable(r)) }

// DecisionTable shows one run's wakeups by the rule that placed them; MoveTable
// by how far the wakee went. AccountTable shows its CPUs' and tasks' time by
// category; both columns add up exactly to the window times CPUs or tasks.
func DecisionTable(r *schedlab.Result) (Table, error) {
	return countTable(placementTitle, "reason", r.Placements[:], func(i int) string { return policy.Reason(i).String() })
}

// MoveTable: see DecisionTable.
func MoveTable(r *schedlab.Result) (Table, error) {
	return countTable("How far wakees went", "distance from the previous CPU", r.Migrations[:],
		func(i int) string { return topology.Distance(i).String() })
}

func countTable(title, key string, counts []int64, name func(i int) string) (Table, error) {
	var total int64
	for _, n := range counts {
		total += n
	}
	var names []string
	var ns []int
	var pct []float64
	for i, n := range counts {
		if n > 0 {
			names, ns, pct = append(names, name(i)), append(ns, int(n)), append(pct, 100*float64(n)/float64(total))
		}
	}
	return NewTable(title, "", Strings(key, names), Ints("wakeups", "", ns), Floats("share", "%", 1, pct))
}

// AccountTable: see DecisionTable.
func AccountTable(r *schedlab.Result) (Table, error) {
	var names []string
	var cpuMS, cpuPct, taskMS, taskPct []float64
	for c := range schedlab.NumCategories {
		cpu, task := r.CPUTime[c], r.TaskTime[c]
		if cpu == 0 && task == 0 {
			continue
		}
		names = append(names, c.String())
		cpuMS, taskMS = append(cpuMS, float64(cpu)/1e6), append(taskMS, float64(task)/1e6)
		cpuPct = append(cpuPct, 100*float64(cpu)/float64(r.CPUTime.Total()))
		taskPct = append(taskPct, 100*float64(task)/float64(r.TaskTime.Total()))
	}
	return NewTable("Where the time goes", "All CPUs and all tasks over the window.",
		Strings("category", names), Floats("CPUs", "ms", 3, cpuMS), Floats("share", "%", 1, cpuPct),
		Floats("tasks", "ms", 3, taskMS), Floats("task share", "%", 1, taskPct))
}
