// Package policytest is the contract of a placement policy as a test anybody can
// run on a policy of their own:
//
//	func TestMine(t *testing.T) { policytest.Test(t, Mine()) }
//
// It stands beside package schedlab, which it plays real simulations with: small
// machines with and without SMT, with clusters, with several LLCs and sockets, two
// published ones; pairs, crowds woken from timers, tasks on a few CPUs and on one.
//
// The clauses:
//   - placements: every wakee MUST go to a CPU it is allowed on, for a reason of
//     the closed set that is a policy's to give.
//   - repeatable: equal Configs MUST give equal bytes, one after the other and at
//     once; so a Policy MUST keep what it learns in its Selector.
//   - searches: a loop of single looks and the bulk search MUST give equal CPU,
//     probes and cost, in whatever state the policy brings the machine into.
//   - allocations: SelectCPU MUST NOT allocate once it has been warmed up.
//   - draws: swapping the policy MUST NOT change what the workload draws.
//   - wakeups: the policy MUST NOT be asked about a wakee with one CPU only, and
//     the questions it is asked MUST make sense.
//
// Searches, draws and wakeups are the engine's side of the contract: they fail
// when the engine, or a View of your own around it, breaks its word.
package policytest
