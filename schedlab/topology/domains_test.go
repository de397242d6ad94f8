package topology_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
)

func rulesFor(t testing.TB, version string) topology.DomainRules {
	t.Helper()
	r, err := topology.DomainRulesFor(version)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDomainRulesForUnknownVersion(t *testing.T) {
	_, err := topology.DomainRulesFor("6.1")
	if want := `topology: unknown kernel version "6.1": nearest are 6.10, 6.2, 4.15`; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// levels names the levels of a CPU with their spans.
func levels(d *topology.Domains, c topology.CPU) string {
	var out []string
	for _, dom := range d.Of(c) {
		out = append(out, fmt.Sprintf("%v %s", dom.Level, dom.Span))
	}
	return strings.Join(out, "; ")
}

func TestDomainLevels(t *testing.T) {
	for _, test := range []struct {
		machine, version string
		cpu              topology.CPU
		want             string
	}{
		{"ivb48", "4.15", 30, "SMT 6,30; MC 0-11,24-35; NUMA 0-47"},
		{"xeon240", "6.10", 5, "SMT 5,125; MC 0-29,120-149; NUMA 0-59,120-179; NUMA 0-239"},
		{"xeon240-llc120", "6.10", 5, "SMT 5,125; MC 0-59,120-179; NUMA 0-239"},
		// No SMT: the cluster level appears with 5.16.
		{"kunpeng128", "5.3", 40, "MC 32-63; NUMA 0-63; NUMA 0-95; NUMA 0-127"},
		{"kunpeng128", "5.16", 40, "CLS 40-43; MC 32-63; NUMA 0-63; NUMA 0-95; NUMA 0-127"},
		{"kunpeng128", "6.10", 0, "CLS 0-3; MC 0-31; NUMA 0-63; NUMA 0-95; NUMA 0-127"},
		// Several LLCs in a node: the level above them, by its three names.
		{"pack:1 l3:2 core:4 pu:1", "6.2", 0, "MC 0-3; DIE 0-7"},
		{"pack:1 l3:2 core:4 pu:1", "6.10", 0, "MC 0-3; PKG 0-7"},
		{"pack:1 numa:2 l3:2 core:2 pu:1", "6.10", 5, "MC 4-5; NODE 4-7; NUMA 0-7"},
		{"pack:2 numa:1 l3:2 core:2 pu:1", "6.10", 5, "MC 4-5; PKG 4-7; NUMA 0-7"},
		// One cache over two nodes is cut to the node.
		{"pack:2 l3:1 numa:2 core:2 pu:2", "6.10", 0, "SMT 0-1; MC 0-3; NUMA 0-7; NUMA 0-15"},
		// Two sockets in one node.
		{"[numa] pack:2 core:2 pu:2", "6.10", 4, "SMT 4-5; MC 4-7; PKG 0-7"},
		// An LLC that is one cluster: the two levels are one.
		{"pack:2 l3:1 group:1 core:4 pu:1", "6.10", 0, "CLS 0-3; NUMA 0-7"},
		// Nothing to balance between.
		{"pu:1", "6.10", 0, ""},
		{"core:1 pu:2", "6.10", 1, "SMT 0-1"},
		{"pack:2 core:1 pu:1", "6.10", 1, "NUMA 0-1"},
		{"pack:1 core:3 pu:1", "4.15", 1, "MC 0-2"},
	} {
		m := must(t)(topology.Parse(test.machine))
		if got := levels(m.Domains(rulesFor(t, test.version)), test.cpu); got != test.want {
			t.Errorf("%s under %s, CPU %d:\n got %s\nwant %s", test.machine, test.version, test.cpu, got, test.want)
		}
	}
	// Without the x86 rule the package level is there under its own name.
	r := rulesFor(t, "6.10")
	r.SkipPackage = false
	m := must(t)(topology.Parse("pack:1 numa:2 l3:2 core:2 pu:1"))
	if got, want := levels(m.Domains(r), 5), "MC 4-5; PKG 4-7; NUMA 0-7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// row is what a domain's parameters look like in the tables below.
func row(d topology.Domain) string {
	return fmt.Sprint(d.Level, " pct ", d.ImbalancePct, " hot ", d.CacheNiceTries, " ms ", d.MinInterval, "-", d.MaxInterval,
		" busy ", d.BusyFactor, " idx ", d.BusyIdx, "/", d.IdleIdx, " imb ", d.ImbNUMA)
}

func TestDomainParameters(t *testing.T) {
	const withPackage = "pack:2 l3:2 core:4 pu:2"
	for _, test := range []struct {
		machine, version string
		want             []string
	}{
		{withPackage, "4.15", []string{
			"SMT pct 110 hot 0 ms 2-4 busy 32 idx 0/0 imb 0",
			"MC pct 117 hot 1 ms 8-16 busy 32 idx 2/0 imb 0",
			"DIE pct 125 hot 1 ms 16-32 busy 32 idx 2/1 imb 0",
			"NUMA pct 125 hot 2 ms 32-64 busy 32 idx 3/2 imb 0"}},
		{withPackage, "5.3", []string{
			"SMT pct 110 hot 0 ms 2-4 busy 32 idx 0/0 imb 0",
			"MC pct 117 hot 1 ms 8-16 busy 32 idx 0/0 imb 0",
			"DIE pct 125 hot 1 ms 16-32 busy 32 idx 0/0 imb 0",
			"NUMA pct 125 hot 2 ms 32-64 busy 32 idx 0/0 imb 0"}},
		{withPackage, "5.16", []string{
			"SMT pct 110 hot 0 ms 2-4 busy 16 idx 0/0 imb 0",
			"MC pct 117 hot 1 ms 8-16 busy 16 idx 0/0 imb 0",
			"DIE pct 117 hot 1 ms 16-32 busy 16 idx 0/0 imb 0",
			"NUMA pct 117 hot 2 ms 32-64 busy 16 idx 0/0 imb 0"}},
		// Two LLCs in the package: two tasks may stay; the same on the first NUMA
		// level, which is the unit.
		{withPackage, "6.2", []string{
			"SMT pct 110 hot 0 ms 2-4 busy 16 idx 0/0 imb 0",
			"MC pct 117 hot 1 ms 8-16 busy 16 idx 0/0 imb 0",
			"DIE pct 117 hot 1 ms 16-32 busy 16 idx 0/0 imb 2",
			"NUMA pct 117 hot 2 ms 32-64 busy 16 idx 0/0 imb 2"}},
		// A node that is one LLC of 60 CPUs: 60/8 = 7 tasks, twice that on the
		// level of twice the size of the first NUMA level.
		{"xeon240", "6.10", []string{
			"SMT pct 110 hot 0 ms 2-4 busy 16 idx 0/0 imb 0",
			"MC pct 117 hot 1 ms 60-120 busy 16 idx 0/0 imb 0",
			"NUMA pct 117 hot 2 ms 120-240 busy 16 idx 0/0 imb 7",
			"NUMA pct 117 hot 2 ms 240-480 busy 16 idx 0/0 imb 14"}},
	} {
		m := must(t)(topology.Parse(test.machine))
		var got []string
		for _, d := range m.Domains(rulesFor(t, test.version)).Of(0) {
			got = append(got, row(d))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s under %s:\n got %s\nwant %s", test.machine, test.version, strings.Join(got, "\n     "), strings.Join(test.want, "\n     "))
		}
	}
}

func TestDomainFlags(t *testing.T) {
	const all = "BALANCE_NEWIDLE|BALANCE_EXEC|BALANCE_FORK|WAKE_AFFINE|"
	for _, test := range []struct {
		machine, version string
		level            int
		want             string
	}{
		{"ivb48", "6.10", 0, all + "SHARE_CPUCAPACITY|SHARE_LLC|PREFER_SIBLING"},
		{"ivb48", "6.10", 1, all + "SHARE_LLC|PREFER_SIBLING"},
		{"ivb48", "6.10", 2, all + "NUMA|SERIALIZE|OVERLAP"},
		{"kunpeng128", "5.16", 0, all + "SHARE_LLC|PREFER_SIBLING"},
		{"kunpeng128", "6.10", 0, all + "SHARE_LLC|CLUSTER|PREFER_SIBLING"},
		{"pack:1 l3:2 core:4 pu:1", "6.10", 1, all + "PREFER_SIBLING"},
		// Beyond the reclaim distance of 30 wakeups, fork and exec stay put.
		{"numa:2(distances=10,30/30,10) core:2 1", "6.10", 1, all + "NUMA|SERIALIZE|OVERLAP"},
		{"numa:2(distances=10,31/31,10) core:2 1", "6.10", 1, "BALANCE_NEWIDLE|NUMA|SERIALIZE|OVERLAP"},
	} {
		m := must(t)(topology.Parse(test.machine))
		if got := m.Domains(rulesFor(t, test.version)).Of(0)[test.level].Flags.String(); got != test.want {
			t.Errorf("%s under %s, level %d:\n got %s\nwant %s", test.machine, test.version, test.level, got, test.want)
		}
	}
	r := rulesFor(t, "6.10")
	r.ReclaimDistance = 32 // AMD
	m := must(t)(topology.Parse("numa:2(distances=10,31/31,10) core:2 1"))
	if !m.Domains(r).Of(0)[1].Flags.Has(topology.FlagWakeAffine | topology.FlagBalanceFork) {
		t.Error("a distance of 31 is within a reclaim distance of 32")
	}
}

// A machine of four nodes in a row of three hops, two CPUs per node: the case
// for which the kernel was fixed in 2021. Spans, groups and masks are those the
// kernel printed before and after.
func TestDomainsOfThreeHops(t *testing.T) {
	m := must(t)(topology.Parse("numa:4(distances=10,12,20,22/12,10,22,24/20,22,10,12/22,24,12,10) core:2 1"))
	before, after := rulesFor(t, "5.3"), rulesFor(t, "5.16")
	for _, test := range []struct {
		rules       topology.DomainRules
		level       int
		span, lists string
	}{
		{before, 1, "0-3", "[0-1 2-3] [0-1 2-3]"},
		{before, 2, "0-5", "[0-3 4-7] [0-3 4-7]"},
		{before, 3, "0-7", "[0-5 4-7] [0-1 6-7]"},
		{after, 1, "0-3", "[0-1 2-3] [0-1 2-3]"},
		{after, 2, "0-5", "[0-3 4-5] [0-3 4-5]"},
		{after, 3, "0-7", "[0-5 4-7] [0-1 6-7]"},
	} {
		d := m.Domains(test.rules).Of(0)[test.level]
		if got := fmt.Sprint(d.Groups, " ", d.Masks); d.Span.String() != test.span || got != test.lists {
			t.Errorf("%s level %d: span %s groups and masks %s, want %s %s", test.rules.Version, test.level, d.Span, got, test.span, test.lists)
		}
	}
}

// Where distances differ by direction, a node that is done lower down has no
// domain at the upper level and forms no group there.
func TestDomainsOfOneWayDistances(t *testing.T) {
	m := must(t)(topology.Parse("numa:2(distances=10,20/30,10) core:2 1"))
	d := m.Domains(rulesFor(t, "6.10"))
	if got, want := levels(d, 0), "MC 0-1; NUMA 0-3"; got != want {
		t.Errorf("CPU 0: got %s, want %s", got, want)
	}
	if got, want := levels(d, 2), "MC 2-3; NUMA 0-3"; got != want {
		t.Errorf("CPU 2: got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(d.Of(2)[1].Groups), "[2-3]"; got != want {
		t.Errorf("CPU 2: groups %s, want %s", got, want)
	}
}

func TestGroupOrder(t *testing.T) {
	for _, test := range []struct {
		machine string
		cpu     topology.CPU
		level   int
		want    string
	}{
		{"pack:1 core:4 pu:2(indexes=core)", 0, 1, "[0,4 1,5 2,6 3,7]"},
		{"pack:1 core:4 pu:2(indexes=core)", 2, 1, "[2,6 3,7 0,4 1,5]"},
		{"pack:1 core:4 pu:2(indexes=core)", 7, 1, "[3,7 0,4 1,5 2,6]"},
		{"pack:1 core:4 pu:2(indexes=core)", 7, 0, "[7 3]"},
		{"pack:2 core:4 pu:2(indexes=core)", 9, 2, "[0-3,8-11 4-7,12-15]"},
		{"pack:2 core:4 pu:2(indexes=core)", 4, 2, "[4-7,12-15 0-3,8-11]"},
		// Cores numbered criss-cross: one ring for all, as its last CPU saw it.
		{"pack:1 core:3 pu:2(indexes=0,3,1,5,2,4)", 5, 1, "[1,5 0,3 2,4]"},
		{"pack:1 core:3 pu:2(indexes=0,3,1,5,2,4)", 0, 1, "[0,3 2,4 1,5]"},
	} {
		m := must(t)(topology.Parse(test.machine))
		d := m.Domains(rulesFor(t, "6.10")).Of(test.cpu)[test.level]
		if got := fmt.Sprint(d.Groups); got != test.want {
			t.Errorf("%s, CPU %d, %v: groups %s, want %s", test.machine, test.cpu, d.Level, got, test.want)
		}
	}
}

func TestDomainShortcuts(t *testing.T) {
	for _, test := range []struct {
		machine, version string
		cpu              topology.CPU
		llc              string
		share            topology.CPU
		active           bool
	}{
		{"xeon240", "6.10", 150, "30-59,150-179", 30, false},
		{"kunpeng128", "6.10", 41, "32-63", 40, true},
		{"kunpeng128", "6.2", 41, "32-63", 32, false},
		{"pack:1 l3:1 group:1 core:4 pu:1", "6.10", 3, "0-3", 0, true},
		{"pack:2 l3:1 numa:2 core:2 pu:1", "6.10", 3, "2-3", 2, false},
		{"pack:2 core:1 pu:1", "6.10", 1, "1", 1, false}, // no domain shares a cache
	} {
		m := must(t)(topology.Parse(test.machine))
		d := m.Domains(rulesFor(t, test.version))
		llc := d.LLC(test.cpu)
		if llc.String() != test.llc || d.LLCSize(test.cpu) != llc.Len() || d.LLCID(test.cpu) != llc.First() ||
			d.ShareID(test.cpu) != test.share || d.ClusterActive() != test.active {
			t.Errorf("%s under %s, CPU %d: LLC %s of %d, id %d, share %d, clusters %v", test.machine, test.version, test.cpu,
				llc, d.LLCSize(test.cpu), d.LLCID(test.cpu), d.ShareID(test.cpu), d.ClusterActive())
		}
		for _, other := range m.All().CPUs() {
			if d.SharesCache(test.cpu, other) != llc.Has(other) {
				t.Errorf("%s: SharesCache(%d, %d) is %v", test.machine, test.cpu, other, d.SharesCache(test.cpu, other))
			}
			if d.SharesResources(test.cpu, other) != (d.ShareID(other) == test.share) {
				t.Errorf("%s: SharesResources(%d, %d)", test.machine, test.cpu, other)
			}
		}
	}
}

// checkDomains checks what must hold for every CPU of every machine.
func checkDomains(t *testing.T, m *topology.Topology, r topology.DomainRules) {
	d := m.Domains(r)
	for _, c := range m.All().CPUs() {
		below := topology.NewCPUSet(c)
		for _, dom := range d.Of(c) {
			if !below.SubsetOf(dom.Span) || below.Equal(dom.Span) {
				t.Errorf("%s: CPU %d %v: span %s after %s", r.Version, c, dom.Level, dom.Span, below)
			}
			below = dom.Span
			checkGroups(t, c, dom, r)
			if r.ClusterLevel == false && dom.Level == topology.LevelCLS || dom.Flags.Has(topology.FlagNUMA) != (dom.Level == topology.LevelNUMA) {
				t.Errorf("%s: CPU %d has level %v with flags %v", r.Version, c, dom.Level, dom.Flags)
			}
			if (dom.Distance > r.ReclaimDistance) == dom.Flags.Has(topology.FlagWakeAffine) {
				t.Errorf("%s: CPU %d %v %d: flags %v", r.Version, c, dom.Level, dom.Distance, dom.Flags)
			}
		}
		if !below.Equal(m.All()) {
			t.Errorf("%s: CPU %d: the top span is %s, the machine %s", r.Version, c, below, m.All())
		}
		want := m.LLCCPUs(m.LLC(c)).And(m.NodeCPUs(m.Node(c)))
		if !d.LLC(c).Equal(want) {
			t.Errorf("%s: CPU %d: LLC %s, want %s", r.Version, c, d.LLC(c), want)
		}
	}
}

func checkGroups(t *testing.T, c topology.CPU, dom topology.Domain, r topology.DomainRules) {
	var covered topology.CPUSet
	for i, g := range dom.Groups {
		if g.Overlaps(covered) && !dom.Flags.Has(topology.FlagOverlap) {
			t.Errorf("%s: CPU %d %v: group %s was covered", r.Version, c, dom.Level, g)
		}
		if g.SubsetOf(covered) {
			t.Errorf("%s: CPU %d %v: group %s adds nothing", r.Version, c, dom.Level, g)
		}
		covered = covered.Or(g)
		if !dom.Masks[i].SubsetOf(g) || !dom.Flags.Has(topology.FlagOverlap) && !dom.Masks[i].Equal(g) {
			t.Errorf("%s: CPU %d %v: group %s has mask %s", r.Version, c, dom.Level, g, dom.Masks[i])
		}
	}
	if !dom.Groups[0].Has(c) {
		t.Errorf("%s: CPU %d %v: own group is not first in %v", r.Version, c, dom.Level, dom.Groups)
	}
	if len(dom.Groups) < 2 || len(dom.Masks) != len(dom.Groups) {
		t.Errorf("%s: CPU %d %v: groups %v, masks %v", r.Version, c, dom.Level, dom.Groups, dom.Masks)
	}
	if r.DescendGroups || !dom.Flags.Has(topology.FlagOverlap) {
		if !covered.Equal(dom.Span) {
			t.Errorf("%s: CPU %d %v: groups %v do not make up %s", r.Version, c, dom.Level, dom.Groups, dom.Span)
		}
	}
}

func TestDomainProperties(t *testing.T) {
	for _, version := range topology.DomainVersions() {
		r := rulesFor(t, version)
		for _, name := range topology.Presets() {
			checkDomains(t, must(t)(topology.Preset(name)), r)
		}
		eachRandomMachine(t, 300, func(t *testing.T, m *topology.Topology) { checkDomains(t, m, r) })
	}
}

func TestDomainsKeepTheirRules(t *testing.T) {
	r := rulesFor(t, "6.10")
	r.ReclaimDistance = 77
	if got := must(t)(topology.Preset("ivb48")).Domains(r).Rules(); got != r {
		t.Errorf("got %+v, want %+v", got, r)
	}
}

func TestDomainsOfAbsentCPUs(t *testing.T) {
	d := must(t)(topology.Preset("ivb48")).Domains(rulesFor(t, "6.10"))
	if d.Of(topology.NoCPU) != nil || d.Of(48) != nil {
		t.Error("a CPU that is not there has domains")
	}
}

// TestDomainsGolden pins the whole hierarchy of two CPUs of every preset.
func TestDomainsGolden(t *testing.T) {
	var b bytes.Buffer
	for _, name := range topology.Presets() {
		m := must(t)(topology.Preset(name))
		for _, version := range topology.DomainVersions() {
			d := m.Domains(rulesFor(t, version))
			for _, c := range []topology.CPU{0, topology.CPU(m.NumCPUs() - 1)} {
				fmt.Fprintf(&b, "%s %s CPU %d: LLC id %d, share id %d\n", name, version, c, d.LLCID(c), d.ShareID(c))
				for _, dom := range d.Of(c) {
					fmt.Fprintf(&b, "  %s\n    span %s in %d groups, %s ..\n    %v\n", row(dom), dom.Span, len(dom.Groups), dom.Groups[0], dom.Flags)
				}
			}
		}
	}
	golden(t, "domains.txt", b.Bytes())
}

func ExampleTopology_Domains() {
	m, err := topology.Preset("kunpeng128")
	if err != nil {
		fmt.Println(err)
		return
	}
	rules, err := topology.DomainRulesFor("6.10")
	if err != nil {
		fmt.Println(err)
		return
	}
	d := m.Domains(rules)
	for _, dom := range d.Of(40) {
		fmt.Println(dom.Level, dom.Span, "in", len(dom.Groups), "groups")
	}
	fmt.Println("LLC of", d.LLCSize(40), "CPUs from", d.LLCID(40), "on; cluster from", d.ShareID(40), "on")
	// Output:
	// CLS 40-43 in 4 groups
	// MC 32-63 in 8 groups
	// NUMA 0-63 in 2 groups
	// NUMA 0-95 in 2 groups
	// NUMA 0-127 in 2 groups
	// LLC of 32 CPUs from 32 on; cluster from 40 on
}
