package topology

import "slices"

// Identifiers of the parts of a machine. Each kind counts from 0 without gaps
// and has its own type, so that a node number cannot be used as an LLC number.
// Cores, clusters and LLCs are numbered by their lowest CPU; nodes and sockets
// in the order in which they were declared (by their number, in FromCPUs). A
// CPU that the machine does not have belongs to -1.
type (
	CoreID    int32
	ClusterID int32
	LLCID     int32
	NodeID    int32
	SocketID  int32
)

// Topology is the shape of one machine: which CPUs share a core, a cluster, a
// last-level cache, a NUMA node and a socket, and how far apart the nodes are.
// It is immutable and safe for concurrent use.
type Topology struct {
	name        string
	all         CPUSet
	place       []place // by CPU number
	hasClusters bool
	smt         int

	cores, clusters, llcs, nodes, sockets []CPUSet // by identifier
	distances                             [][]int  // by node, node
}

// place is where one CPU sits; all fields are -1 for an absent CPU.
type place struct {
	core    CoreID
	cluster ClusterID
	llc     LLCID
	node    NodeID
	socket  SocketID
	thread  int32
}

var nowhere = place{-1, -1, -1, -1, -1, -1}

func (t *Topology) at(c CPU) place {
	if uint(c) >= uint(len(t.place)) {
		return nowhere
	}
	return t.place[c]
}

// Name is the name given by whoever built the topology: the preset's name for a
// preset. It identifies nothing else and may be empty.
func (t *Topology) Name() string { return t.name }

// NumCPUs is the highest CPU number plus one: the length of an array indexed by
// CPU. Where the kernel left numbers out (offline CPUs, holes in firmware
// tables) it is more than the count of CPUs, which is All().Len().
func (t *Topology) NumCPUs() int { return len(t.place) }

// NumCores is the number of cores.
func (t *Topology) NumCores() int { return len(t.cores) }

// NumClusters is the number of clusters. On a machine without a cluster level
// each LLC counts as one cluster.
func (t *Topology) NumClusters() int { return len(t.clusters) }

// NumLLCs is the number of last-level caches.
func (t *Topology) NumLLCs() int { return len(t.llcs) }

// NumNodes is the number of NUMA nodes that have CPUs.
func (t *Topology) NumNodes() int { return len(t.nodes) }

// NumSockets is the number of sockets.
func (t *Topology) NumSockets() int { return len(t.sockets) }

// SMT is the largest number of hardware threads in a core: 1 without SMT.
func (t *Topology) SMT() int { return t.smt }

// HasClusters reports whether the machine has a level between core and LLC: a
// cluster of several cores sharing an L2 or an L3 tag.
func (t *Topology) HasClusters() bool { return t.hasClusters }

// All is the set of the machine's CPUs. Loops over CPUs go over All, not over
// 0 to NumCPUs()-1, because numbers may be missing.
func (t *Topology) All() CPUSet { return t.all }

// Core is the core of c, -1 if the machine has no such CPU.
func (t *Topology) Core(c CPU) CoreID { return t.at(c).core }

// Cluster is the cluster of c, -1 if the machine has no such CPU. Without a
// cluster level the LLC is the cluster.
func (t *Topology) Cluster(c CPU) ClusterID { return t.at(c).cluster }

// LLC is the last-level cache of c, -1 if the machine has no such CPU. It is
// the hardware's cache; what the kernel treats as one (never more than a node)
// is Domains.LLC.
func (t *Topology) LLC(c CPU) LLCID { return t.at(c).llc }

// Node is the NUMA node of c, -1 if the machine has no such CPU.
func (t *Topology) Node(c CPU) NodeID { return t.at(c).node }

// Socket is the socket of c, -1 if the machine has no such CPU.
func (t *Topology) Socket(c CPU) SocketID { return t.at(c).socket }

// Thread is which hardware thread of its core c is, from 0; -1 if the machine
// has no such CPU.
func (t *Topology) Thread(c CPU) int { return int(t.at(c).thread) }

// CoreCPUs is the set of CPUs of a core (its SMT siblings). An identifier the
// machine does not have is a programmer error and panics, here and below.
func (t *Topology) CoreCPUs(id CoreID) CPUSet { return t.cores[id] }

// ClusterCPUs is the set of CPUs of a cluster.
func (t *Topology) ClusterCPUs(id ClusterID) CPUSet { return t.clusters[id] }

// LLCCPUs is the set of CPUs that share a last-level cache.
func (t *Topology) LLCCPUs(id LLCID) CPUSet { return t.llcs[id] }

// NodeCPUs is the set of CPUs of a NUMA node.
func (t *Topology) NodeCPUs(id NodeID) CPUSet { return t.nodes[id] }

// SocketCPUs is the set of CPUs of a socket.
func (t *Topology) SocketCPUs(id SocketID) CPUSet { return t.sockets[id] }

// NodeDistance is the firmware's distance from node a to node b, in the units
// of the ACPI SLIT table: 10 is local, 20 is "twice as slow".
func (t *Topology) NodeDistance(a, b NodeID) int { return t.distances[a][b] }

// Distance is how far apart two CPUs are, as the nearest thing they share. The
// zero value is SameCPU.
type Distance uint8

// The distances, from near to far. Each step is a place where the price of
// moving a cache line changes.
const (
	SameCPU Distance = iota
	SMT              // two threads of a core
	Cluster          // one cluster, two cores; only where HasClusters
	LLC              // one last-level cache
	Socket           // one socket, two last-level caches
	Remote           // two sockets

	// NumDistances is the length of an array indexed by Distance.
	NumDistances = 6
)

var distanceNames = [NumDistances]string{"same CPU", "SMT sibling", "cluster", "LLC", "socket", "remote"}

// String is the name used in tables: "same CPU", "SMT sibling", "cluster",
// "LLC", "socket" or "remote".
func (d Distance) String() string {
	if d >= NumDistances {
		return "unknown distance"
	}
	return distanceNames[d]
}

// Distance is how far b is from a; it is symmetric. A CPU the machine does not
// have is Remote from everything, itself included.
func (t *Topology) Distance(a, b CPU) Distance {
	p, q := t.at(a), t.at(b)
	switch {
	case p.socket != q.socket || p.socket < 0:
		return Remote
	case a == b:
		return SameCPU
	case p.core == q.core:
		return SMT
	case p.llc != q.llc:
		return Socket
	case t.hasClusters && p.cluster == q.cluster:
		return Cluster
	}
	return LLC
}

// Equal reports whether two topologies describe the same machine: the same CPU
// numbers in the same places and the same distances. Names do not count.
func (t *Topology) Equal(o *Topology) bool {
	return t.hasClusters == o.hasClusters && slices.Equal(t.place, o.place) &&
		slices.EqualFunc(t.distances, o.distances, slices.Equal[[]int])
}
