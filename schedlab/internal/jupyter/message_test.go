package jupyter

import (
	"bytes"
	"strings"
	"testing"
)

// The signature of four frames under the key "key", computed with another program:
//
//	printf '{"msg_id":"1"}{}{}{"a":1}' | openssl dgst -sha256 -hmac key
const signature = "b5c3f3f2ae4bdd60a1ea8475a37961c8cc8853392dcee28a7c72f2463bd7f890"

func TestSign(t *testing.T) {
	w := wire{key: []byte("key")}
	body := [][]byte{[]byte(`{"msg_id":"1"}`), []byte(`{}`), []byte(`{}`), []byte(`{"a":1}`)}
	if got := string(w.sign(body)); got != signature {
		t.Errorf("signature %s, want %s", got, signature)
	}
}

func TestMessageRoundTrip(t *testing.T) {
	w := wire{key: []byte("key"), session: "s"}
	m, err := w.request("execute_request", map[string]any{"code": "x"})
	if err != nil {
		t.Fatal(err)
	}
	m.parent = header{ID: "parent"}
	frames, err := w.frames(m)
	if err != nil {
		t.Fatal(err)
	}
	// A router puts identities before the delimiter; buffers may follow.
	frames = append([][]byte{[]byte("identity"), []byte("another")}, frames...)
	frames = append(frames, []byte("buffer"))
	got, err := w.parse(frames)
	if err != nil {
		t.Fatal(err)
	}
	if got.header != m.header || got.parent.ID != "parent" || !bytes.Equal(got.content, m.content) {
		t.Errorf("got %+v, want %+v", got, m)
	}
}

func TestParseRefuses(t *testing.T) {
	w := wire{key: []byte("key")}
	sign := func(body ...string) [][]byte {
		var frames [][]byte
		for _, b := range body {
			frames = append(frames, []byte(b))
		}
		return append([][]byte{delimiter, w.sign(frames)}, frames...)
	}
	tests := []struct {
		name   string
		frames [][]byte
		want   string
	}{
		{"nothing", nil, "without delimiter"},
		{"no delimiter", [][]byte{{1}, {2}, {3}, {4}, {5}, {6}, {7}}, "without delimiter"},
		{"too few frames", sign("{}", "{}", "{}"), "too few frames"},
		{"other key", func() [][]byte {
			f := sign("{}", "{}", "{}", "{}")
			f[1] = wire{key: []byte("other")}.sign(f[2:])
			return f
		}(), "wrong signature"},
		{"changed content", func() [][]byte {
			f := sign("{}", "{}", "{}", "{}")
			f[5] = []byte(`{"a":1}`)
			return f
		}(), "wrong signature"},
		{"header", sign("[]", "{}", "{}", "{}"), "message header"},
		{"parent", sign("{}", "x", "{}", "{}"), "parent header"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := w.parse(test.frames); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var all bytes.Buffer
	log := &tail{next: &all}
	for range 5000 {
		log.Write([]byte("a line of the log\n\n"))
	}
	log.Write([]byte("the last line"))
	if len(log.buf) > 3*tailSize {
		t.Errorf("%d bytes kept", len(log.buf))
	}
	if got := log.last(2); len(got) != 2 || got[1] != "the last line" {
		t.Errorf("last lines %q", got)
	}
	if all.Len() != 5000*19+13 {
		t.Errorf("%d bytes passed on", all.Len())
	}
}
