package topology

import "strings"

// Level is a level of the scheduling domain hierarchy. The zero value is
// LevelSMT.
type Level uint8

// The levels, from the bottom up.
const (
	LevelSMT  Level = iota // threads of a core
	LevelCLS               // cluster: cores sharing an L2 or an L3 tag
	LevelMC                // CPUs sharing the LLC, cut to the node
	LevelDIE               // CPUs of a node; named PKG since 6.7
	LevelPKG               // the same level under its later name
	LevelNODE              // CPUs of a node, where there is no DIE or PKG level
	LevelNUMA              // nodes up to a distance; one level per distance
)

var levelNames = []string{"SMT", "CLS", "MC", "DIE", "PKG", "NODE", "NUMA"}

// String is the kernel's name of the level.
func (l Level) String() string {
	if int(l) >= len(levelNames) {
		return "unknown level"
	}
	return levelNames[l]
}

// DomainFlags is a set of the kernel's SD_ flags. The zero value has none.
type DomainFlags uint16

const (
	FlagBalanceNewidle DomainFlags = 1 << iota // balance when a CPU is about to go idle
	FlagBalanceExec                            // place on exec
	FlagBalanceFork                            // place on fork
	FlagWakeAffine                             // a wakeup may move the wakee to the waker's side
	FlagShareCapacity                          // members are threads of one core
	FlagShareLLC                               // members share a cache (SHARE_PKG_RESOURCES up to 6.8)
	FlagCluster                                // members share a cluster's L2 or L3 tag
	FlagPreferSibling                          // spread tasks over the groups below
	FlagNUMA                                   // members are in several nodes
	FlagSerialize                              // one balancer at a time on the whole machine
	FlagOverlap                                // groups may share CPUs
)

var flagNames = []string{"BALANCE_NEWIDLE", "BALANCE_EXEC", "BALANCE_FORK", "WAKE_AFFINE", "SHARE_CPUCAPACITY",
	"SHARE_LLC", "CLUSTER", "PREFER_SIBLING", "NUMA", "SERIALIZE", "OVERLAP"}

// needGroups are the flags that mean something only where a domain has more
// than one group to choose between: all but WAKE_AFFINE.
const needGroups = ^FlagWakeAffine

// Has reports whether every flag of f is set.
func (s DomainFlags) Has(f DomainFlags) bool { return s&f == f }

// String lists the kernel's names without SD_, joined by "|".
func (s DomainFlags) String() string {
	var names []string
	for i, name := range flagNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// Domain is one scheduling domain as one CPU sees it. Two CPUs of a span see
// the same domain with groups in a different order.
type Domain struct {
	Level Level
	// Span is the set of CPUs that are balanced against each other; it always
	// holds the CPU whose domain this is.
	Span CPUSet
	// Groups are the sets that are compared, in the order in which the kernel
	// walks them: the CPU's own group first. They cover Span and are disjoint,
	// except with FlagOverlap: there they may share CPUs, reach out of the span
	// under rules without DescendGroups, and leave a part uncovered where node
	// distances differ by direction.
	Groups []CPUSet
	// Masks are, per group, the CPUs that may balance on the group's behalf
	// (first idle one, else the first). They are the groups themselves, except
	// with FlagOverlap: then only CPUs whose own group of this level is the
	// same set.
	Masks []CPUSet
	Flags DomainFlags
	// Distance is the node distance the level stands for, 0 below NUMA.
	Distance int
	// ImbalancePct is how much busier, in percent, another group must be before
	// tasks move: 117 means 17 % more.
	ImbalancePct int
	// CacheNiceTries is how many failed balance attempts protect a cache-hot
	// task.
	CacheNiceTries int
	// MinInterval and MaxInterval bound the time between balance attempts, in
	// ms: one and two per CPU of the span.
	MinInterval, MaxInterval int
	// BusyFactor multiplies the interval on a busy CPU.
	BusyFactor int
	// BusyIdx and IdleIdx choose the decayed load a busy and an idle CPU look
	// at when balancing (4.15; 0 is the present load, and the only one in later
	// versions).
	BusyIdx, IdleIdx int
	// ImbNUMA is how many tasks may run in the destination while an imbalance
	// of up to two tasks between nodes is left alone; 0 where the version has
	// no such table, and below the node levels.
	ImbNUMA int
}

// Domains is the scheduling domain hierarchy of one machine under one kernel
// version's rules. It is immutable.
type Domains struct {
	rules         DomainRules
	of            [][]Domain // by CPU
	llc           []CPUSet   // by CPU: the span of the highest cache-sharing domain
	llcID         []CPU
	shareID       []CPU
	clusterActive bool
}

// Rules are the rules the hierarchy was built by.
func (d *Domains) Rules() DomainRules { return d.rules }

// Of lists the domains of a CPU from the bottom up, levels without effect
// removed. A CPU alone on its machine has none. The slice is shared: the caller
// MUST NOT write to it. A CPU the machine does not have has no domains.
func (d *Domains) Of(c CPU) []Domain {
	if uint(c) >= uint(len(d.of)) {
		return nil
	}
	return d.of[c]
}

// LLC is the set of CPUs that share c's last-level cache in the eyes of the
// scheduler: the span of the highest domain with FlagShareLLC, or c alone. It
// never exceeds a node, even where the hardware's cache does.
func (d *Domains) LLC(c CPU) CPUSet { return d.llc[c] }

// LLCSize is the number of CPUs in LLC(c).
func (d *Domains) LLCSize(c CPU) int { return d.llc[c].Len() }

// LLCID is the lowest CPU of LLC(c): equal for CPUs that share their LLC.
func (d *Domains) LLCID(c CPU) CPU { return d.llcID[c] }

// ShareID is the lowest CPU of c's cluster domain if it has one with
// FlagCluster, else LLCID(c).
func (d *Domains) ShareID(c CPU) CPU { return d.shareID[c] }

// SharesCache reports whether a and b share their LLC.
func (d *Domains) SharesCache(a, b CPU) bool { return d.llcID[a] == d.llcID[b] }

// SharesResources reports whether a and b share their cluster, or their LLC on
// a machine or kernel without clusters.
func (d *Domains) SharesResources(a, b CPU) bool { return d.shareID[a] == d.shareID[b] }

// ClusterActive reports whether any CPU has a domain with FlagCluster: the
// kernel's machine-wide switch for cluster-first search.
func (d *Domains) ClusterActive() bool { return d.clusterActive }
