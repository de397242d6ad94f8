package topology

import (
	"cmp"
	"fmt"
	"slices"
)

// Place says where one CPU sits. The numbers are machine-wide: LLC 3 of socket
// 0 and LLC 3 of socket 1 would be the same cache. Sources that count within a
// parent (sysfs core_id) must be made unique first. Gaps are fine.
type Place struct {
	CPU CPU
	// Socket, Node, LLC and Core are 0 or more.
	Socket, Node, LLC int
	// Cluster is -1 on every row if the machine has no cluster level.
	Cluster int
	Core    int
	// Thread is the thread within the core, -1 on every row of a core if the
	// source does not say: then the threads count by CPU number.
	Thread int
}

// FromCPUs builds a topology from one row per CPU, for importers of real
// machines. Rows may come in any order and CPU numbers may have gaps: a CPU
// without a row (offline, absent) is not part of the machine, and the others
// keep their numbers. distances[i][j] is the distance from the i-th to the j-th
// node, nodes sorted by number; nil means 10 to itself, 12 within a socket and
// 20 to another one.
//
// Refused with a clear error: a CPU twice, a core in two clusters, a cluster in
// two LLCs, a core or cluster in two nodes, an LLC in two sockets, a node that
// partly overlaps an LLC or a socket, distances that are not square over the
// nodes, and distances of 10 anywhere but on the diagonal. A node may span LLCs
// and sockets, and an LLC may span nodes.
func FromCPUs(name string, rows []Place, distances [][]int) (*Topology, error) {
	t := &Topology{name: name, smt: 1}
	if err := checkRows(rows); err != nil {
		return nil, t.failure(err)
	}
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Place) int { return cmp.Compare(a.CPU, b.CPU) })
	t.hasClusters = clustersSaySomething(rows)
	for i := range rows {
		if !t.hasClusters {
			rows[i].Cluster = rows[i].LLC
		}
	}
	if err := checkNesting(rows, t.hasClusters); err != nil {
		return nil, t.failure(err)
	}
	t.fill(rows)
	if len(t.nodes) > MaxNodes {
		return nil, t.failure(fmt.Errorf("%d nodes, the most supported is %d", len(t.nodes), MaxNodes))
	}
	if err := t.checkStraddle(); err != nil {
		return nil, t.failure(err)
	}
	if err := t.rankThreads(rows); err != nil {
		return nil, t.failure(err)
	}
	if err := t.setDistances(distances); err != nil {
		return nil, t.failure(err)
	}
	return t, nil
}

func (t *Topology) failure(err error) error {
	return fmt.Errorf("topology: machine %q: %w", t.name, err)
}

// checkRows looks at each row alone, and at repeated CPUs.
func checkRows(rows []Place) error {
	if len(rows) == 0 {
		return fmt.Errorf("no CPUs")
	}
	seen := make([]bool, MaxCPUs)
	clustered := 0
	for _, r := range rows {
		if r.CPU < 0 || r.CPU >= MaxCPUs {
			return fmt.Errorf("CPU %d is outside 0-%d", r.CPU, MaxCPUs-1)
		}
		if seen[r.CPU] {
			return fmt.Errorf("CPU %d is listed twice", r.CPU)
		}
		seen[r.CPU] = true
		if r.Socket < 0 || r.Node < 0 || r.LLC < 0 || r.Core < 0 {
			return fmt.Errorf("CPU %d: socket %d, node %d, LLC %d and core %d must be 0 or more",
				r.CPU, r.Socket, r.Node, r.LLC, r.Core)
		}
		if r.Cluster < -1 || r.Thread < -1 {
			return fmt.Errorf("CPU %d: cluster %d and thread %d must be -1 (not known) or more", r.CPU, r.Cluster, r.Thread)
		}
		if r.Cluster >= 0 {
			clustered++
		}
	}
	if clustered != 0 && clustered != len(rows) {
		return fmt.Errorf("%d of %d CPUs have a cluster; give every CPU one, or -1 to all", clustered, len(rows))
	}
	return nil
}

