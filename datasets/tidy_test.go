package datasets_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/schedlab/lab/datasets"
	"github.com/schedlab/lab/schedlab/table"
)

var update = flag.Bool("update", false, "write the CSV files from raw/ and SHA256SUMS from the files")

// tidies make the CSV files of a thread from its raw/ folder.
var tidies = map[string]func(*testing.T) map[string][][]string{"sis-sync": tidySisSync}

func TestCSVFilesFollowFromRaw(t *testing.T) {
	for _, mail := range datasets.Mails() {
		tidy, ok := tidies[mail]
		if !ok {
			if _, err := os.Stat(mail); err == nil {
				t.Errorf("folder %s has no code that makes its CSV files", mail)
			}
			continue
		}
		made := tidy(t)
		present, err := filepath.Glob(filepath.Join(mail, "*.csv"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range present {
			if made[filepath.Base(f)] == nil {
				t.Errorf("no code makes %s", f)
			}
		}
		for name, rows := range made {
			compare(t, filepath.Join(mail, name), rows)
		}
	}
}

func compare(t *testing.T, path string, rows [][]string) {
	t.Helper()
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, b.Bytes()) {
		t.Errorf("%s is not what raw/ gives:\n%s\nwant:\n%s", path, have, b.Bytes())
	}
}

func tidySisSync(t *testing.T) map[string][][]string {
	return map[string][][]string{
		"comparisons.csv":          sisSyncComparisons(t),
		"taskset.csv":              sisSyncTaskset(t),
		"topdown.csv":              sisSyncTopdown(t),
		"c2c.csv":                  sisSyncLineAccesses(t),
		"short_task_threshold.csv": sisSyncThresholds(t),
	}
}

// measure says what a posted name stands for.
type measure struct {
	benchmark, metric, unit, machine string
	higher                           bool
	spreadOf                         string
}

var sisSyncMeasures = map[string]measure{
	"TCP_RR":                                  {"netperf-tcp_rr", "transactions", "Trans/s", "xeon240", true, "pairs"},
	"UDP_RR":                                  {"netperf-udp_rr", "transactions", "Trans/s", "xeon240", true, "pairs"},
	"loopback":                                {"tbench", "throughput", "MB/s", "xeon240", true, "runs"},
	"process-pipe":                            {"hackbench-process-pipe", "time", "s", "xeon240", false, "runs"},
	"Wakeup Latencies 99.0th usec":            {"schbench", "wakeup_latency_p99", "us", "xeon240", false, ""},
	"Request Latencies 99.0th usec":           {"schbench", "request_latency_p99", "us", "xeon240", false, ""},
	"RPS percentiles 50.0th":                  {"schbench", "requests_p50", "requests/s", "xeon240", true, ""},
	"lmbench3.PIPE.latency.us":                {"lat_pipe", "latency", "us", "ivb48", false, ""},
	"stress-ng.vm-rw.ops_per_sec":             {"vm-rw", "ops", "ops/s", "spr224", true, ""},
	"will-it-scale.per_process_ops":           {"context_switch1", "per_process_ops", "ops", "spr224", true, ""},
	"lmbench3.AF_UNIX.sock.stream.latency.us": {"lat_unix", "latency", "us", "ivb48", false, ""},
}

// figuresOf holds the columns of a comparison that differ from row to row.
type figuresOf struct{ load, base, patched, change, source, baseSpread, patchedSpread, raw string }

func (f figuresOf) row(t *testing.T, posted string) []string {
	m, ok := sisSyncMeasures[posted]
	if !ok {
		t.Fatalf("%s: no measure %q", f.raw, posted)
	}
	return []string{"sis-sync", m.benchmark, m.metric, m.unit, f.load, m.machine, strconv.FormatBool(m.higher), f.base, f.patched,
		f.change, f.source, f.baseSpread, f.patchedSpread, m.spreadOf, "false", "6.10", "6.10+SIS_SYNC", f.raw}
}

var (
	schbenchLine    = regexp.MustCompile(`^(.+) (\d+) (\d+)$`)
	improvementLine = regexp.MustCompile(`^\S+: (\S+) ([\d.]+)% improvement$`)
)

func sisSyncComparisons(t *testing.T) [][]string {
	rows := [][]string{{"mail", "benchmark", "metric", "unit", "load", "machine", "higher_is_better", "base", "patched",
		"change_pct", "change_source", "base_spread_pct", "patched_spread_pct", "spread_of", "star", "base_policy", "patched_policy", "raw"}}
	for _, file := range []string{"netperf.txt", "tbench.txt", "hackbench.txt"} {
		rows = append(rows, sisSyncSchedtests(t, file)...)
	}
	for i, l := range rawLines(t, "schbench.txt") {
		if m := schbenchLine.FindStringSubmatch(l); m != nil && i > 1 {
			f := figuresOf{base: m[2], patched: m[3], source: "derived", raw: place("schbench.txt", i)}
			better := table.LowerBetter
			if sisSyncMeasures[m[1]].higher {
				better = table.HigherBetter
			}
			f.change = two(table.ChangePct(float(t, m[2]), float(t, m[3]), better))
			rows = append(rows, f.row(t, m[1]))
		}
	}
	for _, file := range []string{"lmbench.txt", "stress-ng.txt", "will-it-scale.txt"} {
		for i, l := range rawLines(t, file) {
			m := fields(t, file, i, l, improvementLine)
			rows = append(rows, figuresOf{change: m[2], source: "posted", raw: place(file, i)}.row(t, m[1]))
		}
	}
	return rows
}

// sisSyncSchedtests leaves base and patched empty: the table prints the
// baseline as 1.00.
func sisSyncSchedtests(t *testing.T, file string) [][]string {
	f, err := os.Open(filepath.Join("sis-sync", "raw", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tables, warnings, err := table.Read(f, file)
	if err != nil || len(warnings) > 0 || len(tables) != 1 {
		t.Fatalf("%s: %d tables, warnings %v, error %v", file, len(tables), warnings, err)
	}
	var rows [][]string
	for _, r := range tables[0].Rows {
		load, ok := r.LoadCount()
		if !ok {
			t.Fatalf("%s:%d: load %q", file, r.Line, r.Load)
		}
		rows = append(rows, figuresOf{load: strconv.Itoa(load), change: two(r.Cells[1].Change), source: "posted",
			baseSpread: two(r.Cells[0].Spread), patchedSpread: two(r.Cells[1].Spread), raw: place(file, r.Line-1)}.row(t, r.Case))
	}
	return rows
}

var (
	serverLine = regexp.MustCompile(`^taskset -c (\d+) netserver$`)
	clientLine = regexp.MustCompile(`^taskset -c (\d+) netperf `)
	rateLine   = regexp.MustCompile(`^Trans Rate per sec: ([\d.]+)$`)
)

func sisSyncTaskset(t *testing.T) [][]string {
	rows := [][]string{{"placement", "client_cpu", "server_cpu", "trans_per_sec"}}
	client, server := "", ""
	for i, l := range rawLines(t, "taskset.txt") {
		if m := serverLine.FindStringSubmatch(l); m != nil {
			server = m[1]
		} else if m := clientLine.FindStringSubmatch(l); m != nil {
			client = m[1]
		} else {
			m := fields(t, "taskset.txt", i, l, rateLine)
			rows = append(rows, []string{placement(client, server), client, server, m[1]})
		}
	}
	return rows
}

func placement(client, server string) string {
	if client == server {
		return datasets.SameCPU
	}
	return datasets.OtherCPU
}

var (
	pairLine  = regexp.MustCompile(`^netperf CPU(\d+) netserver CPU(\d+)$`)
	shareLine = regexp.MustCompile(`^([\d.]+) % (tma_\w+)$`)
)

func sisSyncTopdown(t *testing.T) [][]string {
	rows := [][]string{{"placement", "event", "share_pct"}}
	where := ""
	for i, l := range rawLines(t, "topdown.txt") {
		if m := pairLine.FindStringSubmatch(l); m != nil {
			where = placement(m[1], m[2])
			continue
		}
		m := fields(t, "topdown.txt", i, l, shareLine)
		rows = append(rows, []string{where, m[2], m[1]})
	}
	return rows
}

var accessLine = regexp.MustCompile(`^([\d.]+)% ([\d.]+)% ([\d.]+)% ([\d.]+)% (0x\w+) <---- (read|write)$`)

func sisSyncLineAccesses(t *testing.T) [][]string {
	rows := [][]string{{"offset", "access", "remote_hitm_pct", "local_hitm_pct", "store_l1_hit_pct", "store_l1_miss_pct"}}
	for i, l := range rawLines(t, "c2c.txt") {
		if i > 0 {
			m := fields(t, "c2c.txt", i, l, accessLine)
			rows = append(rows, []string{m[5], m[6], m[1], m[2], m[3], m[4]})
		}
	}
	return rows
}

var thresholdLine = regexp.MustCompile(`^LLC_WEIGHT=(\d+) ([\d.]+) usec$`)

func sisSyncThresholds(t *testing.T) [][]string {
	rows := [][]string{{"llc_cpus", "threshold_us"}}
	for i, l := range rawLines(t, "short_task_threshold.txt") {
		rows = append(rows, fields(t, "short_task_threshold.txt", i, l, thresholdLine)[1:])
	}
	return rows
}

func rawLines(t *testing.T, file string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("sis-sync", "raw", file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

func fields(t *testing.T, file string, i int, text string, re *regexp.Regexp) []string {
	t.Helper()
	m := re.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("%s: %q does not match %s", place(file, i), text, re)
	}
	return m
}

func place(file string, i int) string { return fmt.Sprintf("raw/%s:%d", file, i+1) }

func two(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

func float(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
