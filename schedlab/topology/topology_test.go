package topology_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
)

func must(t testing.TB) func(*topology.Topology, error) *topology.Topology {
	return func(top *topology.Topology, err error) *topology.Topology {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return top
	}
}

func TestPresets(t *testing.T) {
	for _, want := range []struct {
		name                                          string
		cpus, cores, clusters, llcs, nodes, sockets   int
		siblings, cluster0, llc0, node1, socket1, smt string // CPUs of core 0, cluster 0, LLC 0, node 1, socket 1
	}{
		{"xeon240", 240, 120, 4, 4, 4, 2, "0,120", "0-29,120-149", "0-29,120-149", "30-59,150-179", "60-119,180-239", "2"},
		{"xeon240-llc120", 240, 120, 2, 2, 2, 2, "0,120", "0-59,120-179", "0-59,120-179", "60-119,180-239", "60-119,180-239", "2"},
		{"ivb48", 48, 24, 2, 2, 2, 2, "0,24", "0-11,24-35", "0-11,24-35", "12-23,36-47", "12-23,36-47", "2"},
		{"spr224", 224, 112, 2, 2, 2, 2, "0,112", "0-55,112-167", "0-55,112-167", "56-111,168-223", "56-111,168-223", "2"},
		{"kunpeng128", 128, 128, 32, 4, 4, 2, "0", "0-3", "0-31", "32-63", "64-127", "1"},
		{"bdw88", 88, 44, 2, 2, 2, 2, "0,44", "0-21,44-65", "0-21,44-65", "22-43,66-87", "22-43,66-87", "2"},
		{"hsw48", 48, 24, 2, 2, 2, 2, "0,24", "0-11,24-35", "0-11,24-35", "12-23,36-47", "12-23,36-47", "2"},
		{"spr224-fixed", 224, 112, 2, 2, 2, 2, "0,112", "0-55,112-167", "0-55,112-167", "56-111,168-223", "56-111,168-223", "2"},
	} {
		m := must(t)(topology.Preset(want.name))
		got := fmt.Sprint(m.NumCPUs(), m.NumCores(), m.NumClusters(), m.NumLLCs(), m.NumNodes(), m.NumSockets(),
			m.CoreCPUs(0), m.ClusterCPUs(0), m.LLCCPUs(0), m.NodeCPUs(1), m.SocketCPUs(1), m.SMT(), m.Name())
		exp := fmt.Sprint(want.cpus, want.cores, want.clusters, want.llcs, want.nodes, want.sockets,
			want.siblings, want.cluster0, want.llc0, want.node1, want.socket1, want.smt, want.name)
		if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(exp, " ", "") {
			t.Errorf("%s:\n got %s\nwant %s", want.name, got, exp)
		}
		if m.HasClusters() != (want.name == "kunpeng128") {
			t.Errorf("%s: HasClusters %v", want.name, m.HasClusters())
		}
	}
	if got := len(topology.Presets()); got != 8 {
		t.Errorf("%d presets, want 8", got)
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		machine string
		a, b    topology.CPU
		want    topology.Distance
		text    string
	}{
		{"xeon240", 5, 5, topology.SameCPU, "same CPU"},
		{"xeon240", 5, 125, topology.SMT, "SMT sibling"},
		{"xeon240", 5, 6, topology.LLC, "LLC"},
		{"xeon240", 5, 30, topology.Socket, "socket"},
		{"xeon240", 5, 60, topology.Remote, "remote"},
		{"kunpeng128", 0, 3, topology.Cluster, "cluster"},
		{"kunpeng128", 3, 4, topology.LLC, "LLC"},
		{"kunpeng128", 31, 32, topology.Socket, "socket"},
		{"kunpeng128", 63, 64, topology.Remote, "remote"},
		{"kunpeng128", 0, 128, topology.Remote, "remote"}, // no such CPU
		{"kunpeng128", 128, 128, topology.Remote, "remote"},
	} {
		m := must(t)(topology.Preset(test.machine))
		if got := m.Distance(test.a, test.b); got != test.want || got.String() != test.text || m.Distance(test.b, test.a) != got {
			t.Errorf("%s: %d to %d is %v (back %v), want %v", test.machine, test.a, test.b, got, m.Distance(test.b, test.a), test.want)
		}
	}
	m := must(t)(topology.Preset("kunpeng128"))
	if m.NodeDistance(0, 1) != 12 || m.NodeDistance(0, 2) != 20 || m.NodeDistance(2, 1) != 22 || m.NodeDistance(1, 3) != 24 {
		t.Error("node distances of kunpeng128 are not 12, 20, 22, 24")
	}
}

