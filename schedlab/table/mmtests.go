package table

import (
	"math"
	"regexp"
	"strings"
)

// mmtests comparison tables: operator, label, then per kernel a value with its
// change against the first kernel; asterisks in place of the parentheses mark
// a change beyond 1.96 times the sum of the standard deviations.
type mmtests struct{}

const signed = `[-+]?(?:[0-9]+(?:\.[0-9]+)?|nan|inf)`

var (
	mmtestsCell = regexp.MustCompile(
		`([-+]?(?:[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|nan|inf))[ \t]*(?:\+-[ \t]*(` + figure + `)%[ \t]*)?` +
			`(?:\([ \t]*(` + signed + `)[ \t]*%[ \t]*\)|(\([ \t]+\))|\*[ \t]*(` + signed + `)[ \t]*%[ \t]*\*)`)
	// What follows a row and still looks like a cell.
	mmtestsRest = regexp.MustCompile(`^[ \t]*\S*[0-9]\S*[ \t]*[(*][^()*]*%`)
	labelWord   = regexp.MustCompile(`^[\w./:+#%-]+$`)
)

// operators of mmtests with the direction in which it uses them.
var operators = map[string]Direction{
	"Hmean": HigherBetter, "BHmean": HigherBetter,
	"Amean": LowerBetter, "BAmean": LowerBetter, "Stddev": LowerBetter, "CoeffVar": LowerBetter,
	"Min": UnknownBetter, "Max": UnknownBetter, "Mean": UnknownBetter, "Gmean": UnknownBetter, "Median": UnknownBetter,
	"1st-qrtle": UnknownBetter, "2nd-qrtle": UnknownBetter, "3rd-qrtle": UnknownBetter,
}

// operator looks a word up; "BHmean-95" and the like count as their stem.
func operator(word string) (Direction, bool) {
	d, ok := operators[word]
	if stem, _, cut := strings.Cut(word, "-"); !ok && cut {
		d, ok = operators[stem]
	}
	return d, ok
}

func (mmtests) name() Dialect { return Mmtests }

func (mmtests) find(text string) []hit {
	cells := mmtestsCell.FindAllStringSubmatchIndex(text, -1)
	var hits []hit
	end := 0
	for i := 0; i < len(cells); {
		j := i + 1
		for j < len(cells) && strings.Trim(text[cells[j-1][1]:cells[j][0]], " \t") == "" {
			j++
		}
		if h, ok := mmtestsHit(text, end, cells[i:j]); ok {
			hits = append(hits, h)
		}
		end, i = cells[j-1][1], j
	}
	if len(cells) == 0 {
		hits = lonelyOperator(text)
	}
	return hits
}

// mmtestsHit makes a row of neighbouring cells and the label before them; from
// is where the cells before these ended.
func mmtestsHit(text string, from int, cells [][]int) (hit, bool) {
	op, start, label, known := rowLabel(text, from, cells[0][0])
	if start < 0 {
		return hit{}, false
	}
	h := hit{start: start, end: cells[len(cells)-1][1], row: Row{Op: op}}
	for _, m := range cells {
		h.row.Cells = append(h.row.Cells, mmtestsCellOf(text, m))
	}
	h.row.setLabel(label)
	h.sure = known
	base := h.row.Cells[0].Change
	switch {
	case !known && (len(cells) < 2 || base != 0 && !math.IsNaN(base)):
		return hit{}, false // prose with percentages in parentheses
	case !soundLabel(label):
		h.damage = "a cell does not read as \"value (pct%)\""
	case mmtestsRest.MatchString(text[h.end:]):
		h.damage = "the cell after it does not read as \"value (pct%)\""
	case len(cells) < 2:
		h.damage = "it has one cell, a comparison needs two"
	}
	return h, true
}

// rowLabel finds operator and label in text[from:to]. Without a known operator
// the first of at most four words is taken as one. start is -1 for no label.
func rowLabel(text string, from, to int) (op string, start int, label []string, known bool) {
	const mostWords = 5
	if to > 0 && text[to-1] != ' ' && text[to-1] != '\t' {
		return "", -1, nil, false // the value is the end of a word
	}
	words, starts := lastWords(text, from, to, mostWords+1)
	for i := len(words) - 1; i >= 0 && len(words)-i <= mostWords; i-- {
		if _, ok := operator(words[i]); !ok {
			continue
		}
		if i > 0 {
			if _, ok := operator(words[i-1]); ok {
				i--
			}
		}
		return words[i], starts[i], words[i+1:], true
	}
	if len(words) == 0 || len(words) >= mostWords {
		return "", -1, nil, false
	}
	return words[0], starts[0], words[1:], false
}

// lastWords returns the last words of text[from:to], at most most of them,
// with their places.
func lastWords(text string, from, to, most int) (words []string, starts []int) {
	end := to
	for len(words) < most {
		piece := strings.TrimRight(text[from:end], " \t")
		if piece == "" {
			break
		}
		at := from + strings.LastIndexAny(piece, " \t") + 1
		words = append([]string{text[at : from+len(piece)]}, words...)
		starts = append([]int{at}, starts...)
		end = at
	}
	return words, starts
}

func soundLabel(label []string) bool {
	for _, w := range label {
		if !labelWord.MatchString(w) || strings.HasSuffix(w, "%") {
			return false
		}
	}
	return true
}

// setLabel stores a whole number as the load and any other label as the case.
func (r *Row) setLabel(label []string) {
	text := strings.Join(label, " ")
	if text != "" && strings.Trim(text, "0123456789") == "" {
		r.Load = text
		return
	}
	r.Case = text
}

func mmtestsCellOf(text string, m []int) Cell {
	group := func(i int) (string, bool) {
		if m[2*i] < 0 {
			return "", false
		}
		return text[m[2*i]:m[2*i+1]], true
	}
	value, _ := group(1)
	c := Cell{Value: number(value), Decimals: decimals(value), Spread: math.NaN(), Change: math.NaN(), Derived: math.NaN()}
	if s, ok := group(2); ok {
		c.Spread = number(s)
	}
	if s, ok := group(3); ok {
		c.Change = number(s)
	}
	if s, ok := group(5); ok {
		c.Change, c.Star = number(s), true
	}
	return c
}

// lonelyOperator reports a line that starts like a row and has no cell.
func lonelyOperator(text string) []hit {
	f := strings.Fields(text)
	if len(f) < 3 {
		return nil
	}
	if _, ok := operator(f[0]); !ok || !strings.Contains(text, "%") {
		return nil
	}
	start := strings.Index(text, f[0])
	return []hit{{start: start, end: len(text), damage: "no cell reads as \"value (pct%)\""}}
}

func (mmtests) heading(above []string, lead string, n int) (heading, string) {
	return kernelHeading(above, lead, n)
}
