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
	topo                     *topology.Topology
	rules                    []rule
	waIdle, waWeight, waBias bool
	sisUtil, sisSync         bool
	smt                      bool
	// clusters: some CPU has a cluster level the wakeup path looks at.
	clusters bool
	domains  *topology.Domains
	llcSize  []int             // by CPU
	shortNS  []int64           // by CPU: SIS_SYNC's bound on duration_avg
	beyond   []topology.CPUSet // by cluster: its LLC without it
	others   []topology.CPUSet // by CPU: the other threads of its core
	affine   [][]affineLevel   // by CPU, bottom up

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

// affineLevel is a domain from which wakees may be pulled, and by how many
// percent prev's load counts more.
type affineLevel struct {
	span topology.CPUSet
	bias int64
}

func newSelector(l *linux, t *topology.Topology) *selector {
	s := &selector{
		topo: t, rules: l.version.rules, domains: t.Domains(l.kernel.Domains), smt: t.SMT() > 1,
		waIdle: l.on["WA_IDLE"], waWeight: l.on["WA_WEIGHT"], waBias: l.on["WA_BIAS"],
		sisUtil: l.on["SIS_UTIL"], sisSync: l.on["SIS_SYNC"],
	}
	s.clusters = s.domains.ClusterActive()
	for i := range t.NumClusters() {
		set := t.ClusterCPUs(topology.ClusterID(i))
		s.beyond = append(s.beyond, s.domains.LLC(set.First()).AndNot(set))
	}
	top := int(t.All().Last()) + 1
	s.others = make([]topology.CPUSet, top)
	s.affine = make([][]affineLevel, top)
	s.llcSize = make([]int, top)
	s.shortNS = make([]int64, top)
	for _, c := range t.All().CPUs() {
		s.others[c] = t.CoreCPUs(t.Core(c)).AndNot(topology.NewCPUSet(c))
		s.llcSize[c] = s.domains.LLCSize(c)
		// duration_avg x 65536 < migration_cost x n^2, rounded up to a bound.
		n := int64(s.llcSize[c])
		s.shortNS[c] = (l.kernel.MigrationCost*n*n + 65535) / 65536
		for _, d := range s.domains.Of(c) {
			if d.Flags.Has(topology.FlagWakeAffine) {
				s.affine[c] = append(s.affine[c], affineLevel{d.Span, int64(d.ImbalancePct-100) / 2})
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
	if this == prev || !s.v.Allowed(s.w.Wakee, this) || s.wakeWide() {
		return prev
	}
	for _, d := range s.affine[this] {
		if d.span.Has(prev) {
			return s.affineTarget(d.bias)
		}
	}
	return prev
}

func (s *selector) affineTarget(bias int64) topology.CPU {
	this, prev := s.w.This, s.w.Prev
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
		if s.v.Idle(prev) {
			return prev
		}
	}
	if s.waWeight && s.lighter(bias) {
		return this
	}
	return prev
}

// lighter is the weight rule: with the wakee moved over, the waker's CPU would
// carry less than prev does without it. A sync waker is about to leave; prev
// counts bias percent more (WA_BIAS). Capacities are equal on servers and cancel.
func (s *selector) lighter(bias int64) bool {
	here := s.v.LoadAvg(s.w.This)
	load := s.v.TaskLoad(s.w.Wakee)
	if s.w.Sync && s.w.Waker != workload.NoTask {
		waker := s.v.TaskLoad(s.w.Waker)
		if waker > here {
			return true
		}
		here -= waker
	}
	here += load
	there := s.v.LoadAvg(s.w.Prev) - load
	if s.waBias {
		here *= 100
		there *= 100 + bias
	}
	if s.w.Sync {
		there++
	}
	return here < there
}

// wakeWide is true for one-to-many relations: both sides flip between wakees,
// one of them so often that pulling would stack a crowd.
func (s *selector) wakeWide() bool {
	if s.w.Waker == workload.NoTask {
		return false
	}
	a, b := s.v.WakeeFlips(s.w.Waker), s.v.WakeeFlips(s.w.Wakee)
	size := s.llcSize[s.w.This]
	return min(a, b) >= size && max(a, b) >= min(a, b)*size
}

func (s *selector) short(t workload.TaskID) bool {
	return s.v.DurationAvg(t) < s.shortNS[s.target]
}

func (s *selector) shareLLC(a, b topology.CPU) bool { return s.domains.SharesCache(a, b) }

// shareResources is cpus_share_resources: the cluster where there is one.
func (s *selector) shareResources(a, b topology.CPU) bool { return s.domains.SharesResources(a, b) }
