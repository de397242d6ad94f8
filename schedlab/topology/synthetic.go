package topology

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseSynthetic reads an hwloc-style synthetic description, such as
//
//	pack:2 numa:2 l3:1 group:8 core:4 pu:1
//
// Each item is a level, outermost first, with its count per parent. Types are
// written in either case and may be shortened to two letters: package (or
// socket), die, numanode (or node), group, l1 to l5 (with d, u or i, and
// "cache" after it), core, pu; the last level is the PUs. Bare numbers without
// any type get hwloc's types: pu; numa pu; package numa pu; package numa core
// pu; then L2, L1, L3 and L1i between numa and core, then groups in front.
// "[numa]" makes each object of the level before it a NUMA node. Attributes
// stand in parentheses, separated by blanks: size=, memory= and
// memorysidecachesize= are checked and not used; indexes= numbers the objects
// of its level, as a comma list in depth-first order ("0,2,1,3"), as loops over
// levels, the fastest first and the innermost understood ("core" numbers one
// thread of all cores first, "numa:core" deals them out over the nodes), or as
// hwloc's step*count loops ("2*4:1*2"). distances= on numa is this package's
// addition: rows of node distances, commas within a row and slashes between
// rows; hwloc itself ignores it with a warning, older releases (2.9 for one) refuse it.
//
// As in hwloc, PUs without indexes= are numbered depth first: siblings are
// adjacent (0,1 of the first core), unlike on most Intel servers. Unlike hwloc,
// a string without any numa has one node per package, not one per machine;
// write "[numa]" in front for a single node.
//
// The highest-numbered data or unified cache is the LLC; without caches the LLC is the
// node, or the package if that is smaller. A group, or a cache, between LLC and
// core is the cluster level. Dies, groups above the LLC and private caches mean
// nothing here: their counts multiply the level below.
//
// What is not understood is refused, with its column.
func ParseSynthetic(name, s string) (*Topology, error) {
	p := &synthetic{text: s}
	t, err := p.parse(name)
	if err != nil {
		return nil, fmt.Errorf("topology: synthetic string %q: %w", s, err)
	}
	return t, nil
}

// synthetic is a description being read. levels[0] is the machine.
type synthetic struct {
	text     string
	pos      int // offset of the next byte
	levels   []level
	attached *level // "[numa]", width = number of nodes
	holder   int    // level it is attached to
}

// level is one level of a description.
type level struct {
	typ       hwType
	pos       int // where it was written
	count     int // per parent
	width     int // on the whole machine
	indexes   attribute
	distances attribute
}

// attribute is the text of an attribute and where it stands; empty if absent.
type attribute struct {
	text string
	pos  int
}

func (p *synthetic) fail(pos int, format string, args ...any) error {
	return fmt.Errorf("column %d: %s", pos+1, fmt.Sprintf(format, args...))
}

func (p *synthetic) parse(name string) (*Topology, error) {
	p.levels = []level{{typ: hwType{base: hwMachine}, count: 1, width: 1}}
	p.blanks()
	if p.peek() == '(' {
		if err := p.attributes(&p.levels[0]); err != nil {
			return nil, err
		}
	}
	for p.blanks(); p.pos < len(p.text); p.blanks() {
		read := p.level
		if p.peek() == '[' {
			read = p.attachment
		}
		if err := read(); err != nil {
			return nil, err
		}
	}
	if err := p.complete(); err != nil {
		return nil, err
	}
	return p.build(name)
}

func (p *synthetic) peek() byte {
	if p.pos >= len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *synthetic) blanks() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// until returns the text up to the first of the stop bytes, or the rest.
func (p *synthetic) until(stops string) string {
	rest := p.text[p.pos:]
	if i := strings.IndexAny(rest, stops); i >= 0 {
		rest = rest[:i]
	}
	p.pos += len(rest)
	return rest
}

