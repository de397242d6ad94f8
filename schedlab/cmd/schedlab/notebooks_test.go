package main

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/schedlab/lab/schedlab/internal/jupyter"
)

const notebookGlob = "../../../notebooks/*.ipynb"

// TestNotebooksAreClean looks at the committed files; it starts no kernel.
func TestNotebooksAreClean(t *testing.T) {
	files, err := filepath.Glob(notebookGlob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no notebooks: %v", err)
	}
	for _, file := range files {
		nb, err := jupyter.Load(file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, p := range jupyter.Check(nb) {
			t.Errorf("%s: %v", filepath.Base(file), p)
		}
	}
}

// TestNotebooks executes each committed notebook in the real GoNB kernel and
// compares every output with the file.
func TestNotebooks(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the GoNB kernel")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the GoNB kernel does not run on Windows")
	}
	files, _ := filepath.Glob(notebookGlob)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if code, _, stderr := call(t, "notebooks", "--check", file); code != exitOK {
				t.Errorf("%s", stderr)
			}
		})
	}
}
