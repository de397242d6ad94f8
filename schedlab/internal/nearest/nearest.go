package nearest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Names returns the n names closest to word, closest first, fewer if there are
// fewer. Names that word begins (an unfinished name) come first; within and
// after them the edit distance counts (insert, delete, replace, swap two
// neighbours), without regard to case; then the order of names decides. names
// is not changed.
func Names(word string, names []string, n int) []string {
	type candidate struct {
		name       string
		unfinished bool
		distance   int
	}
	w := fold(word)
	all := make([]candidate, len(names))
	for i, name := range names {
		f := fold(name)
		all[i] = candidate{name, len(w) > 0 && hasPrefix(f, w), distance(w, f)}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		if a.unfinished != b.unfinished {
			if a.unfinished {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.distance, b.distance)
	})
	out := make([]string, 0, max(0, min(n, len(all))))
	for _, c := range all[:cap(out)] {
		out = append(out, c.name)
	}
	return out
}

// Suggest is the text for an unknown name: what kind of thing was looked up,
// the word, and the nearest three names.
//
//	unknown machine "xeon24": nearest are xeon240, xeon240-llc120, spr224
//
// The caller puts its package prefix in front.
func Suggest(kind, word string, names []string) string {
	found := Names(word, names, 3)
	switch len(found) {
	case 0:
		return fmt.Sprintf("unknown %s %q: none are known", kind, word)
	case 1:
		return fmt.Sprintf("unknown %s %q: the only one is %s", kind, word, found[0])
	}
	return fmt.Sprintf("unknown %s %q: nearest are %s", kind, word, strings.Join(found, ", "))
}

func fold(s string) []rune {
	r := []rune(s)
	for i := range r {
		r[i] = unicode.ToLower(r[i])
	}
	return r
}

func hasPrefix(s, p []rune) bool { return len(p) <= len(s) && slices.Equal(s[:len(p)], p) }

// distance is the optimal-string-alignment distance: the least number of
// insertions, deletions, replacements and swaps of neighbours, no letter being
// touched twice.
func distance(a, b []rune) int {
	older := make([]int, len(b)+1)
	old := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, old, row = old, row, older
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := old[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, old[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
