package report

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escapes matches terminal control sequences as a whole, so that no letters of
// them remain when their first byte is dropped.
var escapes = regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?)`)

// clean makes s safe to show on a terminal and in one line: white space of any
// kind becomes a blank; escape sequences, control characters, marks that turn the
// writing direction and invalid bytes are dropped.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return -1
		case unicode.IsSpace(r) && r != 0x85:
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0x2028, r == 0x2029, r == 0xFEFF:
			return -1
		}
		return r
	}, escapes.ReplaceAllString(s, ""))
}

// length counts characters.
func length(s string) int { return utf8.RuneCountInString(s) }

// abbreviate cuts s to n characters, the last one an ellipsis.
func abbreviate(s string, n int) string {
	if length(s) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	return strings.TrimRight(string([]rune(s)[:n-1]), " ") + "…"
}

// wrap breaks s at blanks into lines of at most n characters; words longer than
// a line are abbreviated. n <= 0 means no limit.
func wrap(s string, n int) []string {
	if n <= 0 || length(s) <= n {
		return []string{s}
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		word = abbreviate(word, n)
		switch {
		case line == "":
			line = word
		case length(line)+1+length(word) <= n:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
