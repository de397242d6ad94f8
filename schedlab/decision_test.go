package schedlab_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/policy"
)

// TestDecisions: a record of the whole window counts as the totals do, a limit
// keeps the first, and nobody who does not ask gets any.
func TestDecisions(t *testing.T) {
	c, err := short(t, busy).Config()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := schedlab.Simulate(c)
	if err != nil {
		t.Fatal(err)
	}
	if plain.Decisions != nil || bytes.Contains(bytesOf(t, plain), []byte("decisions")) {
		t.Error("decisions nobody asked for")
	}
	c.Record = schedlab.Record{To: c.Duration, Limit: 1 << 20}
	r, err := schedlab.Simulate(c)
	if err != nil {
		t.Fatal(err)
	}
	var reasons schedlab.Placements
	for _, d := range r.Decisions {
		reasons[d.Reason]++
	}
	if reasons != r.Placements || r.Placements[policy.PrevIdle] == 0 {
		t.Errorf("decisions by reason %v, the totals have %v", reasons, r.Placements)
	}
	var back schedlab.Result
	if err := json.Unmarshal(bytesOf(t, r), &back); err != nil || !reflect.DeepEqual(&back, r) {
		t.Errorf("read back differently, error %v", err)
	}
	c.Record.Limit = 7
	few, err := schedlab.Simulate(c)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(few.Decisions, r.Decisions[:7]) {
		t.Errorf("%+v, want the first 7", few.Decisions)
	}
	few.Decisions = nil
	if !reflect.DeepEqual(few, plain) {
		t.Error("recording changes the result")
	}
}

func TestRecordErrors(t *testing.T) {
	c, err := short(t, busy).Config()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		r    schedlab.Record
		want string
	}{
		{schedlab.Record{To: time.Millisecond}, "sim: record: limit 0 is not positive"},
		{schedlab.Record{To: -1, Limit: 3}, "sim: record: to -1 ns is not after from 0 ns"},
		{schedlab.Record{To: time.Hour, Limit: 3}, "sim: record: to 3600000000000 ns is after the window"},
		{schedlab.Record{From: -time.Hour, To: 1, Limit: 3}, "sim: record: from -3600000000000 ns is before the run"},
	} {
		c.Record = x.r
		if _, err := schedlab.Simulate(c); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: error %v, want %q", x.r, err, x.want)
		}
	}
}

func TestDecisionJSON(t *testing.T) {
	const text = `{"time_ns":-5,"wakee":3,"waker":-1,"context":"irq","sync":true,"this":1,"prev":2,"cpu":4,"reason":"scan-idle",` +
		`"distance":"smt_sibling","probes":9,"search_ns":700,"this_idle":true,"prev_idle":false,"has_idle_cores":true,"nr_idle_scan":17}`
	var d schedlab.Decision
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if b, err := json.Marshal(d); err != nil || string(b) != text {
		t.Errorf("%s, %v; want %s", b, err, text)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"irq"`, `"nmi"`, `schedlab: decision: "nmi" is no context`},
		{"scan-idle", "whim", `schedlab: decision: "whim" is no reason`},
		{"smt_sibling", "moon", `schedlab: decision: "moon" is no distance`},
		{"9", `"9"`, "cannot unmarshal"},
	} {
		if err := json.Unmarshal([]byte(strings.Replace(text, c.old, c.new, 1)), &d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.new, err, c.want)
		}
	}
}
