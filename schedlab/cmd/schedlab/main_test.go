package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs the command line and returns its exit code and what it printed.
func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(context.Background(), args, &out, &err)
	return code, out.String(), err.String()
}

func TestMistakes(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	simulate := func(m, w, p string, more ...string) []string {
		return append([]string{"simulate", "--no-cache", "--machine", m, "--workload", w, "--policy", p}, more...)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"reproduec"}, exitUsage, "reproduce"},
		{[]string{"list"}, exitUsage, "machines, workloads, policies, mails"},
		{[]string{"list", "machine"}, exitUsage, "machines"},
		{[]string{"reproduce", "sis-snyc"}, exitUsage, "sis-sync"},
		{[]string{"reproduce", "wake-affine"}, exitFailed, `"wake-affine"`},
		{[]string{"reproduce", "--seeds", "0"}, exitUsage, "--seeds 0"},
		{[]string{"reproduce", "--seeds", "many"}, exitUsage, `"many"`},
		{[]string{"reproduce", "--format", "pdf"}, exitUsage, `"pdf"`},
		{[]string{"reproduce", "--out", ""}, exitUsage, "--out"},
		{[]string{"reproduce", "--jobs", "-1"}, exitUsage, "--jobs -1"},
		{[]string{"reproduce", "--sed", "1"}, exitUsage, "--sed"},
		{[]string{"simulate"}, exitUsage, "--machine"},
		{[]string{"simulate", "--machine", "xeon240"}, exitUsage, "--workload"},
		{[]string{"simulate", "extra"}, exitUsage, `"extra"`},
		{simulate("xeon24", "pipe:1", "6.10"), exitFailed, "xeon240"},
		{simulate("xeon240", "netperf-tcp:240", "6.10"), exitFailed, "netperf-tcp_rr"},
		{simulate("xeon240", "netperf-tcp_rr", "6.10"), exitFailed, "number of pairs"},
		{simulate("xeon240", "netperf-tcp_rr:0", "6.10"), exitFailed, `load "0"`},
		{simulate("xeon240", "netperf-tcp_rr:1,client=999", "6.10"), exitFailed, "CPU 999"},
		{simulate("xeon240", "schbench:60", "6.10"), exitFailed, "not built yet"},
		{simulate("xeon240", "pipe:1", "6.11"), exitFailed, "6.10"},
		{simulate("xeon240", "pipe:1", "6.10+SIS_SINK"), exitFailed, "SIS_SYNC"},
		{simulate("xeon240", "pipe:1", "5.16+CLUSTER_SCAN"), exitFailed, "not built yet"},
		{simulate("xeon240", "pipe:1", "6.10", "--duration", "-5ms"), exitUsage, "-5ms"},
		{simulate("xeon240", "pipe:1", "6.10", "--duration", "long"), exitUsage, `"long"`},
		{simulate("xeon240", "pipe:1", "6.10", "--seed", "-1"), exitUsage, `"-1"`},
		{simulate("xeon240", "pipe:1", "6.10", "--format", "xml"), exitUsage, `"xml"`},
		{[]string{"topology"}, exitUsage, "one SPEC"},
		{[]string{"topology", "xeon241"}, exitFailed, "xeon240"},
		{[]string{"topology", "pack:2 core"}, exitFailed, "core"},
		{[]string{"topology", "xeon240", "--kernel", "6.1"}, exitFailed, "6.10"},
		{[]string{"topology", "ivb48", "--svg", filepath.Join(file, "x.svg")}, exitFailed, "x.svg"},
		{[]string{"notebooks", filepath.Join(folder, "none.ipynb")}, exitFailed, "none.ipynb"},
		{[]string{"notebooks", file}, exitFailed, "file"},
		{[]string{"notebooks", "--install", "x"}, exitUsage, `"x"`},
	} {
		code, out, err := call(t, c.args...)
		name := strings.Join(c.args, " ")
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d; stderr %q", name, code, c.code, err)
		}
		if out != "" {
			t.Errorf("%s: printed %q on stdout", name, out)
		}
		last := strings.TrimSuffix(err, "\n")
		if i := strings.LastIndexByte(last, '\n'); i >= 0 && c.args[0] == "notebooks" {
			last = last[i+1:] // the lines before tell which notebook
		}
		if strings.Contains(last, "\n") || !strings.HasPrefix(last, "schedlab: ") || !strings.Contains(last, c.says) {
			t.Errorf("%s: stderr %q, want one line with %q", name, err, c.says)
		}
	}
}

func TestWithoutArguments(t *testing.T) {
	code, out, _ := call(t)
	if code != exitOK || strings.Count(out, "\n  schedlab ") != 3 {
		t.Errorf("exit code %d, printed %q; want three commands to try", code, out)
	}
}

