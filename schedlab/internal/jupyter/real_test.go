package jupyter_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/lab/schedlab/internal/jupyter"
)

// These tests run the real kernel: building it takes up to a minute with an empty build cache.

var update = flag.Bool("update", false, "rewrite golden files")

// realKernel skips where the real kernel cannot run.
func realKernel(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the GoNB kernel")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the GoNB kernel does not run on Windows")
	}
}

// checkout makes a module with a space in its path that holds go.mod and notebooks/nb of this one, and gives the path of a
// notebook in it with the given cells (testdata/tiny.ipynb if none).
func checkout(t *testing.T, cells ...string) *jupyter.Notebook {
	t.Helper()
	root := filepath.Join(t.TempDir(), "a checkout")
	here, err := jupyter.ModuleRoot("")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum", "notebooks/nb/doc.go", "notebooks/nb/nb.go"} {
		data, err := os.ReadFile(filepath.Join(here, name))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	nb, err := jupyter.Load("testdata/tiny.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if len(cells) > 0 {
		nb.Cells = nil
		for _, source := range cells {
			nb.Cells = append(nb.Cells, &jupyter.Cell{Type: "code", Source: source})
		}
	}
	nb.Path = filepath.Join(root, "notebooks", "tiny.ipynb")
	return nb
}

// options gives each test a folder for temporary files, and fails it if something is left there at its end.
func options(t *testing.T) jupyter.Options {
	t.Helper()
	root, err := jupyter.ModuleRoot("")
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Cleanup(func() {
		left, _ := filepath.Glob(filepath.Join(tmp, "*"))
		if len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return jupyter.Options{ModuleRoot: root, CellTimeout: 2 * time.Minute}
}

func TestExecuteRealKernel(t *testing.T) {
	realKernel(t)
	nb := checkout(t)
	before, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	// Settings that break cells of a kernel started with them.
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	var progress []int
	opts := options(t)
	opts.Progress = func(cell, total int) { progress = append(progress, cell, total) }

	start := time.Now()
	out, err := jupyter.Execute(context.Background(), nb, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(start))
	first := encode(t, out)
	if after := encode(t, nb); !bytes.Equal(before, after) {
		t.Error("Execute changed its argument")
	}
	const golden = "testdata/tiny.golden.ipynb"
	if *update {
		if err := out.Save(golden); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(first, want) {
		t.Errorf("differs from %s (%v):\n%s", golden, err, first)
	}
	if problems := jupyter.Check(out); problems != nil {
		t.Errorf("Check: %v", problems)
	}
	if want := []int{1, 3, 2, 3, 3, 3}; len(progress) != len(want) || progress[4] != 3 {
		t.Errorf("progress %v, want %v", progress, want)
	}
	if entries, _ := filepath.Glob(filepath.Dir(out.Path) + "/../*"); len(entries) != 3 {
		t.Errorf("the checkout was changed: %v", entries)
	}
}

func encode(t *testing.T, nb *jupyter.Notebook) []byte {
	t.Helper()
	data, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestExecuteRealFailures(t *testing.T) {
	realKernel(t)
	tests := []struct {
		name, cell string
		want       []string
	}{
		{"shell line", "!echo before; exit 3", []string{"cell [2]: wrote to stderr", "exit status 3"}},
		{"stderr", "%%\nprintln(\"to stderr\")", []string{"cell [2]: wrote to stderr", "to stderr"}},
		{"panic", "%%\npanic(\"no such CPU\")", []string{"cell [2]: failed: exit status 2", "panic: no such CPU"}},
		{"compile", "%%\nvar x int = \"a\"\n_ = x", []string{"cell [2]: failed: ", "main.go:", "cannot use"}},
		{"unknown command", "%nosuchcommand", []string{"cell [2]: wrote to stderr", "nosuchcommand"}},
	}
	opts := options(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			nb := checkout(t, jupyter.SetUp, test.cell)
			out, err := jupyter.Execute(context.Background(), nb, opts)
			if err == nil || out != nil {
				t.Fatalf("no error; out = %v", out)
			}
			t.Log(err)
			for _, part := range append(test.want, nb.Path) {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error without %q:\n%v", part, err)
				}
			}
			if strings.Contains(err.Error(), "\x1b") {
				t.Error("terminal colours in the error")
			}
		})
	}
}

// stubborn is a cell whose program does not end when interrupted and notes its process number in the file "pid".
const stubborn = `import (
	"os"
	"os/signal"
	"strconv"
	"time"
)

%%
signal.Ignore(os.Interrupt)
os.WriteFile("pid", []byte(strconv.Itoa(os.Getpid())), 0o600)
time.Sleep(time.Hour)`

func TestExecuteRealTimeout(t *testing.T) {
	realKernel(t)
	opts := options(t)
	opts.CellTimeout = 4 * time.Second
	nb := checkout(t, stubborn)
	_, err := jupyter.Execute(context.Background(), nb, opts)
	if err == nil || !strings.Contains(err.Error(), "cell [1]: not finished after 4s") {
		t.Errorf("error %v", err)
	}
	gone(t, nb)
}

func TestExecuteRealCancel(t *testing.T) {
	realKernel(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	nb := checkout(t, stubborn)
	go func() {
		for len(pid(nb)) == 0 {
			time.Sleep(20 * time.Millisecond)
		}
		cancel()
	}()
	_, err := jupyter.Execute(ctx, nb, options(t))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v does not wrap context.Canceled", err)
	}
	gone(t, nb)
}

func TestExecuteRealBackground(t *testing.T) {
	realKernel(t)
	nb := checkout(t, `!sleep 1000 >/dev/null 2>&1 & echo $! >"$GONB_DIR/pid"`)
	if _, err := jupyter.Execute(context.Background(), nb, options(t)); err != nil {
		t.Fatal(err)
	}
	gone(t, nb)
}

// pid is the content of the file in which a cell noted a process number.
func pid(nb *jupyter.Notebook) []byte {
	data, _ := os.ReadFile(filepath.Join(filepath.Dir(nb.Path), "pid"))
	return bytes.TrimSpace(data)
}

// gone fails the test if the noted process is still running.
func gone(t *testing.T, nb *jupyter.Notebook) {
	t.Helper()
	text := pid(nb)
	if len(text) == 0 {
		t.Log("the cell had not started")
		return
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if jupyter.Alive(n) {
		t.Errorf("process %d lives on", n)
	}
}

func TestBuildKernel(t *testing.T) {
	realKernel(t)
	root, err := jupyter.ModuleRoot("")
	if err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(t.TempDir(), "new", "cache folder")
	dir, err := jupyter.BuildKernel(context.Background(), ".", cache)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "gonb"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := jupyter.BuildKernel(context.Background(), root, cache)
	if err != nil || again != dir {
		t.Fatalf("second build in %q, first in %q: %v", again, dir, err)
	}
	if same, err := os.Stat(filepath.Join(dir, "gonb")); err != nil || !os.SameFile(info, same) {
		t.Errorf("built twice: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "goimports")); err != nil {
		t.Fatal(err)
	}
	if _, err := jupyter.BuildKernel(context.Background(), root, cache); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "goimports")); err != nil {
		t.Errorf("an incomplete folder is not built anew: %v", err)
	}
	if entries, _ := os.ReadDir(cache); len(entries) != 1 {
		t.Errorf("in the cache: %v", entries)
	}
}
