package table

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	manySpaces  = regexp.MustCompile(`[ \t]{2,}|\t`)
	versionLike = regexp.MustCompile(`^v?[0-9]+\.[0-9]`)
	// A kernel's name has a digit or a joint in it, or is one of these words.
	nameLike = regexp.MustCompile(`(?i)[0-9_+-]|^(?:vanilla|base|baseline|patch|patched|tip|before|after|default|old|new|orig|original|stock|mainline)$`)
	// First words of what stands where a title stands in a table that lost its
	// line breaks; anything else there may be the end of a sentence.
	benchmarkLike = regexp.MustCompile(`^(?:tbench|dbench|hackbench|netperf|schbench|unixbench|pgbench|sysbench|stream|uperf|lmbench|perf-|stress-ng|will-it-scale|kernbench|ebizzy|fio|sockperf|pipetest|adrestia|specjbb|bonnie|iperf)`)
)

// titleAbove takes the title from the lines above a heading, nearest last: a
// short line without wide gaps or the end of a sentence. Rules between are skipped; a blank
// line is skipped only if past says so.
func titleAbove(above []string, past bool) string {
	for i := len(above) - 1; i >= 0; i-- {
		text := strings.TrimSpace(above[i])
		if text == "" && !past {
			return ""
		}
		if isRule(text) {
			continue
		}
		text = strings.TrimSpace(strings.Trim(text, "=~*#"))
		if manySpaces.MatchString(text) || strings.HasSuffix(text, ".") || strings.HasSuffix(text, ",") || len(strings.Fields(text)) > 8 {
			return ""
		}
		return strings.TrimSuffix(text, ":")
	}
	return ""
}

// kernelHeading reads the one or two heading lines of an mmtests table.
func kernelHeading(above []string, lead string, n int) (heading, string) {
	var h heading
	if lead != "" {
		h = flatHeading(lead, n)
	} else {
		h = headingAbove(above, n)
	}
	if h.columns != nil {
		return h, ""
	}
	for i := range n {
		h.columns = append(h.columns, strconv.Itoa(i+1))
	}
	return h, "no heading names its " + strconv.Itoa(n) + " columns: they are numbered"
}

// headingAbove reads the heading from the lines above the first row.
func headingAbove(above []string, n int) heading {
	i := len(above) - 1
	for i >= 0 && isRule(above[i]) {
		i--
	}
	if i < 0 {
		return heading{}
	}
	if i > 0 {
		lower := strings.Fields(above[i])
		upper, title := columnNames(above[i-1], n)
		if len(lower) == n && upper != nil && allMatch(versionLike, upper) {
			if title == "" {
				title = titleAbove(above[:i-1], false)
			}
			return heading{title, join(upper, lower)}
		}
	}
	names, title := columnNames(above[i], n)
	if names == nil {
		return heading{title: titleAbove(above[:i+1], false)}
	}
	if title == "" {
		title = titleAbove(above[:i], false)
	}
	return heading{title, names}
}

// columnNames splits a heading line into n names, and a title if one stands in
// front of them. Names with single spaces in them are told by wider gaps.
func columnNames(text string, n int) (names []string, title string) {
	text = strings.TrimSpace(text)
	for _, f := range [][]string{strings.Fields(text), manySpaces.Split(text, -1)} {
		if len(f) == n+1 && nameLike.MatchString(f[1]) {
			f, title = f[1:], f[0]
		}
		if len(f) == n && anyMatch(nameLike, f) && !strings.HasSuffix(f[n-1], ".") {
			if title == "kernel" {
				title = ""
			}
			return f, title
		}
		title = ""
	}
	return nil, ""
}

// flatHeading reads the heading from the words before the first row of a table
// whose line breaks were lost.
func flatHeading(lead string, n int) heading {
	f := strings.Fields(lead)
	if len(f) < n {
		return heading{}
	}
	names, f := f[len(f)-n:], f[:len(f)-n]
	if len(f) >= n && allMatch(versionLike, f[len(f)-n:]) {
		names, f = join(f[len(f)-n:], names), f[:len(f)-n]
	}
	if !anyMatch(nameLike, names) {
		return heading{}
	}
	h := heading{columns: names}
	if len(f) > 0 && benchmarkLike.MatchString(f[len(f)-1]) {
		h.title = strings.TrimSuffix(f[len(f)-1], ":")
	}
	return h
}

// join puts the two halves of kernel names together as mmtests had split them.
func join(upper, lower []string) []string {
	out := make([]string, len(upper))
	for i := range upper {
		out[i] = upper[i] + "-" + lower[i]
	}
	return out
}

func anyMatch(re *regexp.Regexp, words []string) bool {
	for _, w := range words {
		if re.MatchString(w) {
			return true
		}
	}
	return false
}

func allMatch(re *regexp.Regexp, words []string) bool {
	for _, w := range words {
		if !re.MatchString(w) {
			return false
		}
	}
	return true
}
