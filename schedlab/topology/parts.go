package topology

import (
	"cmp"
	"slices"
	"strconv"
)

// kind is a kind of part, in the order in which parts of equal extent nest.
type kind uint8

const (
	kindMachine kind = iota
	kindSocket
	kindNode
	kindLLC
	kindCluster
	kindCore
	kindThread
)

var kindNames = [...]string{"machine", "socket", "node", "LLC", "cluster", "core", "thread"}

func (k kind) String() string { return kindNames[k] }

// part is a piece of the machine with the pieces it contains. Which kind
// contains which differs between machines (a node holds LLCs here, an LLC spans
// nodes there), so the tree follows from the sets of CPUs.
type part struct {
	kind  kind
	id    int // identifier of the kind; the CPU number for a thread
	cpus  CPUSet
	parts []*part
}

// tree arranges all parts by containment. Without a cluster level it has no
// clusters. Parts are ordered by identifier, threads by thread number.
func (t *Topology) tree() *part {
	all := t.allParts()
	slices.SortStableFunc(all, func(a, b *part) int {
		return cmp.Or(cmp.Compare(b.cpus.Len(), a.cpus.Len()), cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
	})
	root := &part{kind: kindMachine, cpus: t.all}
	innermost := slices.Repeat([]*part{root}, t.NumCPUs())
	for _, p := range all {
		parent := innermost[p.cpus.First()]
		parent.parts = append(parent.parts, p)
		for c := p.cpus.First(); c != NoCPU; c = p.cpus.Next(c) {
			innermost[c] = p
		}
	}
	root.sort(t)
	return root
}

func (t *Topology) allParts() []*part {
	var all []*part
	add := func(k kind, sets []CPUSet) {
		for i, s := range sets {
			all = append(all, &part{kind: k, id: i, cpus: s})
		}
	}
	add(kindSocket, t.sockets)
	add(kindNode, t.nodes)
	add(kindLLC, t.llcs)
	if t.hasClusters {
		add(kindCluster, t.clusters)
	}
	add(kindCore, t.cores)
	for c := t.all.First(); c != NoCPU; c = t.all.Next(c) {
		all = append(all, &part{kind: kindThread, id: int(c), cpus: NewCPUSet(c)})
	}
	return all
}

func (p *part) sort(t *Topology) {
	slices.SortStableFunc(p.parts, func(a, b *part) int {
		if a.kind == kindThread && b.kind == kindThread {
			return cmp.Compare(t.Thread(CPU(a.id)), t.Thread(CPU(b.id)))
		}
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
	})
	for _, child := range p.parts {
		child.sort(t)
	}
}

// shape writes a part's structure without numbers, so that equal shapes have
// equal text. Depth first: a letter for the kind, the children in brackets.
func (p *part) shape() string {
	if len(p.parts) == 0 {
		return "t"
	}
	b := []byte{"MSNLGCt"[p.kind], '('}
	for i := 0; i < len(p.parts); {
		first := p.parts[i].shape()
		j := i + 1
		for j < len(p.parts) && p.parts[j].shape() == first {
			j++
		}
		b = append(b, first...)
		if j-i > 1 {
			b = append(b, '*')
			b = appendInt(b, j-i)
		}
		i = j
	}
	return string(append(b, ')'))
}

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }
