package topology_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
)

// depthFirst lists the CPUs core by core as one would read them off a drawing:
// by socket, node, LLC and core, threads in order.
func depthFirst(m *topology.Topology) string {
	var b strings.Builder
	for s := range m.NumSockets() {
		for n := range m.NumNodes() {
			for c := range m.NumCores() {
				core := m.CoreCPUs(topology.CoreID(c))
				if m.Socket(core.First()) != topology.SocketID(s) || m.Node(core.First()) != topology.NodeID(n) {
					continue
				}
				for thread := range core.Len() {
					for _, cpu := range core.CPUs() {
						if m.Thread(cpu) == thread {
							fmt.Fprint(&b, cpu, " ")
						}
					}
				}
			}
		}
	}
	return strings.TrimSpace(b.String())
}

func TestParseSynthetic(t *testing.T) {
	for _, test := range []struct {
		in    string
		shape string // sockets, nodes, LLCs, clusters (0 without), cores, CPUs
		out   string // as Synthetic writes it; "" for the same as in
	}{
		// The examples of the format.
		{"pack:2 numa:2 l3:1 group:8 core:4 pu:1", "2 4 4 32 128 128", ""},
		{"pack:2 l3:1 core:22 pu:2", "2 2 2 0 44 88", "pack:2 numa:1 l3:1 core:22 pu:2"},
		// Spelling.
		{"Package:2 NUMANode:1 L3Cache:1 Core:2 PU:1", "2 2 2 0 4 4", "pack:2 numa:1 l3:1 core:2 pu:1"},
		{"SOCKET:2 no:1 L3u:1 co:2 pu:1", "2 2 2 0 4 4", "pack:2 numa:1 l3:1 core:2 pu:1"},
		{"\n pa:2\tco:2  1 ", "2 2 2 0 4 4", "pack:2 numa:1 l3:1 core:2 pu:1"},
		{"(memory=4GB) pack:1 [numa(memory=256GiB)] l3u:1(size=20mib) core:2 pu:2", "1 1 1 0 2 4", "pack:1 numa:1 l3:1 core:2 pu:2"},
		// Bare numbers.
		{"4", "1 1 1 0 4 4", "pack:1 numa:1 l3:1 core:4 pu:1"},
		{"2 4", "1 2 2 0 8 8", "pack:1 numa:2 l3:1 core:4 pu:1"},
		{"2 3 4", "2 6 6 0 24 24", "pack:2 numa:3 l3:1 core:4 pu:1"},
		{"2 1 4 2", "2 2 2 0 8 16", "pack:2 numa:1 l3:1 core:4 pu:2"},
		{"2 1 3 4 2", "2 2 6 0 24 48", "pack:2 numa:1 l3:3 core:4 pu:2"},
		{"2 1 1 6 1 4 2", "2 2 2 12 48 96", "pack:2 numa:1 l3:1 group:6 core:4 pu:2"},
		{"3 2 1 1 1 1 1 2 2", "6 6 6 6 12 24", "pack:6 numa:1 l3:1 group:1 core:2 pu:2"},
		{"[numa] 4", "1 1 1 0 4 4", "pack:1 numa:1 l3:1 core:4 pu:1"},
		{"[numa] 2 4", "2 1 2 0 8 8", "numa:1 pack:2 l3:1 core:4 pu:1"},
		// Where the node is.
		{"numa:1 pack:2 core:2 pu:1", "2 1 2 0 4 4", "numa:1 pack:2 l3:1 core:2 pu:1"},
		{"[numa] pack:2 core:2 pu:1", "2 1 2 0 4 4", "numa:1 pack:2 l3:1 core:2 pu:1"},
		{"pack:2 l3:1 [numa] core:2 pu:1", "2 2 2 0 4 4", "pack:2 numa:1 l3:1 core:2 pu:1"},
		{"pack:2 l3:1 numa:2 core:2 pu:1", "2 4 2 0 8 8", ""},
		{"pack:2 l3:1 group:2 [numa] core:2 pu:1", "2 4 2 0 8 8", "pack:2 l3:1 numa:2 core:2 pu:1"},
		{"pack:2 numa:2 l3:3 core:2 pu:1", "2 4 12 0 24 24", ""},
		// What is a cluster and what is not.
		{"pack:1 l3:1 l2:3 core:2 pu:1", "1 1 1 3 6 6", "pack:1 numa:1 l3:1 group:3 core:2 pu:1"},
		{"pack:1 l3:1 l2:6 core:1 pu:1", "1 1 1 0 6 6", "pack:1 numa:1 l3:1 core:6 pu:1"},
		{"pack:1 l3:1 group:1 core:6 pu:1", "1 1 1 1 6 6", "pack:1 numa:1 l3:1 group:1 core:6 pu:1"},
		{"pack:1 l3:1 group:3 l2:1 core:2 pu:1", "1 1 1 3 6 6", "pack:1 numa:1 l3:1 group:3 core:2 pu:1"},
		{"pack:1 l3:1 l1i:2 core:2 l1d:1 pu:1", "1 1 1 0 4 4", "pack:1 numa:1 l3:1 core:4 pu:1"},
		{"pack:1 group0:2 die:2 l3:2 core:2 pu:1", "1 1 8 0 16 16", "pack:1 numa:1 l3:8 core:2 pu:1"},
		{"pack:1 l2:2 core:2 pu:1", "1 1 2 0 4 4", "pack:1 numa:1 l3:2 core:2 pu:1"},
	} {
		m, err := topology.ParseSynthetic("m", test.in)
		if err != nil {
			t.Error(err)
			continue
		}
		clusters := 0
		if m.HasClusters() {
			clusters = m.NumClusters()
		}
		if got := fmt.Sprint(m.NumSockets(), m.NumNodes(), m.NumLLCs(), clusters, m.NumCores(), m.NumCPUs()); got != test.shape {
			t.Errorf("%q: sockets, nodes, LLCs, clusters, cores, CPUs are %s, want %s", test.in, got, test.shape)
		}
		want := test.out
		if want == "" {
			want = test.in
		}
		if out, err := m.Synthetic(); err != nil || out != want {
			t.Errorf("%q is written as %q, %v, want %q", test.in, out, err, want)
		}
	}
}

