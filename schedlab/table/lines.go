package table

import (
	"bufio"
	"io"
	"regexp"
	"strings"
)

// line is one logical line: transfer encoding, quote marks and no-break
// spaces undone, soft breaks joined.
type line struct {
	text   string
	number int // of the first physical line, from 1
}

// lines cuts an input into logical lines.
type lines struct {
	br       *bufio.Reader
	read     int  // physical lines so far
	encoded  bool // the text is quoted-printable
	declared bool // a header said so, or said otherwise
	warn     func(number, column int, format string, args ...any)
}

var (
	transferHeader = regexp.MustCompile(`(?i)content-transfer-encoding:\s*([a-z0-9-]+)`)
	encodedByte    = regexp.MustCompile(`=[0-9A-F]{2}`)
	// Spellings of '=', no-break space and dashes nobody types by hand.
	tellTale   = regexp.MustCompile(`=3D|=C2=A0|=E2=80`)
	flatBreak  = regexp.MustCompile(`=[ \t]+`) // a soft break whose line break became a space
	quoteMarks = regexp.MustCompile(`^[ \t]*(?:>[ \t]?)+`)
)

// next returns the next logical line, or io.EOF.
func (l *lines) next() (line, error) {
	text, err := l.physical()
	if err != nil {
		return line{}, err
	}
	out := line{number: l.read}
	if out.number == 1 {
		text = strings.TrimPrefix(text, "\ufeff")
	}
	l.noticeEncoding(text)
	if l.encoded {
		if text, err = l.joinSoftBreaks(text); err != nil {
			return line{}, err
		}
		text = decode(text)
	}
	text = strings.ReplaceAll(text, "\u00a0", " ")
	if mark := quoteMarks.FindString(text); mark != "" {
		text = text[len(mark):]
	}
	out.text = strings.TrimRight(text, " \t\r")
	return out, nil
}

// noticeEncoding follows what headers say about the transfer encoding. Without
// a header the text itself tells.
func (l *lines) noticeEncoding(text string) {
	if all := transferHeader.FindAllStringSubmatch(text, -1); all != nil {
		kind := strings.ToLower(all[len(all)-1][1])
		l.declared, l.encoded = true, kind == "quoted-printable"
		if kind == "base64" {
			l.warn(l.read, 0, "a base64 body is not decoded: save the mail as plain text first")
		}
		return
	}
	if !l.declared && !l.encoded {
		l.encoded = tellTale.MatchString(text)
	}
}

// joinSoftBreaks appends the lines that a trailing '=' continues.
func (l *lines) joinSoftBreaks(text string) (string, error) {
	part, more := softBreak(text)
	if !more {
		return text, nil
	}
	var whole strings.Builder
	for {
		whole.WriteString(part)
		if whole.Len() > MaxLine {
			l.warn(l.read, 0, "line longer than %d bytes after joining its soft breaks: the rest is left out", MaxLine)
			return whole.String()[:MaxLine], nil
		}
		if !more {
			return whole.String(), nil
		}
		next, err := l.physical()
		if err != nil && err != io.EOF {
			return "", err
		}
		part, more = softBreak(next)
	}
}

// softBreak takes a trailing soft break off. A drawn line of '=' is none.
func softBreak(text string) (rest string, found bool) {
	rest = strings.TrimRight(text, " \t\r")
	if !strings.HasSuffix(rest, "=") || strings.HasSuffix(rest, "==") {
		return text, false
	}
	return rest[:len(rest)-1], true
}

// decode undoes quoted-printable within a line; what is no valid escape stays.
func decode(text string) string {
	if !strings.Contains(text, "=") {
		return text
	}
	text = flatBreak.ReplaceAllString(text, "")
	return encodedByte.ReplaceAllStringFunc(text, func(e string) string {
		b := unhex(e[1])<<4 | unhex(e[2])
		if b == '\n' || b == '\r' {
			b = ' ' // a break here would spoil the line numbers
		}
		return string([]byte{b})
	})
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c - 'A' + 10
}

// physical reads one line without its line feed. What goes beyond MaxLine is
// read and dropped with a warning.
func (l *lines) physical() (string, error) {
	var b []byte
	cut := false
	for {
		part, err := l.br.ReadSlice('\n')
		if room := MaxLine - len(b); len(part) > room {
			part, cut = part[:room], true
		}
		b = append(b, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			return "", err
		}
		if err == io.EOF && len(b) == 0 {
			return "", io.EOF
		}
		l.read++
		if cut {
			l.warn(l.read, 0, "line longer than %d bytes: the rest is left out", MaxLine)
		}
		return strings.TrimSuffix(string(b), "\n"), nil
	}
}
