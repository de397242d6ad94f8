package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/schedlab/lab/schedlab/internal/atomicfile"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func onlyFile(t *testing.T, dir, name, content string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != name {
		t.Fatalf("folder holds %v, want only %s", entries, name)
	}
	got, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || string(got) != content {
		t.Fatalf("content %q, %v; want %q", got, err, content)
	}
}

func TestWriteCreatesAndReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	for _, s := range []string{"old\n", "", "new\n"} {
		if err := atomicfile.Write(path, 0o640, text(s)); err != nil {
			t.Fatal(err)
		}
		onlyFile(t, dir, "a.csv", s)
	}
	if runtime.GOOS != "windows" {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("mode %v, %v; want 0640", info.Mode(), err)
		}
	}
}

func TestWriteFailureKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	if err := atomicfile.Write(path, 0o644, text("old\n")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := atomicfile.Write(path, 0o644, func(w io.Writer) error {
		fmt.Fprint(w, strings.Repeat("half ", 10000))
		return broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "a.csv") {
		t.Errorf("error %v should wrap the cause and name the file", err)
	}
	onlyFile(t, dir, "a.csv", "old\n")

	func() {
		defer func() { recover() }()
		atomicfile.Write(path, 0o644, func(w io.Writer) error { panic("bug") })
	}()
	onlyFile(t, dir, "a.csv", "old\n")
}

func TestWriteNeedsTheFolder(t *testing.T) {
	err := atomicfile.Write(filepath.Join(t.TempDir(), "none", "a.csv"), 0o644, text("x"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want ErrNotExist", err)
	}
}

func TestWriteRelativePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := atomicfile.Write("b.txt", 0o644, text("x")); err != nil {
		t.Fatal(err)
	}
	onlyFile(t, dir, "b.txt", "x")
}

func TestConcurrentWritersLeaveOneWholeFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "c")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s := strings.Repeat(fmt.Sprint(i), 9000)
			if err := atomicfile.Write(path, 0o644, text(s)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got, err := os.ReadFile(path)
	if err != nil || len(got) != 9000 || strings.Trim(string(got), string(got[0])) != "" {
		t.Errorf("mixed content, length %d, %v", len(got), err)
	}
}
