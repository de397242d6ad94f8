package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/lab/datasets"
	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/experiment"
	"github.com/schedlab/lab/schedlab/internal/nearest"
	"github.com/schedlab/lab/schedlab/report"
)

// reproduceFlags are the flags of reproduce.
type reproduceFlags struct {
	format, out      string
	variant          string
	seeds, jobs      int
	warmup, duration time.Duration
	cache            cacheFlags
}

func (a *app) reproduceCommand() *cobra.Command {
	var f reproduceFlags
	cmd := &cobra.Command{
		Use:   "reproduce [mail...]",
		Short: "Set what the mails published beside the simulation",
		Long: `Simulate the published comparisons of the named mails (all that have data, if
none is named), both arms on the same seeds, print them side by side and write
a report with all tables and figures. Results are cached: a second run is fast,
and an interrupted one goes on from where it was.`,
		Example: `  schedlab reproduce
  schedlab reproduce sis-sync --seeds 10 --format csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.reproduce(cmd, args, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.format, "format", "text", "what to print: text, markdown or csv")
	fl.StringVar(&f.out, "out", "out", "folder for the report and the figures")
	fl.StringVar(&f.variant, "variant", "", "simulate this machine in place of the one it is a variant of: xeon240-llc120")
	fl.IntVar(&f.seeds, "seeds", experiment.DefaultSeeds, "seeds per arm")
	fl.IntVar(&f.jobs, "jobs", 0, "runs at once; 0 means one per processor")
	fl.DurationVar(&f.warmup, "warmup", schedlab.DefaultWarmup, "simulated before each window")
	fl.DurationVar(&f.duration, "duration", schedlab.DefaultDuration, "the measured window of each run")
	f.cache.register(cmd)
	return cmd
}

func (f reproduceFlags) check(cmd *cobra.Command) error {
	if err := oneOf("format", f.format, "text", "markdown", "csv"); err != nil {
		return err
	}
	if f.seeds < 1 || f.seeds > 1000 {
		return usagef("--seeds %d is not from 1 to 1000", f.seeds)
	}
	if f.jobs < 0 || f.jobs > 1024 {
		return usagef("--jobs %d is not from 0 to 1024", f.jobs)
	}
	if f.out == "" {
		return usagef("--out needs a folder")
	}
	return positiveTimes(cmd, f.warmup, f.duration)
}

// reproduction is a mail with everything shown of it.
type reproduction struct {
	mail   datasets.Mail
	result *experiment.Prediction
	pinned []experiment.Pinned
}

func (a *app) reproduce(cmd *cobra.Command, args []string, f reproduceFlags) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	mails, err := chosenMails(args)
	if err != nil {
		return err
	}
	var done []reproduction
	for _, m := range mails {
		r, err := a.predict(cmd.Context(), m, f)
		if err != nil && cmd.Context().Err() == nil {
			return err
		}
		if r.result != nil {
			done = append(done, r)
		}
		if err != nil {
			break // interrupted: show what is finished
		}
	}
	path, err := a.present(done, f)
	if err != nil {
		return err
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	where := a.out
	if f.format == "csv" {
		where = a.err // stdout is the CSV and nothing else
	}
	_, err = fmt.Fprintln(where, path)
	return err
}

// chosenMails are those named, or all that have data.
func chosenMails(args []string) ([]string, error) {
	var chosen []string
	seen := map[string]bool{}
	for _, name := range args {
		if _, err := datasets.Describe(name); err != nil {
			return nil, usageError{errors.New(nearest.Suggest("mail", name, datasets.Mails()))}
		}
		if _, err := datasets.Comparisons(name); err != nil {
			return nil, err
		}
		if !seen[name] {
			chosen = append(chosen, name)
		}
		seen[name] = true
	}
	if len(args) > 0 {
		return chosen, nil
	}
	for _, name := range datasets.Mails() {
		if _, err := datasets.Comparisons(name); err == nil {
			chosen = append(chosen, name)
		}
	}
	return chosen, nil
}

// predict simulates one mail. On an error it returns what is finished with it.
func (a *app) predict(ctx context.Context, mail string, f reproduceFlags) (reproduction, error) {
	var r reproduction
	var err error
	if r.mail, err = datasets.Describe(mail); err != nil {
		return r, err
	}
	step, stop := a.progress(mail)
	defer stop()
	o := experiment.Options{Seeds: f.seeds, Variant: f.variant, Warmup: f.warmup, Duration: f.duration,
		Sweep: schedlab.Sweep{Cache: f.cache.cache(), Workers: f.jobs, Progress: step}}
	if r.result, err = experiment.Predict(ctx, mail, o); err != nil {
		return r, err
	}
	if mail == "sis-sync" {
		o.Sweep.Progress = nil
		r.pinned, err = experiment.PinnedPair(ctx, o)
	}
	return r, err
}

// present prints what was asked for and writes the report and its parts below
// the output folder. It returns the report's path.
func (a *app) present(done []reproduction, f reproduceFlags) (string, error) {
	var err error
	switch f.format {
	case "csv":
		err = a.printCSV(done)
	case "markdown":
		err = a.printTables(done, func(t report.Table) error { return t.WriteMarkdown(a.out) })
	default:
		err = a.printTables(done, a.showTable)
	}
	if err != nil {
		return "", err
	}
	path := filepath.Join(f.out, "report.html")
	return path, writeReport(done, f.out, path)
}

func (a *app) printCSV(done []reproduction) error {
	all := &experiment.Prediction{}
	for _, r := range done {
		all.Rows = append(all.Rows, r.result.Rows...)
	}
	t, err := report.ScoreTable(all)
	if err != nil {
		return err
	}
	return t.WriteCSV(a.out)
}

func (a *app) printTables(done []reproduction, show func(report.Table) error) error {
	for _, r := range done {
		tables, err := r.summary()
		if err != nil {
			return err
		}
		for _, t := range tables {
			if err := show(t); err != nil {
				return err
			}
		}
	}
	return nil
}
