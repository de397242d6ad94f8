// Package docs_test keeps the documents true: their programs compile and print
// what stands below them, their transcripts run, their links lead somewhere, and
// their lists are as long as those in the code.
//
// In a Markdown file of this repository
//
//   - a block marked go MUST be a whole file. Package main is built and run;
//     package p and p_test of one document form the package
//     example.com/mine/p of a module outside the checkout, which is vetted and
//     tested;
//   - a block marked output is what the program above it prints;
//   - a block marked console is a transcript: lines that start with "$ " are
//     given to a shell, the others are what they print. A shell starts in an
//     empty folder, with the command schedlab on its path.
//
// go test ./docs -update writes what programs and transcripts print now.
package docs_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what programs and transcripts print into the documents")

// root is the folder with go.mod, seen from this package.
const root = ".."

// document is a Markdown file, line by line.
type document struct {
	name  string // path from root, with slashes
	lines []string
}

// documents are all Markdown files of the repository.
func documents(t *testing.T) []*document {
	t.Helper()
	var docs []*document
	walk(t, func(path string) {
		if filepath.Ext(path) != ".md" {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, &document{filepath.ToSlash(path), strings.Split(string(text), "\n")})
	})
	if len(docs) < 5 {
		t.Fatalf("only %d Markdown files found", len(docs))
	}
	return docs
}

// read is one document.
func read(t *testing.T, name string) *document {
	t.Helper()
	for _, d := range documents(t) {
		if d.name == name {
			return d
		}
	}
	t.Fatalf("no document %s", name)
	return nil
}

// walk calls f with the path from root of every file that belongs to the
// repository.
func walk(t *testing.T, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			name := e.Name()
			if path != root && (strings.HasPrefix(name, ".") || name == "out" || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		path, err = filepath.Rel(root, path)
		f(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// dependOnSources makes go test look at every source file before it answers
// from its cache: what go build reads in a process of its own it does not see.
func dependOnSources(t *testing.T) {
	t.Helper()
	walk(t, func(path string) {
		if ext := filepath.Ext(path); ext == ".go" || ext == ".csv" || ext == ".mod" {
			if _, err := os.Stat(filepath.Join(root, path)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// block is a fenced block: doc.lines[first:end] lie between its fences.
type block struct {
	doc        *document
	mark       string // the word after the opening fence
	first, end int
}

func (b block) text() string {
	var s strings.Builder
	for _, line := range b.doc.lines[b.first:b.end] {
		s.WriteString(line + "\n")
	}
	return s.String()
}

// blocks are the fenced blocks of a document, top to bottom.
func (d *document) blocks() []block {
	var all []block
	open := false
	for i, line := range d.lines {
		mark, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && !open:
			all = append(all, block{d, mark, i + 1, len(d.lines)})
		case fence:
			all[len(all)-1].end = i
		}
		open = open != fence
	}
	return all
}

// expect compares what a block shows with what was printed, and writes the
// latter under -update. Blocks of a document MUST be handed in from the last to
// the first, so that line numbers stay right.
func (b block) expect(t *testing.T, got string) {
	t.Helper()
	got = trimLines(got)
	if want := trimLines(b.text()); got == want {
		return
	} else if !*update {
		t.Errorf("%s:%d: shows\n%s\nbut what is printed is\n%s", b.doc.name, b.first, want, got)
		return
	}
	var lines []string
	if got != "" {
		lines = strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	}
	b.doc.lines = slices.Replace(b.doc.lines, b.first, b.end, lines...)
	if err := os.WriteFile(filepath.Join(root, b.doc.name), []byte(strings.Join(b.doc.lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// trimLines drops blanks at the ends of lines and empty lines at the end: an
// editor may strip them.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	s = strings.TrimRight(strings.Join(lines, "\n"), "\n")
	if s != "" {
		s += "\n"
	}
	return s
}
