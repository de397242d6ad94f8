package datasets_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedlab/lab/datasets"
)

func sisSync(t *testing.T) []datasets.Comparison {
	t.Helper()
	all, err := datasets.Comparisons("sis-sync")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestInventory(t *testing.T) {
	comparisons, statistics := 0, 0
	for i, c := range datasets.Inventory() {
		if c.Mail != datasets.Mails()[i] {
			t.Errorf("inventory has %s where Mails has %s", c.Mail, datasets.Mails()[i])
		}
		comparisons += c.Comparisons
		statistics += c.Statistics
		all, err := datasets.Comparisons(c.Mail)
		if err != nil {
			if want := fmt.Sprintf("datasets: mail %q is reserved but has no data yet", c.Mail); err.Error() != want {
				t.Errorf("got %q, want %q", err, want)
			}
			continue
		}
		if len(all) != c.Comparisons {
			t.Errorf("%s has %d comparisons, the inventory %d", c.Mail, len(all), c.Comparisons)
		}
	}
	if comparisons != 107 || statistics != 3 {
		t.Errorf("%d comparisons + %d statistics, want 107 + 3", comparisons, statistics)
	}
}

func TestSisSyncPerBenchmark(t *testing.T) {
	want := map[string]int{"netperf-tcp_rr": 7, "netperf-udp_rr": 7, "tbench": 4, "hackbench-process-pipe": 3, "schbench": 3,
		"lat_pipe": 1, "lat_unix": 1, "vm-rw": 1, "context_switch1": 1}
	got := map[string]int{}
	for _, c := range sisSync(t) {
		got[c.Benchmark]++
		if c.BasePolicy != "6.10" || c.PatchedPolicy != "6.10+SIS_SYNC" || c.Star || c.Mail != "sis-sync" {
			t.Errorf("%s:%d: %+v", c.File, c.Line, c)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Figures typed a second time from the post, apart from the raw files.
func TestSisSyncFigures(t *testing.T) {
	const want = `netperf-tcp_rr 60 xeon240: -0.03 (1.04 1.27 pairs)
netperf-tcp_rr 120 xeon240: -0.09 (2.31 2.46 pairs)
netperf-tcp_rr 180 xeon240: 0.93 (1.77 1.16 pairs)
netperf-tcp_rr 240 xeon240: 190.13 (9.39 3.66 pairs)
netperf-tcp_rr 300 xeon240: 120.07 (45.28 19.41 pairs)
netperf-tcp_rr 360 xeon240: 0.27 (20.13 30.57 pairs)
netperf-tcp_rr 420 xeon240: 13.39 (30.85 46.38 pairs)
netperf-udp_rr 60 xeon240: -0.29 (11.86 2.66 pairs)
netperf-udp_rr 120 xeon240: 0.42 (16.28 13.41 pairs)
netperf-udp_rr 180 xeon240: 0.31 (15.34 17.45 pairs)
netperf-udp_rr 240 xeon240: -0.36 (16.27 18.78 pairs)
netperf-udp_rr 300 xeon240: -2.54 (20.42 32.42 pairs)
netperf-udp_rr 360 xeon240: 0.28 (31.59 35.66 pairs)
netperf-udp_rr 420 xeon240: -0.27 (30.44 37.12 pairs)
tbench 60 xeon240: 0.04 (0.27 0.11 runs)
tbench 120 xeon240: -1.01 (0.65 0.41 runs)
tbench 180 xeon240: 62.05 (0.42 26.22 runs)
tbench 240 xeon240: 77.61 (30.43 15.27 runs)
hackbench-process-pipe 1 xeon240: 4.70 (6.92 5.85 runs)
hackbench-process-pipe 2 xeon240: 7.66 (6.45 2.39 runs)
hackbench-process-pipe 4 xeon240: -1.82 (2.82 1.47 runs)
schbench 0 xeon240: 7.41 (NaN NaN ) 27 25
schbench 0 xeon240: 0.00 (NaN NaN ) 15376 15376
schbench 0 xeon240: 0.00 (NaN NaN ) 16608 16608
lat_pipe 0 ivb48: 33.80 (NaN NaN )
lat_unix 0 ivb48: 30.60 (NaN NaN )
vm-rw 0 spr224: 250.80 (NaN NaN )
context_switch1 0 spr224: 42.10 (NaN NaN )
`
	var b strings.Builder
	for _, c := range sisSync(t) {
		fmt.Fprintf(&b, "%s %d %s: %.2f (%v %v %s)", c.Benchmark, c.Load, c.Machine, c.ChangePct, c.BaseSpreadPct, c.PatchedSpreadPct, c.SpreadOf)
		if !math.IsNaN(c.Base) || !math.IsNaN(c.Patched) {
			fmt.Fprintf(&b, " %v %v", c.Base, c.Patched)
		}
		b.WriteString("\n")
	}
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

// A change that both values allow to derive must agree with them.
func TestChangesFollowFromTheValues(t *testing.T) {
	for _, mail := range datasets.Mails() {
		all, err := datasets.Comparisons(mail)
		if err != nil {
			continue // no data yet
		}
		for _, c := range all {
			if d := c.DerivedPct(); math.Abs(d-c.ChangePct) > 0.0051 {
				t.Errorf("%s:%d: change %v %%, %.4f %% follows from %v and %v", c.File, c.Line, c.ChangePct, d, c.Base, c.Patched)
			}
		}
	}
}

func TestRawReferencesPointAtFigures(t *testing.T) {
	number := regexp.MustCompile(`[0-9]`)
	seen := map[string]bool{}
	for _, c := range sisSync(t) {
		file, line, _ := strings.Cut(c.Raw, ":")
		data, err := os.ReadFile("sis-sync/" + file)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := strconv.Atoi(line)
		lines := strings.Split(string(data), "\n")
		if n > len(lines) || !number.MatchString(lines[n-1]) || seen[c.Raw] {
			t.Errorf("%s:%d: %s is no line of its own", c.File, c.Line, c.Raw)
		}
		seen[c.Raw] = true
	}
}

func TestTasksetRates(t *testing.T) {
	got, err := datasets.TasksetRates()
	want := []datasets.TasksetRate{{datasets.OtherCPU, 1, 2, 83528.11}, {datasets.SameCPU, 2, 2, 134504.35}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v %v, want %v", got, err, want)
	}
}

func TestTopdownShares(t *testing.T) {
	got, err := datasets.TopdownShares()
	want := []datasets.TopdownShare{
		{datasets.SameCPU, "tma_backend_bound", 28.1}, {datasets.SameCPU, "tma_memory_bound", 13.7},
		{datasets.SameCPU, "tma_l2_bound", 3.3}, {datasets.SameCPU, "tma_l1_bound", 9.3},
		{datasets.OtherCPU, "tma_backend_bound", 30.5}, {datasets.OtherCPU, "tma_memory_bound", 16.8},
		{datasets.OtherCPU, "tma_l1_bound", 11.0}, {datasets.OtherCPU, "tma_l3_bound", 32.4},
		{datasets.OtherCPU, "tma_contested_accesses", 59.5}, {datasets.OtherCPU, "tma_data_sharing", 11.1},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v %v, want %v", got, err, want)
	}
}

func TestLineAccesses(t *testing.T) {
	got, err := datasets.LineAccesses()
	want := []datasets.LineAccess{{"0x1c", "read", 0, 55.17, 0, 0}, {"0x1f", "write", 0, 0, 20, 0}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v %v, want %v", got, err, want)
	}
}

// The posted thresholds are migration cost x (CPUs / 256)^2, rounded.
func TestShortTaskThresholds(t *testing.T) {
	got, err := datasets.ShortTaskThresholds()
	want := []datasets.ShortTaskThreshold{{8, 0.5}, {16, 2}, {32, 8}, {64, 31}, {128, 125}, {256, 500}}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("got %v %v, want %v", got, err, want)
	}
	for _, s := range got {
		share := float64(s.LLCCPUs) / 256
		if exact := 500 * share * share; math.Abs(exact-s.ThresholdUS) > 0.5 {
			t.Errorf("%d CPUs: %v us posted, the rule gives %v", s.LLCCPUs, s.ThresholdUS, exact)
		}
	}
}

func TestDescribe(t *testing.T) {
	want := []string{"wake-affine", "sis-sync", "cluster-scan", "load-avg", "latency-nice"}
	if got := datasets.Mails(); !slices.Equal(got, want) {
		t.Errorf("Mails is %q, want %q", got, want)
	}
	for _, slug := range datasets.Mails() {
		m, err := datasets.Describe(slug)
		if err != nil || m.Slug != slug || m.Title == "" || m.Author == "" || m.Date == "" || len(m.Kernels) == 0 || len(m.Machines) == 0 {
			t.Errorf("%s: %+v %v", slug, m, err)
		}
	}
	_, err := datasets.Comparisons("sis-synk")
	if err == nil || err.Error() != `datasets: no mail "sis-synk": the mails are wake-affine, sis-sync, cluster-scan, load-avg, latency-nice` {
		t.Errorf("err: %v", err)
	}
}
