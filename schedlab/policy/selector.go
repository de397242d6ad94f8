package policy

import (
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// rule is one step of select_idle_sibling: a placement and true, or false to
// go on with the next rule. A version is a list of rules; the last word, the
// target itself, is said by the selector.
type rule func(s *selector) (Placement, bool)

// selector runs the rules of one version. What a rule learns for a later one
// stands in the second half and lives for one wakeup.
type selector struct {
	topo    *topology.Topology
	rules   []rule
	waIdle  bool
	sisSync bool
	smt     bool
	// clusters: some CPU has a cluster level the wakeup path looks at.
	clusters bool
	llcs     []topology.CPUSet // by LLC
	llcSize  []int             // by LLC
	beyond   []topology.CPUSet // by cluster: its LLC without it
	others   []topology.CPUSet // by CPU: the other threads of its core
	affine   []topology.CPUSet // by CPU: from where it may pull a wakee
	shortNS  []int64           // by LLC: SIS_SYNC's bound on duration_avg

	v        View
	w        Wakeup
	target   topology.CPU
	scan     topology.CPUSet
	budget   int
	idleCore bool
	prevAff  topology.CPU
	recent   topology.CPU
	fallback topology.CPU
}

func newSelector(l *linux, t *topology.Topology) *selector {
	s := &selector{topo: t, rules: l.version.rules, waIdle: l.on["WA_IDLE"], sisSync: l.on["SIS_SYNC"], smt: t.SMT() > 1}
	for i := range t.NumLLCs() {
		set := t.LLCCPUs(topology.LLCID(i))
		n := int64(set.Len())
		s.llcs = append(s.llcs, set)
		s.llcSize = append(s.llcSize, int(n))
		// duration_avg x 65536 < migration_cost x n^2, rounded up to a bound.
		s.shortNS = append(s.shortNS, (l.kernel.MigrationCost*n*n+65535)/65536)
	}
	s.clusters = l.kernel.Domains.ClusterFlag && t.HasClusters()
	for i := range t.NumClusters() {
		set := t.ClusterCPUs(topology.ClusterID(i))
		s.beyond = append(s.beyond, t.LLCCPUs(t.LLC(set.First())).AndNot(set))
	}
	domains := t.Domains(l.kernel.Domains)
	top := int(t.All().Last()) + 1
	s.others = make([]topology.CPUSet, top)
	s.affine = make([]topology.CPUSet, top)
	for _, c := range t.All().CPUs() {
		s.others[c] = t.CoreCPUs(t.Core(c)).AndNot(topology.NewCPUSet(c))
		for _, d := range domains.Of(c) {
			if d.Flags&topology.FlagWakeAffine != 0 {
				s.affine[c] = d.Span
			}
		}
	}
	return s
}

// SelectCPU is select_task_rq_fair for a wakeup.
func (s *selector) SelectCPU(v View, w Wakeup) Placement {
	s.v, s.w = v, w
	s.prevAff, s.recent, s.fallback = topology.NoCPU, topology.NoCPU, topology.NoCPU
	s.idleCore = false
	s.target = s.wakeAffine()
	for _, r := range s.rules {
		if p, ok := r(s); ok {
			return p
		}
	}
	return Placement{s.target, NothingIdle}
}

// wakeAffine picks the target: the waker's CPU or prev. It is asked only when
// the two differ, the wakee may run here, the relation is not one to many and
// prev lies within reach.
func (s *selector) wakeAffine() topology.CPU {
	this, prev := s.w.This, s.w.Prev
	if this == prev || !s.v.Allowed(s.w.Wakee, this) || s.wakeWide() || !s.affine[this].Has(prev) {
		return prev
	}
	if s.waIdle {
		if s.v.Idle(this) && s.shareLLC(this, prev) {
			if s.v.Idle(prev) {
				return prev
			}
			return this
		}
		if s.w.Sync && s.v.NrRunning(this) == 1 {
			return this
		}
	}
	return prev
}

// wakeWide is true for one-to-many relations: both sides flip between wakees,
// one of them so often that pulling would stack a crowd.
func (s *selector) wakeWide() bool {
	if s.w.Waker == workload.NoTask {
		return false
	}
	a, b := s.v.WakeeFlips(s.w.Waker), s.v.WakeeFlips(s.w.Wakee)
	size := s.llcSize[s.topo.LLC(s.w.This)]
	return min(a, b) >= size && max(a, b) >= min(a, b)*size
}

func (s *selector) short(t workload.TaskID) bool {
	return s.v.DurationAvg(t) < s.shortNS[s.topo.LLC(s.target)]
}

func (s *selector) shareLLC(a, b topology.CPU) bool { return s.topo.LLC(a) == s.topo.LLC(b) }

// shareResources is cpus_share_resources: the cluster where there is one.
func (s *selector) shareResources(a, b topology.CPU) bool {
	return !s.clusters || s.topo.Cluster(a) == s.topo.Cluster(b)
}
