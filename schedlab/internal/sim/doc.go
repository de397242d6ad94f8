// Package sim is the engine: it plays a workload on a machine under a policy
// and says where every nanosecond went.
//
// It stands fifth in the pipeline (topology < machine < workload < policy <
// internal/sim < schedlab) and works on compiled arrays: integers and bitsets,
// no maps, no floats, no allocation per event.
//
//	      +------------- event loop: smallest (time, class, slot) -------------+
//	      |                                                                    |
//	timers (tasks, ticks)                                   completions (one per CPU)
//	      |                                                                    |
//	      v                                                                    v
//	fork, wake from interrupt       segment of a CPU ends: its parts are accounted,
//	                                its effect happens (send, enqueue, receive, idle),
//	                                the next segment is planned up to the next effect
//
// A segment is what a CPU does without looking at or touching anything others
// can see; its parts (a context switch, lines to fetch, a stretch of work) each
// carry a time category. A thread whose SMT sibling starts or stops has its
// segment settled and continued at the new speed.
//
// The window between looking and being seen. SelectCPU sees the machine at the
// instant the search ends. The choice shows in the idle mask only after the
// enqueue cost: until then others may choose the same CPU. These pending choices
// are claims.
//
// Invariants:
//   - Equal Config MUST give equal Totals, at any GOMAXPROCS, on any machine.
//   - Every CPU's and every task's categories MUST add up to the window.
//   - A task MUST NOT be on two CPUs; a sent message MUST wake its sleeper.
//   - Ties are ordered by (time, timers before completions, slot).
//   - A run until T executes what happens before T and excludes T.
package sim

// Version is part of every cache key: it MUST change whenever equal Configs may
// give different Totals.
const Version = "2"