// clustersSaySomething reports whether some cluster holds more than one core.
// Clusters that are all a single core (a private L2) add nothing, and the
// kernel drops that level too.
func clustersSaySomething(rows []Place) bool {
	coreOf := map[int]int{}
	for _, r := range rows {
		if r.Cluster < 0 {
			return false
		}
		if core, ok := coreOf[r.Cluster]; ok && core != r.Core {
			return true
		}
		coreOf[r.Cluster] = r.Core
	}
	return false
}

// checkNesting refuses parts that straddle a part they should lie in. A node
// may hold LLCs or sockets or lie within one: that is checkStraddle's.
func checkNesting(rows []Place, clusters bool) error {
	for _, rule := range []struct {
		inner, outer string
		of           func(Place) (int, int)
	}{
		{"core", "LLC", func(r Place) (int, int) { return r.Core, r.LLC }},
		{"core", "node", func(r Place) (int, int) { return r.Core, r.Node }},
		{"core", "cluster", func(r Place) (int, int) { return r.Core, r.Cluster }},
		{"cluster", "LLC", func(r Place) (int, int) { return r.Cluster, r.LLC }},
		{"LLC", "socket", func(r Place) (int, int) { return r.LLC, r.Socket }},
		{"cluster", "node", func(r Place) (int, int) { return r.Cluster, r.Node }},
	} {
		if !clusters && (rule.inner == "cluster" || rule.outer == "cluster") {
			continue
		}
		first := map[int]Place{}
		for _, r := range rows {
			in, out := rule.of(r)
			f, ok := first[in]
			if !ok {
				first[in] = r
				continue
			}
			if _, before := rule.of(f); before != out {
				return fmt.Errorf("%s %d is in two %ss: CPU %d in %s %d, CPU %d in %s %d",
					rule.inner, in, rule.outer, f.CPU, rule.outer, before, r.CPU, rule.outer, out)
			}
		}
	}
	return nil
}

// checkStraddle refuses nodes that share CPUs with an LLC or a socket without
// one of the two lying within the other.
func (t *Topology) checkStraddle() error {
	for c := t.all.First(); c != NoCPU; c = t.all.Next(c) {
		p := t.place[c]
		node := t.nodes[p.node]
		for _, other := range []struct {
			kind string
			id   int
			cpus CPUSet
		}{{"LLC", int(p.llc), t.llcs[p.llc]}, {"socket", int(p.socket), t.sockets[p.socket]}} {
			if !node.SubsetOf(other.cpus) && !other.cpus.SubsetOf(node) {
				return fmt.Errorf("node %d (CPUs %s) and %s %d (CPUs %s) overlap, but neither lies within the other",
					p.node, node, other.kind, other.id, other.cpus)
			}
		}
	}
	return nil
}

// fill gives out the dense identifiers; rows are sorted by CPU.
func (t *Topology) fill(rows []Place) {
	t.place = slices.Repeat([]place{nowhere}, int(rows[len(rows)-1].CPU)+1)
	cpus := make([]CPU, len(rows))
	for i, r := range rows {
		cpus[i] = r.CPU
	}
	t.all = NewCPUSet(cpus...)
	core, cores := dense(rows, false, func(r Place) int { return r.Core })
	cluster, clusters := dense(rows, false, func(r Place) int { return r.Cluster })
	llc, llcs := dense(rows, false, func(r Place) int { return r.LLC })
	node, nodes := dense(rows, true, func(r Place) int { return r.Node })
	socket, sockets := dense(rows, true, func(r Place) int { return r.Socket })
	t.cores, t.clusters, t.llcs, t.nodes, t.sockets = cores, clusters, llcs, nodes, sockets
	for _, r := range rows {
		t.place[r.CPU] = place{CoreID(core[r.Core]), ClusterID(cluster[r.Cluster]), LLCID(llc[r.LLC]),
			NodeID(node[r.Node]), SocketID(socket[r.Socket]), -1}
	}
	for _, s := range cores {
		t.smt = max(t.smt, s.Len())
	}
}

