package docs_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

const wakerID, wakeeID workload.TaskID = 0, 1

// moment is a machine standing still: what a policy sees in a worked example.
// Waker and wakee woke each other last and run 4 us between sleeps.
type moment struct {
	policy.View // a look the examples do not know panics
	topo        *topology.Topology
	idle        topology.CPUSet
	recent      topology.CPU
	probes      int
}

func (m *moment) Idle(c topology.CPU) bool {
	m.probes++
	return m.idle.Has(c)
}

func (m *moment) NrRunning(c topology.CPU) int {
	if m.Idle(c) {
		return 0
	}
	return 1
}

// LoadAvg: whoever runs on a busy CPU has done so for long.
func (m *moment) LoadAvg(c topology.CPU) int64 { return int64(m.NrRunning(c)) * 1024 }

func (m *moment) FirstIdle(set topology.CPUSet, from topology.CPU, budget int) (topology.CPU, int) {
	before := m.probes
	for c := range set.Wrap(from) {
		if m.probes-before == budget {
			break
		}
		if m.Idle(c) {
			return c, m.probes - before
		}
	}
	return topology.NoCPU, m.probes - before
}

func (m *moment) FirstIdleCore(set topology.CPUSet, from topology.CPU) (c, fallback topology.CPU, probes int) {
	before := m.probes
	fallback = topology.NoCPU
	seen := map[topology.CoreID]bool{}
	for c := range set.Wrap(from) {
		core := m.topo.Core(c)
		if seen[core] {
			continue
		}
		seen[core] = true
		whole := true
		for _, x := range m.topo.CoreCPUs(core).CPUs() {
			if !m.Idle(x) {
				whole = false
				if fallback != topology.NoCPU {
					break
				}
			} else if fallback == topology.NoCPU && set.Has(x) {
				fallback = x
			}
		}
		if whole {
			return c, fallback, m.probes - before
		}
	}
	return topology.NoCPU, fallback, m.probes - before
}

func (m *moment) HasIdleCores(c topology.CPU) bool {
	for _, x := range m.topo.LLCCPUs(m.topo.LLC(c)).CPUs() {
		if m.topo.CoreCPUs(m.topo.Core(x)).SubsetOf(m.idle) {
			return true
		}
	}
	return false
}

func (m *moment) Topology() *topology.Topology                { return m.topo }
func (m *moment) Allowed(workload.TaskID, topology.CPU) bool  { return true }
func (m *moment) RecentUsed(workload.TaskID) topology.CPU     { return m.recent }
func (m *moment) SetRecentUsed(workload.TaskID, topology.CPU) {}
func (m *moment) LastWakee(t workload.TaskID) workload.TaskID { return wakerID + wakeeID - t }
func (m *moment) WakeeFlips(workload.TaskID) int              { return 1 }
func (m *moment) DurationAvg(workload.TaskID) int64           { return 4000 }
func (m *moment) TaskLoad(workload.TaskID) int64              { return 100 }
func (m *moment) BoundKthread(workload.TaskID) bool           { return false }
func (m *moment) NrIdleScan(c topology.CPU) int               { return m.topo.LLCCPUs(m.topo.LLC(c)).Len() }

var placements = regexp.MustCompile(`^<!-- placements: (.*) this=(\d+) prev=(\d+) -->$`)

// The policies answer the worked placements of policies.md as it says.
func TestWorkedPlacements(t *testing.T) {
	d := read(t, "docs/policies.md")
	rows := 0
	for i, line := range d.lines {
		m := placements.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		topo, err := topology.Parse(m[1])
		if err != nil {
			t.Fatal(err)
		}
		w := policy.Wakeup{Wakee: wakeeID, Waker: wakerID, This: cpu(t, m[2]), Prev: cpu(t, m[3]), Context: workload.InTask}
		for _, row := range table(d.lines[i+1:]) {
			rows++
			want := strings.Join(row[4:], " ")
			if got := place(t, topo, w, row); got != want {
				t.Errorf("docs/policies.md:%d: %s: %s, not %s", i+1, strings.Join(row[:4], " "), got, want)
			}
		}
	}
	if rows < 10 {
		t.Errorf("only %d worked placements found", rows)
	}
}

// place gives "CPU reason probes" for the first four columns of a row.
func place(t *testing.T, topo *topology.Topology, w policy.Wakeup, row []string) string {
	t.Helper()
	p, err := policy.Parse(row[0])
	if err != nil {
		t.Fatal(err)
	}
	w.Sync = row[1] == "yes"
	m := &moment{topo: topo, recent: cpu(t, row[3])}
	if row[2] != "-" {
		if m.idle, err = topology.ParseCPUList(row[2]); err != nil {
			t.Fatal(err)
		}
	}
	got := p.Start(topo).SelectCPU(m, w)
	return strings.Join([]string{strconv.Itoa(int(got.CPU)), got.Reason.String(), strconv.Itoa(m.probes)}, " ")
}

func cpu(t *testing.T, text string) topology.CPU {
	t.Helper()
	if text == "-" {
		return topology.NoCPU
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return topology.CPU(n)
}

// table are the cells of the rows of the Markdown table that comes first,
// without its heading.
func table(lines []string) [][]string {
	var rows [][]string
	for _, line := range lines {
		if !strings.HasPrefix(line, "|") {
			break
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows[min(2, len(rows)):]
}
