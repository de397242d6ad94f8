package jupyter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"time"
)

// Options of an execution. The zero value is usable.
type Options struct {
	// ModuleRoot is the folder whose go.mod names the kernel's version; "" is found upwards from the notebook.
	ModuleRoot string
	// CacheDir is where the kernel is built; "" is "schedlab" in the user's cache folder.
	CacheDir string
	// CellTimeout is how long one cell may run; 0 is 10 minutes.
	CellTimeout time.Duration
	// Stderr receives the kernel's own log as it is written; nil keeps it for error messages only.
	Stderr io.Writer
	// Progress, if not nil, is called before each code cell with its number, from 1, and the number of code cells.
	Progress func(cell, total int)
}

const defaultCellTimeout = 10 * time.Minute

// CellError tells which cell failed and why.
type CellError struct {
	// Notebook is the notebook's path.
	Notebook string
	// Cell is the number of the code cell, from 1: its In [n].
	Cell int
	// Reason is one line; Detail holds the first lines of what the cell wrote to stderr or of its error, without colours.
	Reason string
	Detail []string
	// Err is the cause where there is one: the context's error, a lost connection.
	Err error
}

func (e *CellError) Error() string {
	return fmt.Sprintf("jupyter: %s: cell [%d]: %s%s", e.Notebook, e.Cell, e.Reason, quote("it said", e.Detail))
}

func (e *CellError) Unwrap() error { return e.Err }

// Execute runs all code cells of the notebook in order in a fresh kernel and gives a copy with the new outputs and counts
// 1..n. Cells of only white space are not run. The kernel works in the folder of nb.Path. Execution metadata and the kernel's
// version are dropped, and the kernelspec is set to the one InstallKernelspec installs.
//
// The first cell that fails ends the run with a *CellError: on an error output, on anything written to stderr (a failed "!"
// line is seen only there) and after CellTimeout. ctx ends everything at once. In each case all processes are gone and the
// temporary folder is removed when Execute returns.
func Execute(ctx context.Context, nb *Notebook, opts Options) (*Notebook, error) {
	if !kernelRuns {
		return nil, errNoKernel
	}
	work, err := workFolder(nb.Path)
	if err != nil {
		return nil, err
	}
	root := opts.ModuleRoot
	if root == "" {
		root = work
	}
	bin, err := BuildKernel(ctx, root, opts.CacheDir)
	if err != nil {
		return nil, err
	}
	return execute(ctx, nb, bin, work, opts)
}

// workFolder gives the notebook's folder without symbolic links: the kernel takes its name from there.
func workFolder(path string) (string, error) {
	abs, err := filepath.Abs(filepath.Dir(path))
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("jupyter: %w", err)
	}
	return abs, nil
}

// execute runs the notebook with the kernel of the folder bin.
func execute(ctx context.Context, nb *Notebook, bin, work string, opts Options) (*Notebook, error) {
	if err := checkTools(bin); err != nil {
		return nil, err
	}
	out := fresh(nb)
	var todo []*Cell
	for _, c := range out.Cells {
		if c.Type == "code" && strings.TrimSpace(c.Source) != "" {
			todo = append(todo, c)
		}
	}
	if len(todo) == 0 {
		return out, nil
	}
	k, err := startKernel(ctx, bin, work, opts.Stderr)
	if err != nil {
		return nil, fmt.Errorf("jupyter: %s: %w", nb.Path, err)
	}
	timeout := opts.CellTimeout
	if timeout <= 0 {
		timeout = defaultCellTimeout
	}
	for i, c := range todo {
		if opts.Progress != nil {
			opts.Progress(i+1, len(todo))
		}
		if err := k.runCell(ctx, c, timeout); err != nil {
			err.Notebook, err.Cell = nb.Path, i+1
			if err.Err != nil {
				k.kill()
				k.remove()
			} else {
				k.shutdown()
			}
			return nil, err
		}
		c.Count = i + 1
	}
	k.shutdown()
	return out, nil
}

