package docs_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
)

// docs/pairs.md shows runs that take minutes. They are kept as a row each in
// docs/data/pairs.csv; from there the tables and figures of the page follow.
//
//	go test ./docs -run Pairs -pairs -timeout 1h
//
// plays all of them anew and writes rows, tables and figures. Without the flag
// a few rows are played and compared, and the tables must be those of the rows.
var playPairs = flag.Bool("pairs", false, "play all runs of docs/pairs.md anew; takes minutes")

const pairsCSV = "docs/data/pairs.csv"

var pairLoads = []int{10, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 360, 420}

// pairRun is a row: which run, and what it measured.
type pairRun struct {
	workload, machine, start string
	pairs, seed              int
	values                   [len(pairColumns)]float64
}

// pairColumns are the measured columns and their decimals.
var pairColumns = [...]struct {
	name     string
	decimals int
}{
	{"per_pair_tps", 0}, {"spread_pct", 1}, {"drift_pct", 1}, {"idle_pct", 1}, {"idle_loop_pct", 1}, {"line_wait_pct", 1},
	{"migrations_per_wakeup", 3}, {"probes_per_search", 1}, {"same_cpu_pct", 1},
}

const (
	perPair = iota
	betweenPairs
	drift
	idleShare
	loopShare
	waitShare
	moves
	probes
	sameCPU
)

// allPairs are the runs of the page, without their values.
func allPairs() []pairRun {
	var runs []pairRun
	add := func(workload, machine, start string) {
		for _, n := range pairLoads {
			for seed := 1; seed <= 3; seed++ {
				runs = append(runs, pairRun{workload: workload, machine: machine, start: start, pairs: n, seed: seed})
			}
		}
	}
	for _, m := range []string{"xeon240", "xeon240-llc120"} {
		add("netperf-tcp_rr", m, "spread")
		add("netperf-tcp_rr", m, "stacked")
	}
	add("netperf-udp_rr", "xeon240", "spread")
	return runs
}

// play fills in the values, as they are written.
func (p *pairRun) play() error {
	s, err := schedlab.Parse(fmt.Sprintf("%s %s:%d,start=%s 6.10 seed=%d", p.machine, p.workload, p.pairs, p.start, p.seed))
	if err != nil {
		return err
	}
	c, err := s.Config()
	if err != nil {
		return err
	}
	c.Record = schedlab.Record{To: c.Duration, Limit: 50_000}
	r, err := schedlab.Simulate(c)
	if err != nil {
		return err
	}
	share := func(ns int64) float64 { return 100 * float64(ns) / float64(r.CPUTime.Total()) }
	var placed int64
	for _, n := range r.Migrations {
		placed += n
	}
	moved := placed - r.Migrations[topology.SameCPU]
	same := 0
	for _, d := range r.Decisions {
		if d.CPU == d.This {
			same++
		}
	}
	p.values = [len(pairColumns)]float64{
		r.Throughput / float64(p.pairs), r.SpreadPct, r.DriftPct, share(r.CPUTime[schedlab.Idle]), idleLoop(c.Machine, r),
		share(r.CPUTime[schedlab.LineWait]), float64(moved) / float64(r.Wakeups), float64(r.Probes) / float64(max(1, r.Searches)),
		100 * float64(same) / float64(max(1, len(r.Decisions))),
	}
	for i, v := range p.values {
		p.values[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'f', pairColumns[i].decimals, 64), 64)
	}
	return nil
}

// idleLoop is the share of CPU time, in percent, spent around halting: leaving
// idle with the wakelist to drain, and what CPUs do while they have no task, the
// switch to idle and balancing on the way. Siblings slow it like everything.
func idleLoop(m *machine.Machine, r *schedlab.Result) float64 {
	exit := int64(1)
	for i, s := range m.IdleStates() {
		if s.ExitNS > 0 {
			exit = m.IdleExit(i)
			break
		}
	}
	ns := float64(r.CPUTime[schedlab.IdleExit]) * (1 + float64(m.NS(machine.WakelistDrain))/float64(exit))
	for _, c := range []schedlab.Category{schedlab.ContextSwitch, schedlab.Balance} {
		ns += float64(r.CPUTime[c] - r.TaskTime[c])
	}
	running := float64(r.CPUTime.Total() - r.CPUTime[schedlab.Idle])
	return 100 * ns / (running - float64(r.CPUTime[schedlab.SMTSlowdown])) * running / float64(r.CPUTime.Total())
}

