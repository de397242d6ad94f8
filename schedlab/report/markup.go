package report

import (
	"bufio"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// escapeMarkdown keeps text from being read as markup. Underscores inside words
// (SIS_SYNC) mean nothing in GitHub's dialect and stay as they are.
var escapeMarkdown = strings.NewReplacer(`\`, `\\`, `|`, `\|`, "`", "\\`", `*`, `\*`, `<`, `\<`, `>`, `\>`,
	`[`, `\[`, `]`, `\]`, `~`, `\~`, `&`, `\&`, ` _`, ` \_`, `_ `, `\_ `)

// WriteMarkdown writes the table in GitHub's dialect: the title in bold, a table
// whose columns line up in the source as well, the caption as a paragraph.
func (t Table) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	if t.title != "" {
		fmt.Fprintf(out, "**%s**\n\n", markdown(t.title))
	}
	columns := t.layout()
	for i := range columns {
		c := &columns[i]
		c.header = markdown(c.header)
		c.width = max(3, length(c.header))
		for j := range c.cells {
			c.cells[j] = markdown(c.cells[j])
			c.width = max(c.width, length(c.cells[j]))
		}
	}
	markdownRow(out, columns, func(c shown) string { return c.header })
	markdownRow(out, columns, func(c shown) string {
		if c.right {
			return strings.Repeat("-", c.width-1) + ":"
		}
		return strings.Repeat("-", c.width)
	})
	for row := range t.Rows() {
		markdownRow(out, columns, func(c shown) string { return c.cells[row] })
	}
	if t.caption != "" {
		fmt.Fprintf(out, "\n%s\n", markdown(t.caption))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("report: table %q: %w", t.title, err)
	}
	return nil
}

func markdown(s string) string { return escapeMarkdown.Replace(strings.TrimSpace(clean(s))) }

func markdownRow(out io.Writer, columns []shown, cell func(shown) string) {
	for _, c := range columns {
		s := cell(c)
		fill := strings.Repeat(" ", max(0, c.width-length(s)))
		if c.right {
			s = fill + s
		} else {
			s += fill
		}
		fmt.Fprintf(out, "| %s ", s)
	}
	fmt.Fprintln(out, "|")
}

// htmlCell is one cell for the template.
type htmlCell struct {
	Text, Class string
	Header      bool
}

var tableHTML = template.Must(template.New("table").Parse(`<table class="schedlab">
{{- if or .Title .Caption}}
<caption>{{if .Title}}<strong>{{.Title}}</strong>{{end}}{{if and .Title .Caption}} {{end}}{{.Caption}}</caption>
{{- end}}
<thead>
<tr>{{range .Head}}<th scope="col"{{if .Class}} class="{{.Class}}"{{end}}>{{.Text}}</th>{{end}}</tr>
</thead>
<tbody>
{{- range .Rows}}
<tr>{{range .}}
{{- if .Header}}<th scope="row"{{if .Class}} class="{{.Class}}"{{end}}>{{.Text}}</th>
{{- else}}<td{{if .Class}} class="{{.Class}}"{{end}}>{{.Text}}</td>{{end}}
{{- end}}</tr>
{{- end}}
</tbody>
</table>
`))

// WriteHTML writes a table element: a caption with title and caption, column
// headings and row headings (see Keys) marked as such for screen readers, all
// text escaped. Classes: schedlab on the table, num on numbers, absent on "-".
func (t Table) WriteHTML(w io.Writer) error {
	columns := t.layout()
	head := make([]htmlCell, len(columns))
	for i, c := range columns {
		head[i] = htmlCell{Text: c.header, Class: htmlClass(c, "")}
	}
	rows := make([][]htmlCell, t.Rows())
	for r := range rows {
		rows[r] = make([]htmlCell, len(columns))
		for i, c := range columns {
			rows[r][i] = htmlCell{Text: c.cells[r], Class: htmlClass(c, c.cells[r]), Header: i < t.keys}
		}
	}
	err := tableHTML.Execute(w, map[string]any{
		"Title": clean(t.title), "Caption": clean(t.caption), "Head": head, "Rows": rows,
	})
	if err != nil {
		return fmt.Errorf("report: table %q: %w", t.title, err)
	}
	return nil
}

func htmlClass(c shown, cell string) string {
	var classes []string
	if c.right {
		classes = append(classes, "num")
	}
	if cell == absent {
		classes = append(classes, "absent")
	}
	return strings.Join(classes, " ")
}
