package schedlab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/schedlab/lab/schedlab/internal/sim"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
)

// Category says what a nanosecond went into. See the constants.
type Category = sim.Category

// The categories, in the order of every account.
const (
	Work              = sim.Work
	Syscall           = sim.Syscall
	ContextSwitch     = sim.ContextSwitch
	WakePath          = sim.WakePath
	Search            = sim.Search
	RemoteEnqueue     = sim.RemoteEnqueue
	IdleExit          = sim.IdleExit
	LineTransfer      = sim.LineTransfer
	LineWait          = sim.LineWait
	CacheRefill       = sim.CacheRefill
	SMTSlowdown       = sim.SMTSlowdown
	FrequencySlowdown = sim.FrequencySlowdown
	Interrupt         = sim.Interrupt
	Kworker           = sim.Kworker
	Queued            = sim.Queued
	Balance           = sim.Balance
	Idle              = sim.Idle
	Blocked           = sim.Blocked
	NumCategories     = sim.NumCategories
)

// Account is time in ns by category; it adds up to CPUs, or tasks, times the
// window.
type Account [NumCategories]int64

// Placements counts wakeups by the rule that decided.
type Placements [policy.NumReasons]int64

// Migrations counts wakeups by how far from its previous CPU the wakee went.
type Migrations [topology.NumDistances]int64

// Latency is the time from a wakeup to the wakee's first instruction, in ns.
type Latency struct {
	Mean int64 `json:"mean"`
	P50  int64 `json:"p50"`
	P90  int64 `json:"p90"`
	P99  int64 `json:"p99"`
	Max  int64 `json:"max"`
}

// Result is what one run measured in its window.
type Result struct {
	// Spec is the run's name, nil when it has none (a policy of your own).
	Spec   *Spec  `json:"spec,omitempty"`
	Engine string `json:"engine"`
	// Machine, Workload and Policy are the names of what was simulated.
	Machine  string `json:"machine"`
	Workload string `json:"workload"`
	Policy   string `json:"policy"`
	WindowNS int64  `json:"window_ns"`
	CPUs     int    `json:"cpus"`
	Tasks    int    `json:"tasks"`

	// Throughput is the benchmark's own metric over all groups, in Unit: a rate,
	// or, in "s", the time its work takes at the rate of the window (0 if nothing
	// was completed).
	Throughput float64 `json:"throughput"`
	Unit       string  `json:"unit"`
	// SpreadPct is the dispersion between the groups (pairs): 100 x population
	// standard deviation / mean; 0 for a single group.
	SpreadPct float64 `json:"spread_pct"`
	// DriftPct is the second half of the window against the first. Beyond
	// +-10 % the run had not settled: it is Transient.
	DriftPct  float64 `json:"drift_pct"`
	Transient bool    `json:"transient"`
	// DoneByGroup is what each group (pair) completed.
	DoneByGroup []int64 `json:"done_by_group"`

	// Wakeups counts placed tasks that reached a CPU, Searches those the policy
	// was asked about, Probes the CPUs it looked at.
	Wakeups    int64      `json:"wakeups"`
	Searches   int64      `json:"searches"`
	Probes     int64      `json:"probes"`
	Placements Placements `json:"placements"`
	Migrations Migrations `json:"migrations"`
	LatencyNS  Latency    `json:"wakeup_latency_ns"`
	CPUTime    Account    `json:"cpu_time_ns"`
	TaskTime   Account    `json:"task_time_ns"`

	// Decisions is what Config.Record asked for, in order of time.
	Decisions []Decision `json:"decisions,omitempty"`
}

// TransientPct is the drift between the halves of a window beyond which a run
// is marked Transient.
const TransientPct = 10

func newResult(c Config, t *sim.Totals) *Result {
	r := &Result{
		Engine: EngineVersion, Machine: c.Machine.Name(), Workload: c.Workload.Name, Policy: c.Policy.Name(),
		WindowNS: t.Window, CPUs: len(t.CPUs), Tasks: len(t.PerTask),
		Unit: c.Workload.Metric.Unit, DoneByGroup: t.Done,
		Wakeups: t.Wakeups, Searches: t.Searches, Probes: t.Probes,
		Placements: t.Placements, Migrations: t.Migrations,
		LatencyNS: Latency{t.Latency.Mean, t.Latency.P50, t.Latency.P90, t.Latency.P99, t.Latency.Max},
		CPUTime:   Account(t.CPU), TaskTime: Account(t.Task),
		Decisions: decisionsOf(t.Decisions),
	}
	if spec := c.Spec; spec.names(c) {
		r.Spec = &spec
	}
	var done, half int64
	for i, n := range t.Done {
		done += n
		half += t.Half[i]
	}
	r.Throughput = c.Workload.Metric.Value(done, t.Window)
	if half > 0 {
		r.DriftPct = 100*float64(done-half)/float64(half) - 100
	}
	r.Transient = math.Abs(r.DriftPct) > TransientPct
	r.SpreadPct = spreadPct(t.Done, done)
	return r
}

// spreadPct keeps each product in its own float64, so that no processor fuses
// it with the sum and prints another last digit.
func spreadPct(done []int64, total int64) float64 {
	if total == 0 || len(done) < 2 {
		return 0
	}
	mean := float64(total) / float64(len(done))
	sum := 0.0
	for _, n := range done {
		d := float64(n) - mean
		square := float64(d * d)
		sum += square
	}
	return 100 * math.Sqrt(sum/float64(len(done))) / mean
}

// key is the JSON name of a label: lower case, words joined by underscores.
func key(label string) string { return strings.ReplaceAll(strings.ToLower(label), " ", "_") }

// marshalCounts writes an object with one member per index, in index order.
func marshalCounts(counts []int64, name func(i int) string) ([]byte, error) {
	var b bytes.Buffer
	for i, n := range counts {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		b.WriteByte(sep)
		fmt.Fprintf(&b, "%q:%d", key(name(i)), n)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func unmarshalCounts(data []byte, counts []int64, name func(i int) string) error {
	var m map[string]int64
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	for i := range counts {
		n, ok := m[key(name(i))]
		if !ok {
			return fmt.Errorf("schedlab: no member %q", key(name(i)))
		}
		counts[i] = n
	}
	if len(m) != len(counts) {
		return fmt.Errorf("schedlab: %d members, want %d", len(m), len(counts))
	}
	return nil
}

func categoryName(i int) string { return Category(i).String() }
func reasonName(i int) string   { return policy.Reason(i).String() }
func distanceName(i int) string { return topology.Distance(i).String() }

// Total is the sum over the categories.
func (a Account) Total() int64 { s := sim.Account(a); return s.Total() }

// MarshalJSON writes every category, in order.
func (a Account) MarshalJSON() ([]byte, error) { return marshalCounts(a[:], categoryName) }

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Account) UnmarshalJSON(b []byte) error { return unmarshalCounts(b, a[:], categoryName) }

// MarshalJSON writes every reason, in order.
func (p Placements) MarshalJSON() ([]byte, error) { return marshalCounts(p[:], reasonName) }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Placements) UnmarshalJSON(b []byte) error { return unmarshalCounts(b, p[:], reasonName) }

// MarshalJSON writes every distance, in order.
func (m Migrations) MarshalJSON() ([]byte, error) { return marshalCounts(m[:], distanceName) }

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Migrations) UnmarshalJSON(b []byte) error { return unmarshalCounts(b, m[:], distanceName) }
