package policy_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// scene is a state, a question and the answer of 6.10.
type scene struct {
	name    string
	machine string
	idle    string // CPU list; the others run one task each
	wakeup  policy.Wakeup
	change  func(v *fakeView)
	want    policy.Placement
}

func check(t *testing.T, text string, scenes []scene) {
	t.Helper()
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			v := newFake(t, s.machine)
			v.idle = set(t, s.idle)
			if s.change != nil {
				s.change(v)
			}
			if got := selectCPU(t, text, v, s.wakeup); got != s.want {
				t.Errorf("placed on %d (%s), want %d (%s); looked at %v", got.CPU, got.Reason, s.want.CPU, s.want.Reason, v.looks)
			}
		})
	}
}

// On xeon240 an LLC is 0-29,120-149; 30-59,150-179; 60-89,180-209; the rest. CPU
// c and c+120 are siblings.
const (
	a      = topology.CPU(3)
	near   = topology.CPU(7)  // same LLC
	far    = topology.CPU(40) // next LLC, same socket
	remote = topology.CPU(65) // other socket
	xeon   = "xeon240"
)

func recent(c topology.CPU) func(v *fakeView) {
	return func(v *fakeView) { v.recent[wakee] = c }
}

// TestPublishedScenarios are the rows of the scenario table of the kernel's rules
// that 6.10 decides without loads; with loads they stand in testdata.
func TestPublishedScenarios(t *testing.T) {
	check(t, "6.10", []scene{
		{"1 interrupt on an idle CPU, prev idle on another node", xeon, "3,40", interrupt(a, far), nil,
			policy.Placement{CPU: far, Reason: policy.TargetIdle}},
		// All loads are 0, the weight rule is undecided: prev, and its LLC.
		{"2 the same, prev busy, its node has idle CPUs", xeon, "3,45,165", interrupt(a, far), nil,
			policy.Placement{CPU: 45, Reason: policy.ScanIdle}},
		{"3 interrupt on an idle CPU, prev idle in its LLC", xeon, "3,7", interrupt(a, near), nil,
			policy.Placement{CPU: near, Reason: policy.TargetIdle}},
		{"3b the same, prev busy", xeon, "3", interrupt(a, near), nil,
			policy.Placement{CPU: a, Reason: policy.TargetIdle}},
		{"4 loopback pair, prev idle in the LLC", xeon, "7", loopback(a, near), nil,
			policy.Placement{CPU: near, Reason: policy.PrevIdle}},
		{"5 loopback pair, prev idle on the other socket", xeon, "65", loopback(a, remote), nil,
			policy.Placement{CPU: a, Reason: policy.NothingIdle}},
		{"6 prev busy, an idle core", xeon, "9,129,20,140", loopback(a, near), func(v *fakeView) { v.cores = true },
			policy.Placement{CPU: 9, Reason: policy.IdleCore}},
		{"6b the same, recently used CPU idle", xeon, "9,129,20", loopback(a, near),
			func(v *fakeView) { v.cores = true; v.recent[wakee] = 20 },
			policy.Placement{CPU: 20, Reason: policy.RecentUsed}},
		{"7 no idle core, sibling of prev idle", xeon, "127,4", loopback(a, near), nil,
			policy.Placement{CPU: 127, Reason: policy.SMTIdle}},
		{"8 one idle thread 50 CPUs on, within the limit", xeon, "143", loopback(a, near), func(v *fakeView) { v.scan = 50 },
			policy.Placement{CPU: 143, Reason: policy.ScanIdle}},
		{"8b the same, one short of it", xeon, "143", loopback(a, near), func(v *fakeView) { v.scan = 49 },
			policy.Placement{CPU: a, Reason: policy.NothingIdle}},
		{"10 bound kworker wakes a client with an idle prev", xeon, "7",
			policy.Wakeup{Wakee: wakee, Waker: waker, This: a, Prev: near, Context: workload.InTask}, nil,
			policy.Placement{CPU: near, Reason: policy.TargetIdle}},
		{"11 not sync, prev busy: around prev", xeon, "4,8",
			policy.Wakeup{Wakee: wakee, Waker: waker, This: a, Prev: near, Context: workload.InTask}, nil,
			policy.Placement{CPU: 8, Reason: policy.ScanIdle}},
	})
	check(t, "6.10+SIS_SYNC", []scene{
		{"8c one idle thread 50 CPUs on, a short mutual pair", xeon, "143", loopback(a, near), nil,
			policy.Placement{CPU: a, Reason: policy.SyncStack}},
	})
}

