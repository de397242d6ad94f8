package topology

import (
	"slices"
	"strconv"
	"strings"
)

func sequence(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// numbers gives the number of each object of a level in depth-first order: the
// indexes attribute, else 0, 1, 2, ...
func (p *synthetic) numbers(l *level) ([]int, error) {
	a := l.indexes
	if a.text == "" {
		return sequence(l.width), nil
	}
	var out []int
	var err error
	if strings.Trim(a.text, "0123456789,") == "" {
		out, err = p.indexList(l)
	} else {
		out, err = p.indexLoops(l)
	}
	if err != nil {
		return nil, err
	}
	seen := make([]bool, MaxCPUs)
	for _, x := range out {
		if seen[x] {
			return nil, p.fail(a.pos, "indexes give the number %d twice", x)
		}
		seen[x] = true
	}
	return out, nil
}

// indexList reads "0,2,1,3".
func (p *synthetic) indexList(l *level) ([]int, error) {
	words := strings.Split(l.indexes.text, ",")
	if len(words) != l.width {
		return nil, p.fail(l.indexes.pos, "%d indexes for %d objects", len(words), l.width)
	}
	out := make([]int, len(words))
	pos := l.indexes.pos
	for i, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil || n >= MaxCPUs {
			return nil, p.fail(pos, "index %q is not a number from 0 to %d", word, MaxCPUs-1)
		}
		out[i] = n
		pos += len(word) + 1
	}
	return out, nil
}

// loop counts through every step-th object, count of them; earlier loops turn
// faster.
type loop struct{ step, count int }

// indexLoops reads "core:pu" or "2*4:1*2".
func (p *synthetic) indexLoops(l *level) ([]int, error) {
	var loops []loop
	var err error
	if c := l.indexes.text[0]; c >= '0' && c <= '9' {
		loops, err = p.numberLoops(l)
	} else {
		loops, err = p.levelLoops(l)
	}
	if err != nil {
		return nil, err
	}
	covered, least := 1, l.width
	for _, lp := range loops {
		if covered *= lp.count; covered > l.width {
			return nil, p.fail(l.indexes.pos, "index loops count beyond the %d objects", l.width)
		}
		least = min(least, lp.step)
	}
	if covered < l.width { // the innermost loop may be left out
		if l.width%covered != 0 || least != l.width/covered {
			return nil, p.fail(l.indexes.pos, "index loops count %d of %d objects", covered, l.width)
		}
		loops = append(loops, loop{1, least})
	}
	out := make([]int, l.width)
	for i := range out {
		out[i] = loopNumber(loops, i)
	}
	return out, nil
}

// numberLoops reads step*count loops.
func (p *synthetic) numberLoops(l *level) ([]loop, error) {
	var loops []loop
	pos := l.indexes.pos
	for _, word := range strings.Split(l.indexes.text, ":") {
		step, count, _ := strings.Cut(word, "*")
		s, err1 := strconv.Atoi(step)
		n, err2 := strconv.Atoi(count)
		if err1 != nil || err2 != nil || s < 1 || n < 1 || s > MaxCPUs || n > MaxCPUs {
			return nil, p.fail(pos, "index loop %q is not step*count", word)
		}
		loops = append(loops, loop{s, n})
		pos += len(word) + 1
	}
	return loops, nil
}

// levelLoops reads loops over levels: each steps over the objects of its level,
// within one object of the nearest outer level that has a loop of its own.
func (p *synthetic) levelLoops(l *level) ([]loop, error) {
	var at []int
	pos := l.indexes.pos
	for _, word := range strings.Split(l.indexes.text, ":") {
		typ, ok := hwTypeNamed(word)
		i := p.find(func(t hwType) bool { return t == typ })
		if !ok || i == 0 || p.levels[i].width > l.width {
			return nil, p.fail(pos, "index loop over %q: no such level here", word)
		}
		if slices.Contains(at, i) {
			return nil, p.fail(pos, "a second index loop over %q", word)
		}
		at = append(at, i)
		pos += len(word) + 1
	}
	loops := make([]loop, len(at))
	for k, i := range at {
		outer := 0
		for _, j := range at {
			if j < i {
				outer = max(outer, j)
			}
		}
		loops[k] = loop{l.width / p.levels[i].width, p.levels[i].width / p.levels[outer].width}
	}
	return loops, nil
}