// A machine with holes in its CPU numbers keeps them.
func TestFromCPUsSparse(t *testing.T) {
	m := must(t)(topology.FromCPUs("holes", []topology.Place{
		{CPU: 9, Socket: 4, Node: 8, LLC: 70, Cluster: -1, Core: 5, Thread: -1},
		{CPU: 2, Socket: 0, Node: 0, LLC: 90, Cluster: -1, Core: 30, Thread: -1},
		{CPU: 5, Socket: 0, Node: 0, LLC: 90, Cluster: -1, Core: 30, Thread: -1},
		{CPU: 7, Socket: 4, Node: 8, LLC: 70, Cluster: -1, Core: 6, Thread: -1},
	}, [][]int{{10, 40}, {17, 10}}))
	if m.NumCPUs() != 10 || m.All().String() != "2,5,7,9" || m.All().Len() != 4 {
		t.Errorf("NumCPUs %d, All %s", m.NumCPUs(), m.All())
	}
	if m.NumNodes() != 2 || m.Node(9) != 1 || m.LLC(2) != 0 || m.LLC(7) != 1 || m.Core(9) != 2 || m.NodeDistance(1, 0) != 17 {
		t.Errorf("node %d, LLC %d and %d, core %d", m.Node(9), m.LLC(2), m.LLC(7), m.Core(9))
	}
	if m.Thread(2) != 0 || m.Thread(5) != 1 {
		t.Errorf("threads %d and %d, want them by CPU number", m.Thread(2), m.Thread(5))
	}
	for _, absent := range []topology.CPU{topology.NoCPU, 0, 3, 10, 9999} {
		if m.Core(absent) != -1 || m.Cluster(absent) != -1 || m.LLC(absent) != -1 || m.Node(absent) != -1 || m.Socket(absent) != -1 || m.Thread(absent) != -1 {
			t.Errorf("CPU %d has a place", absent)
		}
	}
}