// target shows the choice of wake_affine: with nothing idle and nothing to scan
// the answer is the target itself.
func target(t *testing.T, text string, v *fakeView, w policy.Wakeup) topology.CPU {
	t.Helper()
	v.scan = 0
	p := selectCPU(t, text, v, w)
	if p.Reason != policy.CutOff && p.Reason != policy.TargetIdle {
		t.Fatalf("placed for reason %s, want the target", p.Reason)
	}
	return p.CPU
}

func TestWakeAffine(t *testing.T) {
	for _, c := range []struct {
		name   string
		text   string
		idle   string
		w      policy.Wakeup
		change func(v *fakeView)
		want   topology.CPU
	}{
		{"sync and alone", "6.10", "", loopback(a, near), nil, a},
		{"sync and alone, however far prev is", "6.10", "", loopback(a, remote), nil, a},
		{"sync and not alone", "6.10", "", loopback(a, near), func(v *fakeView) { v.crowded = topology.NewCPUSet(a); v.loads[a] = 2 }, near},
		{"not sync", "6.10", "", policy.Wakeup{Wakee: wakee, Waker: waker, This: a, Prev: near}, nil, near},
		{"idle, shares prev's cache, prev busy", "6.10", "3", interrupt(a, near), nil, a},
		{"idle, another cache", "6.10", "3", interrupt(a, far), nil, far},
		{"wakee not allowed on this", "6.10", "", loopback(a, near), func(v *fakeView) { v.allowed = set(t, "4-20") }, near},
		{"without the idle rules", "6.10+NO_WA_IDLE", "", loopback(a, near), func(v *fakeView) { v.loads[a] = 2 }, near},
		{"without the idle rules, an interrupt", "6.10+NO_WA_IDLE", "3", interrupt(a, near), nil, near},
		{"woken where it was", "6.10", "", loopback(a, a), nil, a},
	} {
		v := newFake(t, xeon)
		v.idle = set(t, c.idle)
		if c.change != nil {
			c.change(v)
		}
		if got := target(t, c.text, v, c.w); got != c.want {
			t.Errorf("%s: target %d, want %d", c.name, got, c.want)
		}
	}
}

// TestWeightRule decides where the idle rules do not: the published vectors, and
// the edges of its terms. Capacities are equal.
func TestWeightRule(t *testing.T) {
	for _, c := range []struct {
		name                     string
		text                     string
		this, prev, wakee, waker int64
		sync                     bool
		near, remote             topology.CPU // targets with prev in the LLC and on the other socket
	}{
		{"not sync, half and half", "6.10", 600, 600, 300, 600, false, near, remote},
		{"not sync, prev twice as loaded", "6.10", 600, 1200, 300, 600, false, a, a}, // 90000 < 97200
		{"not sync, just not", "6.10", 600, 1133, 300, 600, false, near, remote},     // 90000 and 89964
		{"not sync, just", "6.10", 600, 1134, 300, 600, false, a, a},                 // 90000 and 90072
		{"sync: the waker's load goes", "6.10", 600, 578, 300, 600, true, a, a},      // 30000 and 30024 + 1
		{"sync: just not", "6.10", 600, 577, 300, 600, true, near, remote},           // 30000 and 29916 + 1
		{"sync: the waker is more than its queue", "6.10", 599, 0, 300, 600, true, a, a},
		{"all zero, not sync: stay", "6.10", 0, 0, 0, 0, false, near, remote},
		{"all zero, sync: the tie goes to the waker", "6.10", 0, 0, 0, 0, true, a, a},
		{"prev is the wakee's own blocked load only", "6.10", 512, 200, 200, 512, true, near, remote},
		{"no bias, a tie that is not sync", "6.10+NO_WA_BIAS", 300, 900, 300, 600, false, near, remote},
		{"no bias, one less", "6.10+NO_WA_BIAS", 300, 901, 300, 600, false, a, a},
		{"no weight rule", "6.10+NO_WA_WEIGHT", 0, 1024, 0, 0, true, near, remote},
	} {
		for _, prev := range []topology.CPU{near, remote} {
			v := newFake(t, xeon)
			v.crowded = topology.NewCPUSet(a) // or the sync rule would decide
			v.loads[a], v.loads[prev], v.load[wakee], v.load[waker] = c.this, c.prev, c.wakee, c.waker
			want := c.near
			if prev == remote {
				want = c.remote
			}
			w := loopback(a, prev)
			w.Sync = c.sync
			if got := target(t, c.text, v, w); got != want {
				t.Errorf("%s, prev %d: target %d, want %d", c.name, prev, got, want)
			}
		}
	}
	// From an interrupt on an idle CPU there is no waker whose load could go.
	v := newFake(t, xeon)
	v.idle, v.loads[a], v.loads[far], v.load[waker] = set(t, "3"), 700, 600, 500
	w := interrupt(a, far)
	w.Sync = true
	if got := target(t, "6.10", v, w); got != far {
		t.Errorf("a sync interrupt on an idle CPU: target %d, want %d", got, far)
	}
}