// dense maps declared numbers to 0, 1, ... and collects each part's CPUs: in
// the order of the declared numbers, or else of the lowest CPU.
func dense(rows []Place, byNumber bool, of func(Place) int) (map[int]int, []CPUSet) {
	members := map[int][]CPU{}
	var order []int
	for _, r := range rows {
		k := of(r)
		if members[k] == nil {
			order = append(order, k)
		}
		members[k] = append(members[k], r.CPU)
	}
	if byNumber {
		slices.Sort(order)
	}
	id := make(map[int]int, len(order))
	sets := make([]CPUSet, len(order))
	for i, k := range order {
		id[k] = i
		sets[i] = NewCPUSet(members[k]...)
	}
	return id, sets
}

// rankThreads numbers the threads of each core from 0 in the declared order.
func (t *Topology) rankThreads(rows []Place) error {
	byCore := make([][]Place, len(t.cores))
	for _, r := range rows {
		id := t.place[r.CPU].core
		byCore[id] = append(byCore[id], r)
	}
	for _, threads := range byCore {
		slices.SortStableFunc(threads, func(a, b Place) int { return cmp.Compare(a.Thread, b.Thread) })
		for i, r := range threads {
			if i > 0 && r.Thread == threads[i-1].Thread && r.Thread >= 0 {
				return fmt.Errorf("CPUs %d and %d are both thread %d of core %d; write -1 where the thread is not known",
					threads[i-1].CPU, r.CPU, r.Thread, r.Core)
			}
			if (r.Thread < 0) != (threads[0].Thread < 0) {
				return fmt.Errorf("core %d: thread of CPU %d is given, that of CPU %d is not", r.Core, r.CPU, threads[0].CPU)
			}
			t.place[r.CPU].thread = int32(i)
		}
	}
	return nil
}

// MaxNodes is the largest number of NUMA nodes the package accepts, which is
// the kernel's own largest configuration.
const MaxNodes = 1024

// Node distances used where the caller gives none: local and remote are the
// kernel's own defaults, the middle one is what sub-NUMA machines report
// between the nodes of a socket.
const (
	localDistance      = 10
	sameSocketDistance = 12
	remoteDistance     = 20
	maxNodeDistance    = 254 // 255 means "no path" in an ACPI SLIT
)

func (t *Topology) setDistances(d [][]int) error {
	if d == nil {
		t.distances = t.defaultDistances()
		return nil
	}
	n := len(t.nodes)
	if len(d) != n {
		return fmt.Errorf("node distances have %d rows, the machine has %d nodes with CPUs", len(d), n)
	}
	for i, row := range d {
		if len(row) != n {
			return fmt.Errorf("node distances are not square: row %d has %d entries, want %d", i, len(row), n)
		}
		for j, x := range row {
			switch {
			case i == j && x != localDistance:
				return fmt.Errorf("distance of node %d to itself is %d, want %d", i, x, localDistance)
			case i != j && (x <= localDistance || x > maxNodeDistance):
				return fmt.Errorf("distance from node %d to node %d is %d, want %d to %d", i, j, x, localDistance+1, maxNodeDistance)
			}
		}
		t.distances = append(t.distances, slices.Clone(row))
	}
	return nil
}

func (t *Topology) defaultDistances() [][]int {
	d := make([][]int, len(t.nodes))
	for i := range d {
		d[i] = make([]int, len(t.nodes))
		for j := range d[i] {
			switch {
			case i == j:
				d[i][j] = localDistance
			case t.at(t.nodes[i].First()).socket == t.at(t.nodes[j].First()).socket:
				d[i][j] = sameSocketDistance
			default:
				d[i][j] = remoteDistance
			}
		}
	}
	return d
}
