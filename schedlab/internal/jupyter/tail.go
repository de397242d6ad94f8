package jupyter

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// tail is a writer that keeps the end of what was written, for an error message, and passes all of it on to next, if any.
type tail struct {
	mu   sync.Mutex
	buf  []byte
	next io.Writer
}

// tailSize is how much of a log is kept.
const tailSize = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*tailSize {
		t.buf = bytes.Clone(t.buf[len(t.buf)-tailSize:])
	}
	if t.next != nil {
		t.next.Write(p) // a log that cannot be shown is no reason to stop
	}
	return len(p), nil
}

// last gives the last n non-empty lines.
func (t *tail) last(n int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := firstLines(string(t.buf), len(t.buf)+1)
	return all[max(0, len(all)-n):]
}

func (t *tail) contains(s string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Contains(string(t.buf), s)
}
