package topology

import (
	"strconv"
	"strings"
)

// complete gives bare numbers their types and checks which types occur.
func (p *synthetic) complete() error {
	levels := p.levels[1:]
	if len(levels) == 0 {
		return p.fail(p.pos, "no levels")
	}
	bare := 0
	for _, l := range levels[:len(levels)-1] {
		if l.typ.base == hwNone {
			bare++
		}
	}
	last := &levels[len(levels)-1]
	switch {
	case bare > 0 && bare < len(levels)-1:
		return p.fail(p.levels[1].pos, "some levels have a type and some are bare numbers; give all or none a type")
	case last.typ.base != hwNone && last.typ.base != hwPU:
		return p.fail(last.pos, "the last level is %s, but must be pu", last.typ)
	case bare > 0:
		types := bareTypes(len(levels))
		if p.attached != nil {
			types = bareTypesAttached(len(levels))
		}
		for i := range levels {
			levels[i].typ = types[i]
		}
	}
	last.typ = hwType{base: hwPU}
	return p.checkRepeats()
}

// bareTypesAttached are the types of bare numbers beside an attached numa.
func bareTypesAttached(n int) []hwType {
	var types []hwType
	for _, t := range bareTypes(n + 1) {
		if t.base != hwNUMA {
			types = append(types, t)
		}
	}
	if n == 1 {
		return types[len(types)-1:]
	}
	return types
}

func (p *synthetic) checkRepeats() error {
	seen := map[hwType]bool{}
	for _, l := range p.levels[1:] {
		if seen[l.typ] && l.typ.base != hwGroup {
			return p.fail(l.pos, "a second %s level", l.typ)
		}
		if l.typ.base == hwNUMA && p.attached != nil {
			return p.fail(l.pos, "numa both as a level and attached")
		}
		seen[l.typ] = true
	}
	return nil
}

// roles says which level plays which part; 0 is the machine.
type roles struct{ socket, node, llc, cluster, core int }

func (p *synthetic) find(match func(hwType) bool) int {
	for i, l := range p.levels {
		if match(l.typ) {
			return i
		}
	}
	return 0
}

func (p *synthetic) roles() (roles, error) {
	var r roles
	r.socket = p.find(func(t hwType) bool { return t.base == hwPackage })
	r.node = p.find(func(t hwType) bool { return t.base == hwNUMA })
	if p.attached != nil {
		r.node = p.holder
	} else if r.node == 0 {
		r.node = r.socket
	}
	for depth := 5; depth >= 1 && r.llc == 0; depth-- {
		r.llc = p.find(func(t hwType) bool { return t == hwType{base: hwCache, depth: depth} })
	}
	if r.llc == 0 {
		r.llc = max(r.socket, r.node)
	}
	if r.core = p.find(func(t hwType) bool { return t.base == hwCore }); r.core == 0 {
		r.core = len(p.levels) - 1
	}
	var err error
	r.cluster, err = p.cluster(r)
	return r, err
}

// cluster finds the level between LLC and core that joins several cores; 0 if
// there is none, an error if there are two that differ.
func (p *synthetic) cluster(r roles) (int, error) {
	found := 0
	for i := max(r.llc, r.node) + 1; i < r.core; i++ {
		l := p.levels[i]
		shared := l.typ.base == hwGroup || l.typ.base == hwCache && !l.typ.instr
		if !shared || l.width == p.levels[r.core].width {
			continue
		}
		if found > 0 && l.width != p.levels[found].width {
			return 0, p.fail(l.pos, "%s is a second cluster level, after %s at column %d; leave one out",
				l.typ, p.levels[found].typ, p.levels[found].pos+1)
		}
		found = i
	}
	return found, nil
}

// build turns the levels into one row per PU.
func (p *synthetic) build(name string) (*Topology, error) {
	r, err := p.roles()
	if err != nil {
		return nil, err
	}
	numbers := make([][]int, len(p.levels)) // of the objects of each level
	for i := range p.levels {
		if numbers[i], err = p.numbers(&p.levels[i]); err != nil {
			return nil, err
		}
	}
	node := &p.levels[r.node]
	nodeNumbers := numbers[r.node]
	if node.typ.base != hwNUMA {
		nodeNumbers = sequence(node.width) // a package's indexes do not number its node
	}
	if p.attached != nil {
		node = p.attached
		if nodeNumbers, err = p.numbers(node); err != nil {
			return nil, err
		}
	}
	pus := numbers[len(numbers)-1]
	rows := make([]Place, len(pus))
	ordinal := func(level, pu int) int { return pu / (len(pus) / p.levels[level].width) }
	for i, number := range pus {
		rows[i] = Place{CPU: CPU(number), Socket: numbers[r.socket][ordinal(r.socket, i)],
			Node: nodeNumbers[ordinal(r.node, i)], LLC: ordinal(r.llc, i), Cluster: -1,
			Core: ordinal(r.core, i), Thread: i % (len(pus) / p.levels[r.core].width)}
		if r.cluster > 0 {
			rows[i].Cluster = ordinal(r.cluster, i)
		}
	}
	distances, err := p.distances(node)
	if err != nil {
		return nil, err
	}
	return FromCPUs(name, rows, distances)
}

// distances reads the distances attribute: rows of numbers.
func (p *synthetic) distances(l *level) ([][]int, error) {
	if l.distances.text == "" {
		return nil, nil
	}
	rows := strings.Split(l.distances.text, "/")
	if len(rows) != l.width {
		return nil, p.fail(l.distances.pos, "%d rows of distances for %d nodes", len(rows), l.width)
	}
	out := make([][]int, len(rows))
	pos := l.distances.pos
	for i, row := range rows {
		for _, word := range strings.Split(row, ",") {
			x, err := strconv.Atoi(word)
			if err != nil {
				return nil, p.fail(pos, "%q is not a distance", word)
			}
			out[i] = append(out[i], x)
			pos += len(word) + 1
		}
	}
	return out, nil
}
