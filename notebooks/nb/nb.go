package nb

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"os"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Tabler is a table that can be shown: tables of package report are.
type Tabler interface {
	WriteHTML(w io.Writer) error
}

// Figurer is a figure that can be shown: figures of package report are. PNG makes one from bytes.
type Figurer interface {
	WritePNG(w io.Writer) error
}

// PNG is a picture in that format.
type PNG []byte

// WritePNG writes the bytes as they are.
func (p PNG) WritePNG(w io.Writer) error {
	_, err := w.Write(p)
	return err
}

// textWriter is the plain form of a table, shown outside a notebook and stored beside the HTML for viewers without it.
type textWriter interface {
	WriteText(w io.Writer) error
}

// Where we are and the way into the notebook; tests replace them.
var (
	inNotebook = func() bool { return gonbui.IsNotebook }
	send       = sendToNotebook
)

// Table shows a table. Outside a notebook it is printed by its WriteText method, or as HTML if it has none.
func Table(t Tabler) {
	if t == nil {
		panic("nb: Table: there is no table (nil)")
	}
	text := ""
	if tw, ok := t.(textWriter); ok {
		text = written("Table", tw.WriteText)
	}
	html := written("Table", t.WriteHTML)
	if !inNotebook() {
		if text == "" {
			text = html
		}
		printText(text)
		return
	}
	data := map[protocol.MIMEType]any{protocol.MIMETextHTML: html}
	if text != "" {
		data[protocol.MIMETextPlain] = text
	}
	send(data)
}

// Figure shows a picture and below it the caption: a sentence that says what is on the axes and what to see; "" shows none.
func Figure(f Figurer, caption string) {
	if f == nil {
		panic("nb: Figure: there is no figure (nil)")
	}
	picture := []byte(written("Figure", f.WritePNG))
	size, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		panic(fmt.Errorf("nb: Figure %q: not a PNG picture: %w", caption, err))
	}
	alt := fmt.Sprintf("[figure, %d x %d]", size.Width, size.Height)
	if caption != "" {
		alt += " " + caption
	}
	if !inNotebook() {
		printText(alt)
		return
	}
	send(map[protocol.MIMEType]any{protocol.MIMEImagePNG: picture, protocol.MIMETextPlain: alt})
	if caption != "" {
		send(map[protocol.MIMEType]any{protocol.MIMETextMarkdown: "*" + strings.ReplaceAll(caption, "*", `\*`) + "*"})
	}
}

// Text shows a text as it is, in a fixed-width font.
func Text(s string) {
	if !inNotebook() {
		printText(s)
		return
	}
	send(map[protocol.MIMEType]any{protocol.MIMETextPlain: s})
}

// Textf shows a text formatted as by fmt.Sprintf.
func Textf(format string, args ...any) { Text(fmt.Sprintf(format, args...)) }

// Markdown shows a text in Markdown.
func Markdown(s string) {
	if !inNotebook() {
		printText(s)
		return
	}
	send(map[protocol.MIMEType]any{protocol.MIMETextMarkdown: s, protocol.MIMETextPlain: s})
}

// Must fails the cell if err is not nil.
func Must(err error) {
	if err != nil {
		panic(fmt.Errorf("nb: %w", err))
	}
}

// Must1 gives v, or fails the cell: result := nb.Must1(schedlab.Simulate(config)).
func Must1[T any](v T, err error) T {
	Must(err)
	return v
}

// written is what a writing method writes.
func written(what string, write func(io.Writer) error) string {
	var b strings.Builder
	if err := write(&b); err != nil {
		panic(fmt.Errorf("nb: %s: %w", what, err))
	}
	return b.String()
}

// printText prints outside a notebook, with a newline at the end.
func printText(s string) {
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	if _, err := os.Stdout.WriteString(s); err != nil {
		panic(fmt.Errorf("nb: %w", err))
	}
}

// sendToNotebook shows one output, given in one or more forms, and waits until the notebook has it.
func sendToNotebook(data map[protocol.MIMEType]any) {
	gonbui.SendData(&protocol.DisplayData{Data: data})
	if err := gonbui.Error(); err != nil {
		panic(fmt.Errorf("nb: the notebook took no output: %w", err))
	}
	gonbui.Sync()
}
