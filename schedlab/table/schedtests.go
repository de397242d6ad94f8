package table

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// schedtests tables hold normalised figures: the baseline is 1.00 with a
// spread, every other kernel has a change, positive = better, with a spread.
type schedtests struct{}

const figure = `(?:[0-9]+(?:\.[0-9]+)?|nan|inf)`

var (
	schedtestsRow = regexp.MustCompile(
		`(\S+)[ \t]+([^\s0-9]*[0-9]\S*(?:[ \t]+[a-z]+)?)[ \t]+1\.00[ \t]*\([ \t]*(` + figure +
			`)[ \t]*\)((?:[ \t]*[-+]` + figure + `[ \t]*\([ \t]*` + figure + `[ \t]*\))+)`)
	schedtestsCompare  = regexp.MustCompile(`([-+]` + figure + `)[ \t]*\([ \t]*(` + figure + `)`)
	schedtestsBaseline = regexp.MustCompile(`(?:^|[ \t])1\.00[ \t]*\([^()%]*\)`)
	schedtestsRest     = regexp.MustCompile(`^[ \t]*[-+][0-9]\S*[ \t]*\(`)
	schedtestsHeader   = regexp.MustCompile(`case[ \t]+load[ \t]+baseline[ \t]*\([ \t]*std%[ \t]*\)(?:[ \t]*compare[^ \t]*[ \t]*%?[ \t]*\([ \t]*std%[ \t]*\))+`)
	schedtestsTitle    = regexp.MustCompile(`(\S+)[ \t]+[=~-]{2,}[ \t]*$`)
)

func (schedtests) name() Dialect { return Schedtests }

func (schedtests) find(text string) []hit {
	if !strings.Contains(text, "1.00") {
		return nil
	}
	var hits []hit
	at := 0
	for _, m := range schedtestsRow.FindAllStringSubmatchIndex(text, -1) {
		hits = appendDamaged(hits, text, at, m[0])
		h := hit{start: m[0], end: m[1], row: Row{
			Case:  text[m[2]:m[3]],
			Load:  strings.Join(strings.Fields(text[m[4]:m[5]]), " "),
			Cells: []Cell{{Value: 1, Decimals: 2, Spread: number(text[m[6]:m[7]]), Change: math.NaN(), Derived: math.NaN()}},
		}}
		for _, c := range schedtestsCompare.FindAllStringSubmatch(text[m[8]:m[9]], -1) {
			h.row.Cells = append(h.row.Cells, Cell{Value: math.NaN(), Spread: number(c[2]), Change: number(c[1]), Derived: math.NaN()})
		}
		if schedtestsRest.MatchString(text[m[1]:]) {
			h.damage = "the last change does not read as \"+change (spread)\""
		}
		hits, at = append(hits, h), m[1]
	}
	return appendDamaged(hits, text, at, len(text))
}

// appendDamaged reports baselines in text[from:to] that belong to no row.
func appendDamaged(hits []hit, text string, from, to int) []hit {
	for _, m := range schedtestsBaseline.FindAllStringIndex(text[from:to], -1) {
		start := from + m[0]
		if len(text) < 200 { // a line of its own: show it whole
			start = from
		}
		hits = append(hits, hit{start: start, end: from + m[1],
			damage: "it does not read as \"case load 1.00 (spread) +change (spread)\""})
		if start == from {
			break
		}
	}
	return hits
}

func (schedtests) heading(above []string, lead string, n int) (heading, string) {
	h := heading{columns: []string{"baseline", "compare"}}
	for i := 2; i < n; i++ {
		h.columns = append(h.columns, "compare"+strconv.Itoa(i))
	}
	if lead != "" {
		m := schedtestsHeader.FindStringIndex(lead)
		if m == nil {
			return h, fmt.Sprintf("no \"case load baseline(std%%) compare%%( std%%)\" in %q", excerpt(lead))
		}
		if t := schedtestsTitle.FindStringSubmatch(lead[:m[0]]); t != nil {
			h.title = t[1]
		}
		return h, ""
	}
	i := len(above) - 1
	for i >= 0 && isRule(above[i]) {
		i--
	}
	if i < 0 || !schedtestsHeader.MatchString(above[i]) {
		return h, "no line \"case load baseline(std%) compare%( std%)\" above it"
	}
	h.title = titleAbove(above[:i], true)
	return h, ""
}

// finish has nothing to derive: the raw values are not printed.
func (schedtests) finish(*Table, func(Row, string, ...any)) {}
