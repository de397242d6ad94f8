package topology

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Tree draws the machine as an indented tree for a person to read, ending in a
// newline. Siblings of equal shape share one line with their count ("x 30") and
// the CPUs of each; below it stands the inside of the first of them. With more
// than one node a table of node distances follows.
func (t *Topology) Tree() string {
	d := &treeDrawing{labels: []string{t.headline()}, details: []string{""}}
	d.children(t.tree(), "")
	width := 0
	for _, label := range d.labels[1:] {
		width = max(width, utf8.RuneCountInString(label))
	}
	var b strings.Builder
	for i, label := range d.labels {
		b.WriteString(label)
		if d.details[i] != "" {
			b.WriteString(strings.Repeat(" ", width+2-utf8.RuneCountInString(label)))
			b.WriteString(d.details[i])
		}
		b.WriteByte('\n')
	}
	b.WriteString(t.distanceTable())
	return b.String()
}

// headline names the machine and counts its parts.
func (t *Topology) headline() string {
	counts := []string{fmt.Sprintf("%s (%s)", plural(t.all.Len(), "CPU"), t.all), plural(len(t.cores), "core")}
	if t.hasClusters {
		counts = append(counts, plural(len(t.clusters), "cluster"))
	}
	counts = append(counts, plural(len(t.llcs), "LLC"), plural(len(t.nodes), "node"), plural(len(t.sockets), "socket"))
	return strings.Join(strings.Fields(t.name+": "+strings.Join(counts, ", ")), " ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// treeDrawing collects lines in two columns.
type treeDrawing struct{ labels, details []string }

func (d *treeDrawing) children(p *part, indent string) {
	runs := alike(p.parts)
	for i, run := range runs {
		branch, below := "├─ ", "│  "
		if i == len(runs)-1 {
			branch, below = "└─ ", "   "
		}
		first := run[0]
		d.labels = append(d.labels, indent+branch+runLabel(run))
		d.details = append(d.details, runDetail(run))
		if first.kind != kindCore {
			d.children(first, indent+below)
		}
	}
}

// alike cuts siblings into runs of equal kind and shape.
func alike(parts []*part) [][]*part {
	var runs [][]*part
	last := ""
	for _, p := range parts {
		if s := p.shape(); s != last || len(runs) == 0 {
			last = s
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], p)
	}
	return runs
}

func runLabel(run []*part) string {
	first := run[0]
	if len(run) == 1 {
		return fmt.Sprintf("%s %d", first.kind, first.id)
	}
	return fmt.Sprintf("%s x %d", first.kind, len(run))
}

// runDetail lists the CPUs of each part of a run: of all if they are few, else
// of the first two and the last.
func runDetail(run []*part) string {
	const few = 4
	each := ""
	if len(run) > 1 {
		each = " each"
	}
	var lists []string
	for i, p := range run {
		switch {
		case len(run) <= few || i < 2 || i == len(run)-1:
			lists = append(lists, p.cpus.String())
		case i == 2:
			lists = append(lists, "..")
		}
	}
	return plural(run[0].cpus.Len(), "CPU") + each + ": " + strings.Join(lists, " | ")
}

// distanceTable is the node distances, "" for a single node.
func (t *Topology) distanceTable() string {
	if len(t.nodes) < 2 {
		return ""
	}
	var b strings.Builder
	b.WriteString("node distances\n    ")
	for i := range t.distances {
		fmt.Fprintf(&b, "%4d", i)
	}
	for i, row := range t.distances {
		fmt.Fprintf(&b, "\n%4d", i)
		for _, x := range row {
			fmt.Fprintf(&b, "%4d", x)
		}
	}
	b.WriteByte('\n')
	return b.String()
}