// The numbers are those that hwloc 2.9 gives for the same strings.
func TestSyntheticIndexes(t *testing.T) {
	for _, test := range []struct{ in, want, out string }{
		{"pack:2 core:2 pu:2", "0 1 2 3 4 5 6 7", ""},
		{"pack:2 core:2 pu:2(indexes=core)", "0 4 1 5 2 6 3 7", "core"},
		{"pack:2 core:2 pu:2(indexes=pack:core)", "0 4 2 6 1 5 3 7", "pack:core"},
		{"pack:2 core:2 pu:2(indexes=0,4,2,6,1,5,3,7)", "0 4 2 6 1 5 3 7", "pack:core"},
		{"pack:2 core:2 pu:2(indexes=4*2:2*2:1*2)", "0 4 2 6 1 5 3 7", "pack:core"},
		{"pack:2 core:2 pu:2(indexes=4*2:2*2)", "0 4 2 6 1 5 3 7", "pack:core"},
		{"pack:2 core:2 pu:2(indexes=2*4)", "0 4 1 5 2 6 3 7", "core"},
		{"pack:2 core:2 pu:2(indexes=1*2:2*4)", "0 1 2 3 4 5 6 7", ""},
		{"pack:2 core:2 pu:2(indexes=4*2:1*2:2*2)", "0 2 4 6 1 3 5 7", "4*2:1*2:2*2"},
		{"pack:2 core:2 pu:2(indexes=7,6,5,4,3,2,1,0)", "7 6 5 4 3 2 1 0", "5,4,7,6,1,0,3,2"},
		{"pack:2 core:2 pu:2(indexes=10,11,12,13,20,21,22,23)", "10 11 12 13 20 21 22 23", "10,11,12,13,20,21,22,23"},
		{"pack:2 numa:2 core:3 pu:2(indexes=numa:core)", "0 12 4 16 8 20 1 13 5 17 9 21 2 14 6 18 10 22 3 15 7 19 11 23", "numa:core"},
		// Beyond hwloc: the PUs may be named too.
		{"pack:2 core:2 pu:2(indexes=core:pu)", "0 4 1 5 2 6 3 7", "core"},
	} {
		m, err := topology.ParseSynthetic("m", test.in)
		if err != nil {
			t.Error(err)
			continue
		}
		// Cores are written in the order of their lowest CPU, which need not be
		// the order in which they were read.
		out, err := m.Synthetic()
		if err != nil {
			t.Error(err)
			continue
		}
		_, indexes, _ := strings.Cut(strings.TrimSuffix(out, ")"), "pu:2(indexes=")
		if indexes != test.out {
			t.Errorf("%q is written with indexes %q, want %q", test.in, indexes, test.out)
		}
		shape, _, _ := strings.Cut(test.in, "(")
		explicit := must(t)(topology.ParseSynthetic("m", shape+"(indexes="+strings.ReplaceAll(test.want, " ", ",")+")"))
		if !m.Equal(explicit) {
			t.Errorf("%q numbers %s, want %s", test.in, depthFirst(m), test.want)
		}
	}
	m := must(t)(topology.Parse("pack:2(indexes=1,0) numa:2(indexes=3,1,2,0) core:1 pu:1"))
	if m.Node(0) != 3 || m.Node(1) != 1 || m.Node(2) != 2 || m.Socket(0) != 1 || m.Socket(2) != 0 {
		t.Errorf("sockets and nodes do not follow their indexes:\n%s", m.Tree())
	}
	m = must(t)(topology.Parse("pack:2(indexes=1,0) core:1 pu:1"))
	if m.Socket(0) != 1 || m.Node(0) != 0 {
		t.Errorf("a package's number is not its node's:\n%s", m.Tree())
	}
	m = must(t)(topology.Parse("pack:2 [numa(indexes=1,0 distances=10,31/30,10)] core:1 pu:1"))
	if m.Node(0) != 1 || m.NodeDistance(0, 1) != 31 || m.NodeDistance(1, 0) != 30 {
		t.Errorf("the attached nodes do not follow their attributes:\n%s", m.Tree())
	}
}

