package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// program is a go block and what stands below it.
type program struct {
	block
	pkg    string // its package clause
	folder string // in the module
	output *block // nil if none is shown
}

var packageClause = regexp.MustCompile(`(?m)^package (\w+)$`)

// programs are the go blocks of all documents.
func programs(t *testing.T, docs []*document) []program {
	var all []program
	for _, d := range docs {
		blocks := d.blocks()
		for i, b := range blocks {
			if b.mark != "go" {
				continue
			}
			clause := packageClause.FindStringSubmatch(b.text())
			if clause == nil {
				t.Errorf("%s:%d: a go block must be a whole file", d.name, b.first)
				continue
			}
			p := program{block: b, pkg: clause[1], folder: strings.TrimSuffix(clause[1], "_test")}
			if p.pkg == "main" {
				p.folder = fmt.Sprintf("main%d", len(all))
			}
			if i+1 < len(blocks) && blocks[i+1].mark == "output" {
				p.output = &blocks[i+1]
			}
			all = append(all, p)
		}
	}
	return all
}

// A module outside the checkout, as docs/scripting.md shows it, holds the
// programs of all documents.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dependOnSources(t)
	all := programs(t, documents(t))
	if len(all) < 4 {
		t.Fatalf("only %d programs found", len(all))
	}
	dir := module(t, all)
	bin := filepath.Join(dir, "bin")
	run(t, dir, "go", "build", "-o", bin+string(filepath.Separator), "./...")
	run(t, dir, "go", "vet", "./...")
	for _, p := range slices.Backward(all) {
		switch {
		case strings.HasSuffix(p.pkg, "_test"):
			run(t, dir, "go", "test", "-short", "./"+p.folder)
		case p.pkg == "main":
			got := run(t, dir, filepath.Join(bin, p.folder+exe()))
			if p.output != nil {
				p.output.expect(t, got)
			}
		}
	}
}

// module writes the programs into a module of their own and returns its folder.
func module(t *testing.T, all []program) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range all {
		name := fmt.Sprintf("%s_%d.go", strings.TrimSuffix(path.Base(p.doc.name), ".md"), p.first)
		if strings.HasSuffix(p.pkg, "_test") {
			name = strings.Replace(name, ".go", "_test.go", 1)
		}
		write(t, filepath.Join(dir, p.folder, name), p.text())
	}
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), string(sums))
	write(t, filepath.Join(dir, "go.mod"), "module example.com/mine\n")
	run(t, dir, "go", "mod", "edit", "-go=1.26", "-require=github.com/schedlab/lab@v0.0.0", "-replace=github.com/schedlab/lab="+checkout)
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run gives the standard output of a command that must succeed. Whatever the
// modules need is there already: nothing is fetched.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off")
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, out, &stderr)
	}
	return string(out)
}