// level reads "type:count(attributes)" or "count(attributes)".
func (p *synthetic) level() error {
	l := level{pos: p.pos}
	if c := p.peek(); c < '0' || c > '9' {
		word := p.until(": \t\n([")
		var ok bool
		if l.typ, ok = hwTypeNamed(word); !ok {
			return p.fail(l.pos, "unknown level %q; known are package, die, numa, group, l1 to l5, core, pu", word)
		}
		if p.peek() != ':' {
			return p.fail(p.pos, "%q needs a count, as in %q", word, word+":2")
		}
		p.pos++
	}
	at := p.pos
	digits := p.until(" \t\n([")
	n, err := strconv.Atoi(digits)
	switch {
	case digits == "" || strings.Trim(digits, "0123456789") != "":
		return p.fail(at, "%q is not a count", digits)
	case err == nil && n == 0:
		return p.fail(at, "a count of 0")
	}
	l.count = n
	above := p.levels[len(p.levels)-1].width
	if err != nil || n > MaxCPUs/above {
		return p.fail(at, "more than %d objects at this level, the most supported", MaxCPUs)
	}
	l.width = above * n
	if p.peek() == '(' {
		if err := p.attributes(&l); err != nil {
			return err
		}
	}
	if len(p.levels) > maxLevels {
		return p.fail(l.pos, "more than %d levels", maxLevels)
	}
	p.levels = append(p.levels, l)
	return nil
}

// maxLevels bounds the depth of a description; hwloc's own bound is near.
const maxLevels = 100

// attachment reads "[numa(attributes)]".
func (p *synthetic) attachment() error {
	l := level{pos: p.pos}
	p.pos++
	word := p.until("(] \t\n")
	typ, ok := hwTypeNamed(word)
	if !ok || typ.base != hwNUMA {
		return p.fail(l.pos+1, "%q cannot be attached, only numa can", word)
	}
	if p.attached != nil {
		return p.fail(l.pos, "a second attached numa; nodes of memory without CPUs have no place here, leave it out")
	}
	if p.peek() == '(' {
		if err := p.attributes(&l); err != nil {
			return err
		}
	}
	if p.peek() != ']' {
		return p.fail(p.pos, "no ] after the attached numa")
	}
	p.pos++
	p.holder = len(p.levels) - 1
	l.typ, l.width = typ, p.levels[p.holder].width
	p.attached = &l
	return nil
}

// attributes reads "(name=value name=value)".
func (p *synthetic) attributes(l *level) error {
	open := p.pos
	p.pos++
	for {
		p.blanks()
		if p.peek() == ')' {
			p.pos++
			return nil
		}
		at := p.pos
		word := p.until(" )")
		if p.pos >= len(p.text) {
			return p.fail(open, "no ) after this (")
		}
		name, value, _ := strings.Cut(word, "=")
		valueAt := attribute{value, at + len(name) + 1}
		switch {
		case name == "indexes" && value != "" && l.indexes.text == "" && l.typ.base != hwMachine:
			l.indexes = valueAt
		case name == "distances" && value != "" && l.distances.text == "" && l.mayHaveDistances(p.text):
			l.distances = valueAt
		case name == "size" && l.typ.base == hwCache && isSize(value),
			name == "memory" && l.typ.base != hwCache && isSize(value),
			name == "memorysidecachesize" && isSize(value):
		default:
			return p.fail(at, "attribute %q not understood here", word)
		}
	}
}

// mayHaveDistances reports whether the level is numa, attached or not: an
// attached one has no type yet while it is read.
func (l *level) mayHaveDistances(text string) bool {
	return l.typ.base == hwNUMA || text[l.pos] == '['
}

// isSize reports whether s is a number with an optional unit, as hwloc reads
// memory sizes.
func isSize(s string) bool {
	unit := strings.ToLower(strings.TrimLeft(s, "0123456789"))
	if len(unit) == len(s) {
		return false
	}
	switch unit {
	case "", "tb", "tib", "gb", "gib", "mb", "mib", "kb", "kib":
		return true
	}
	return false
}