// TestKthreadStack: a bound kernel thread alone on its CPU keeps the wakee that
// last ran there; each condition is needed.
func TestKthreadStack(t *testing.T) {
	task := policy.Wakeup{Wakee: wakee, Waker: waker, This: a, Prev: a, Context: workload.InTask}
	softirq := task
	softirq.Context = workload.InSoftirq
	kthread := func(v *fakeView) { v.kthread = true }
	stacked, scan := policy.Placement{CPU: a, Reason: policy.KthreadStack}, policy.Placement{CPU: 20, Reason: policy.ScanIdle}
	check(t, "6.10", []scene{
		{"alone", xeon, "20", task, kthread, stacked},
		{"before the recently used CPU", xeon, "8,20", task, func(v *fakeView) { v.kthread = true; v.recent[wakee] = 8 }, stacked},
		{"not a bound kernel thread", xeon, "20", task, nil, scan},
		{"not in task context", xeon, "20", softirq, kthread, scan},
		{"with another task", xeon, "20", task, func(v *fakeView) { v.kthread = true; v.crowded = topology.NewCPUSet(a) }, scan},
		{"prev is another CPU", xeon, "20", policy.Wakeup{Wakee: wakee, Waker: waker, This: a, Prev: near}, kthread, scan},
		{"prev idle comes first", xeon, "7,20", loopback(a, near), kthread, policy.Placement{CPU: near, Reason: policy.PrevIdle}},
	})
}

// TestWakeAffineReach: over more than the reclaim distance nobody is pulled.
func TestWakeAffineReach(t *testing.T) {
	for distance, want := range map[int]topology.CPU{30: 0, 31: 2} {
		v := newFake(t, fmt.Sprintf("pack:2 numa:1(distances=10,%d/%d,10) l3:1 core:2 pu:1", distance, distance))
		if got := target(t, "6.10", v, loopback(0, 2)); got != want {
			t.Errorf("nodes %d apart: target %d, want %d", distance, got, want)
		}
	}
}

// TestWakeWide: one-to-many relations on an LLC of 16 CPUs.
func TestWakeWide(t *testing.T) {
	for _, c := range []struct {
		waker, wakee int
		wide         bool
	}{{300, 16, true}, {300, 15, false}, {200, 16, false}, {40, 40, false}, {16, 300, true}, {256, 16, true}, {255, 16, false}, {1, 1, false}} {
		v := newFake(t, "pack:2 l3:1 core:16 pu:1")
		v.flips[waker], v.flips[wakee] = c.waker, c.wakee
		want := topology.CPU(1)
		if c.wide {
			want = 2
		}
		if got := target(t, "6.10", v, loopback(1, 2)); got != want {
			t.Errorf("flips %d and %d: target %d, want %d", c.waker, c.wakee, got, want)
		}
	}
	v := newFake(t, "pack:2 l3:1 core:16 pu:1")
	v.idle, v.flips[wakee] = set(t, "1"), 10_000
	if got := target(t, "6.10", v, interrupt(1, 2)); got != 1 {
		t.Errorf("the idle task wakes nobody wide: target %d, want 1", got)
	}
}

