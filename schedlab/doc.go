// Package schedlab answers "will this scheduler patch help on my machine and my
// workload, and why?" by simulating where Linux places waking tasks and what
// that placement costs.
//
// The pipeline, each step a package that knows only those before it:
//
//  1. topology: sockets, nodes, LLCs, clusters, cores, threads; scheduling domains.
//  2. machine: a topology with what things cost on it, each cost with its source.
//  3. workload: tasks as step programs and the channels they wake each other over.
//  4. policy: where a waking task goes; kernel versions, patches, your own.
//  5. schedlab (this package): Spec names a run, Simulate plays it, Result tells.
//  6. metrics: means, spreads, comparisons, verdicts.
//  7. experiment: what was published, predicted and scored.
//  8. report: dataframes and plots in twins, one renderer for text, Markdown, HTML.
//
// A run is named by five words that the command, the library, files and the
// cache share:
//
//	spec, err := schedlab.Parse("xeon240 netperf-tcp_rr:240 6.10+SIS_SYNC seed=1 duration=60ms")
//	cfg, err := spec.Config()
//	res, err := schedlab.Simulate(cfg)
//
// A policy of your own has no name a Spec could carry: put it into Config.Policy.
//
// Simulate is a pure function: equal Configs give byte-equal Results, at any
// GOMAXPROCS, on any machine.
package schedlab
