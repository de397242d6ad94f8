package topology

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Synthetic writes the machine as a synthetic string that ParseSynthetic reads
// back to an equal topology: shape, CPU numbers, node and socket order, and the
// node distances where they are not the defaults. Numberings that follow a
// pattern are written as loops over levels, others as lists. A machine whose
// parts are not all alike has no such string: that is an error which names the
// parts that differ.
func (t *Topology) Synthetic() (string, error) {
	rows, err := t.symmetricLevels()
	if err != nil {
		return "", fmt.Errorf("topology: machine %q has no synthetic string: %w", t.name, err)
	}
	var items []string
	for i, row := range rows {
		item := synthType[row[0].kind] + ":" + strconv.Itoa(len(row)/max(1, len(above(rows, i))))
		if a := t.attributesOf(rows[:i+1]); a != "" {
			item += "(" + a + ")"
		}
		items = append(items, item)
	}
	return strings.Join(items, " "), nil
}

var synthType = map[kind]string{kindSocket: "pack", kindNode: "numa", kindLLC: "l3", kindCluster: "group",
	kindCore: "core", kindThread: "pu"}

func above(rows [][]*part, i int) []*part {
	if i == 0 {
		return nil
	}
	return rows[i-1]
}

// symmetricLevels lists the parts level by level, from the outermost level in.
func (t *Topology) symmetricLevels() ([][]*part, error) {
	var rows [][]*part
	row := []*part{t.tree()}
	for len(row[0].parts) > 0 {
		var next []*part
		first := row[0]
		for _, p := range row {
			for _, child := range p.parts {
				if child.kind != first.parts[0].kind {
					return nil, fmt.Errorf("%s holds a %s, %s a %s", partName(first), first.parts[0].kind, partName(p), child.kind)
				}
			}
			if len(p.parts) != len(first.parts) {
				return nil, fmt.Errorf("%s has %d of %s, %s has %d", partName(first), len(first.parts),
					first.parts[0].kind, partName(p), len(p.parts))
			}
			next = append(next, p.parts...)
		}
		rows = append(rows, next)
		row = next
	}
	return rows, nil
}

func partName(p *part) string {
	if p.kind == kindMachine {
		return "the machine"
	}
	return fmt.Sprintf("%s %d", p.kind, p.id)
}

// attributesOf are the attributes of the last of the given levels.
func (t *Topology) attributesOf(rows [][]*part) string {
	row := rows[len(rows)-1]
	var list []string
	if k := row[0].kind; k == kindSocket || k == kindNode || k == kindThread {
		if text := indexesText(rows); text != "" {
			list = append(list, "indexes="+text)
		}
	}
	if row[0].kind == kindNode && !slices.EqualFunc(t.distances, t.defaultDistances(), slices.Equal[[]int]) {
		lines := make([]string, len(t.distances))
		for i, d := range t.distances {
			lines[i] = joinInts(d)
		}
		list = append(list, "distances="+strings.Join(lines, "/"))
	}
	return strings.Join(list, " ")
}

func joinInts(list []int) string {
	var b []byte
	for i, x := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(x), 10)
	}
	return string(b)
}

// indexesText is the indexes attribute of the last level, "" for 0, 1, 2, ...
func indexesText(rows [][]*part) string {
	row := rows[len(rows)-1]
	numbers := make([]int, len(row))
	for i, p := range row {
		numbers[i] = p.id
	}
	if slices.Equal(numbers, sequence(len(numbers))) {
		return ""
	}
	if text, ok := loopText(rows, numbers); ok {
		return text
	}
	return joinInts(numbers)
}

// loopText finds the levels that the numbers run through, the fastest first,
// and writes them as loops; ok is false if the numbers follow no such pattern.
func loopText(rows [][]*part, numbers []int) (text string, ok bool) {
	total := len(numbers)
	position := make([]int, total)
	for i, n := range numbers {
		if n >= total {
			return "", false
		}
		position[n] = i
	}
	var order []int
	var loops []loop
	for times := 1; times < total; {
		level := slices.IndexFunc(rows, func(r []*part) bool { return total/len(r) == position[times] })
		if level < 0 || slices.Contains(order, level) {
			return "", false
		}
		count := len(rows[level]) / max(1, len(above(rows, level)))
		order = append(order, level)
		loops = append(loops, loop{total / len(rows[level]), count})
		times *= count
	}
	for i, n := range numbers {
		if n != loopNumber(loops, i) {
			return "", false
		}
	}
	return loopNames(rows, order, loops), true
}

// loopNumber is the number that loops give to the i-th object.
func loopNumber(loops []loop, i int) int {
	n, times := 0, 1
	for _, lp := range loops {
		n += i / lp.step % lp.count * times
		times *= lp.count
	}
	return n
}

// loopNames writes loops by the names of their levels. A loop that only carries
// on with the next outer level is left out: one over all cores says the same.
// So is a last loop over the PUs, which is understood; hwloc cannot name the
// PUs, so that with a loop over them elsewhere all are written as step*count.
func loopNames(rows [][]*part, order []int, loops []loop) string {
	var names []string
	for i, level := range order {
		if i > 0 && level == nextOuter(order, order[i-1]) {
			continue
		}
		k := rows[level][0].kind
		if k == kindThread && i == len(order)-1 && i > 0 {
			continue
		}
		if k == kindThread {
			return loopNumbers(loops)
		}
		names = append(names, synthType[k])
	}
	return strings.Join(names, ":")
}

func loopNumbers(loops []loop) string {
	words := make([]string, len(loops))
	for i, lp := range loops {
		words[i] = strconv.Itoa(lp.step) + "*" + strconv.Itoa(lp.count)
	}
	return strings.Join(words, ":")
}

// nextOuter is the largest level of the order below the given one, -1 if none.
func nextOuter(order []int, level int) int {
	best := -1
	for _, o := range order {
		if o < level {
			best = max(best, o)
		}
	}
	return best
}
