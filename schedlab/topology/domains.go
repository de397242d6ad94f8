package topology

import "slices"

// Domains builds the scheduling domain hierarchy as a kernel with the given
// rules does at boot: one domain per CPU and level, groups from the spans of
// the level below, then the levels without effect removed.
func (t *Topology) Domains(r DomainRules) *Domains {
	n := t.NumCPUs()
	d := &Domains{rules: r, of: make([][]Domain, n), llc: make([]CPUSet, n), llcID: slices.Repeat([]CPU{NoCPU}, n),
		shareID: slices.Repeat([]CPU{NoCPU}, n)}
	b := newDomainBuild(t, r)
	for c := t.all.First(); c != NoCPU; c = t.all.Next(c) {
		stack := b.stack(c)
		if r.ImbNUMA {
			allowImbalance(stack)
		}
		d.of[c] = withoutDegenerate(stack)
		d.shortcuts(c)
	}
	return d
}

func (d *Domains) shortcuts(c CPU) {
	d.llc[c] = NewCPUSet(c)
	share := NoCPU
	for _, dom := range d.of[c] {
		if dom.Flags.Has(FlagShareLLC) {
			d.llc[c] = dom.Span
		}
		if dom.Flags.Has(FlagCluster) {
			share = dom.Span.First()
			d.clusterActive = true
		}
	}
	d.llcID[c] = d.llc[c].First()
	if d.shareID[c] = share; share == NoCPU {
		d.shareID[c] = d.llcID[c]
	}
}

// domainLevel is one row of the kernel's topology table.
type domainLevel struct {
	level    Level
	flags    DomainFlags
	distance int
	span     []CPUSet // by CPU
}

// domainBuild holds what all CPUs of one build share.
type domainBuild struct {
	t      *Topology
	rules  DomainRules
	levels []domainLevel
	rings  []map[CPU][]CPUSet // by level, first CPU of the span: twice round the ring of groups
	masks  map[maskKey]CPUSet
}

// maskKey names a group of a NUMA level: the level, and the node and first CPU
// of the group.
type maskKey struct {
	level int
	node  NodeID
	first CPU
}

func newDomainBuild(t *Topology, r DomainRules) *domainBuild {
	b := &domainBuild{t: t, rules: r, masks: map[maskKey]CPUSet{}}
	b.add(LevelSMT, FlagShareCapacity|FlagShareLLC, 0, func(p place) CPUSet { return t.cores[p.core] })
	if r.ClusterLevel && t.hasClusters {
		flags := FlagShareLLC
		if r.ClusterFlag {
			flags |= FlagCluster
		}
		b.add(LevelCLS, flags, 0, func(p place) CPUSet { return t.clusters[p.cluster] })
	}
	b.add(LevelMC, FlagShareLLC, 0, func(p place) CPUSet { return t.llcs[p.llc].And(t.nodes[p.node]) })
	nodeCPUs := func(p place) CPUSet { return t.nodes[p.node] }
	if !r.SkipPackage || !t.nodesInSocket() {
		b.add(r.Package, 0, 0, nodeCPUs)
	}
	b.add(LevelNODE, 0, 0, nodeCPUs)
	for _, distance := range t.distinctDistances() {
		near := make([]CPUSet, len(t.nodes))
		for i := range near {
			for j, set := range t.nodes {
				if t.distances[i][j] <= distance {
					near[i] = near[i].Or(set)
				}
			}
		}
		b.add(LevelNUMA, FlagNUMA|FlagOverlap, distance, func(p place) CPUSet { return near[p.node] })
	}
	b.rings = make([]map[CPU][]CPUSet, len(b.levels))
	for i := range b.rings {
		b.rings[i] = map[CPU][]CPUSet{}
	}
	return b
}

