package schedlab_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/schedlab/lab/"

// order is the one way data flows: a package imports only packages of earlier
// lines.
var order = []string{
	"schedlab/internal/nearest schedlab/internal/atomicfile schedlab/internal/deps",
	"schedlab/table schedlab/trace schedlab/probe schedlab/internal/jupyter", // beside the pipeline
	"schedlab/topology",
	"schedlab/machine",
	"schedlab/workload",
	"schedlab/policy",
	"schedlab/internal/sim",
	"schedlab",
	"schedlab/policy/policytest schedlab/metrics",
	"schedlab/experiment/calibrate datasets",
	"schedlab/experiment",
	"schedlab/report",
	"notebooks/nb",
	"schedlab/cmd/schedlab",
}

// beside are packages the pipeline proper does not know: only the last stages
// (and the loaders of datasets) use them.
var beside = strings.Fields(order[1])

// TestImportRule reads the imports of every file that is not a test.
func TestImportRule(t *testing.T) {
	rank := map[string]int{}
	for i, line := range order {
		for _, p := range strings.Fields(line) {
			rank[p] = i
		}
	}
	imports, err := moduleImports("..")
	if err != nil {
		t.Fatal(err)
	}
	if len(imports) < 8 {
		t.Fatalf("found only %d packages", len(imports))
	}
	for p, from := range imports {
		at, known := rank[p]
		if !known {
			t.Errorf("package %s has no place in the order: give it one", p)
			continue
		}
		for _, q := range from {
			if r, known := rank[q]; !known || r >= at {
				t.Errorf("%s imports %s, which does not come before it", p, q)
			}
			if slices.Contains(beside, q) && at < rank["datasets"] && !slices.Contains(beside, p) {
				t.Errorf("%s imports %s, which stands beside the pipeline", p, q)
			}
		}
	}
}

// moduleImports lists, by package, which packages of the module it imports.
func moduleImports(root string) (map[string][]string, error) {
	imports := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		p := filepath.ToSlash(dir)
		list := imports[p]
		for _, i := range f.Imports {
			full, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if q, inside := strings.CutPrefix(full, modulePath); inside && !slices.Contains(list, q) {
				list = append(list, q)
			}
		}
		imports[p] = list
		return nil
	})
	return imports, err
}