func TestParseSyntheticRefuses(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", `column 1: no levels`},
		{"[numa]", `column 7: no levels`},
		{"pack:2 foo:3", `column 8: unknown level "foo"; known are package, die, numa, group, l1 to l5, core, pu`},
		{"l6:2 pu:1", `column 1: unknown level "l6"; known are package, die, numa, group, l1 to l5, core, pu`},
		{"p:2 pu:1", `column 1: unknown level "p"; known are package, die, numa, group, l1 to l5, core, pu`},
		{"machine:1 pu:1", `column 1: unknown level "machine"; known are package, die, numa, group, l1 to l5, core, pu`},
		{"pack 2", `column 5: "pack" needs a count, as in "pack:2"`},
		{"pack:2 core: pu:1", `column 13: "" is not a count`},
		{"pack:2 core:x pu:1", `column 13: "x" is not a count`},
		{"pack:-2 pu:1", `column 6: "-2" is not a count`},
		{"pack:2 core:0 pu:1", `column 13: a count of 0`},
		{"pack:2 core:2x pu:1", `column 13: "2x" is not a count`},
		{"pack:64 core:64 pu:4", `column 20: more than 8192 objects at this level, the most supported`},
		{"pu:99999999999999999999", `column 4: more than 8192 objects at this level, the most supported`},
		{"pack:2 core:2", `column 8: the last level is core, but must be pu`},
		{"pack:2 3 pu:1", `column 1: some levels have a type and some are bare numbers; give all or none a type`},
		{"pack:2 pack:2 pu:1", `column 8: a second pack level`},
		{"pu:2 core:1 pu:1", `column 13: a second pu level`},
		{"l3:2 l3u:2 pu:1", `column 6: a second l3 level`},
		{"numa:2 pack:1 [numa] pu:1", `column 1: numa both as a level and attached`},
		{"pack:1 [numa] [numa] pu:1", `column 15: a second attached numa; nodes of memory without CPUs have no place here, leave it out`},
		{"pack:1 [core] pu:1", `column 9: "core" cannot be attached, only numa can`},
		{"pack:1 [numa pu:1", `column 13: no ] after the attached numa`},
		{"pack:2(memory=4GB", `column 7: no ) after this (`},
		{"pack:2(colour=red) pu:1", `column 8: attribute "colour=red" not understood here`},
		{"pack:2(size=4GB) pu:1", `column 8: attribute "size=4GB" not understood here`},
		{"l3:2(size=4 GB) pu:1", `column 13: attribute "GB" not understood here`},
		{"numa:2048 pu:1", `topology: machine "m": 2048 nodes, the most supported is 1024`},
		{"pack:1 [numa(colour=red)] pu:1", `column 14: attribute "colour=red" not understood here`},
		{"pack:1 [numa(indexes=x)] pu:1", `column 22: index loop over "x": no such level here`},
		{"l3:2(size=1zb) pu:1", `column 6: attribute "size=1zb" not understood here`},
		{"l4i:2 pu:1", `column 1: unknown level "l4i"; known are package, die, numa, group, l1 to l5, core, pu`},
		{"die:2 die:2 pu:1", `column 7: a second die level`},
		{"l1i:2 l1i:2 pu:1", `column 7: a second l1i level`},
		{"numa:1 numa:2 pu:1", `column 8: a second numa level`},
		{"l3:2(size=big) pu:1", `column 6: attribute "size=big" not understood here`},
		{"pack:2(distances=10,20/20,10) pu:1", `column 8: attribute "distances=10,20/20,10" not understood here`},
		{"(indexes=0) pu:1", `column 2: attribute "indexes=0" not understood here`},
		{"pu:2(indexes=)", `column 6: attribute "indexes=" not understood here`},
		{"pu:2(indexes=0,1 indexes=1,0)", `column 18: attribute "indexes=1,0" not understood here`},
		{"pu:2(indexes=0,1,2)", `column 14: 3 indexes for 2 objects`},
		{"pu:2(indexes=0,)", `column 16: index "" is not a number from 0 to 8191`},
		{"pu:2(indexes=0,8192)", `column 16: index "8192" is not a number from 0 to 8191`},
		{"pu:2(indexes=3,3)", `column 14: indexes give the number 3 twice`},
		{"core:2 pu:2(indexes=core:core)", `column 26: a second index loop over "core"`},
		{"core:2 pu:2(indexes=pack)", `column 21: index loop over "pack": no such level here`},
		{"pack:2(indexes=core) core:2 pu:2", `column 16: index loop over "core": no such level here`},
		{"core:2 pu:2(indexes=2*)", `column 21: index loop "2*" is not step*count`},
		{"core:2 pu:2(indexes=0*2)", `column 21: index loop "0*2" is not step*count`},
		{"core:2 pu:2(indexes=2*2:2*2:2*2)", `column 21: index loops count beyond the 4 objects`},
		{"core:2 pu:2(indexes=2*3)", `column 21: index loops count 3 of 4 objects`},
		{"pu:4(indexes=1*2)", `column 14: index loops count 2 of 4 objects`},
		{"core:2 pu:2(indexes=2*2:2*2)", `column 21: indexes give the number 0 twice`},
		{"numa:2(distances=10,20) pu:1", `column 18: 1 rows of distances for 2 nodes`},
		{"numa:2(distances=10,20/20,x) pu:1", `column 27: "x" is not a distance`},
		{"numa:2(distances=10,20/20,11) pu:1", `topology: machine "m": distance of node 1 to itself is 11, want 10`},
		{"l3:1 group:2 l2:2 core:2 pu:1", `column 14: l2 is a second cluster level, after group at column 6; leave one out`},
		{"core:2 l3:2 pu:1", `topology: machine "m": core 0 is in two LLCs: CPU 0 in LLC 0, CPU 1 in LLC 1`},
		{"l3:1 pack:2 core:2 pu:1", `topology: machine "m": LLC 0 is in two sockets: CPU 0 in socket 0, CPU 2 in socket 1`},
	} {
		_, err := topology.ParseSynthetic("m", test.in)
		if want := fmt.Sprintf("topology: synthetic string %q: %s", test.in, test.want); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestSyntheticRoundTrip(t *testing.T) {
	written := 0
	check := func(t *testing.T, m *topology.Topology) {
		s, err := m.Synthetic()
		if err != nil {
			return
		}
		written++
		back, err := topology.ParseSynthetic(m.Name(), s)
		if err != nil || !back.Equal(m) {
			t.Errorf("%s is written as %q, which reads back as something else: %v", m.Name(), s, err)
		}
	}
	for _, name := range topology.Presets() {
		check(t, must(t)(topology.Preset(name)))
	}
	for _, b := range []*topology.Builder{small(), small().Numbering(topology.SiblingsAdjacent), small().Numbering(topology.NodesInterleaved),
		small().LLCs(2), small().Clusters(2), small().ClusterLevel(), topology.New("one")} {
		check(t, must(t)(b.Build()))
	}
	if written != len(topology.Presets())+7 {
		t.Errorf("only %d regular machines have a string", written)
	}
	eachRandomMachine(t, 3000, check)
	if written < 100 {
		t.Errorf("only %d machines have a string", written)
	}
}

func TestSyntheticRefusesUnevenMachines(t *testing.T) {
	uneven := must(t)(topology.FromCPUs("uneven", []topology.Place{
		{CPU: 0, Cluster: -1, Core: 0}, {CPU: 1, Cluster: -1, Core: 1}, {CPU: 2, LLC: 1, Cluster: -1, Core: 2},
	}, nil))
	mixed := must(t)(topology.FromCPUs("mixed", []topology.Place{
		{CPU: 0, Cluster: -1, Core: 0}, {CPU: 1, Cluster: -1, Core: 1, Node: 1},
		{CPU: 2, Socket: 1, LLC: 1, Cluster: -1, Core: 2, Node: 2}, {CPU: 3, Socket: 2, LLC: 2, Cluster: -1, Core: 3, Node: 2},
	}, nil))
	for _, test := range []struct {
		m    *topology.Topology
		want string
	}{
		{uneven, `topology: machine "uneven" has no synthetic string: LLC 0 has 2 of core, LLC 1 has 1`},
		{mixed, `topology: machine "mixed" has no synthetic string: the machine holds a socket, the machine a node`},
	} {
		if s, err := test.m.Synthetic(); err == nil || err.Error() != test.want {
			t.Errorf("got %q, %v, want error %s", s, err, test.want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		spec string
		cpus int
		err  string
	}{
		{"ivb48", 48, ""},
		{" ivb48\n", 48, ""},
		{"pack:2 core:3 pu:2", 12, ""},
		{"pu:3", 3, ""},
		{"5", 5, ""},
		{"[numa]2 3", 6, ""},
		{"ivb84", 0, `topology: unknown machine "ivb84": nearest are ivb48, bdw88, hsw48`},
		{"", 0, `topology: unknown machine "": nearest are ivb48, bdw88, hsw48`},
		{"xeon 240", 0, `topology: synthetic string "xeon 240": column 1: unknown level "xeon"; known are package, die, numa, group, l1 to l5, core, pu`},
	} {
		m, err := topology.Parse(test.spec)
		switch {
		case test.err != "" && (err == nil || err.Error() != test.err):
			t.Errorf("Parse(%q): got %v, want %s", test.spec, err, test.err)
		case test.err == "" && (err != nil || m.NumCPUs() != test.cpus || m.Name() != strings.TrimSpace(test.spec)):
			t.Errorf("Parse(%q) = %v, %v", test.spec, m, err)
		}
	}
}

func FuzzParseSynthetic(f *testing.F) {
	for _, seed := range []string{"pack:2 numa:2 l3:1 group:8 core:4 pu:1", "2 4 8", "pack:2 [numa(memory=1GiB)] core:2 pu:2(indexes=core:pu)",
		"(memory=1) l3u:2(size=1kB) pu:4(indexes=2*2:1*2)", "numa:2(distances=10,21/21,10) 3", "pu:2(indexes=5,7)", "pack:9999 pu:9999", "[", "(", "l", ":", "group0:2 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		m, err := topology.ParseSynthetic("m", in)
		if err != nil {
			return
		}
		s, err := m.Synthetic()
		if err != nil {
			t.Fatalf("%q is regular, but: %v", in, err)
		}
		back, err := topology.ParseSynthetic("m", s)
		if err != nil || !back.Equal(m) {
			t.Fatalf("%q is written as %q, which reads back as something else: %v", in, s, err)
		}
	})
}

func ExampleParseSynthetic() {
	// By default siblings are adjacent; indexes=core numbers them as Intel
	// servers do.
	for _, s := range []string{"pack:2 l3:1 core:2 pu:2", "pack:2 l3:1 core:2 pu:2(indexes=core)"} {
		m, err := topology.ParseSynthetic("mine", s)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("siblings", m.CoreCPUs(0), "LLC", m.LLCCPUs(0))
	}
	_, err := topology.ParseSynthetic("mine", "pack:2 cores:4 pu:1")
	fmt.Println(err)
	// Output:
	// siblings 0-1 LLC 0-3
	// siblings 0,4 LLC 0-1,4-5
	// topology: synthetic string "pack:2 cores:4 pu:1": column 8: unknown level "cores"; known are package, die, numa, group, l1 to l5, core, pu
}

func ExampleTopology_Synthetic() {
	m, err := topology.Preset("kunpeng128")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := m.Synthetic()
	fmt.Println(s, err)
	// Output:
	// pack:2 numa:2(distances=10,12,20,22/12,10,22,24/20,22,10,12/22,24,12,10) l3:1 group:8 core:4 pu:1 <nil>
}
