package workload_test

import (
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// TestStart: pairs start one by one where the kernel puts them, or all at once,
// both ends of a pair on one CPU.
func TestStart(t *testing.T) {
	for _, task := range build(t, "netperf-tcp_rr:3", "ivb48").Tasks {
		if !task.Home.Empty() {
			t.Errorf("%s has a home, %s", task.Name, task.Home)
		}
	}
	w := build(t, "netperf-tcp_rr:50,start=stacked", "ivb48")
	for i, task := range w.Tasks {
		if want := topology.NewCPUSet(topology.CPU(i / 2 % 48)); !task.Home.Equal(want) || task.Start != 0 || !task.Allowed.Empty() {
			t.Errorf("%s starts at %d ns on %s, allowed on %s; want CPU %s", task.Name, task.Start, task.Home, task.Allowed, want)
		}
	}
	if w.Name != "netperf-tcp_rr:50,start=stacked" {
		t.Errorf("name %q", w.Name)
	}
}

func TestStartGrammar(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"pipe:1,start=spread", "pipe:1"},
		{"pipe:1,start=stacked", "pipe:1,start=stacked"},
		{"pipe:1,start=spread,client=1", "pipe:1,client=1"},
	} {
		if got, err := workload.Canonical(c.text); err != nil || got != c.want {
			t.Errorf("Canonical(%q) = %q, %v; want %q", c.text, got, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"pipe:1,start=heap", `workload: "pipe:1,start=heap": option "start=heap": want one of spread, stacked`},
		{"pipe:1,start=spread,start=stacked", `option "start" is given twice`},
		{"pipe:1,start=", `option "start=" needs a value: start=...`},
		{"pipe:1,client=1,start=stacked", `workload: "pipe:1,client=1,start=stacked": start=stacked puts both ends of a pair on one CPU; leave out client and server`},
	} {
		if _, err := workload.Parse(c.text, preset(t, "ivb48")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%q): error %v; want %q", c.text, err, c.want)
		}
	}
}
