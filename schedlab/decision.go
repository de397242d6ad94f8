package schedlab

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/schedlab/lab/schedlab/internal/sim"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// Record asks a run for its single placements, from From to before To after the
// start of the measured window (negative: before it), at most Limit of them.
// The zero Record asks for none and costs nothing. A Spec cannot ask.
type Record struct {
	From, To time.Duration
	Limit    int // memory is about 100 bytes a placement
}

func (r Record) sim() sim.Record {
	return sim.Record{From: int64(r.From), To: int64(r.To), Limit: r.Limit}
}

// Decision is one placement: what was asked at an instant, what was answered,
// and what looking cost. In JSON context, reason and distance are names.
type Decision struct {
	// TimeNS is when, in ns from the start of the measured window.
	TimeNS int64
	// Wakee, Waker, This, Prev, Sync and Context are the question.
	policy.Wakeup
	// CPU and Reason are the answer; Distance is how far from Prev it is.
	CPU      topology.CPU
	Reason   policy.Reason
	Distance topology.Distance
	// Probes is how many CPUs were looked at. SearchNS is what finding the
	// answer takes at full speed, in ns: the waker pays it. Of a timer's wakeup
	// it is the looks alone, and nobody pays.
	Probes   int
	SearchNS int64
	// ThisIdle and PrevIdle tell how the two CPUs looked at that instant.
	ThisIdle, PrevIdle bool
	// HasIdleCores and NrIdleScan are the hints of the answer's LLC when the
	// question was asked.
	HasIdleCores bool
	NrIdleScan   int
}

func decisionsOf(recorded []sim.Decision) []Decision {
	if recorded == nil {
		return nil
	}
	out := make([]Decision, len(recorded))
	for i, d := range recorded {
		out[i] = Decision{
			TimeNS: d.Time, Wakeup: d.Wakeup, CPU: d.CPU, Reason: d.Reason, Distance: d.Distance,
			Probes: d.Probes, SearchNS: d.Search, ThisIdle: d.ThisIdle, PrevIdle: d.PrevIdle,
			HasIdleCores: d.IdleCores, NrIdleScan: d.IdleScan,
		}
	}
	return out
}

// decisionJSON is a Decision as it is written.
type decisionJSON struct {
	TimeNS       int64           `json:"time_ns"`
	Wakee        workload.TaskID `json:"wakee"`
	Waker        workload.TaskID `json:"waker"`
	Context      string          `json:"context"`
	Sync         bool            `json:"sync"`
	This         topology.CPU    `json:"this"`
	Prev         topology.CPU    `json:"prev"`
	CPU          topology.CPU    `json:"cpu"`
	Reason       string          `json:"reason"`
	Distance     string          `json:"distance"`
	Probes       int             `json:"probes"`
	SearchNS     int64           `json:"search_ns"`
	ThisIdle     bool            `json:"this_idle"`
	PrevIdle     bool            `json:"prev_idle"`
	HasIdleCores bool            `json:"has_idle_cores"`
	NrIdleScan   int             `json:"nr_idle_scan"`
}

// MarshalJSON writes one object with every member.
func (d Decision) MarshalJSON() ([]byte, error) {
	return json.Marshal(decisionJSON{
		TimeNS: d.TimeNS, Wakee: d.Wakee, Waker: d.Waker, Context: d.Context.String(), Sync: d.Sync,
		This: d.This, Prev: d.Prev, CPU: d.CPU, Reason: d.Reason.String(), Distance: key(d.Distance.String()),
		Probes: d.Probes, SearchNS: d.SearchNS, ThisIdle: d.ThisIdle, PrevIdle: d.PrevIdle,
		HasIdleCores: d.HasIdleCores, NrIdleScan: d.NrIdleScan,
	})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (d *Decision) UnmarshalJSON(b []byte) error {
	var x decisionJSON
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	context, err := named(x.Context, "context", int(workload.InIRQ)+1, func(i int) string { return workload.Context(i).String() })
	if err != nil {
		return err
	}
	reason, err := named(x.Reason, "reason", int(policy.NumReasons), reasonName)
	if err != nil {
		return err
	}
	distance, err := named(x.Distance, "distance", int(topology.NumDistances), func(i int) string { return key(distanceName(i)) })
	if err != nil {
		return err
	}
	*d = Decision{
		TimeNS: x.TimeNS,
		Wakeup: policy.Wakeup{Wakee: x.Wakee, Waker: x.Waker, This: x.This, Prev: x.Prev, Sync: x.Sync, Context: workload.Context(context)},
		CPU:    x.CPU, Reason: policy.Reason(reason), Distance: topology.Distance(distance),
		Probes: x.Probes, SearchNS: x.SearchNS, ThisIdle: x.ThisIdle, PrevIdle: x.PrevIdle,
		HasIdleCores: x.HasIdleCores, NrIdleScan: x.NrIdleScan,
	}
	return nil
}

// named is the number of a name in a closed set of n.
func named(text, what string, n int, name func(i int) string) (int, error) {
	for i := range n {
		if name(i) == text {
			return i, nil
		}
	}
	return 0, fmt.Errorf("schedlab: decision: %q is no %s", text, what)
}
