package jupyter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Notebook is a Jupyter notebook of format 4. Fields this package does not know are kept and written back.
type Notebook struct {
	// Path is the file the notebook was read from; it is not stored in the file. The kernel runs in its folder. "" is the
	// current folder.
	Path string
	// Cells in the order shown.
	Cells []*Cell
	// Metadata of the notebook: kernelspec, language_info. nil is written as an empty object.
	Metadata map[string]any
	// Minor is the minor version of the format: 5 for files with cell ids.
	Minor int

	extra map[string]any
}

// Cell is one cell. Type is "code", "markdown" or "raw"; ID is unique in the notebook (format 4.5); Source is the whole text.
type Cell struct {
	Type     string
	ID       string
	Source   string
	Metadata map[string]any
	// Count is the number shown as In [n]; 0 means not executed. Code cells only.
	Count int
	// Outputs in the order they appeared. Code cells only.
	Outputs []*Output

	extra map[string]any
}

// Output is one output of a code cell; Type says which of the other fields hold something.
type Output struct {
	// Type is "stream", "display_data", "execute_result" or "error".
	Type string
	// Name is "stdout" or "stderr" and Text what was written (stream).
	Name, Text string
	// Data maps a MIME type to its content: a string for text and for base64 pictures (display_data, execute_result).
	Data map[string]any
	// Metadata belongs to Data, by MIME type.
	Metadata map[string]any
	// EName, EValue and Traceback describe a failure; Traceback may hold terminal colours (error).
	EName, EValue string
	Traceback     []string
	// Count is the number of the cell's execution (execute_result).
	Count int

	extra map[string]any
}

// Load reads a notebook file. Errors name the file and, for malformed JSON, line and column.
func Load(path string) (*Notebook, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("jupyter: %w", err)
	}
	return Decode(path, data)
}

// Encode gives the notebook as Jupyter itself writes it: keys sorted, indented by one space, one line of text per array
// element, a newline at the end. Equal notebooks give equal bytes.
func (nb *Notebook) Encode() ([]byte, error) {
	cells := make([]any, len(nb.Cells))
	for i, c := range nb.Cells {
		cells[i] = c.encode()
	}
	doc := object(nb.extra)
	doc["cells"] = cells
	doc["metadata"] = orEmpty(nb.Metadata)
	doc["nbformat"] = 4
	doc["nbformat_minor"] = nb.Minor

	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(doc); err != nil {
		return nil, fmt.Errorf("jupyter: %s: %w", nb.Path, err)
	}
	return buf.Bytes(), nil
}

// Save writes the notebook to path in one step: readers see the old file or the new one, never a part of it.
func (nb *Notebook) Save(path string) error {
	data, err := nb.Encode()
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := writeAtomic(path, data, mode); err != nil {
		return fmt.Errorf("jupyter: %w", err)
	}
	return nil
}

func writeAtomic(path string, data []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func (c *Cell) encode() map[string]any {
	m := object(c.extra)
	m["cell_type"] = c.Type
	m["metadata"] = orEmpty(c.Metadata)
	m["source"] = lines(c.Source)
	if c.ID != "" {
		m["id"] = c.ID
	}
	if c.Type == "code" {
		outputs := make([]any, len(c.Outputs))
		for i, o := range c.Outputs {
			outputs[i] = o.encode()
		}
		m["outputs"] = outputs
		m["execution_count"] = count(c.Count)
	}
	return m
}

func (o *Output) encode() map[string]any {
	m := object(o.extra)
	m["output_type"] = o.Type
	switch o.Type {
	case "stream":
		m["name"] = o.Name
		m["text"] = lines(o.Text)
	case "error":
		m["ename"], m["evalue"] = o.EName, o.EValue
		m["traceback"] = append([]string{}, o.Traceback...)
	case "display_data", "execute_result":
		data := object(nil)
		for mime, v := range o.Data {
			if s, ok := v.(string); ok && splitsLines(mime) {
				v = lines(s)
			}
			data[mime] = v
		}
		m["data"] = data
		m["metadata"] = orEmpty(o.Metadata)
		if o.Type == "execute_result" {
			m["execution_count"] = count(o.Count)
		}
	}
	return m
}

// splitsLines tells whether content of that MIME type is stored as an array of lines; pictures in base64 are one string.
func splitsLines(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "image/svg+xml" || mime == "application/javascript"
}

// lines cuts a text after each newline; joined again it is the same text.
func lines(s string) []string {
	out := strings.SplitAfter(s, "\n")
	if out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// count is null for a cell that was not executed.
func count(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// object is a fresh map holding the fields of m.
func object(m map[string]any) map[string]any {
	out := make(map[string]any, len(m)+6)
	for k, v := range m {
		out[k] = v
	}
	return out
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func sortedKeys(m map[string]any) []string {
	return slices.Sorted(maps.Keys(m))
}
