package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/report"
)

func (a *app) simulateCommand() *cobra.Command {
	var spec schedlab.Spec
	var format string
	var decisions int
	var cache cacheFlags
	cmd := &cobra.Command{
		Use:   "simulate --machine M --workload W --policy P",
		Short: "Play one workload on one machine under one policy",
		Example: `  schedlab simulate --machine xeon240 --workload netperf-tcp_rr:240 --policy 6.10
  schedlab simulate --machine xeon240 --workload netperf-tcp_rr:240 --policy 6.10+SIS_SYNC --seed 1 --duration 100ms --format json
  schedlab simulate --machine xeon240 --workload netperf-tcp_rr:240 --policy 6.10 --decisions 20`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, "text", "json"); err != nil {
				return err
			}
			if err := needFlags(cmd, "machine", "workload", "policy"); err != nil {
				return err
			}
			if err := positiveTimes(cmd, spec.Warmup, spec.Duration); err != nil {
				return err
			}
			if decisions < 0 {
				return usagef("--decisions %d is not a number of placements", decisions)
			}
			r, err := simulate(cmd.Context(), cache, spec, decisions)
			if err != nil {
				return err
			}
			if format == "json" {
				return json.NewEncoder(a.out).Encode(r)
			}
			if err := a.showResult(r); err != nil || decisions == 0 {
				return err
			}
			t, err := report.DecisionsTable(r.Decisions)
			if err != nil {
				return err
			}
			return a.showTable(t)
		},
	}
	f := cmd.Flags()
	f.StringVar(&spec.Machine, "machine", "", "machine, see `schedlab list machines`")
	f.StringVar(&spec.Workload, "workload", "", "workload:load, see `schedlab list workloads`")
	f.StringVar(&spec.Policy, "policy", "", "VERSION[+FEATURE|+NO_FEATURE|+FEATURE=N], see `schedlab list policies`")
	f.Uint64Var(&spec.Seed, "seed", 1, "seed of the random draws")
	f.DurationVar(&spec.Warmup, "warmup", schedlab.DefaultWarmup, "simulated before the window, after the last task has started")
	f.DurationVar(&spec.Duration, "duration", schedlab.DefaultDuration, "the measured window")
	f.StringVar(&format, "format", "text", "text or json")
	f.IntVar(&decisions, "decisions", 0, "show the first `N` placements of the window; such a run is played anew, not taken from the cache")
	cache.register(cmd)
	return cmd
}

// simulate takes a result from the cache, unless its decisions are asked for:
// the cache has none.
func simulate(ctx context.Context, cache cacheFlags, spec schedlab.Spec, decisions int) (*schedlab.Result, error) {
	if decisions == 0 {
		return cache.cache().Simulate(ctx, spec)
	}
	c, err := spec.Config()
	if err != nil {
		return nil, err
	}
	c.Record = schedlab.Record{To: c.Duration, Limit: decisions}
	return schedlab.SimulateContext(ctx, c)
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, got %q; see `schedlab help %s`", cmd.Name(), args[0], cmd.Name())
	}
	return nil
}

func needFlags(cmd *cobra.Command, names ...string) error {
	for _, n := range names {
		if cmd.Flag(n).Value.String() == "" {
			return usagef("%s needs --%s; see `schedlab help %s`", cmd.Name(), n, cmd.Name())
		}
	}
	return nil
}

func positiveTimes(cmd *cobra.Command, warmup, duration time.Duration) error {
	if warmup <= 0 && cmd.Flag("warmup").Changed {
		return usagef("--warmup %v is not a positive time like 150ms", warmup)
	}
	if duration <= 0 && cmd.Flag("duration").Changed {
		return usagef("--duration %v is not a positive time like 60ms", duration)
	}
	return nil
}

func (a *app) showResult(r *schedlab.Result) error {
	for _, table := range []func(*schedlab.Result) (report.Table, error){
		report.ResultTable, report.DecisionTable, report.MoveTable, report.AccountTable,
	} {
		t, err := table(r)
		if err != nil {
			return err
		}
		if err := a.showTable(t); err != nil {
			return err
		}
	}
	return nil
}

// showTable prints a table and an empty line.
func (a *app) showTable(t report.Table) error {
	if err := t.Width(terminalWidth(a.out)).WriteText(a.out); err != nil {
		return err
	}
	_, err := a.out.Write([]byte("\n"))
	return err
}
