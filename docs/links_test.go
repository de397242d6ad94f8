package docs_test

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`\[[^\]]*\]\(([^()\s]+)\)`)
	heading = regexp.MustCompile(`^#{1,6} +(.*?) *$`)
)

// Every relative link leads to a file or folder of the repository, every
// fragment to a heading.
func TestLinks(t *testing.T) {
	anchors := map[string]map[string]bool{}
	docs := documents(t)
	for _, d := range docs {
		anchors[d.name] = d.anchors()
	}
	checked := 0
	for _, d := range docs {
		for i, line := range d.prose() {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				u, err := url.Parse(m[1])
				if err != nil {
					t.Errorf("%s:%d: link %q: %v", d.name, i+1, m[1], err)
					continue
				}
				if u.Scheme != "" {
					continue // another site: not for a test that works offline
				}
				checked++
				to := d.name
				if u.Path != "" {
					to = path.Join(path.Dir(d.name), u.Path)
				}
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil || strings.HasPrefix(to, "..") {
					t.Errorf("%s:%d: link %q leads nowhere", d.name, i+1, m[1])
				} else if u.Fragment != "" && !anchors[to][u.Fragment] {
					t.Errorf("%s:%d: link %q: %s has no such heading", d.name, i+1, m[1], to)
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d links found", checked)
	}
}

// prose is the document with fenced blocks emptied, so that line numbers stay.
func (d *document) prose() []string {
	lines := append([]string(nil), d.lines...)
	for _, b := range d.blocks() {
		for i := b.first; i < b.end; i++ {
			lines[i] = ""
		}
	}
	return lines
}

// anchors are the fragments GitHub gives the headings of a document.
func (d *document) anchors() map[string]bool {
	all := map[string]bool{}
	for _, line := range d.prose() {
		if m := heading.FindStringSubmatch(line); m != nil {
			all[anchor(m[1])] = true
		}
	}
	return all
}

// anchor keeps letters, digits, hyphens and underscores; blanks become hyphens.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

func TestAnchor(t *testing.T) {
	for title, want := range map[string]string{
		"Wakes, runs, sleeps": "wakes-runs-sleeps",
		"`SIS_UTIL` and 6.10": "sis_util-and-610",
		"select-to-visible":   "select-to-visible",
	} {
		if got := anchor(title); got != want {
			t.Errorf("anchor(%q) = %q, want %q", title, got, want)
		}
	}
}
