package policy

import (
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// Linux 6.10 places a waking task in two moves. wake_affine picks a target,
// the waker's CPU or the wakee's previous one; select_idle_sibling then looks
// for something idle near the target, and settles for the target.
//
// A worked placement on a machine of two LLCs (0-3, 4-7; no SMT): a task alone
// on CPU 1 wakes, with the sync flag, a task that last ran on CPU 5.
//
//	wake_affine  CPU 1 is not idle; sync and one task running: target 1
//	1 target     CPU 1 runs the waker: busy
//	2 previous   CPU 5 is in another LLC: not asked
//	4 recent     say CPU 3, idle and in the LLC of 1: the wakee goes to 3
//
// Departures: asymmetric capacity and core scheduling are left out, servers have
// neither; a queue's capacity is constant, so it cancels in the weight rule.
var rules610 = []rule{
	targetIdle, prevIdle, kthreadStack, recentUsed, smtOfPrev, cutOff, clusterScan, syncStack, llcScan, keptFallback,
}

// targetIdle: the target itself.
func targetIdle(s *selector) (Placement, bool) {
	return Placement{s.target, TargetIdle}, s.v.Idle(s.target)
}

// prevIdle: the previous CPU when it shares the target's LLC. With clusters it
// is taken only inside the target's cluster, otherwise kept as a fallback.
func prevIdle(s *selector) (Placement, bool) {
	prev := s.w.Prev
	if prev == s.target || !s.shareLLC(prev, s.target) || !s.v.Idle(prev) {
		return Placement{}, false
	}
	if s.shareResources(prev, s.target) {
		return Placement{prev, PrevIdle}, true
	}
	s.prevAff = prev
	return Placement{}, false
}

// kthreadStack: a per-CPU kernel thread, in task context and alone on its CPU,
// wakes a task that last ran there: it has just finished work for it.
func kthreadStack(s *selector) (Placement, bool) {
	this := s.w.This
	ok := s.w.Context == workload.InTask && s.w.Waker != workload.NoTask && s.v.BoundKthread(s.w.Waker) &&
		s.w.Prev == this && s.v.NrRunning(this) <= 1
	return Placement{s.w.Prev, KthreadStack}, ok
}

// recentUsed: the CPU the wakee used before prev. The wakee's note is replaced
// by prev whenever this rule is reached.
func recentUsed(s *selector) (Placement, bool) {
	r := s.v.RecentUsed(s.w.Wakee)
	s.v.SetRecentUsed(s.w.Wakee, s.w.Prev)
	if r == topology.NoCPU || r == s.w.Prev || r == s.target || !s.shareLLC(r, s.target) ||
		!s.v.Allowed(s.w.Wakee, r) || !s.v.Idle(r) {
		return Placement{}, false
	}
	if s.shareResources(r, s.target) {
		return Placement{r, RecentUsed}, true
	}
	s.recent = r
	return Placement{}, false
}

// smtOfPrev: with no idle core in sight, an idle thread beside prev.
func smtOfPrev(s *selector) (Placement, bool) {
	if !s.smt {
		return Placement{}, false
	}
	s.idleCore = s.v.HasIdleCores(s.target)
	prev := s.w.Prev
	if s.idleCore || !s.shareLLC(prev, s.target) {
		return Placement{}, false
	}
	c, _ := s.v.FirstIdle(s.others[prev], 0, -1)
	return Placement{c, SMTIdle}, c != topology.NoCPU
}

// cutOff: SIS_UTIL found the LLC too busy. It ends the search, idle core or
// not, without touching the hint.
func cutOff(s *selector) (Placement, bool) {
	s.budget = -1
	if s.sisUtil {
		s.budget = s.v.NrIdleScan(s.target)
	}
	if s.budget != 0 {
		return Placement{}, false
	}
	if p, ok := keptFallback(s); ok {
		return p, true
	}
	return Placement{s.target, CutOff}, true
}

// clusterScan: the target's cluster first, on the same budget. A budget that is
// used up ends the search when it is asked for more: if it just covers the
// cluster, the rule after this one still has its say.
func clusterScan(s *selector) (Placement, bool) {
	s.scan = s.domains.LLC(s.target)
	if !s.clusters {
		return Placement{}, false
	}
	cluster := s.topo.Cluster(s.target)
	s.scan = s.beyond[cluster]
	if s.idleCore {
		c, fallback, _ := s.v.FirstIdleCore(s.topo.ClusterCPUs(cluster), s.target+1)
		s.fallback = fallback
		return Placement{c, ClusterIdle}, c != topology.NoCPU
	}
	c, probes := s.v.FirstIdle(s.topo.ClusterCPUs(cluster), s.target+1, s.budget)
	if c != topology.NoCPU {
		return Placement{c, ClusterIdle}, true
	}
	if s.budget < 0 {
		return Placement{}, false // no limit
	}
	if s.budget -= probes; s.budget > 0 || probes == s.members(cluster) {
		return Placement{}, false
	}
	if p, ok := keptFallback(s); ok {
		return p, true
	}
	return Placement{s.target, NothingIdle}, true
}

// members is how many CPUs of a cluster the wakee may use.
func (s *selector) members(cluster topology.ClusterID) (n int) {
	for c := range s.topo.ClusterCPUs(cluster).Wrap(0) {
		if s.v.Allowed(s.w.Wakee, c) {
			n++
		}
	}
	return n
}

// llcScan: for a fully idle core while the hint says there is one, else for
// any idle CPU within the budget. A failed search for a core takes the hint
// back.
func llcScan(s *selector) (Placement, bool) {
	if !s.idleCore {
		c, _ := s.v.FirstIdle(s.scan, s.target+1, s.budget)
		return Placement{c, ScanIdle}, c != topology.NoCPU
	}
	c, fallback, _ := s.v.FirstIdleCore(s.scan, s.target+1)
	if c != topology.NoCPU {
		return Placement{c, IdleCore}, true
	}
	s.v.ClearIdleCores(s.target)
	if s.fallback != topology.NoCPU {
		fallback = s.fallback
	}
	return Placement{fallback, ScanIdle}, fallback != topology.NoCPU
}

// keptFallback: an idle prev or recent CPU outside the target's cluster.
func keptFallback(s *selector) (Placement, bool) {
	if s.prevAff != topology.NoCPU {
		return Placement{s.prevAff, PrevIdle}, true
	}
	return Placement{s.recent, RecentUsed}, s.recent != topology.NoCPU
}