func pairHeader() []string {
	h := []string{"engine", "workload", "machine", "start", "pairs", "seed"}
	for _, c := range pairColumns {
		h = append(h, c.name)
	}
	return h
}

func (p *pairRun) record() []string {
	row := []string{schedlab.EngineVersion, p.workload, p.machine, p.start, strconv.Itoa(p.pairs), strconv.Itoa(p.seed)}
	for i, v := range p.values {
		row = append(row, strconv.FormatFloat(v, 'f', pairColumns[i].decimals, 64))
	}
	return row
}

func writePairs(t *testing.T, runs []pairRun) {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(pairHeader())
	for i := range runs {
		w.Write(runs[i].record())
	}
	w.Flush()
	write(t, filepath.Join(root, pairsCSV), b.String())
}

// readPairs gives the kept runs, in the order of allPairs.
func readPairs(t *testing.T) []pairRun {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, pairsCSV))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", pairsCSV, err)
	}
	runs := allPairs()
	if len(rows) != len(runs)+1 || !slices.Equal(rows[0], pairHeader()) {
		t.Fatalf("%s: %d rows %v, want %d rows %v", pairsCSV, len(rows)-1, rows[0], len(runs), pairHeader())
	}
	for i := range runs {
		row := rows[i+1]
		for j := range pairColumns {
			if runs[i].values[j], err = strconv.ParseFloat(row[6+j], 64); err != nil {
				t.Fatalf("%s:%d: %v", pairsCSV, i+2, err)
			}
		}
		if want := runs[i].record(); !slices.Equal(row, want) {
			t.Fatalf("%s:%d: %v, want %v; -pairs plays all runs anew", pairsCSV, i+2, row, want)
		}
	}
	return runs
}

// The kept rows are what the engine says now: some cheap ones are played. Under
// -pairs all are, and kept.
func TestPairs(t *testing.T) {
	if *playPairs {
		runs := allPairs()
		var next, failed = make(chan int), make(chan error, len(runs))
		var wg sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				for i := range next {
					if err := runs[i].play(); err != nil {
						failed <- err
					}
				}
			})
		}
		began := time.Now()
		for i := range runs {
			next <- i
			if i%10 == 0 {
				fmt.Printf("%d of %d runs begun after %.0f s\n", i, len(runs), time.Since(began).Seconds())
			}
		}
		close(next)
		wg.Wait()
		close(failed)
		for err := range failed {
			t.Fatal(err)
		}
		writePairs(t, runs)
	}
	for i, p := range readPairs(t) {
		if p.pairs != 10 || p.seed != 1 || p.machine != "xeon240" {
			continue
		}
		got := p
		if err := got.play(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.record(), p.record()) {
			t.Errorf("%s:%d: the engine gives %v, the row has %v; go test ./docs -run Pairs -pairs -timeout 1h plays all anew", pairsCSV, i+2, got.record(), p.record())
		}
	}
}

// loadMean are the means over seeds of one load, and the dispersion of the first
// value between seeds in percent.
type loadMean struct {
	pairs  int
	values [len(pairColumns)]float64
	seeds  float64
}

// meansOf a table: one row per load.
func meansOf(runs []pairRun, workload, machine, start string) []loadMean {
	var out []loadMean
	for _, n := range pairLoads {
		m := loadMean{pairs: n}
		var rates []float64
		for _, p := range runs {
			if p.workload == workload && p.machine == machine && p.start == start && p.pairs == n {
				rates = append(rates, p.values[perPair])
				for i, v := range p.values {
					m.values[i] += v
				}
			}
		}
		for i := range m.values {
			m.values[i] /= float64(len(rates))
		}
		for _, x := range rates {
			m.seeds += (x - m.values[perPair]) * (x - m.values[perPair])
		}
		m.seeds = 100 * math.Sqrt(m.seeds/float64(len(rates))) / m.values[perPair]
		out = append(out, m)
	}
	return out
}

// pairsTable is a table of the page, line by line.
func pairsTable(means []loadMean) []string {
	lines := []string{
		"| pairs | tx/s per pair | between seeds % | between pairs % | halted % | idle loop % | line wait % | moves per wakeup | probes per search | on the waker's CPU % |",
		"|" + strings.Repeat("---:|", 10),
	}
	for _, m := range means {
		v := m.values
		lines = append(lines, fmt.Sprintf("| %d | %.0f | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | %.1f | %.1f |", m.pairs, v[perPair], m.seeds,
			v[betweenPairs], v[idleShare], v[loopShare], v[waitShare], v[moves], v[probes], v[sameCPU]))
	}
	return lines
}