// TestShortcuts: the order of the rules before the scan.
func TestShortcuts(t *testing.T) {
	none := topology.NoCPU
	check(t, "6.10", []scene{
		{"target before prev", xeon, "3,7", interrupt(a, near), func(v *fakeView) { v.flips[wakee] = 0 },
			policy.Placement{CPU: near, Reason: policy.TargetIdle}},
		{"prev before recent", xeon, "7,8", loopback(a, near), recent(8), policy.Placement{CPU: near, Reason: policy.PrevIdle}},
		{"prev idle in another LLC is not asked", xeon, "40,5", loopback(a, far), nil, policy.Placement{CPU: 5, Reason: policy.ScanIdle}},
		{"recent before the sibling of prev", xeon, "8,127", loopback(a, near), recent(8), policy.Placement{CPU: 8, Reason: policy.RecentUsed}},
		{"recent is prev", xeon, "127", loopback(a, near), recent(near), policy.Placement{CPU: 127, Reason: policy.SMTIdle}},
		{"recent is the target", xeon, "127", loopback(a, near), recent(a), policy.Placement{CPU: 127, Reason: policy.SMTIdle}},
		{"recent is none", xeon, "127", loopback(a, near), recent(none), policy.Placement{CPU: 127, Reason: policy.SMTIdle}},
		{"recent in another LLC", xeon, "40,127", loopback(a, near), recent(far), policy.Placement{CPU: 127, Reason: policy.SMTIdle}},
		{"recent not allowed", xeon, "8,127", loopback(a, near),
			func(v *fakeView) { v.recent[wakee] = 8; v.allowed = set(t, "3,7,127") }, policy.Placement{CPU: 127, Reason: policy.SMTIdle}},
		{"recent busy", xeon, "127", loopback(a, near), recent(8), policy.Placement{CPU: 127, Reason: policy.SMTIdle}},
		{"sibling of prev not allowed", xeon, "127,9", loopback(a, near),
			func(v *fakeView) { v.allowed = set(t, "3,7,9") }, policy.Placement{CPU: 9, Reason: policy.ScanIdle}},
		{"sibling of prev in another LLC", xeon, "160,9", loopback(a, far), nil, policy.Placement{CPU: 9, Reason: policy.ScanIdle}},
		{"an idle core in sight: no look at prev's sibling", xeon, "127,9,129", loopback(a, near),
			func(v *fakeView) { v.cores = true }, policy.Placement{CPU: 9, Reason: policy.IdleCore}},
		{"no siblings without SMT", "pack:1 l3:1 core:8 pu:1", "6", loopback(1, 2), nil, policy.Placement{CPU: 6, Reason: policy.ScanIdle}},
		// Threads of prev's core are tried from the lowest: cores are 0-3, 4-7.
		{"four threads", "pack:1 l3:1 core:2 pu:4", "4,7", loopback(1, 6), nil, policy.Placement{CPU: 4, Reason: policy.SMTIdle}},
	})
}

// TestRecentIsReplaced: the note becomes prev exactly when its rule is reached.
func TestRecentIsReplaced(t *testing.T) {
	for _, c := range []struct {
		name, idle string
		want       topology.CPU
	}{{"target idle", "3", 20}, {"prev idle", "7", 20}, {"recent idle", "20", near}, {"nothing idle", "", near}} {
		v := newFake(t, xeon)
		v.idle, v.recent[wakee] = set(t, c.idle), 20
		w := loopback(a, near)
		if c.name == "target idle" {
			w = interrupt(a, near)
		}
		selectCPU(t, "6.10", v, w)
		if got := v.recent[wakee]; got != c.want {
			t.Errorf("%s: recent is %d, want %d", c.name, got, c.want)
		}
	}
}

