package nb

import (
	"bytes"
	"encoding/base64"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// sample is a table; its forms can be made to fail.
type sample struct{ err error }

func (s sample) WriteHTML(w io.Writer) error {
	io.WriteString(w, "<table></table>")
	return s.err
}

func (s sample) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, "cpus  60\n")
	return err
}

type htmlOnly struct{}

func (htmlOnly) WriteHTML(w io.Writer) error {
	_, err := io.WriteString(w, "<b>x</b>")
	return err
}

func picture(t testing.TB) PNG {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAAAAACcgYFdAAAAEUlEQVR4nGJiYIAgQAAAAP//AC0AB5+g8fMAAAAASUVORK5CYII=")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// inside gathers what f shows when run in a notebook.
func inside(t *testing.T, f func()) (shown []map[protocol.MIMEType]any) {
	t.Helper()
	oldIn, oldSend := inNotebook, send
	t.Cleanup(func() { inNotebook, send = oldIn, oldSend })
	inNotebook = func() bool { return true }
	send = func(data map[protocol.MIMEType]any) { shown = append(shown, data) }
	if printed := outside(t, f); printed != "" {
		t.Errorf("printed to stdout inside a notebook: %q", printed)
	}
	return shown
}

// outside gives what f writes to stdout.
func outside(t *testing.T, f func()) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = file
	defer func() {
		os.Stdout = old
		file.Close()
	}()
	f()
	data, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestInsideANotebook(t *testing.T) {
	png := picture(t)
	shown := inside(t, func() {
		Table(sample{})
		Table(htmlOnly{})
		Figure(png, "Load * over time.")
		Figure(png, "")
		Textf("%d CPUs", 60)
		Markdown("**bold**")
	})
	want := []map[protocol.MIMEType]any{
		{"text/html": "<table></table>", "text/plain": "cpus  60\n"},
		{"text/html": "<b>x</b>"},
		{"image/png": []byte(png), "text/plain": "[figure, 2 x 3] Load * over time."},
		{"text/markdown": `*Load \* over time.*`},
		{"image/png": []byte(png), "text/plain": "[figure, 2 x 3]"},
		{"text/plain": "60 CPUs"},
		{"text/markdown": "**bold**", "text/plain": "**bold**"},
	}
	if len(shown) != len(want) {
		t.Fatalf("%d outputs, want %d: %v", len(shown), len(want), shown)
	}
	for i := range want {
		if !same(shown[i], want[i]) {
			t.Errorf("output %d is %q, want %q", i, shown[i], want[i])
		}
	}
}

func same(a, b map[protocol.MIMEType]any) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if x, ok := v.([]byte); ok {
			y, ok := b[k].([]byte)
			if !ok || !bytes.Equal(x, y) {
				return false
			}
		} else if v != b[k] {
			return false
		}
	}
	return true
}

func TestOutsideANotebook(t *testing.T) {
	got := outside(t, func() {
		Table(sample{})
		Table(htmlOnly{})
		Figure(picture(t), "Load over time.")
		Text("one")
		Markdown("two\n")
	})
	want := "cpus  60\n<b>x</b>\n[figure, 2 x 3] Load over time.\none\ntwo\n"
	if got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

func TestFailuresPanicWithText(t *testing.T) {
	cause := errors.New("no such machine")
	tests := []struct {
		name string
		call func()
		want string
	}{
		{"no table", func() { Table(nil) }, "nb: Table: there is no table (nil)"},
		{"no figure", func() { Figure(nil, "c") }, "nb: Figure: there is no figure (nil)"},
		{"table fails", func() { Table(sample{cause}) }, "nb: Table: no such machine"},
		{"not a picture", func() { Figure(PNG("GIF89a"), "Load.") }, `nb: Figure "Load.": not a PNG picture: `},
		{"Must", func() { Must(cause) }, "nb: no such machine"},
		{"Must1", func() { Must1(0, cause) }, "nb: no such machine"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				text := ""
				switch v := recover().(type) {
				case error:
					text = v.Error()
				case string:
					text = v
				}
				if !strings.HasPrefix(text, test.want) {
					t.Errorf("panic %q, want %q", text, test.want)
				}
			}()
			test.call()
		})
	}
	Must(nil)
	if got := Must1(strconv.Atoi("60")); got != 60 {
		t.Errorf("Must1 gives %d", got)
	}
}

// Cells compile this package each time, and it is the one that may know of the notebook.
func TestImportsOnlyTheNotebook(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if strings.Contains(path, ".") && !strings.HasPrefix(path, "github.com/janpfeifer/gonb/gonbui") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}
