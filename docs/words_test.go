package docs_test

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/metrics"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/workload"
)

// has fails for every word that a document does not hold.
func has(t *testing.T, name, before, after string, words []string) {
	t.Helper()
	text := strings.Join(read(t, name).lines, "\n")
	for _, w := range words {
		if !strings.Contains(text, before+w+after) {
			t.Errorf("%s does not speak of %s", name, before+w+after)
		}
	}
}

// Closed sets of the code are whole in the documents.
func TestLists(t *testing.T) {
	var categories, reasons, verdicts, built, versions, patches []string
	for c := range schedlab.NumCategories {
		categories = append(categories, c.String())
	}
	for r := range policy.NumReasons {
		reasons = append(reasons, r.String())
	}
	for _, v := range metrics.Verdicts() {
		verdicts = append(verdicts, string(v))
	}
	for _, b := range workload.Benchmarks() {
		if b.Built() {
			built = append(built, b.Name)
		}
	}
	common := map[string]int{}
	for _, v := range policy.Versions() {
		versions = append(versions, v.Name)
		for _, f := range v.Features {
			common[f.Name]++
		}
	}
	for _, v := range policy.Versions() {
		for _, f := range v.Features {
			if common[f.Name] == 1 {
				patches = append(patches, f.Name)
			}
		}
	}
	has(t, "docs/model.md", "\n| ", " |", categories)
	has(t, "docs/model.md", "\n| `", "` |", built)
	has(t, "docs/policies.md", "`", "`", reasons)
	has(t, "docs/policies.md", "| ", " |", versions)
	has(t, "docs/policies.md", "", "", patches)
	has(t, "docs/validation.md", "`", "`", verdicts)
}

// The README names every package there is and every notebook.
func TestReadme(t *testing.T) {
	var packages, notebooks []string
	walk(t, func(file string) {
		dir, name := path.Split(filepath.ToSlash(file))
		dir = path.Clean(dir)
		switch {
		case name == "doc.go" && dir != "schedlab/policy/policytest" && !strings.Contains(dir, "internal/"):
			packages = append(packages, dir)
		case path.Ext(name) == ".ipynb":
			notebooks = append(notebooks, path.Join(dir, name))
		}
	})
	has(t, "README.md", "[`", "`]", packages)
	has(t, "README.md", "(", ")", notebooks)
	has(t, "README.md", "    ", "\n", []string{"go run ./schedlab/cmd/schedlab reproduce", "go test ./..."})
}

// Documents speak of the product alone: no path of one computer.
func TestNoHomePaths(t *testing.T) {
	for _, d := range documents(t) {
		for i, line := range d.lines {
			for _, p := range []string{"/home/", "/root/", "/Users/", "/work/", "/tmp/"} {
				if strings.Contains(line, p) {
					t.Errorf("%s:%d: %s is a path of one computer", d.name, i+1, p)
				}
			}
		}
	}
}