func TestFromCPUsRefuses(t *testing.T) {
	p := func(cpu topology.CPU, socket, node, llc, cluster, core, thread int) topology.Place {
		return topology.Place{CPU: cpu, Socket: socket, Node: node, LLC: llc, Cluster: cluster, Core: core, Thread: thread}
	}
	rows := func(r ...topology.Place) []topology.Place { return r }
	two := rows(p(0, 0, 0, 0, -1, 0, 0), p(1, 0, 1, 1, -1, 1, 0))
	for _, test := range []struct {
		rows      []topology.Place
		distances [][]int
		want      string
	}{
		{nil, nil, "no CPUs"},
		{rows(p(-1, 0, 0, 0, -1, 0, 0)), nil, "CPU -1 is outside 0-8191"},
		{rows(p(8192, 0, 0, 0, -1, 0, 0)), nil, "CPU 8192 is outside 0-8191"},
		{rows(p(0, 0, 0, 0, -1, 0, 0), p(0, 0, 0, 0, -1, 1, 0)), nil, "CPU 0 is listed twice"},
		{rows(p(0, 0, 0, -1, -1, 0, 0)), nil, "CPU 0: socket 0, node 0, LLC -1 and core 0 must be 0 or more"},
		{rows(p(0, 0, 0, 0, -2, 0, 0)), nil, "CPU 0: cluster -2 and thread 0 must be -1 (not known) or more"},
		{rows(p(0, 0, 0, 0, 0, 0, 0), p(1, 0, 0, 0, -1, 1, 0)), nil, "1 of 2 CPUs have a cluster; give every CPU one, or -1 to all"},
		{rows(p(0, 0, 0, 0, -1, 7, 0), p(1, 0, 0, 1, -1, 7, 1)), nil, "core 7 is in two LLCs: CPU 0 in LLC 0, CPU 1 in LLC 1"},
		{rows(p(0, 0, 0, 0, -1, 7, 0), p(1, 0, 1, 0, -1, 7, 1)), nil, "core 7 is in two nodes: CPU 0 in node 0, CPU 1 in node 1"},
		{rows(p(0, 0, 0, 0, 0, 7, 0), p(1, 0, 0, 0, 1, 7, 1), p(2, 0, 0, 0, 1, 8, 0)), nil, "core 7 is in two clusters: CPU 0 in cluster 0, CPU 1 in cluster 1"},
		{rows(p(0, 0, 0, 0, 3, 0, 0), p(1, 0, 0, 1, 3, 1, 0)), nil, "cluster 3 is in two LLCs: CPU 0 in LLC 0, CPU 1 in LLC 1"},
		{rows(p(0, 0, 0, 0, 3, 0, 0), p(1, 0, 1, 0, 3, 1, 0)), nil, "cluster 3 is in two nodes: CPU 0 in node 0, CPU 1 in node 1"},
		{rows(p(0, 0, 0, 5, -1, 0, 0), p(1, 1, 1, 5, -1, 1, 0)), nil, "LLC 5 is in two sockets: CPU 0 in socket 0, CPU 1 in socket 1"},
		{rows(p(0, 0, 0, 0, -1, 0, 0), p(1, 0, 1, 0, -1, 1, 0), p(2, 0, 1, 1, -1, 2, 0)), nil,
			"node 1 (CPUs 1-2) and LLC 0 (CPUs 0-1) overlap, but neither lies within the other"},
		{rows(p(0, 0, 0, 0, -1, 0, 0), p(1, 0, 1, 1, -1, 1, 0), p(2, 1, 1, 2, -1, 2, 0)), nil,
			"node 1 (CPUs 1-2) and socket 0 (CPUs 0-1) overlap, but neither lies within the other"},
		{rows(p(0, 0, 0, 0, -1, 4, 0), p(1, 0, 0, 0, -1, 4, 0)), nil, "CPUs 0 and 1 are both thread 0 of core 4; write -1 where the thread is not known"},
		{rows(p(0, 0, 0, 0, -1, 4, 0), p(1, 0, 0, 0, -1, 4, -1)), nil, "core 4: thread of CPU 0 is given, that of CPU 1 is not"},
		{two, [][]int{{10}}, "node distances have 1 rows, the machine has 2 nodes with CPUs"},
		{two, [][]int{{10, 20}, {20}}, "node distances are not square: row 1 has 1 entries, want 2"},
		{two, [][]int{{11, 20}, {20, 10}}, "distance of node 0 to itself is 11, want 10"},
		{two, [][]int{{10, 20}, {10, 10}}, "distance from node 1 to node 0 is 10, want 11 to 254"},
		{two, [][]int{{10, 255}, {20, 10}}, "distance from node 0 to node 1 is 255, want 11 to 254"},
	} {
		_, err := topology.FromCPUs("m", test.rows, test.distances)
		if want := `topology: machine "m": ` + test.want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// The caller's slices stay the caller's.
func TestFromCPUsCopies(t *testing.T) {
	rows := []topology.Place{{CPU: 1, Node: 1, LLC: 1, Cluster: -1, Core: 1}, {CPU: 0, Cluster: -1}}
	distances := [][]int{{10, 30}, {30, 10}}
	m := must(t)(topology.FromCPUs("m", rows, distances))
	if rows[0].CPU != 1 {
		t.Error("the rows were sorted in place")
	}
	distances[0][1] = 99
	if m.NodeDistance(0, 1) != 30 {
		t.Error("a later write to the distances changed the topology")
	}
}

// Clusters of one core each say nothing and are dropped, as the kernel does.
func TestPrivateCachesAreNoClusters(t *testing.T) {
	var rows []topology.Place
	for c := range 8 {
		rows = append(rows, topology.Place{CPU: topology.CPU(c), Cluster: c / 2, Core: c / 2, Thread: c % 2})
	}
	m := must(t)(topology.FromCPUs("private L2", rows, nil))
	if m.HasClusters() || m.NumClusters() != m.NumLLCs() {
		t.Errorf("HasClusters %v, %d clusters", m.HasClusters(), m.NumClusters())
	}
}

// randomMachine is any machine the package accepts: uneven, with CPU numbers in
// any order and with holes, and of any nesting of nodes, LLCs and sockets.
func randomMachine(r *rand.Rand) *topology.Topology {
	var rows []topology.Place
	nodeIsOuter, llcOverNodes, clustered := r.IntN(5) == 0, r.IntN(3) == 0, r.IntN(2) == 0
	node, llc, cluster, core := 0, 0, 0, 0
	for socket := range 1 + r.IntN(3) {
		for range 1 + r.IntN(2) {
			for range 1 + r.IntN(2) {
				for range 1 + r.IntN(2) {
					for range 1 + r.IntN(3) {
						for thread := range 1 + r.IntN(2) {
							rows = append(rows, topology.Place{Socket: socket, Node: node, LLC: llc, Cluster: cluster, Core: core, Thread: thread})
						}
						core++
					}
					cluster++
				}
				if !llcOverNodes {
					llc++
				}
			}
			if !nodeIsOuter {
				node++
			}
		}
		if llcOverNodes {
			llc++
		}
	}
	numbers := r.Perm(len(rows) + r.IntN(3))
	for i := range rows {
		rows[i].CPU = topology.CPU(numbers[i])
		if !clustered {
			rows[i].Cluster = -1
		}
	}
	nodes := max(1, node)
	if nodeIsOuter {
		nodes = 1
	}
	m, err := topology.FromCPUs("random", rows, randomDistances(r, nodes))
	if err != nil {
		panic(err)
	}
	return m
}

func randomDistances(r *rand.Rand, nodes int) [][]int {
	if r.IntN(3) == 0 {
		return nil
	}
	values := []int{12, 16, 21, 28, 32}
	d := make([][]int, nodes)
	for i := range d {
		d[i] = make([]int, nodes)
		d[i][i] = 10
		for j := range i {
			d[i][j] = values[r.IntN(len(values))]
			d[j][i] = d[i][j]
		}
	}
	return d
}

func eachRandomMachine(t *testing.T, n int, f func(t *testing.T, m *topology.Topology)) {
	r := rand.New(rand.NewPCG(7, 11))
	for range n {
		m := randomMachine(r)
		f(t, m)
		if t.Failed() {
			t.Fatalf("on this machine:\n%s", m.Tree())
		}
	}
}

// Every part is numbered without gaps, holds its CPUs, and lies in the parts
// around it.
func TestPartsNest(t *testing.T) {
	eachRandomMachine(t, 300, func(t *testing.T, m *topology.Topology) {
		var seen topology.CPUSet
		for i := range m.NumCores() {
			id := topology.CoreID(i)
			set := m.CoreCPUs(id)
			if set.Empty() || set.Overlaps(seen) {
				t.Errorf("core %d: %s is empty or overlaps another core", i, set)
			}
			seen = seen.Or(set)
			for _, c := range set.CPUs() {
				if m.Core(c) != id || !set.SubsetOf(m.LLCCPUs(m.LLC(c))) || !set.SubsetOf(m.NodeCPUs(m.Node(c))) || !set.SubsetOf(m.ClusterCPUs(m.Cluster(c))) {
					t.Errorf("core %d of CPU %d is not within its parts", i, c)
				}
				if !m.ClusterCPUs(m.Cluster(c)).SubsetOf(m.LLCCPUs(m.LLC(c))) || !m.LLCCPUs(m.LLC(c)).SubsetOf(m.SocketCPUs(m.Socket(c))) {
					t.Errorf("cluster and LLC of CPU %d do not nest", c)
				}
			}
			if i > 0 && set.First() < m.CoreCPUs(id-1).First() {
				t.Errorf("core %d starts below core %d", i, i-1)
			}
		}
		if !seen.Equal(m.All()) {
			t.Errorf("cores hold %s, the machine %s", seen, m.All())
		}
	})
}

func ExamplePreset() {
	m, err := topology.Preset("xeon240")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.All().Len(), "CPUs,", m.NumLLCs(), "LLCs; siblings of CPU 5:", m.CoreCPUs(m.Core(5)))
	fmt.Println("5 and 30:", m.Distance(5, 30))

	_, err = topology.Preset("xeon24")
	fmt.Println(err)
	// Output:
	// 240 CPUs, 4 LLCs; siblings of CPU 5: 5,125
	// 5 and 30: socket
	// topology: unknown machine "xeon24": nearest are xeon240, xeon240-llc120, spr224
}
