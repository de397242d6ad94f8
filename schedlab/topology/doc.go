// Package topology describes the shape of a machine as the Linux scheduler sees
// it: which CPUs share a core, a cluster, a last-level cache, a NUMA node and a
// socket, how the kernel numbers them, how far the nodes are apart, and which
// scheduling domains a kernel version builds on top.
//
// It is the first package of the pipeline and imports none of the others:
//
//	topology < machine < workload < policy < internal/sim < schedlab < ...
//
// A machine comes from one of four places, all giving the same immutable
// Topology:
//
//	Preset("xeon240")                        a machine of the reproduced threads
//	Parse("pack:2 l3:1 core:22 pu:2")        an hwloc-style synthetic string
//	New("mine").Sockets(2).Cores(8).Build()  a regular machine, level by level
//	FromCPUs(name, rows, distances)          one row per CPU, for importers
//
// The parts nest, seen from one CPU, like this; the cluster level is missing on
// most machines, a node may hold several LLCs, and an LLC may span several
// nodes of its socket:
//
//	socket +-----------------------------------------------+
//	       | node +--------------------------------------+ |
//	       |      | LLC +------------------------------+ | |
//	       |      |     | cluster +------------------+ | | |
//	       |      |     |         | core [0|4] [1|5] | | | |   [0|4]: one core,
//	       |      |     |         +------------------+ | | |   SMT siblings 0, 4
//	       |      |     +------------------------------+ | |
//	       |      +--------------------------------------+ |
//	       +-----------------------------------------------+
//
// What always holds, and what every constructor checks:
//
//   - Each CPU MUST be in exactly one core, cluster, LLC, node and socket.
//   - A core MUST lie within one cluster, a cluster within one LLC and one
//     node, an LLC within one socket.
//   - Of a node and an LLC, or a node and a socket, that share a CPU, one MUST
//     lie within the other.
//   - Distances MUST be square over the nodes with CPUs, 10 from a node to
//     itself and more to any other. They need not be symmetric.
//   - CPU numbers are the kernel's. They MUST lie in 0 to MaxCPUs-1 and may
//     have gaps: an absent CPU is not in All and belongs to -1 everywhere.
//
// Counts may differ between siblings (a part with a core fused off): only
// Synthetic needs them alike.
//
// Domains gives the scheduling domains of each CPU under the rules of a kernel
// version. For every CPU:
//
//   - Spans MUST grow strictly from level to level (a level of equal span is
//     kept only for a flag of its own, which no present rule adds), and the top
//     one MUST be the whole machine.
//   - The first group MUST hold the CPU itself. Below the NUMA levels the
//     groups MUST be a partition of the span; on NUMA levels they may overlap,
//     and they MUST cover the span if distances are the same both ways.
package topology
