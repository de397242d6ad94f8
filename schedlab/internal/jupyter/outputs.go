package jupyter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// outputs gathers what one cell shows. Pieces of one stream that follow each other become one output: how a kernel cuts a
// stream into messages depends on timing and must not be seen in the notebook.
type outputs struct {
	list []*Output
	// byID holds the outputs a kernel may replace later, by display id.
	byID map[string][]*Output
}

// add takes a message of the iopub channel; types that are no outputs are ignored.
func (o *outputs) add(m message) error {
	kind := m.header.Type
	switch kind {
	case "stream", "display_data", "execute_result", "error", "update_display_data":
	default:
		return nil
	}
	content, err := decodeContent(m.content)
	if err != nil {
		return fmt.Errorf("%s message: %w", kind, err)
	}
	id := displayID(content)
	content["output_type"] = strings.TrimPrefix(kind, "update_")
	out, err := decodeOutput(content)
	if err != nil {
		return fmt.Errorf("%s message: %w", kind, err)
	}
	out.extra = nil
	if kind == "update_display_data" {
		for _, old := range o.byID[id] {
			old.Data, old.Metadata = out.Data, out.Metadata
		}
		return nil
	}
	o.append(out, id)
	return nil
}

func (o *outputs) append(out *Output, id string) {
	if last := len(o.list) - 1; out.Type == "stream" && last >= 0 &&
		o.list[last].Type == "stream" && o.list[last].Name == out.Name {
		o.list[last].Text += out.Text
		return
	}
	if id != "" {
		if o.byID == nil {
			o.byID = map[string][]*Output{}
		}
		o.byID[id] = append(o.byID[id], out)
	}
	o.list = append(o.list, out)
}

func decodeContent(raw json.RawMessage) (fields, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var content map[string]any
	if err := dec.Decode(&content); err != nil {
		return nil, err
	}
	if content == nil {
		return nil, fmt.Errorf("no content")
	}
	return content, nil
}

// displayID takes the id out of the "transient" field, which is never stored.
func displayID(content fields) string {
	transient, _ := content.take("transient").(map[string]any)
	id, _ := transient["display_id"].(string)
	return id
}

// stderr gives all a cell wrote to its stderr stream.
func stderr(list []*Output) string {
	var b strings.Builder
	for _, o := range list {
		if o.Type == "stream" && o.Name == "stderr" {
			b.WriteString(o.Text)
		}
	}
	return b.String()
}

// failure gives the first error output, nil if there is none.
func failure(list []*Output) *Output {
	for _, o := range list {
		if o.Type == "error" {
			return o
		}
	}
	return nil
}

var terminalColour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plain removes terminal colours and each occurrence of the folder dir, which nobody can look into any more.
func plain(s, dir string) string {
	s = terminalColour.ReplaceAllString(s, "")
	if dir != "" {
		s = strings.ReplaceAll(s, dir+"/", "")
	}
	return s
}

// firstLines gives up to n non-empty lines of s.
func firstLines(s string, n int) []string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if line == "" {
			continue
		}
		if len(out) == n {
			return append(out, "...")
		}
		out = append(out, line)
	}
	return out
}