// fresh copies a notebook without outputs and without traces of earlier executions.
func fresh(nb *Notebook) *Notebook {
	out := *nb
	out.Metadata = maps.Clone(orEmpty(nb.Metadata))
	out.Metadata["kernelspec"] = map[string]any{
		"display_name": KernelDisplayName, "language": "go", "name": KernelName,
	}
	// What the kernel reports, without its version: that of the Go compiler.
	out.Metadata["language_info"] = map[string]any{"file_extension": ".go", "mimetype": "text/x-go", "name": "go"}
	out.Cells = make([]*Cell, len(nb.Cells))
	for i, c := range nb.Cells {
		cell := *c
		cell.Count, cell.Outputs = 0, nil
		cell.Metadata = maps.Clone(c.Metadata)
		for _, key := range executionMetadata {
			delete(cell.Metadata, key)
		}
		out.Cells[i] = &cell
	}
	return &out
}

// executionMetadata are the keys under which front ends note when a cell was run.
var executionMetadata = []string{"execution", "ExecuteTime"}

var errTimeout = errors.New("cell timeout")

// runCell runs one cell and fills in its outputs. The error lacks the notebook and the number; its Err is set when the kernel
// is in no state to go on or to shut down by itself.
func (k *kernel) runCell(ctx context.Context, c *Cell, timeout time.Duration) *CellError {
	id, err := k.send(k.shell, "execute_request", map[string]any{
		"code": c.Source, "silent": false, "store_history": true, // GoNB fails without these two
		"user_expressions": map[string]any{}, "allow_stdin": false, "stop_on_error": true,
	})
	if err != nil {
		return &CellError{Reason: err.Error(), Err: err}
	}
	run := &cellRun{id: id}
	err = k.await(ctx, run, timeout)
	if errors.Is(err, errTimeout) {
		return k.interrupt(ctx, run, timeout)
	}
	if err != nil {
		return &CellError{Reason: err.Error(), Err: err}
	}
	c.Outputs = run.outputs.list
	return k.judge(run)
}

// cellRun is a cell being executed: done when the kernel is idle again and has answered.
type cellRun struct {
	id          string
	outputs     outputs
	idle, reply bool
	status      string
}

// take uses a message, if it belongs to the cell.
func (r *cellRun) take(m received) error {
	if m.parent.ID != r.id {
		return nil
	}
	switch {
	case m.channel == "iopub" && m.idle():
		r.idle = true
	case m.channel == "iopub":
		return r.outputs.add(m.message)
	case m.header.Type == "execute_reply":
		var reply struct {
			Status string `json:"status"`
		}
		if err := json.Unmarshal(m.content, &reply); err != nil {
			return fmt.Errorf("execute_reply: %w", err)
		}
		r.reply, r.status = true, reply.Status
	}
	return nil
}

// await receives until the cell is done. It gives errTimeout when that takes too long.
func (k *kernel) await(ctx context.Context, r *cellRun, timeout time.Duration) error {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for !r.idle || !r.reply {
		select {
		case m := <-k.in:
			if err := r.take(m); err != nil {
				return err
			}
		case <-k.exited:
			return k.ended("while running the cell")
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return errTimeout
		}
	}
	return nil
}

// interrupt ends a cell that takes too long: it asks, waits a little, and reports what the cell had said until then. The
// caller shuts down, or kills if asking was in vain.
func (k *kernel) interrupt(ctx context.Context, r *cellRun, timeout time.Duration) *CellError {
	said := firstLines(plain(stderr(r.outputs.list), k.dir), 5)
	e := &CellError{Reason: fmt.Sprintf("not finished after %v", timeout), Detail: said}
	_, err := k.send(k.control, "interrupt_request", struct{}{})
	if err == nil {
		err = k.await(ctx, r, interruptGrace)
	}
	if err != nil {
		e.Reason += ", and it did not react to an interrupt"
		e.Err = err
	}
	return e
}

// judge tells whether a finished cell succeeded.
func (k *kernel) judge(r *cellRun) *CellError {
	said := plain(stderr(r.outputs.list), k.dir)
	if e := failure(r.outputs.list); e != nil {
		detail := said
		if detail == "" {
			detail = plain(strings.Join(e.Traceback, "\n"), k.dir)
		}
		return &CellError{Reason: "failed: " + reason(plain(e.EValue, k.dir)), Detail: firstLines(detail, 8)}
	}
	if said != "" {
		return &CellError{Reason: "wrote to stderr", Detail: firstLines(said, 8)}
	}
	if r.status != "ok" {
		return &CellError{Reason: fmt.Sprintf("the kernel answered %q without an error output", r.status)}
	}
	return nil
}

// reason gives the line of an error's text that says most: compiler errors begin with the package's name.
func reason(text string) string {
	for _, line := range firstLines(text, len(text)) {
		if !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "no reason given"
}
