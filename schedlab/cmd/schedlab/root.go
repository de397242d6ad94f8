package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/internal/nearest"
)

// Exit codes: what a shell script can tell apart.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// usageError is a mistake on the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// app is what all commands share.
type app struct {
	out, err io.Writer
}

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{out: stdout, err: stderr}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	switch usage := (usageError{}); {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		fmt.Fprintf(stderr, "schedlab: interrupted; what was finished is kept\n")
		return exitInterrupted
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "schedlab: %v\n", oneLine(err))
		return exitUsage
	default:
		fmt.Fprintf(stderr, "schedlab: %v\n", oneLine(err))
		return exitFailed
	}
}

// oneLine keeps a message on one line and does not say the program's name twice.
func oneLine(err error) string {
	text := strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	return strings.TrimPrefix(text, "schedlab: ")
}

const tryThese = `schedlab simulates where Linux places waking tasks, and what that costs.

Try:
  schedlab reproduce                                   what the mails published, beside the simulation
  schedlab simulate --machine xeon240 --workload netperf-tcp_rr:240 --policy 6.10+SIS_SYNC
  schedlab topology "pack:2 numa:2 l3:1 group:8 core:4 pu:1"

schedlab help lists everything. In a checkout, schedlab is "go run ./schedlab/cmd/schedlab".
`

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "schedlab",
		Short:         "Simulate Linux wakeup placement on any topology",
		Version:       "engine " + schedlab.EngineVersion,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{errors.New(nearest.Suggest("command", args[0], commandNames(cmd)))}
			}
			_, err := io.WriteString(a.out, tryThese)
			return err
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s: %w; see `schedlab help %s`", cmd.Name(), err, cmd.Name())
	})
	root.AddCommand(a.reproduceCommand(), a.simulateCommand(), a.listCommand(), a.topologyCommand(), a.notebooksCommand())
	return root
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// cacheFlags are the flags of every command that simulates.
type cacheFlags struct {
	off bool
	dir string
}

func (f *cacheFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.off, "no-cache", false, "simulate even what the result cache holds, and keep nothing")
	cmd.Flags().StringVar(&f.dir, "cache", "", "folder of the result cache (default: below the user's cache folder)")
}

func (f *cacheFlags) cache() schedlab.Cache {
	switch {
	case f.off:
		return schedlab.Cache{}
	case f.dir != "":
		return schedlab.Cache{Dir: f.dir}
	}
	return schedlab.DefaultCache()
}

// oneOf checks a flag that takes one of a few words.
func oneOf(flag, value string, words ...string) error {
	for _, w := range words {
		if value == w {
			return nil
		}
	}
	return usagef("--%s %q is none of %s", flag, value, strings.Join(words, ", "))
}
