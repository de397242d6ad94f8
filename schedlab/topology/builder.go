package topology

import (
	"fmt"
	"slices"
)

// Numbering is the rule by which firmware and kernel number the CPUs of a
// regular machine. The zero value is SiblingsLast.
type Numbering uint8

const (
	// SiblingsLast numbers thread 0 of all cores first, socket by socket and
	// node by node, then thread 1 of all cores: CPU n and CPU n+cores are
	// siblings. Intel servers do this.
	SiblingsLast Numbering = iota
	// SiblingsAdjacent numbers depth first: CPUs 2n and 2n+1 are siblings.
	SiblingsAdjacent
	// NodesInterleaved deals consecutive numbers round-robin over the nodes,
	// thread 0 of all cores before thread 1 of any.
	NodesInterleaved
)

// String is "siblings last", "siblings adjacent" or "nodes interleaved".
func (n Numbering) String() string {
	switch n {
	case SiblingsLast:
		return "siblings last"
	case SiblingsAdjacent:
		return "siblings adjacent"
	case NodesInterleaved:
		return "nodes interleaved"
	}
	return "unknown numbering"
}

// Builder describes a regular machine level by level. Counts are per parent,
// and every count is 1 until set. Methods return the builder, so that calls
// chain; errors are kept for Build.
type Builder struct {
	name         string
	counts       [numParts]int
	clusterLevel bool
	numbering    Numbering
	cpus         []CPU
	distances    [][]int
}

// The levels of a regular machine, outermost first.
const (
	sockets = iota
	nodes
	llcs
	clusters
	cores
	threads
	numParts
)

var partNames = [numParts]string{"sockets", "nodes per socket", "LLCs per node", "clusters per LLC", "cores per cluster", "threads per core"}

// New starts a machine of one CPU with the given name (any text, may be empty).
func New(name string) *Builder {
	return &Builder{name: name, counts: [numParts]int{1, 1, 1, 1, 1, 1}}
}

func (b *Builder) count(part, n int) *Builder {
	b.counts[part] = n
	return b
}

// Sockets sets the number of sockets.
func (b *Builder) Sockets(n int) *Builder { return b.count(sockets, n) }

// Nodes sets the number of NUMA nodes per socket.
func (b *Builder) Nodes(n int) *Builder { return b.count(nodes, n) }

// LLCs sets the number of last-level caches per node. (An LLC over several
// nodes is written as a synthetic string, or row by row with FromCPUs.)
func (b *Builder) LLCs(n int) *Builder { return b.count(llcs, n) }

// Clusters sets the number of clusters per LLC. One cluster per LLC is taken to
// mean that there is no cluster level, unless ClusterLevel is called too.
func (b *Builder) Clusters(n int) *Builder { return b.count(clusters, n) }

// ClusterLevel asks for a cluster level even where each LLC is one cluster.
func (b *Builder) ClusterLevel() *Builder {
	b.clusterLevel = true
	return b
}

// Cores sets the number of cores per cluster (per LLC without clusters).
func (b *Builder) Cores(n int) *Builder { return b.count(cores, n) }

// Threads sets the number of hardware threads per core.
func (b *Builder) Threads(n int) *Builder { return b.count(threads, n) }

// Numbering sets the rule that numbers the CPUs.
func (b *Builder) Numbering(n Numbering) *Builder {
	b.numbering = n
	return b
}

// CPUs gives each thread its number explicitly, in depth-first order: the
// threads of the first core of the first LLC first. It overrides Numbering.
// The numbers may have gaps but no repetitions; the slice is copied.
func (b *Builder) CPUs(explicit []CPU) *Builder {
	b.cpus = slices.Clone(explicit)
	return b
}

// NodeDistances sets the distances between nodes, all nodes of the machine in
// order; see FromCPUs for the default. The matrix is copied by Build.
func (b *Builder) NodeDistances(d [][]int) *Builder {
	b.distances = d
	return b
}

// Build checks the description and returns the topology. Errors: a count below
// 1, more than MaxCPUs CPUs, an unknown numbering, an explicit numbering of the
// wrong length or with a repeated number, or bad distances.
func (b *Builder) Build() (*Topology, error) {
	total := 1
	for part, n := range b.counts {
		if n < 1 {
			return nil, fmt.Errorf("topology: machine %q: %d %s, want 1 or more", b.name, n, partNames[part])
		}
		if n > MaxCPUs || total*n > MaxCPUs {
			return nil, fmt.Errorf("topology: machine %q: more than %d CPUs", b.name, MaxCPUs)
		}
		total *= n
	}
	number, err := b.numbers(total)
	if err != nil {
		return nil, fmt.Errorf("topology: machine %q: %w", b.name, err)
	}
	rows := make([]Place, total)
	for i := range rows {
		rows[i] = b.placeOf(i)
		rows[i].CPU = number[i]
	}
	return FromCPUs(b.name, rows, b.distances)
}

// placeOf is the place of the i-th thread in depth-first order.
func (b *Builder) placeOf(i int) Place {
	id := [numParts]int{}
	for part := threads; part >= 0; part-- {
		id[part] = i
		i /= b.counts[part]
	}
	p := Place{Socket: id[sockets], Node: id[nodes], LLC: id[llcs], Cluster: -1, Core: id[cores], Thread: id[threads] % b.counts[threads]}
	if b.counts[clusters] > 1 || b.clusterLevel {
		p.Cluster = id[clusters]
	}
	return p
}

// numbers gives the CPU number of each thread in depth-first order.
func (b *Builder) numbers(total int) ([]CPU, error) {
	if b.cpus != nil {
		if len(b.cpus) != total {
			return nil, fmt.Errorf("%d CPU numbers for %d threads", len(b.cpus), total)
		}
		return b.cpus, nil
	}
	smt := b.counts[threads]
	allCores := total / smt
	allNodes := b.counts[sockets] * b.counts[nodes]
	coresPerNode := allCores / allNodes
	out := make([]CPU, total)
	for i := range out {
		core, thread := i/smt, i%smt
		switch b.numbering {
		case SiblingsLast:
			out[i] = CPU(thread*allCores + core)
		case SiblingsAdjacent:
			out[i] = CPU(i)
		case NodesInterleaved:
			node, rank := core/coresPerNode, core%coresPerNode
			out[i] = CPU(thread*allCores + rank*allNodes + node)
		default:
			return nil, fmt.Errorf("unknown numbering %d", b.numbering)
		}
	}
	return out, nil
}
