package topology

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Measures of the picture, in SVG user units.
const (
	cellHeight   = 17
	digitWidth   = 6  // of the CPU numbers' font
	boxPadding   = 7  // between a box and what it holds
	boxGap       = 7  // between neighbouring boxes
	coreGap      = 4  // between neighbouring cores
	labelHeight  = 15 // of a box's label line
	labelDigit   = 6  // width of a letter in it, on average
	titleDigit   = 9  // width of a letter in the title, at most
	margin       = 14
	titleHeight  = 26
	legendHeight = 24
	tableLine    = 15
)

// SVG draws the machine as nested boxes, a complete SVG document in UTF-8:
// sockets, nodes, LLCs and clusters with their numbers, cores as small boxes
// with one numbered cell per hardware thread. Line styles tell the kinds apart
// without colour; a legend and the table of node distances stand below. Equal
// topologies give equal bytes.
func (t *Topology) SVG() []byte {
	digits := len(fmt.Sprint(t.NumCPUs() - 1))
	root := newBox(t.tree(), max(2, digits)*digitWidth+6)
	root.move(margin, margin+titleHeight)
	d := &svgDrawing{}
	legend, legendEnd := t.legend(margin)
	width := max(root.w+margin, legendEnd, margin+titleDigit*utf8.RuneCountInString(t.name)) + margin
	below := root.y + root.h + legendHeight
	height := below + margin
	if len(t.nodes) > 1 {
		height += tableLine * (len(t.nodes) + 2)
	}
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif">`+"\n", width, height, width, height)
	d.printf(`<title>%s</title>`+"\n", escaped(t.headline()))
	d.printf(`<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	d.text(margin, margin+10, 14, `font-weight="bold"`, t.name)
	root.draw(d)
	d.legend(legend, below-4)
	if len(t.nodes) > 1 {
		d.distances(margin, below+tableLine, t)
	}
	d.printf("</svg>\n")
	return d.Bytes()
}

// box is a part with its place on the page. A part that holds a single part of
// the same extent shares its box with it.
type box struct {
	parts      []*part // outermost first; more than one if they share the box
	x, y, w, h int
	cols       int
	boxes      []*box
}

func newBox(p *part, cell int) *box {
	b := &box{parts: []*part{p}}
	for p.kind < kindCluster && len(p.parts) == 1 && p.parts[0].kind < kindCore {
		p = p.parts[0]
		b.parts = append(b.parts, p)
	}
	if p.kind == kindThread {
		b.w, b.h = cell, cellHeight
		return b
	}
	for _, child := range p.parts {
		b.boxes = append(b.boxes, newBox(child, cell))
	}
	if p.kind == kindCore {
		b.cols = len(b.boxes)
		b.w, b.h = cell*len(b.boxes), cellHeight
		return b
	}
	b.cols = b.columns()
	b.w, b.h = b.size(b.cols)
	if padding, _ := b.frame(); padding > 0 {
		b.w = max(b.w, labelDigit*len(b.label())+2*padding)
	}
	return b
}

func (b *box) inner() *part { return b.parts[len(b.parts)-1] }

// frame is the room around the contents and for the label: none for cores and
// threads, nor for the machine, which is not drawn unless it shares a box.
func (b *box) frame() (padding, label int) {
	switch b.inner().kind {
	case kindMachine, kindCore, kindThread:
		return 0, 0
	}
	return boxPadding, labelHeight
}

func (b *box) gap() int {
	if len(b.boxes) > 0 && b.boxes[0].inner().kind >= kindCore {
		return coreGap
	}
	return boxGap
}

// size is the box's extent with its contents in rows of the given length.
func (b *box) size(cols int) (w, h int) {
	padding, label := b.frame()
	gap := b.gap()
	row := box{}
	for i, c := range b.boxes {
		if i%cols == 0 && i > 0 {
			h += row.h + gap
			row = box{}
		}
		if row.w > 0 {
			row.w += gap
		}
		row.w += c.w
		row.h = max(row.h, c.h)
		w = max(w, row.w)
	}
	return w + 2*padding, h + row.h + 2*padding + label
}

// columns chooses how many boxes stand side by side: about 3 wide to 2 high,
// full rows preferred.
func (b *box) columns() int {
	best, cost := 1, math.Inf(1)
	for cols := 1; cols <= len(b.boxes); cols++ {
		w, h := b.size(cols)
		missing := (cols - len(b.boxes)%cols) % cols
		c := math.Abs(math.Log(float64(w)/float64(h)/1.5)) + 2*float64(missing)/float64(len(b.boxes))
		if c < cost-1e-9 {
			best, cost = cols, c
		}
	}
	return best
}

// move puts the box and its contents at a place.
func (b *box) move(x, y int) {
	b.x, b.y = x, y
	padding, label := b.frame()
	gap := b.gap()
	if b.inner().kind == kindCore {
		gap = 0
	}
	cx, cy, rowHeight := x+padding, y+padding+label, 0
	for i, c := range b.boxes {
		if i%b.cols == 0 && i > 0 {
			cx, cy = x+padding, cy+rowHeight+gap
			rowHeight = 0
		}
		c.move(cx, cy)
		cx += c.w + gap
		rowHeight = max(rowHeight, c.h)
	}
}

// boxStyles are the line and fill of each kind; of several kinds in one box the
// outermost counts.
var boxStyles = map[kind]string{
	kindSocket:  `fill="white" stroke="black" stroke-width="2.2"`,
	kindNode:    `fill="#f4f4f4" stroke="black" stroke-width="1.2" stroke-dasharray="7 3"`,
	kindLLC:     `fill="#e7e7e7" stroke="black" stroke-width="1"`,
	kindCluster: `fill="#d6d6d6" stroke="black" stroke-width="1" stroke-dasharray="1.5 2"`,
	kindCore:    `fill="white" stroke="black" stroke-width="0.7"`,
}

func (b *box) draw(d *svgDrawing) {
	outer := b.parts[0]
	if outer.kind == kindMachine && len(b.parts) > 1 {
		outer = b.parts[1]
	}
	switch {
	case outer.kind == kindThread:
		d.text(b.x+b.w/2, b.y+cellHeight-5, 9.5, `text-anchor="middle"`, fmt.Sprint(outer.id))
		return
	case outer.kind != kindMachine:
		d.printf(`<g><title>%s</title><rect x="%d" y="%d" width="%d" height="%d" rx="%d" %s/></g>`+"\n",
			escaped(b.label()+": "+cpusText(outer.cpus)), b.x, b.y, b.w, b.h, 2, boxStyles[outer.kind])
	}
	switch outer.kind {
	case kindCore:
		for _, c := range b.boxes[1:] {
			d.printf(`<path d="M%d %dv%d" stroke="black" stroke-width="0.35"/>`+"\n", c.x, b.y, b.h)
		}
	case kindMachine:
	default:
		d.text(b.x+boxPadding, b.y+boxPadding+9, 11, "", b.label())
	}
	for _, c := range b.boxes {
		c.draw(d)
	}
}

// label names all parts that share the box, but for the machine.
func (b *box) label() string {
	var names []string
	for _, p := range b.parts {
		if p.kind != kindMachine {
			names = append(names, partName(p))
		}
	}
	return strings.Join(names, " / ")
}

func cpusText(s CPUSet) string {
	if s.Len() == 1 {
		return "CPU " + s.String()
	}
	return fmt.Sprintf("%d CPUs %s", s.Len(), s)
}

// svgDrawing is the document being written.
type svgDrawing struct{ bytes.Buffer }

func (d *svgDrawing) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

func (d *svgDrawing) text(x, y int, size float64, more, s string) {
	if more != "" {
		more = " " + more
	}
	d.printf(`<text x="%d" y="%d" font-size="%g"%s>%s</text>`+"\n", x, y, size, more, escaped(s))
}

// legendItem is a kind with its text, and the x of its swatch.
type legendItem struct {
	kind kind
	text string
	x    int
}

// legend lists the kinds the machine has, and where the line ends.
func (t *Topology) legend(x int) (items []legendItem, end int) {
	for k := kindSocket; k <= kindCore; k++ {
		text := k.String()
		switch {
		case k == kindCluster && !t.hasClusters:
			continue
		case k == kindCore && t.smt > 1:
			text = fmt.Sprintf("core (%d threads, CPU numbers)", t.smt)
		case k == kindCore:
			text = "core (CPU number)"
		}
		items = append(items, legendItem{k, text, x})
		x += 40 + labelDigit*len(text)
	}
	return items, x
}

func (d *svgDrawing) legend(items []legendItem, y int) {
	for _, i := range items {
		d.printf(`<rect x="%d" y="%d" width="18" height="11" rx="2" %s/>`+"\n", i.x, y-9, boxStyles[i.kind])
		d.text(i.x+23, y, 10.5, "", i.text)
	}
}

// distances writes the table of node distances.
func (d *svgDrawing) distances(x, y int, t *Topology) {
	d.text(x, y+4, 10.5, "", "node distances")
	const column = 28
	for i, row := range t.distances {
		cx := x + 24
		line := y + tableLine*(i+2)
		d.text(cx+(i+1)*column-8, y+tableLine+2, 10.5, `text-anchor="end" font-weight="bold"`, fmt.Sprint(i))
		d.text(cx-8, line+2, 10.5, `text-anchor="end" font-weight="bold"`, fmt.Sprint(i))
		for j, v := range row {
			d.text(cx+(j+1)*column-8, line+2, 10.5, `text-anchor="end"`, fmt.Sprint(v))
		}
	}
}

// escaped makes any text safe inside an element; characters that XML does not
// allow become U+FFFD.
func escaped(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a bytes.Buffer does not fail
	return b.String()
}
