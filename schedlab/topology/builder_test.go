package topology_test

import (
	"fmt"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
)

// small is 2 sockets of 2 nodes of 2 cores of 2 threads.
func small() *topology.Builder {
	return topology.New("small").Sockets(2).Nodes(2).Cores(2).Threads(2)
}

func TestNumberings(t *testing.T) {
	for _, test := range []struct {
		b                            *topology.Builder
		core0, node0, node1, socket1 string
	}{
		{small(), "0,8", "0-1,8-9", "2-3,10-11", "4-7,12-15"},
		{small().Numbering(topology.SiblingsLast), "0,8", "0-1,8-9", "2-3,10-11", "4-7,12-15"},
		{small().Numbering(topology.SiblingsAdjacent), "0-1", "0-3", "4-7", "8-15"},
		{small().Numbering(topology.NodesInterleaved), "0,8", "0,4,8,12", "1,5,9,13", "2-3,6-7,10-11,14-15"},
		{small().CPUs([]topology.CPU{20, 0, 21, 1, 22, 2, 23, 3, 24, 4, 25, 5, 26, 6, 27, 7}), "0,20", "0-1,20-21", "2-3,22-23", "4-7,24-27"},
	} {
		m := must(t)(test.b.Build())
		got := fmt.Sprint(m.CoreCPUs(0), " ", m.NodeCPUs(0), " ", m.NodeCPUs(1), " ", m.SocketCPUs(1))
		if want := fmt.Sprint(test.core0, " ", test.node0, " ", test.node1, " ", test.socket1); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := fmt.Sprint(topology.SiblingsLast, ", ", topology.SiblingsAdjacent, ", ", topology.NodesInterleaved, ", ", topology.Numbering(9)); got !=
		"siblings last, siblings adjacent, nodes interleaved, unknown numbering" {
		t.Errorf("the numberings are called %s", got)
	}
	m := must(t)(topology.New("reversed").Threads(2).CPUs([]topology.CPU{1, 0}).Build())
	if m.Thread(1) != 0 || m.Thread(0) != 1 {
		t.Error("an explicit numbering must keep which thread is first")
	}
}

func TestBuilderRefuses(t *testing.T) {
	for _, test := range []struct {
		b    *topology.Builder
		want string
	}{
		{small().Sockets(0), "0 sockets, want 1 or more"},
		{small().Nodes(-1), "-1 nodes per socket, want 1 or more"},
		{small().LLCs(0), "0 LLCs per node, want 1 or more"},
		{small().Clusters(0), "0 clusters per LLC, want 1 or more"},
		{small().Cores(0), "0 cores per cluster, want 1 or more"},
		{small().Threads(0), "0 threads per core, want 1 or more"},
		{small().Cores(2049), "more than 8192 CPUs"},
		{small().Cores(1 << 62).Threads(4), "more than 8192 CPUs"},
		{small().CPUs([]topology.CPU{1, 2}), "2 CPU numbers for 16 threads"},
		{topology.New("small").Cores(2).CPUs([]topology.CPU{3, 3}), "CPU 3 is listed twice"},
		{small().Numbering(77), "unknown numbering 77"},
		{topology.New("small").Sockets(64).Nodes(32), "2048 nodes, the most supported is 1024"},
		{small().NodeDistances([][]int{{10}}), "node distances have 1 rows, the machine has 4 nodes with CPUs"},
	} {
		_, err := test.b.Build()
		if want := `topology: machine "small": ` + test.want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestClusterLevel(t *testing.T) {
	for _, test := range []struct {
		b        *topology.Builder
		has      bool
		clusters int
		distance topology.Distance // between CPUs 0 and 1
	}{
		{topology.New("").LLCs(2).Cores(4), false, 2, topology.LLC},
		{topology.New("").LLCs(2).Cores(4).ClusterLevel(), true, 2, topology.Cluster},
		{topology.New("").LLCs(2).Clusters(2).Cores(4), true, 4, topology.Cluster},
		{topology.New("").LLCs(2).Clusters(2).Cores(1), false, 2, topology.LLC}, // one core each
	} {
		m := must(t)(test.b.Build())
		if m.HasClusters() != test.has || m.NumClusters() != test.clusters || m.Distance(0, 1) != test.distance {
			t.Errorf("HasClusters %v, %d clusters, distance %v; want %v, %d, %v",
				m.HasClusters(), m.NumClusters(), m.Distance(0, 1), test.has, test.clusters, test.distance)
		}
	}
}

func TestDefaultDistances(t *testing.T) {
	m := must(t)(small().Build())
	if m.NodeDistance(0, 0) != 10 || m.NodeDistance(0, 1) != 12 || m.NodeDistance(1, 2) != 20 {
		t.Errorf("got %d, %d, %d, want 10, 12, 20", m.NodeDistance(0, 0), m.NodeDistance(0, 1), m.NodeDistance(1, 2))
	}
}

// The largest machine is still quick to build, domains included.
func TestLargestMachine(t *testing.T) {
	m := must(t)(topology.New("largest").Sockets(4).Nodes(4).LLCs(8).Cores(32).Threads(2).Build())
	rules, err := topology.DomainRulesFor("6.10")
	if err != nil {
		t.Fatal(err)
	}
	d := m.Domains(rules)
	if m.NumCPUs() != topology.MaxCPUs || d.LLCSize(8191) != 64 || len(d.Of(8191)) != 5 {
		t.Errorf("%d CPUs, LLC of %d, %d domains", m.NumCPUs(), d.LLCSize(8191), len(d.Of(8191)))
	}
}

func ExampleNew() {
	m, err := topology.New("two-socket").Sockets(2).Cores(4).Threads(2).
		NodeDistances([][]int{{10, 21}, {21, 10}}).Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(m.Tree())
	// Output:
	// two-socket: 16 CPUs (0-15), 8 cores, 2 LLCs, 2 nodes, 2 sockets
	// └─ socket x 2         8 CPUs each: 0-3,8-11 | 4-7,12-15
	//    └─ node 0          8 CPUs: 0-3,8-11
	//       └─ LLC 0        8 CPUs: 0-3,8-11
	//          └─ core x 4  2 CPUs each: 0,8 | 1,9 | 2,10 | 3,11
	// node distances
	//        0   1
	//    0  10  21
	//    1  21  10
}
