// Package workload describes what runs: tasks as step programs, and the
// channels over which they wake each other.
//
// It stands third in the pipeline (topology < machine < workload < policy <
// internal/sim < schedlab): it knows the machine, because the length of a leg
// is a property of the machine's software stack, and knows nothing of
// policies, so that swapping the policy never changes the work.
//
// A workload is a message graph, unrolled. A netperf request/response pair is
//
//	client: run(send path) -> send(c>s) -> run(tail) -> recv(s>c) -> run(receive path) -> done
//	server: recv(c>s) -> run(receive path) -> run(send path) -> send(s>c) -> run(tail)
//
// A program runs for ever from its first step to its last and then again.
// Programs are data: a step is a small value without pointers, and two tasks
// with the same role share one program.
//
// Invariants:
//   - A Workload MUST NOT change once it is built.
//   - Every channel MUST have exactly one receiving task.
//   - A program MUST contain a step that can take time or block, otherwise the
//     run stops with an error.
//   - Times MUST exclude what the machine model adds: context switches, the
//     wakeup path, searches, line transfers, idle exits and SMT slowdown.
package workload
