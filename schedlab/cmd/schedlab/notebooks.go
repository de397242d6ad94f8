package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/lab/schedlab/internal/jupyter"
)

func (a *app) notebooksCommand() *cobra.Command {
	var check, install bool
	var prefix string
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "notebooks [file...]",
		Short: "Execute notebooks with the real GoNB kernel",
		Long: `Execute the named notebooks (all of the checkout's, if none is named) without a
browser and write their outputs into them. A notebook is changed only when all
its cells succeeded. A notebook is a program: it runs code on your machine.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if install {
				return a.installKernel(cmd.Context(), args, prefix)
			}
			files, err := notebookFiles(args)
			if err != nil {
				return err
			}
			return a.executeAll(cmd.Context(), files, check, timeout)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "compare with the outputs in the files instead of writing them")
	cmd.Flags().BoolVar(&install, "install", false, "make the kernel known to Jupyter and VS Code, and execute nothing")
	cmd.Flags().StringVar(&prefix, "prefix", "", "with --install: environment to install into, such as a Python virtual environment")
	cmd.Flags().DurationVar(&timeout, "timeout", 10*time.Minute, "longest time for one cell")
	return cmd
}

func (a *app) installKernel(ctx context.Context, args []string, prefix string) error {
	if len(args) > 0 {
		return usagef("notebooks --install takes no file, got %q", args[0])
	}
	fmt.Fprintln(a.err, "building the GoNB kernel (up to a minute the first time)")
	dir, err := jupyter.BuildKernel(ctx, "", "")
	if err != nil {
		return err
	}
	file, err := jupyter.InstallKernelspec(ctx, dir, prefix)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, file)
	return err
}

func notebookFiles(args []string) ([]string, error) {
	if len(args) > 0 {
		return args, nil
	}
	root, err := jupyter.ModuleRoot("")
	if err != nil {
		return nil, fmt.Errorf("no notebook named and not in a checkout: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no notebook in %s", filepath.Join(root, "notebooks"))
	}
	return files, err
}

// executeAll goes on after a notebook that fails, so that one run tells all.
func (a *app) executeAll(ctx context.Context, files []string, check bool, timeout time.Duration) error {
	var failed []error
	for _, file := range files {
		err := a.executeOne(ctx, file, check, timeout)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, err)
			fmt.Fprintf(a.err, "%s: failed\n", filepath.Base(file))
			continue
		}
		fmt.Fprintf(a.out, "%s: ok\n", filepath.Base(file))
	}
	return errors.Join(failed...)
}

func (a *app) executeOne(ctx context.Context, file string, check bool, timeout time.Duration) error {
	nb, err := jupyter.Load(file)
	if err != nil {
		return err
	}
	step, stop := a.progress(filepath.Base(file))
	defer stop()
	fresh, err := jupyter.Execute(ctx, nb, jupyter.Options{CellTimeout: timeout, Progress: step})
	if err != nil {
		return err
	}
	if !check {
		return fresh.Save(file)
	}
	want, err := nb.Encode()
	if err != nil {
		return err
	}
	got, err := fresh.Encode()
	if err != nil {
		return err
	}
	if !bytes.Equal(want, got) {
		return fmt.Errorf("%s: its outputs are not those of a fresh execution; `schedlab notebooks %s` brings them up to date", file, file)
	}
	return nil
}
