package jupyter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fakeBin makes a kernel folder whose gonb is this test program, and a folder for temporary files that must be empty at the
// end of the test.
func fakeBin(t *testing.T, mode string) (bin string) {
	t.Helper()
	if !kernelRuns {
		t.Skip(errNoKernel)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin = t.TempDir()
	for _, name := range []string{"gonb", "goimports"} {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(fakeEnv, mode)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Cleanup(func() {
		if left, _ := filepath.Glob(filepath.Join(tmp, "*")); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return bin
}

// shorten makes waiting for a kernel that will not answer short.
func shorten(t *testing.T, limit *time.Duration) {
	old := *limit
	*limit = 300 * time.Millisecond
	t.Cleanup(func() { *limit = old })
}

func notebook(cells ...string) *Notebook {
	nb := &Notebook{Path: "some/note.ipynb", Minor: 5}
	for i, source := range cells {
		nb.Cells = append(nb.Cells, &Cell{Type: "code", ID: "c" + strconv.Itoa(i+1), Source: source})
	}
	return nb
}

func runFake(t *testing.T, bin string, opts Options, cells ...string) (*Notebook, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return execute(ctx, notebook(cells...), bin, t.TempDir(), opts)
}

func TestExecuteGathersOutputs(t *testing.T) {
	bin := fakeBin(t, "run")
	nb := notebook(
		"out a\nout b\nshow d1 first\nout c\nupdate d1 second\nforged x\nforeign y",
		"  \n",
		"show d2 third",
	)
	nb.Cells[0].Count = 7
	nb.Cells[0].Metadata = map[string]any{"execution": map[string]any{"iopub.execute_input": "12:00"}, "tags": []any{"kept"}}
	nb.Cells[0].Outputs = []*Output{{Type: "stream", Name: "stderr", Text: "old"}}
	nb.Cells = append(nb.Cells, &Cell{Type: "markdown", ID: "m", Source: "# text"})
	nb.Metadata = map[string]any{"language_info": map[string]any{"version": "go1.26"}, "authors": "kept"}
	before := mustEncode(t, nb)

	out, err := execute(context.Background(), nb, bin, t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, mustEncode(t, nb)) {
		t.Error("the argument was changed")
	}
	type brief struct{ Type, Name, Text string }
	var got []brief
	for _, o := range out.Cells[0].Outputs {
		text := o.Text
		if s, ok := o.Data["text/plain"].(string); ok {
			text = s
		}
		got = append(got, brief{o.Type, o.Name, text})
	}
	want := []brief{{"stream", "stdout", "a\nb\n"}, {"display_data", "", "second"}, {"stream", "stdout", "c\n"}}
	if !equalJSON(t, got, want) {
		t.Errorf("outputs %+v, want %+v", got, want)
	}
	counts := []int{out.Cells[0].Count, out.Cells[1].Count, out.Cells[2].Count}
	if !equalJSON(t, counts, []int{1, 0, 2}) {
		t.Errorf("counts %v: an empty cell is not executed", counts)
	}
	text := string(mustEncode(t, out))
	for _, gone := range []string{"iopub.execute_input", "go1.26", "transient", "display_id", "old"} {
		if strings.Contains(text, gone) {
			t.Errorf("%q is still there:\n%s", gone, text)
		}
	}
	for _, kept := range []string{`"authors": "kept"`, `"tags"`, `"schedlab-gonb"`} {
		if !strings.Contains(text, kept) {
			t.Errorf("%s is missing:\n%s", kept, text)
		}
	}
}

func TestExecuteFailures(t *testing.T) {
	bin := fakeBin(t, "run")
	short := Options{CellTimeout: 300 * time.Millisecond}
	tests := []struct {
		name, cell string
		opts       Options
		want       string
	}{
		{"stderr", "err some warning", Options{}, "jupyter: some/note.ipynb: cell [2]: wrote to stderr\n  it said:\n    some warning"},
		{"error output", "fail no such thing", Options{}, "cell [2]: failed: no such thing\n  it said:\n    red"},
		{"error and stderr", "err panic: x\nfail exit status 2", Options{}, "cell [2]: failed: exit status 2\n  it said:\n    panic: x"},
		{"refused", "refuse", Options{}, `cell [2]: the kernel answered "error" without an error output`},
		{"kernel ends", "exit 4", Options{}, "cell [2]: the kernel ended while running the cell (exit status 4)\n  kernel log:\n    ending as told"},
		{"interrupted", "wait", short, "cell [2]: not finished after 300ms"},
		{"hangs", "out x\nhang", short, "cell [2]: not finished after 300ms, and it did not react to an interrupt"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "hangs" {
				shorten(t, &interruptGrace)
			}
			out, err := runFake(t, bin, test.opts, "out fine", test.cell, "out never")
			var cell *CellError
			if out != nil || !errors.As(err, &cell) {
				t.Fatalf("got %v, %v", out, err)
			}
			if !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("error\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

func TestExecuteStartFailures(t *testing.T) {
	tests := []struct{ mode, want string }{
		{"exit", "jupyter: some/note.ipynb: the kernel ended at once (exit status 3)\n  kernel log:\n    no kernel today"},
		{"clash", "address already in use"},
		{"mute", "jupyter: some/note.ipynb: the kernel did not answer within 300ms"},
	}
	for _, test := range tests {
		t.Run(test.mode, func(t *testing.T) {
			bin := fakeBin(t, test.mode)
			if test.mode == "mute" {
				shorten(t, &startLimit)
			}
			var log bytes.Buffer
			_, err := runFake(t, bin, Options{Stderr: &log}, "out x")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if starts := strings.Count(log.String(), "address already in use"); test.mode == "clash" && starts != 3 {
				t.Errorf("%d starts with a port taken, want 3", starts)
			}
		})
	}
}

func TestExecuteLeavesNothing(t *testing.T) {
	shorten(t, &interruptGrace)
	tests := []struct {
		name, end string
		cancel    bool
	}{
		{"success", "out done", false},
		{"failure", "fail it", false},
		{"timeout", "hang", false},
		{"kernel ends", "exit 1", false},
		{"cancelled", "hang", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bin := fakeBin(t, "run")
			file := filepath.Join(t.TempDir(), "pid")
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			opts := Options{CellTimeout: time.Minute}
			if test.name == "timeout" {
				opts.CellTimeout = time.Second
			}
			if test.cancel {
				opts.Progress = func(cell, _ int) {
					if cell == 2 {
						time.AfterFunc(100*time.Millisecond, cancel)
					}
				}
			}
			_, err := execute(ctx, notebook("child "+file, test.end), bin, t.TempDir(), opts)
			if (err == nil) != (test.name == "success") {
				t.Errorf("error %v", err)
			}
			if test.cancel && !errors.Is(err, context.Canceled) {
				t.Errorf("error %v does not wrap context.Canceled", err)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if pid, _ := strconv.Atoi(string(data)); alive(pid) {
				t.Errorf("process %d lives on", pid)
			}
		})
	}
}

func TestExecuteNeedsTools(t *testing.T) {
	bin := fakeBin(t, "run")
	os.Remove(filepath.Join(bin, "goimports"))
	_, err := runFake(t, bin, Options{}, "out x")
	if err == nil || !strings.Contains(err.Error(), `no program "goimports"`) {
		t.Errorf("error %v", err)
	}
}

func mustEncode(t *testing.T, nb *Notebook) []byte {
	t.Helper()
	data, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return bytes.Equal(x, y)
}
