package docs_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/schedlab/lab/datasets"
	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/experiment"
)

// The kept scoreboards are what `schedlab reproduce --format csv` printed, for
// both variants of the machine:
//
//	go run ./schedlab/cmd/schedlab reproduce --format csv > docs/data/sis-sync.csv
//	go run ./schedlab/cmd/schedlab reproduce --format csv --variant xeon240-llc120 > docs/data/sis-sync-llc120.csv
//	go test ./docs -update
const (
	scoreLLC60  = "data/sis-sync.csv"
	scoreLLC120 = "data/sis-sync-llc120.csv"
)

func readScore(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, column := range rows[0] {
			m[column] = row[i]
		}
		if m["simulated_base"] != "" {
			out = append(out, m)
		}
	}
	return out
}

// TestScoreTable: the table of docs/validation.md is that of the kept
// scoreboards. -update writes it.
func TestScoreTable(t *testing.T) {
	want := "| benchmark | load | published | LLC 60 | 95 % | verdict | LLC 120 | 95 % | verdict |\n|---|---|---|---|---|---|---|---|---|\n"
	other := readScore(t, scoreLLC120)
	for i, a := range readScore(t, scoreLLC60) {
		b := other[i]
		point := func(m map[string]string, column string) string {
			x, err := strconv.ParseFloat(m[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%+.1f", x+0) // no -0.0
		}
		interval := func(m map[string]string) string {
			return point(m, "simulated_low_pct") + " .. " + point(m, "simulated_high_pct")
		}
		want += fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s | %s | %s | %s |\n", a["benchmark"], a["load"], point(a, "published_change_pct"),
			point(a, "simulated_change_pct"), interval(a), a["verdict"], point(b, "simulated_change_pct"), interval(b), b["verdict"])
	}
	const begin, end = "<!-- score:begin -->\n", "<!-- score:end -->"
	page, err := os.ReadFile("validation.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), begin)
	have, after, found := strings.Cut(rest, end)
	switch {
	case !found:
		t.Fatal("docs/validation.md has no place for the scoreboard")
	case have == want:
	case *update:
		if err := os.WriteFile("validation.md", []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the table of docs/validation.md is not that of the kept scoreboards; -update writes it")
	}
}

// TestScoreIsCurrent plays the cheapest row again: kept figures of another engine
// or of other costs do not pass.
func TestScoreIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates two runs")
	}
	p, err := experiment.Predict(context.Background(), "sis-sync", experiment.Options{Sweep: schedlab.Sweep{},
		Choose: func(c datasets.Comparison) bool { return c.Benchmark == "netperf-tcp_rr" && c.Load == 60 }})
	if err != nil {
		t.Fatal(err)
	}
	got := strconv.FormatFloat(p.Simulated().Rows[0].BaseMean, 'g', -1, 64)
	if want := readScore(t, scoreLLC60)[0]["simulated_base"]; got != want {
		t.Errorf("60 pairs give %s Trans/s, the kept scoreboard has %s: bring docs/data up to date", got, want)
	}
}