func TestScan(t *testing.T) {
	core := func(v *fakeView) { v.cores = true }
	check(t, "6.10", []scene{
		{"from the CPU after the target", xeon, "2,4", loopback(a, near), nil, policy.Placement{CPU: 4, Reason: policy.ScanIdle}},
		{"round to the CPU before it", xeon, "2", loopback(a, near), nil, policy.Placement{CPU: 2, Reason: policy.ScanIdle}},
		{"not beyond the LLC", xeon, "30-119", loopback(a, near), nil, policy.Placement{CPU: a, Reason: policy.NothingIdle}},
		{"only where allowed", xeon, "4-6,8-20", loopback(a, near), func(v *fakeView) { v.allowed = set(t, "3,7,18") },
			policy.Placement{CPU: 18, Reason: policy.ScanIdle}},
		{"idle core from the CPU after the target", xeon, "2,122,9,129", loopback(a, near), core, policy.Placement{CPU: 9, Reason: policy.IdleCore}},
		{"idle core by its second thread", xeon, "2,122", loopback(a, near),
			func(v *fakeView) { v.cores = true; v.allowed = set(t, "3,7,122") }, policy.Placement{CPU: 122, Reason: policy.IdleCore}},
		{"no idle core, an idle thread after all", xeon, "5", loopback(a, near), core, policy.Placement{CPU: 5, Reason: policy.ScanIdle}},
		{"no idle core, nothing idle", xeon, "", loopback(a, near), core, policy.Placement{CPU: a, Reason: policy.NothingIdle}},
		{"a core search has no budget", xeon, "28,148", loopback(a, near),
			func(v *fakeView) { v.cores = true; v.scan = 1 }, policy.Placement{CPU: 28, Reason: policy.IdleCore}},
		{"cut off, idle core or not", xeon, "28,148", loopback(a, near),
			func(v *fakeView) { v.cores = true; v.scan = 0 }, policy.Placement{CPU: a, Reason: policy.CutOff}},
		{"cut off comes after the shortcuts", xeon, "127", loopback(a, near),
			func(v *fakeView) { v.scan = 0 }, policy.Placement{CPU: 127, Reason: policy.SMTIdle}},
	})
	v := newFake(t, xeon)
	v.scan = 5
	selectCPU(t, "6.10", v, loopback(a, near))
	if scan := v.looks[len(v.looks)-5:]; !slices.Equal(scan, []topology.CPU{4, 5, 6, 7, 8}) {
		t.Errorf("a scan of 5 looks at %v, want 4 to 8", v.looks)
	}
}

// TestIdleCoresHint: the hint is taken back after a full search that failed, in
// the LLC of the target, and never else.
func TestIdleCoresHint(t *testing.T) {
	for _, c := range []struct {
		name, idle  string
		cores       bool
		scan        int
		wantCleared bool
	}{
		{"found a core", "9,129", true, 60, false},
		{"found a thread only", "9", true, 60, true},
		{"found nothing", "", true, 60, true},
		{"no hint", "", false, 60, false},
		{"cut off", "", true, 0, false},
		{"prev idle", "7", true, 60, false},
	} {
		v := newFake(t, xeon)
		v.idle, v.cores, v.scan = set(t, c.idle), c.cores, c.scan
		selectCPU(t, "6.10", v, loopback(a, near))
		if got := len(v.cleared) > 0; got != c.wantCleared {
			t.Errorf("%s: hint taken back %v, want %v", c.name, got, c.wantCleared)
		}
		for _, cpu := range v.cleared {
			if v.topo.LLC(cpu) != v.topo.LLC(a) {
				t.Errorf("%s: hint of CPU %d taken back", c.name, cpu)
			}
		}
	}
}

