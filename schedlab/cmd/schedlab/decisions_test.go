package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDecisions: --decisions shows the first placements of the window, as a
// table or in the JSON.
func TestDecisions(t *testing.T) {
	args := []string{"simulate", "--machine", "ivb48", "--workload", "pipe:8", "--policy", "6.10",
		"--warmup", "1ms", "--duration", "1ms", "--no-cache", "--decisions", "5"}
	code, out, stderr := call(t, args...)
	_, table, found := strings.Cut(out, "Single placements\n")
	if code != exitOK || stderr != "" || !found {
		t.Fatalf("exit code %d, stderr %q, printed\n%s", code, stderr, out)
	}
	if !strings.Contains(table, "reason") || !strings.Contains(table, "prev-idle") && !strings.Contains(table, "target-idle") {
		t.Errorf("no placements in\n%s", table)
	}
	code, out, stderr = call(t, append(args, "--format", "json")...)
	var got struct {
		Decisions []struct {
			TimeNS int64 `json:"time_ns"`
			Reason string
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitOK || stderr != "" {
		t.Fatalf("exit code %d, stderr %q, %v", code, stderr, err)
	}
	if len(got.Decisions) != 5 || got.Decisions[0].TimeNS < 0 || got.Decisions[0].Reason == "" {
		t.Errorf("decisions %+v", got.Decisions)
	}
	for _, c := range []struct{ n, says string }{{"-1", "--decisions -1"}, {"all", `"all"`}} {
		code, _, stderr := call(t, append(args[:len(args)-1:len(args)-1], c.n)...)
		if code != exitUsage || !strings.Contains(stderr, c.says) {
			t.Errorf("--decisions %s: exit code %d, stderr %q", c.n, code, stderr)
		}
	}
}
