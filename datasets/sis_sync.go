package datasets

import (
	"fmt"
	"regexp"
)

// Placements of a pinned netperf pair in the sis-sync post.
const (
	SameCPU  = "same_cpu"  // client and server on CPU 2
	OtherCPU = "other_cpu" // client on CPU 1, server on CPU 2
)

var (
	eventPattern  = regexp.MustCompile(`^tma_[a-z0-9_]+$`)
	offsetPattern = regexp.MustCompile(`^0x[0-9a-f]+$`)
)

// TasksetRate is the rate of one pinned netperf TCP_RR pair on xeon240.
type TasksetRate struct {
	Placement   string  // SameCPU or OtherCPU
	ClientCPU   int     // CPU of netperf
	ServerCPU   int     // CPU of netserver
	TransPerSec float64 // transactions per second
}

// TasksetRates returns the pinned pair of the sis-sync post: the only absolute
// rates it prints for xeon240.
func TasksetRates() ([]TasksetRate, error) {
	return load("sis-sync/taskset.csv", []string{"placement", "client_cpu", "server_cpu", "trans_per_sec"},
		func(r *record) TasksetRate {
			return TasksetRate{r.oneOf("placement", SameCPU, OtherCPU), r.whole("client_cpu"), r.whole("server_cpu"), r.number("trans_per_sec")}
		})
}

// TopdownShare is one top-down category of the pinned pair on xeon240. A
// category that the post does not print has no row.
type TopdownShare struct {
	Placement string  // SameCPU or OtherCPU
	Event     string  // perf's name, such as "tma_contested_accesses"
	SharePct  float64 // % as perf prints it: of the slots or cycles of its parent category
}

// TopdownShares returns the top-down shares of the sis-sync post.
func TopdownShares() ([]TopdownShare, error) {
	return load("sis-sync/topdown.csv", []string{"placement", "event", "share_pct"},
		func(r *record) TopdownShare {
			return TopdownShare{r.oneOf("placement", SameCPU, OtherCPU), r.match("event", eventPattern), r.number("share_pct")}
		})
}

// LineAccess is one offset of the most contended cache line that perf c2c
// found for the pair on two CPUs.
type LineAccess struct {
	Offset         string  // byte in the cache line, hexadecimal
	Access         string  // "read" or "write"
	RemoteHitmPct  float64 // share of the loads that hit a line modified on another socket
	LocalHitmPct   float64 // share of the loads that hit a line modified by another core of the socket
	StoreL1HitPct  float64 // share of the stores that hit L1
	StoreL1MissPct float64 // share of the stores that missed L1
}

// LineAccesses returns the perf c2c shares of the sis-sync post.
func LineAccesses() ([]LineAccess, error) {
	return load("sis-sync/c2c.csv",
		[]string{"offset", "access", "remote_hitm_pct", "local_hitm_pct", "store_l1_hit_pct", "store_l1_miss_pct"},
		func(r *record) LineAccess {
			return LineAccess{r.match("offset", offsetPattern), r.oneOf("access", "read", "write"), r.number("remote_hitm_pct"),
				r.number("local_hitm_pct"), r.number("store_l1_hit_pct"), r.number("store_l1_miss_pct")}
		})
}

// ShortTaskThreshold is the average run time below which SIS_SYNC takes a task
// for a short one.
type ShortTaskThreshold struct {
	LLCCPUs     int     // CPUs that share the LLC
	ThresholdUS float64 // microseconds, rounded as posted
}

// ShortTaskThresholds returns the thresholds that the sis-sync post lists for
// the default migration cost of 500 us.
func ShortTaskThresholds() ([]ShortTaskThreshold, error) {
	return load("sis-sync/short_task_threshold.csv", []string{"llc_cpus", "threshold_us"},
		func(r *record) ShortTaskThreshold {
			return ShortTaskThreshold{r.whole("llc_cpus"), r.number("threshold_us")}
		})
}

// load reads an embedded file row by row.
func load[T any](name string, columns []string, row func(*record) T) ([]T, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	var all []T
	if err := readRecords(f, name, columns, func(r *record) { all = append(all, row(r)) }); err != nil {
		return nil, err
	}
	return all, nil
}
