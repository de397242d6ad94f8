package jupyter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Decode reads a notebook from the bytes of a file; name is used in errors and becomes the notebook's Path.
func Decode(name string, data []byte) (*Notebook, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, fmt.Errorf("jupyter: %s: not a notebook: %w", position(name, data, err), err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var doc map[string]any
	if err := dec.Decode(&doc); err != nil || doc == nil {
		return nil, fmt.Errorf("jupyter: %s: not a notebook: the file holds no JSON object", name)
	}
	nb, err := decodeNotebook(fields(doc))
	if err != nil {
		return nil, fmt.Errorf("jupyter: %s: %w", name, err)
	}
	nb.Path = name
	return nb, nil
}

// position is "name:line:column" of a JSON error.
func position(name string, data []byte, err error) string {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return name
	}
	read := data[:min(int(syntax.Offset), len(data))]
	line := bytes.Count(read, []byte("\n")) + 1
	column := len(read) - bytes.LastIndexByte(read, '\n') - 1
	return fmt.Sprintf("%s:%d:%d", name, line, column)
}

// fields is a JSON object being taken apart: what is left at the end was unknown and is kept.
type fields map[string]any

func (f fields) take(key string) any {
	v := f[key]
	delete(f, key)
	return v
}

// rest gives what was not taken, nil if nothing.
func (f fields) rest() map[string]any {
	if len(f) == 0 {
		return nil
	}
	return f
}

// integer takes a number that counts something; absent or null is 0.
func (f fields) integer(key string) (int, error) {
	switch v := f.take(key).(type) {
	case nil:
		return 0, nil
	case json.Number:
		if n, err := strconv.Atoi(v.String()); err == nil && n >= 0 {
			return n, nil
		}
		return 0, fmt.Errorf("%q is %s, not a count", key, v)
	default:
		return 0, fmt.Errorf("%q is not a number", key)
	}
}

// text takes a text that may be stored as a string or as an array of lines; absent is "".
func (f fields) text(key string) (string, error) {
	v, ok := f[key]
	if !ok {
		return "", nil
	}
	s, ok := joined(v)
	if !ok {
		return "", fmt.Errorf("%q is neither a string nor an array of strings", key)
	}
	delete(f, key)
	return s, nil
}

// object takes an object; absent is nil.
func (f fields) object(key string) (map[string]any, error) {
	switch v := f.take(key).(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return v, nil
	default:
		return nil, fmt.Errorf("%q is not an object", key)
	}
}

// array takes an array of objects; absent is empty.
func (f fields) array(key string) ([]fields, error) {
	v := f.take(key)
	if v == nil {
		return nil, nil
	}
	items, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%q is not an array", key)
	}
	out := make([]fields, len(items))
	for i, item := range items {
		m, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("element %d of %q is not an object", i+1, key)
		}
		out[i] = m
	}
	return out, nil
}

func joined(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []any:
		var b strings.Builder
		for _, part := range v {
			s, ok := part.(string)
			if !ok {
				return "", false
			}
			b.WriteString(s)
		}
		return b.String(), true
	default:
		return "", false
	}
}

func decodeNotebook(f fields) (*Notebook, error) {
	major, err := f.integer("nbformat")
	if err != nil {
		return nil, err
	}
	if major != 4 {
		return nil, fmt.Errorf("notebook format %d: only format 4 is read; open the file in Jupyter and save it", major)
	}
	nb := new(Notebook)
	if nb.Minor, err = f.integer("nbformat_minor"); err != nil {
		return nil, err
	}
	if nb.Metadata, err = f.object("metadata"); err != nil {
		return nil, err
	}
	cells, err := f.array("cells")
	if err != nil {
		return nil, err
	}
	for i, c := range cells {
		cell, err := decodeCell(c)
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", i+1, err)
		}
		nb.Cells = append(nb.Cells, cell)
	}
	nb.extra = f.rest()
	return nb, nil
}

func decodeCell(f fields) (*Cell, error) {
	c := new(Cell)
	var err error
	if c.Type, err = f.text("cell_type"); err != nil {
		return nil, err
	}
	if c.Type != "code" && c.Type != "markdown" && c.Type != "raw" {
		return nil, fmt.Errorf("cell type %q is not code, markdown or raw", c.Type)
	}
	if c.ID, err = f.text("id"); err != nil {
		return nil, err
	}
	if c.Source, err = f.text("source"); err != nil {
		return nil, err
	}
	if c.Metadata, err = f.object("metadata"); err != nil {
		return nil, err
	}
	if c.Type == "code" {
		if err := c.decodeExecution(f); err != nil {
			return nil, err
		}
	}
	c.extra = f.rest()
	return c, nil
}

func (c *Cell) decodeExecution(f fields) (err error) {
	if c.Count, err = f.integer("execution_count"); err != nil {
		return err
	}
	outputs, err := f.array("outputs")
	if err != nil {
		return err
	}
	for i, o := range outputs {
		out, err := decodeOutput(o)
		if err != nil {
			return fmt.Errorf("output %d: %w", i+1, err)
		}
		c.Outputs = append(c.Outputs, out)
	}
	return nil
}

// decodeOutput reads an output as stored in a file; the content of a kernel's message has the same fields.
func decodeOutput(f fields) (*Output, error) {
	o := new(Output)
	var err error
	if o.Type, err = f.text("output_type"); err != nil {
		return nil, err
	}
	switch o.Type {
	case "stream":
		err = o.decodeStream(f)
	case "display_data", "execute_result":
		err = o.decodeData(f)
	case "error":
		err = o.decodeError(f)
	default:
		return nil, fmt.Errorf("output type %q is not stream, display_data, execute_result or error", o.Type)
	}
	if err != nil {
		return nil, err
	}
	o.extra = f.rest()
	return o, nil
}

func (o *Output) decodeStream(f fields) (err error) {
	if o.Name, err = f.text("name"); err != nil {
		return err
	}
	o.Text, err = f.text("text")
	return err
}

func (o *Output) decodeData(f fields) (err error) {
	if o.Data, err = f.object("data"); err != nil {
		return err
	}
	for mime, v := range o.Data {
		if strings.HasSuffix(mime, "json") {
			continue
		}
		if s, ok := joined(v); ok {
			o.Data[mime] = s
		}
	}
	if o.Metadata, err = f.object("metadata"); err != nil {
		return err
	}
	if o.Type == "execute_result" {
		o.Count, err = f.integer("execution_count")
	}
	return err
}

func (o *Output) decodeError(f fields) (err error) {
	if o.EName, err = f.text("ename"); err != nil {
		return err
	}
	if o.EValue, err = f.text("evalue"); err != nil {
		return err
	}
	switch v := f.take("traceback").(type) {
	case nil:
	case []any:
		for _, line := range v {
			s, ok := line.(string)
			if !ok {
				return errors.New(`"traceback" holds something that is not a string`)
			}
			o.Traceback = append(o.Traceback, s)
		}
	default:
		return errors.New(`"traceback" is not an array`)
	}
	return nil
}
