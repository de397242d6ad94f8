package jupyter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// How long to wait for a kernel; variables, so that tests need not wait as long.
var (
	// startLimit is how long a kernel may take until it answers.
	startLimit = time.Minute
	// interruptGrace is how long a cell may take to end after an interrupt, before everything is killed.
	interruptGrace = 3 * time.Second
	// shutdownGrace is how long a kernel may take to clean up and end.
	shutdownGrace = 5 * time.Second
)

// kernel is a running GoNB process and the connection to it.
type kernel struct {
	*client
	cmd *exec.Cmd
	log *tail
	// dir is the private temporary folder: connection file, the kernel's work folder, pipes, compiled cells.
	dir string
	// exited is closed when the process has ended; exitErr is valid from then on.
	exited  chan struct{}
	exitErr error
}

// startKernel starts the kernel of the folder bin in the folder work and waits until it answers.
func startKernel(ctx context.Context, bin, work string, stderr io.Writer) (*kernel, error) {
	const attempts = 3
	for attempt := 1; ; attempt++ {
		k, err := spawn(ctx, bin, work, stderr)
		if err != nil {
			return nil, err
		}
		if err = k.connect(ctx); err == nil {
			return k, nil
		}
		k.kill()
		clash := k.log.contains("address already in use")
		k.remove()
		if !clash || attempt == attempts {
			return nil, err
		}
	}
}

// spawn starts the process.
func spawn(ctx context.Context, bin, work string, stderr io.Writer) (*kernel, error) {
	env, err := kernelEnv(ctx, bin, work)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "schedlab-notebook-")
	if err != nil {
		return nil, err
	}
	k := &kernel{log: &tail{next: stderr}, dir: dir, exited: make(chan struct{})}
	file := filepath.Join(dir, "kernel-"+randomHex(8)+".json")
	k.cmd = exec.Command(filepath.Join(bin, "gonb"), "-raw_error", "-kernel", file)
	k.cmd.Dir = work
	k.cmd.Env = append(env, "TMPDIR="+dir, "GOTMPDIR="+dir)
	k.cmd.Stdout, k.cmd.Stderr = k.log, k.log
	k.cmd.WaitDelay = time.Second // a program of a cell may hold the pipe after the kernel has ended
	ownGroup(k.cmd)
	if k.client, err = k.start(file); err != nil {
		k.remove()
		return nil, err
	}
	go func() {
		k.exitErr = k.cmd.Wait()
		close(k.exited)
	}()
	return k, nil
}

// start writes the connection file and starts the process; the client it gives is not connected yet.
func (k *kernel) start(file string) (*client, error) {
	conn, err := newConnection()
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(conn)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, err
	}
	if err := k.cmd.Start(); err != nil {
		return nil, fmt.Errorf("kernel not started: %w", err)
	}
	return newClient(conn), nil
}

// connect dials the kernel and asks who it is until the answer shows that both channels work: a subscription takes effect
// some time after it was made, and messages published before are lost.
func (k *kernel) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	failed := make(chan error, 1)
	go func() { failed <- k.dial() }()
	repeat := time.NewTicker(100 * time.Millisecond)
	defer repeat.Stop()
	var dialed, answered, heard bool
	for !answered || !heard {
		select {
		case <-k.exited:
			return k.ended("at once")
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return k.explain(fmt.Errorf("the kernel did not answer within %v", startLimit))
			}
			return ctx.Err()
		case err := <-failed:
			if err != nil {
				return k.explain(err)
			}
			dialed, failed = true, nil
		case <-repeat.C:
			if !dialed {
				continue
			}
			if _, err := k.send(k.shell, "kernel_info_request", struct{}{}); err != nil {
				return k.explain(err)
			}
		case m := <-k.in:
			answered = answered || m.header.Type == "kernel_info_reply"
			heard = heard || m.channel == "iopub"
		}
	}
	return nil
}

// ended is the error of a kernel that is gone.
func (k *kernel) ended(when string) error {
	state := "exit status 0"
	if k.exitErr != nil {
		state = k.exitErr.Error()
	}
	return k.explain(fmt.Errorf("the kernel ended %s (%s)", when, state))
}

// explain adds the end of the kernel's log to an error.
func (k *kernel) explain(err error) error {
	return fmt.Errorf("%w%s", err, quote("kernel log", k.log.last(8)))
}

// quote sets lines below an error's first line.
func quote(title string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "\n  " + title + ":\n    " + strings.Join(lines, "\n    ")
}

// shutdown asks the kernel to end, and makes sure of it. The kernel closes its sockets while answering, so that the answer is
// usually lost: only the end of the process counts.
func (k *kernel) shutdown() {
	k.send(k.control, "shutdown_request", map[string]any{"restart": false})
	select {
	case <-k.exited:
	case <-time.After(shutdownGrace):
	}
	k.kill()
	k.remove()
}

// kill ends the kernel and everything it started.
func (k *kernel) kill() {
	k.client.close()
	killGroup(k.cmd.Process.Pid)
	<-k.exited
}

// remove deletes the private folder. A dying process may still write there, hence the repetition.
func (k *kernel) remove() {
	for range 20 {
		if os.RemoveAll(k.dir) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}
