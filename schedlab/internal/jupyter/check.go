package jupyter

import (
	"fmt"
	"regexp"
	"strings"
)

// SetUp is the first code cell of every notebook: it makes the checkout's packages known to the cells, works offline and with
// spaces in the path, and writes nothing into the checkout.
const SetUp = "!*go work init && go work use . \"$GONB_DIR/..\"\n%noautoget"

const (
	maxFileSize  = 1_000_000
	maxCellLines = 25
)

// Problem is something that must not be in a committed notebook.
type Problem struct {
	// Cell is the position among all cells, from 1; 0 is the notebook as a whole.
	Cell    int
	Message string
}

func (p Problem) String() string {
	if p.Cell == 0 {
		return p.Message
	}
	return fmt.Sprintf("cell %d: %s", p.Cell, p.Message)
}

// Check gives what is wrong with an executed notebook about to be committed, in the order of the cells; nil is what one wants:
// format 4.5 with unique ids, our kernelspec, under 1 MB; the set-up cell first and silent; every code cell executed, counted
// 1..n, at most 25 lines; no empty cells; no errors, no stderr; nothing that tells who ran it where and when (home and
// temporary folders, clock times, execution metadata, the compiler's version); figures as PNG and no scripts.
func Check(nb *Notebook) []Problem {
	c := checker{ids: map[string]int{}}
	c.notebook(nb)
	code := 0
	for i, cell := range nb.Cells {
		c.cell = i + 1
		c.common(cell)
		if cell.Type == "code" {
			code++
			c.code(cell, code)
		}
	}
	c.cell = 0
	if code == 0 {
		c.report("there is no code cell")
	}
	return c.found
}

type checker struct {
	found []Problem
	cell  int
	ids   map[string]int
}

func (c *checker) report(format string, args ...any) {
	c.found = append(c.found, Problem{Cell: c.cell, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) notebook(nb *Notebook) {
	if nb.Minor != 5 {
		c.report("format is 4.%d: 4.5 is wanted", nb.Minor)
	}
	spec, _ := nb.Metadata["kernelspec"].(map[string]any)
	if name, _ := spec["name"].(string); name != KernelName {
		c.report("kernelspec in the metadata is %q: %q is wanted", name, KernelName)
	}
	if language, _ := nb.Metadata["language_info"].(map[string]any); language["version"] != nil {
		c.report("language_info in the metadata holds a version: it depends on who executed the notebook")
	}
	data, err := nb.Encode()
	if err != nil {
		c.report("%v", err)
	}
	if len(data) >= maxFileSize {
		c.report("the file has %d bytes: %d is the limit", len(data), maxFileSize)
	}
}

func (c *checker) common(cell *Cell) {
	if cell.ID == "" {
		c.report("it has no id")
	} else if first, seen := c.ids[cell.ID]; seen {
		c.report("its id %q is also that of cell %d", cell.ID, first)
	} else {
		c.ids[cell.ID] = c.cell
	}
	if strings.TrimSpace(cell.Source) == "" {
		c.report("it is empty")
	}
	for _, key := range executionMetadata {
		if _, ok := cell.Metadata[key]; ok {
			c.report("its metadata hold %q: times of execution", key)
		}
	}
	c.traces("source", cell.Source)
}

func (c *checker) code(cell *Cell, number int) {
	if number == 1 {
		c.setUp(cell)
	}
	if strings.TrimSpace(cell.Source) != "" && cell.Count != number {
		c.report("it is marked [%d] and is code cell %d: execute the notebook from the start", cell.Count, number)
	}
	if n := len(lines(cell.Source)); n > maxCellLines {
		c.report("it has %d lines: %d is the limit", n, maxCellLines)
	}
	for _, o := range cell.Outputs {
		c.output(o)
	}
}

func (c *checker) setUp(cell *Cell) {
	if strings.TrimSpace(cell.Source) != SetUp {
		c.report("the first code cell is not the set-up cell:\n%s", SetUp)
	}
	if len(cell.Outputs) != 0 {
		c.report("the set-up cell has an output")
	}
}

func (c *checker) output(o *Output) {
	switch o.Type {
	case "error":
		c.report("it failed: %s", plain(o.EValue, ""))
	case "stream":
		if o.Name == "stderr" {
			c.report("it wrote to stderr: %.100q", o.Text)
		}
		c.traces("output", o.Text)
		c.clock(o.Text)
	}
	for _, mime := range sortedKeys(o.Data) {
		text, isText := o.Data[mime].(string)
		switch mime {
		case "image/png":
			continue
		case "text/plain", "text/html", "text/markdown", "text/latex":
		default:
			c.report("it shows %s: not every viewer does", mime)
		}
		if isText {
			c.traces("output", text)
			c.clock(text)
			if scriptTag.MatchString(text) {
				c.report("it shows a script")
			}
		}
	}
}

var (
	// foreignPath finds folders that exist on one machine only.
	foreignPath = regexp.MustCompile(`(/home/|/Users/|/root/|/tmp/|/var/folders/|\b[A-Za-z]:\\Users\\)[^\s"'<>]*`)
	// clockTime finds a time of day with seconds, and dates of the Go and ISO forms with one.
	clockTime = regexp.MustCompile(`\b\d\d:\d\d:\d\d\b|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d`)
	scriptTag = regexp.MustCompile(`(?i)<script\b`)
)

func (c *checker) traces(where, text string) {
	if path := foreignPath.FindString(text); path != "" {
		c.report("its %s names %q: a folder of one machine", where, path)
	}
}

func (c *checker) clock(text string) {
	if t := clockTime.FindString(text); t != "" {
		c.report("its output holds the time %q: outputs must be equal on each run", t)
	}
}