// TestClusters: on kunpeng128 a cluster is four CPUs, an LLC is 0-31.
func TestClusters(t *testing.T) {
	const m = "kunpeng128"
	w := loopback(1, 9) // target in cluster 0-3, prev in 8-11
	tight := func(v *fakeView) { v.scan = 5 }
	check(t, "6.10", []scene{
		{"prev in the target's cluster", m, "2,3", loopback(1, 3), nil, policy.Placement{CPU: 3, Reason: policy.PrevIdle}},
		{"prev outside it: the cluster first", m, "0,9", w, nil, policy.Placement{CPU: 0, Reason: policy.ClusterIdle}},
		{"then the LLC", m, "4,9", w, nil, policy.Placement{CPU: 4, Reason: policy.ScanIdle}},
		{"then prev, kept", m, "9,20", w, tight, policy.Placement{CPU: 9, Reason: policy.PrevIdle}},
		{"recent in the target's cluster", m, "0,2", w, recent(2), policy.Placement{CPU: 2, Reason: policy.RecentUsed}},
		{"recent outside it: the cluster first", m, "0,20", w, recent(20), policy.Placement{CPU: 0, Reason: policy.ClusterIdle}},
		{"then recent, kept", m, "20", w, func(v *fakeView) { v.scan = 5; v.recent[wakee] = 20 }, policy.Placement{CPU: 20, Reason: policy.RecentUsed}},
		{"prev before recent, both kept", m, "9,20", w, func(v *fakeView) { v.scan = 5; v.recent[wakee] = 20 },
			policy.Placement{CPU: 9, Reason: policy.PrevIdle}},
		{"kept even when cut off", m, "9", w, func(v *fakeView) { v.scan = 0 }, policy.Placement{CPU: 9, Reason: policy.PrevIdle}},
		{"kept when the cluster eats the budget", m, "9", w, func(v *fakeView) { v.scan = 3 }, policy.Placement{CPU: 9, Reason: policy.PrevIdle}},
		{"cut off with nothing kept", m, "20", w, func(v *fakeView) { v.scan = 0 }, policy.Placement{CPU: 1, Reason: policy.CutOff}},
		{"prev in another LLC is not kept", m, "40", loopback(1, 40), tight, policy.Placement{CPU: 1, Reason: policy.NothingIdle}},
		{"one budget for both, enough", m, "5", w, func(v *fakeView) { v.scan = 6 }, policy.Placement{CPU: 5, Reason: policy.ScanIdle}},
		{"one budget for both, not enough", m, "5", w, func(v *fakeView) { v.scan = 5 }, policy.Placement{CPU: 1, Reason: policy.NothingIdle}},
	})
	v := newFake(t, m)
	v.scan = 6
	selectCPU(t, "6.10", v, w)
	if scan := v.looks[len(v.looks)-6:]; !slices.Equal(scan, []topology.CPU{2, 3, 0, 1, 4, 5}) {
		t.Errorf("looks at %v, want the cluster from the target on, then the rest of the LLC", v.looks)
	}
}

// TestClustersWithSMT: cores are searched in the cluster first, and the first idle
// thread met anywhere is what remains.
func TestClustersWithSMT(t *testing.T) {
	const m = "pack:1 l3:1 group:2 core:2 pu:2" // clusters 0-3 and 4-7, cores of two
	core := func(v *fakeView) { v.cores = true }
	check(t, "6.10", []scene{
		{"a core of the cluster", m, "2-3,6-7", loopback(0, 1), core, policy.Placement{CPU: 2, Reason: policy.ClusterIdle}},
		{"a core of the LLC", m, "2,6-7", loopback(0, 5), core, policy.Placement{CPU: 6, Reason: policy.IdleCore}},
		{"a thread of the cluster", m, "2,6", loopback(0, 5), core, policy.Placement{CPU: 2, Reason: policy.ScanIdle}},
		{"a thread of the LLC", m, "6", loopback(0, 5), core, policy.Placement{CPU: 6, Reason: policy.ScanIdle}},
	})
}

