// Package machine says what things cost on one computer: how many nanoseconds a cache line takes
// from one CPU to another, how long a system call, a context switch or leaving an idle state takes,
// how much a core gains from its second thread, at which clock it runs.
//
// Position in the pipeline: topology < machine < workload < policy < internal/sim. The topology says
// who shares what; this package puts a price on each distance. Nothing here simulates.
//
//	data/<name>.csv        one row per cost: value, unit, interval, grade, source   \
//	data/<name>.idle.csv   one row per idle state, shallow to deep                   > Machine
//	topology               CPUs, cores, clusters, LLCs, nodes, sockets              /
//
//	                         line       contended      refill
//	same CPU                 0          0              0
//	SMT sibling              line_smt   line_smt       0 (first and second level cache are shared)
//	cluster                  _cluster   _cluster       _llc
//	LLC                      _llc       _llc           _llc
//	other LLC, same socket   _socket    _socket        _socket
//	other socket             _remote    _remote        _remote
//
// Two machines may share one cost file: xeon240 and xeon240-llc120 are the same hardware with LLCs
// of 60 or 120 CPUs. A machine of your own is usually a topology under the costs of its nearest
// relative (see [Machine.On]), with the costs you measured put in (see [Machine.With]).
//
// Invariants:
//   - A Machine is immutable; every method is safe for concurrent use.
//   - A Machine MUST have exactly one [Cost] for every [Param]; there are no defaults.
//   - Every Cost MUST satisfy Low <= Value <= High and have a unit, a grade and a source.
//   - Every cost in nanoseconds MUST hold at the clock clock_max; a CPU running slower takes
//     clock_max / clock times as long for its own work. Line transfers and IPIs do not scale, and
//     anchors hold as they were measured.
//   - A cost belongs to a machine. None MUST belong to a benchmark, a load or a patch: what a
//     message carries or a task touches is the workload's business.
//   - Hop and transaction costs (pipe_*, tcp_*, tbench_op, hackbench_message, uperf_rtt) are
//     measured wholes. They anchor a calibration and MUST NOT be added to the parts they contain.
package machine
