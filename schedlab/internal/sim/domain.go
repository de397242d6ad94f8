package sim

import (
	"github.com/schedlab/lab/schedlab/topology"
)

// domain is one scheduling domain as one CPU sees it: like the kernel's, a
// private copy, because what it learns differs from CPU to CPU.
type domain struct {
	groups []*group // the CPU's own first
	mask   []int32  // CPUs that may balance for the own group
	span   int64    // CPUs
	pct    int64
	tries  int32
	numa   int64 // imb_numa_nr

	sharesLLC, sharesCore bool
	isLLC                 bool // its span is the LLC: balancing here sets nr_idle_scan
	crossNode             bool
	spread                bool // the level below prefers to spread tasks
	newIdleOn             bool
	top                   bool // the whole machine

	min, max, busyFactor int64 // ns
	last, interval       int64
	newIdleCost          int64
	failed               int32
	phase                stream
}

// group is a set of CPUs whose load is compared with others'.
type group struct {
	cpus     []int32
	cores    int64
	capacity int64
}

const fullCapacity = 1024

func (e *engine) compileDomains(domains *topology.Domains) {
	e.domains = make([][]domain, len(e.cpus))
	groups := map[string]*group{}
	for _, c := range e.topo.All().CPUs() {
		levels := domains.Of(c)
		for i, d := range levels {
			x := domain{
				span: int64(d.Span.Len()), pct: int64(d.ImbalancePct), tries: int32(d.CacheNiceTries), numa: int64(d.ImbNUMA),
				sharesLLC: d.Flags.Has(topology.FlagShareLLC), sharesCore: d.Flags.Has(topology.FlagShareCapacity),
				isLLC: d.Span.Equal(domains.LLC(c)) && d.Flags.Has(topology.FlagShareLLC), crossNode: d.Flags.Has(topology.FlagNUMA),
				newIdleOn: d.Flags.Has(topology.FlagBalanceNewidle),
				min:       int64(d.MinInterval) * 1_000_000, max: int64(d.MaxInterval) * 1_000_000, busyFactor: int64(d.BusyFactor),
			}
			if i > 0 {
				x.spread = levels[i-1].Flags.Has(topology.FlagPreferSibling)
			}
			x.interval = x.min
			x.phase = newStream(e.cfg.Seed, uint64(c)<<8|uint64(i), forBalance)
			x.newIdleCost = newIdlePeak * e.balanceCost(&x)
			x.top = i == len(levels)-1
			x.last = -int64(x.phase.next() % uint64(max(1, x.min*x.busyFactor)))
			for _, g := range d.Groups {
				x.groups = append(x.groups, e.groupOf(groups, g))
			}
			x.mask = numbers(d.Masks[0])
			e.domains[c] = append(e.domains[c], x)
		}
		e.gates(int32(c))
	}
}

func (e *engine) groupOf(seen map[string]*group, set topology.CPUSet) *group {
	key := set.String()
	if g := seen[key]; g != nil {
		return g
	}
	g := &group{cpus: numbers(set), capacity: fullCapacity * int64(set.Len())}
	cores := map[topology.CoreID]bool{}
	for _, c := range set.CPUs() {
		cores[e.topo.Core(c)] = true
	}
	g.cores = int64(len(cores))
	seen[key] = g
	return g
}

func numbers(set topology.CPUSet) []int32 {
	var out []int32
	for _, c := range set.CPUs() {
		out = append(out, int32(c))
	}
	return out
}

// gates fills in what every idle time of c asks of its two lowest domains.
func (e *engine) gates(c int32) {
	d := &e.idlers[c]
	d.firstGate, d.secondGate = notYet, notYet
	levels := e.domains[c]
	if len(levels) == 0 {
		return
	}
	d.firstCost, d.firstGate = e.balanceCost(&levels[0]), levels[0].newIdleCost
	if len(levels) > 1 {
		d.secondGate = levels[1].newIdleCost
	}
	d.pair = e.siblings != nil && levels[0].sharesCore && levels[0].newIdleOn
}