func TestLists(t *testing.T) {
	for _, l := range lists {
		code, out, err := call(t, "list", l.name)
		if code != exitOK || err != "" || strings.Count(out, "\n") < 7 {
			t.Errorf("list %s: exit code %d, stderr %q, printed\n%s", l.name, code, err, out)
		}
	}
}

func TestTopology(t *testing.T) {
	svg := filepath.Join(t.TempDir(), "k.svg")
	code, out, err := call(t, "topology", "pack:2 numa:2 l3:1 group:8 core:4 pu:1", "--kernel", "5.16", "--svg", svg)
	if code != exitOK || err != "" {
		t.Fatalf("exit code %d, stderr %q", code, err)
	}
	for _, want := range []string{"128 CPUs", "cluster x 8", "CLS", "MC", "NUMA", "synthetic: pack:2"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if b, err := os.ReadFile(svg); err != nil || !bytes.HasPrefix(b, []byte("<")) {
		t.Errorf("no SVG: %v", err)
	}
}

func TestSimulateJSON(t *testing.T) {
	args := []string{"simulate", "--machine", "ivb48", "--workload", "netperf-tcp_rr:8", "--policy", "6.10+SIS_SYNC",
		"--seed", "1", "--warmup", "5ms", "--duration", "5ms", "--format", "json", "--no-cache"}
	code, out, stderr := call(t, args...)
	if code != exitOK || stderr != "" {
		t.Fatalf("exit code %d, stderr %q", code, stderr)
	}
	var got map[string]any
	d := json.NewDecoder(strings.NewReader(out))
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Errorf("more than one JSON value")
	}
	for _, key := range []string{"throughput", "wakeups", "migrations", "wakeup_latency_ns", "placements", "probes", "cpu_time_ns", "task_time_ns", "spec"} {
		if _, ok := got[key]; !ok {
			t.Errorf("no member %q", key)
		}
	}
	if _, again, _ := call(t, args...); again != out {
		t.Error("a second run printed other bytes")
	}
}

const scoreHeader = "mail,benchmark,metric,load,machine,published_base,published_patched,published_change_pct,published_noise_pct," +
	"simulated_base,simulated_patched,simulated_change_pct,simulated_low_pct,simulated_high_pct,verdict,reason"

// quick keeps a reproduction short; the full one is for people.
var quick = []string{"--seeds", "2", "--warmup", "1ms", "--duration", "2ms"}

func TestReproduce(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 56 runs")
	}
	folder := t.TempDir()
	out, cache := filepath.Join(folder, "out"), filepath.Join(folder, "cache")
	args := append([]string{"reproduce", "--out", out, "--cache", cache}, quick...)

	code, text, stderr := call(t, args...)
	if code != exitOK || stderr != "" {
		t.Fatalf("exit code %d, stderr %q", code, stderr)
	}
	report := filepath.Join(out, "report.html")
	if !strings.HasSuffix(text, "\n"+report+"\n") {
		t.Errorf("does not end with %q:\n%s", report, text)
	}
	page, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, outside := range []string{"<script", "src=\"http", "<link"} {
		if bytes.Contains(page, []byte(outside)) {
			t.Errorf("the report is not self-contained: %q in it", outside)
		}
	}
	for _, ext := range []string{"png", "svg", "pdf"} {
		if files, _ := filepath.Glob(filepath.Join(out, "sis-sync", "*."+ext)); len(files) != 12 {
			t.Errorf("%d %s figures, want 12", len(files), ext)
		}
	}

	code, table, stderr := call(t, append(args, "--format", "csv")...)
	if code != exitOK || stderr != report+"\n" {
		t.Errorf("csv: exit code %d, stderr %q", code, stderr)
	}
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != 1+28 {
		t.Fatalf("csv: %d rows, %v", len(rows), err)
	}
	if got, _, _ := strings.Cut(table, "\n"); got != scoreHeader {
		t.Errorf("csv: header %q, want %q", got, scoreHeader)
	}
	if _, again, _ := call(t, append(args, "--format", "csv", "--no-cache")...); again != table {
		t.Error("cold and warm cache give other bytes")
	}
}

func TestReproduceInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	out := filepath.Join(t.TempDir(), "out")
	code := run(ctx, append([]string{"reproduce", "--no-cache", "--out", out}, quick...), &stdout, &stderr)
	if code != exitInterrupted || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
	if !strings.Contains(stdout.String(), "stopped before it was simulated") {
		t.Errorf("the finished part is not shown:\n%s", stdout.String())
	}
	if _, err := os.Stat(filepath.Join(out, "report.html")); err != nil {
		t.Error(err)
	}
}