// TestSyncStack: the rule of the patch needs all its conditions; without any one
// of them the scan decides.
func TestSyncStack(t *testing.T) {
	const limit = 27465 // 500 us x (60/256)^2, rounded down
	scan := policy.Placement{CPU: 20, Reason: policy.ScanIdle}
	check(t, "6.10+SIS_SYNC", []scene{
		{"all hold", xeon, "20", loopback(a, near), nil, policy.Placement{CPU: a, Reason: policy.SyncStack}},
		{"not sync, stacked already", xeon, "20", policy.Wakeup{Wakee: wakee, Waker: waker, This: a, Prev: a}, nil, scan},
		{"target is not the waker's CPU", xeon, "20", loopback(a, near), func(v *fakeView) { v.allowed = set(t, "5-29") }, scan},
		{"the waker is not alone", xeon, "20", loopback(a, a), func(v *fakeView) { v.crowded = topology.NewCPUSet(a) }, scan},
		{"wakee not short", xeon, "20", loopback(a, near), func(v *fakeView) { v.average[wakee] = limit + 1 }, scan},
		{"waker not short", xeon, "20", loopback(a, near), func(v *fakeView) { v.average[waker] = limit + 1 }, scan},
		{"both just short", xeon, "20", loopback(a, near), func(v *fakeView) { v.average[waker], v.average[wakee] = limit, limit },
			policy.Placement{CPU: a, Reason: policy.SyncStack}},
		{"the waker woke another last", xeon, "20", loopback(a, near), func(v *fakeView) { v.last[waker] = 9 }, scan},
		{"the wakee woke another last", xeon, "20", loopback(a, near), func(v *fakeView) { v.last[wakee] = 9 }, scan},
		{"an idle core is in sight", xeon, "20,140", loopback(a, near), func(v *fakeView) { v.cores = true },
			policy.Placement{CPU: 20, Reason: policy.IdleCore}},
		{"prev idle comes first", xeon, "7", loopback(a, near), nil, policy.Placement{CPU: near, Reason: policy.PrevIdle}},
		{"recent idle comes first", xeon, "20", loopback(a, near), recent(20), policy.Placement{CPU: 20, Reason: policy.RecentUsed}},
		{"a sibling of prev comes first", xeon, "127", loopback(a, near), nil, policy.Placement{CPU: 127, Reason: policy.SMTIdle}},
		{"cut off comes first", xeon, "20", loopback(a, near), func(v *fakeView) { v.scan = 0 }, policy.Placement{CPU: a, Reason: policy.CutOff}},
		{"the cluster comes first", "kunpeng128", "3", loopback(1, 9), nil, policy.Placement{CPU: 3, Reason: policy.ClusterIdle}},
		{"before the LLC of a cluster machine", "kunpeng128", "5", loopback(1, 9), nil, policy.Placement{CPU: 1, Reason: policy.SyncStack}},
		{"a budget that just covers the cluster", "kunpeng128", "5", loopback(1, 9), func(v *fakeView) { v.scan = 4 },
			policy.Placement{CPU: 1, Reason: policy.SyncStack}},
		{"a budget that the cluster uses up", "kunpeng128", "5", loopback(1, 9), func(v *fakeView) { v.scan = 3 },
			policy.Placement{CPU: 1, Reason: policy.NothingIdle}},
		{"the wakee may use part of the cluster", "kunpeng128", "5", loopback(1, 9),
			func(v *fakeView) { v.scan = 2; v.allowed = set(t, "0-1,4-31") }, policy.Placement{CPU: 1, Reason: policy.SyncStack}},
		{"prev in another LLC", xeon, "20", loopback(a, remote), nil, policy.Placement{CPU: a, Reason: policy.SyncStack}},
		{"no waker", xeon, "3,20", interrupt(a, near), nil, policy.Placement{CPU: a, Reason: policy.TargetIdle}},
	})
	check(t, "6.10", []scene{{"feature off", xeon, "20", loopback(a, near), nil, scan}})
}

// TestShortThresholds: what counts as short, by the size of the LLC.
func TestShortThresholds(t *testing.T) {
	for _, c := range []struct {
		cpus int64
		us   float64 // as published, rounded
	}{{8, 0.49}, {16, 1.95}, {24, 4.39}, {32, 7.81}, {48, 17.6}, {56, 23.9}, {64, 31.3}, {112, 95.7}, {120, 109.9}, {128, 125}, {256, 500}} {
		short := func(ns int64) bool {
			v := newFake(t, fmt.Sprintf("pack:1 l3:1 core:%d pu:1", c.cpus))
			v.average[wakee] = ns
			return selectCPU(t, "6.10+SIS_SYNC", v, loopback(1, 2)).Reason == policy.SyncStack
		}
		lo, hi := int64(0), int64(1_000_000) // short, long
		for lo+1 < hi {
			if mid := (lo + hi) / 2; short(mid) {
				lo = mid
			} else {
				hi = mid
			}
		}
		// duration_avg x 65536 < 500 us x n^2, and no longer at hi.
		if lo*65536 >= 500_000*c.cpus*c.cpus || hi*65536 < 500_000*c.cpus*c.cpus {
			t.Errorf("LLC of %d: up to %d ns is short", c.cpus, lo)
		}
		if got := float64(hi) / 1000; got < c.us*0.995 || got > c.us*1.005+0.005 {
			t.Errorf("LLC of %d: short is below %.2f us, published %.2f", c.cpus, got, c.us)
		}
	}
}