func (b *domainBuild) add(level Level, flags DomainFlags, distance int, span func(place) CPUSet) {
	l := domainLevel{level, flags, distance, make([]CPUSet, b.t.NumCPUs())}
	for c := b.t.all.First(); c != NoCPU; c = b.t.all.Next(c) {
		l.span[c] = span(b.t.place[c])
	}
	b.levels = append(b.levels, l)
}

// nodesInSocket reports whether some socket holds CPUs of several nodes.
func (t *Topology) nodesInSocket() bool {
	for _, s := range t.sockets {
		if !s.SubsetOf(t.nodes[t.at(s.First()).node]) {
			return true
		}
	}
	return false
}

// distinctDistances lists the distances above local, ascending.
func (t *Topology) distinctDistances() []int {
	var out []int
	for _, row := range t.distances {
		for _, x := range row {
			if x > localDistance && !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	slices.Sort(out)
	return out
}

// stack is the hierarchy of a CPU with every level still in. As in the kernel
// it ends with the first level that spans the whole machine.
func (b *domainBuild) stack(c CPU) []Domain {
	var out []Domain
	for i, l := range b.levels {
		d := Domain{Level: l.level, Span: l.span[c], Flags: l.flags, Distance: l.distance}
		d.parameters(b.rules)
		if l.flags.Has(FlagOverlap) {
			d.Groups, d.Masks = b.overlapping(i, c)
		} else {
			d.Groups = b.disjoint(i, c)
			d.Masks = d.Groups
		}
		out = append(out, d)
		if d.Span.Equal(b.t.all) {
			break
		}
	}
	return out
}

// parameters sets the flags and numbers that follow from a level's own flags.
func (d *Domain) parameters(r DomainRules) {
	own := d.Flags
	d.Flags |= FlagBalanceNewidle | FlagBalanceExec | FlagBalanceFork | FlagWakeAffine | FlagPreferSibling
	d.ImbalancePct = r.ImbalancePct
	d.BusyFactor = r.BusyFactor
	d.MinInterval = d.Span.Len()
	d.MaxInterval = 2 * d.MinInterval
	switch {
	case own.Has(FlagShareCapacity):
		d.ImbalancePct = 110
	case own.Has(FlagShareLLC):
		d.ImbalancePct, d.CacheNiceTries, d.BusyIdx = 117, 1, 2
	case own.Has(FlagNUMA):
		d.CacheNiceTries, d.BusyIdx, d.IdleIdx = 2, 3, 2
		d.Flags = d.Flags&^FlagPreferSibling | FlagSerialize
		if d.Distance > r.ReclaimDistance {
			d.Flags &^= FlagBalanceExec | FlagBalanceFork | FlagWakeAffine
		}
	default:
		d.CacheNiceTries, d.BusyIdx, d.IdleIdx = 1, 2, 1
	}
	if !r.LoadIndices {
		d.BusyIdx, d.IdleIdx = 0, 0
	}
}

// below is the span of CPU c one level under level i: what a group is made of.
func (b *domainBuild) below(i int, c CPU) CPUSet {
	if i == 0 {
		return NewCPUSet(c)
	}
	return b.levels[i-1].span[c]
}

// disjoint lists the groups of level i as CPU c walks them. The groups of a
// span are one shared ring, linked anew by each CPU of the span in turn, so the
// order is the one the last CPU saw; c starts at its own group.
func (b *domainBuild) disjoint(i int, c CPU) []CPUSet {
	span := b.levels[i].span[c]
	ring, ok := b.rings[i][span.First()]
	if !ok {
		var covered CPUSet
		for j := range span.Wrap(span.Last()) {
			if !covered.Has(j) {
				g := b.below(i, j)
				ring = append(ring, g)
				covered = covered.Or(g)
			}
		}
		ring = append(ring, ring...)
		b.rings[i][span.First()] = ring
	}
	own := slices.IndexFunc(ring, func(g CPUSet) bool { return g.Has(c) })
	end := own + len(ring)/2
	return ring[own:end:end]
}

// overlapping lists the groups of NUMA level i for CPU c: from c on, the domain
// below of every CPU not yet covered, as that CPU sees it. Nodes seen from
// different places are near to different nodes, so that groups may overlap. A
// CPU whose hierarchy ended lower down, because it spans the machine already,
// has no say at this level.
func (b *domainBuild) overlapping(i int, c CPU) (groups, masks []CPUSet) {
	span := b.levels[i].span[c]
	var covered CPUSet
	for j := range span.Wrap(c) {
		if covered.Has(j) || !b.reaches(i, j) {
			continue
		}
		k := i
		if b.rules.DescendGroups {
			k = b.descend(i, j, span)
		}
		g := b.below(k, j)
		covered = covered.Or(g)
		groups = append(groups, g)
		key := maskKey{k, b.t.place[j].node, g.First()}
		if _, ok := b.masks[key]; !ok {
			b.masks[key] = b.balanceMask(k, g)
		}
		masks = append(masks, b.masks[key])
	}
	return groups, masks
}

// reaches reports whether the hierarchy of CPU c has level i.
func (b *domainBuild) reaches(i int, c CPU) bool {
	return i == 0 || !b.levels[i-1].span[c].Equal(b.t.all)
}

// descend is the highest level at or below i from which CPU j's group stays
// within the span.
func (b *domainBuild) descend(i int, j CPU, span CPUSet) int {
	for i > 1 && !b.below(i, j).SubsetOf(span) {
		i--
	}
	return i
}

// balanceMask is the set of members of group g, of level i, whose own group at
// that level is the same set.
func (b *domainBuild) balanceMask(i int, g CPUSet) CPUSet {
	var mask []CPU
	for c := g.First(); c != NoCPU; c = g.Next(c) {
		if b.reaches(i, c) && b.below(i, c).Equal(g) {
			mask = append(mask, c)
		}
	}
	return NewCPUSet(mask...)
}

// allowImbalance fills in ImbNUMA over a whole stack. The first level above the
// LLC gets the number of LLCs in it, or an eighth of its CPUs if it is a single
// LLC; levels above scale with their size, counted in first NUMA levels.
func allowImbalance(stack []Domain) {
	imb, unit := 0, 1
	for i := range stack {
		d := &stack[i]
		n := d.Span.Len()
		if i == 0 || d.Flags.Has(FlagShareLLC) || !stack[i-1].Flags.Has(FlagShareLLC) {
			d.ImbNUMA = imb * max(1, n/unit)
			continue
		}
		if llcs := n / stack[i-1].Span.Len(); llcs == 1 {
			imb = max(1, n/8)
		} else {
			imb = max(1, llcs)
		}
		d.ImbNUMA = imb
		unit = n
		for _, up := range stack[i+1:] {
			if up.Flags.Has(FlagNUMA) {
				unit = up.Span.Len()
				break
			}
		}
	}
}

// withoutDegenerate removes the levels that change nothing: those of one CPU,
// those whose flags need groups and have only one, and those that repeat the
// span below without adding an effective flag.
func withoutDegenerate(stack []Domain) []Domain {
	out := stack[:1:1]
	for _, parent := range stack[1:] {
		child := &out[len(out)-1]
		if parent.degenerate() || child.absorbs(parent) {
			continue
		}
		out = append(out, parent)
	}
	if out[0].degenerate() {
		out = out[1:]
	}
	return out
}

func (d *Domain) degenerate() bool {
	if d.Span.Len() == 1 {
		return true
	}
	return (len(d.Groups) < 2 || d.Flags&needGroups == 0) && !d.Flags.Has(FlagWakeAffine)
}

// absorbs reports whether the parent adds nothing to d.
func (d *Domain) absorbs(parent Domain) bool {
	if !d.Span.Equal(parent.Span) {
		return false
	}
	flags := parent.Flags
	if len(parent.Groups) == 1 {
		flags &^= needGroups
	}
	return flags&^d.Flags == 0
}
