package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode"

	"github.com/schedlab/lab/schedlab/internal/atomicfile"
)

// Page is an HTML report in one file: a title, a table of contents and sections
// of text, tables and figures. It needs nothing from outside - figures are
// inlined as SVG, the style sheet is in the file - and reads well on screen, on
// paper and with a screen reader. Equal pages give equal bytes.
type Page struct {
	title    string
	lead     []string
	sections []*Section
}

// Section is a part of a Page with its own heading, filled from top to bottom.
type Section struct {
	heading string
	id      string
	blocks  []block
}

// block is one of the things a section can hold.
type block struct {
	text   string
	pre    string
	table  *Table
	figure *Figure
}

// NewPage starts a page. The paragraphs of lead stand above the contents.
func NewPage(title string, lead ...string) *Page {
	return &Page{title: title, lead: lead}
}

// Section appends a section and returns it to be filled.
func (p *Page) Section(heading string) *Section {
	s := &Section{heading: heading, id: p.anchor(heading)}
	p.sections = append(p.sections, s)
	return s
}

// anchor is a link target made from the heading, unique within the page.
func (p *Page) anchor(heading string) string {
	id := strings.Trim(strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToLower(r)
		}
		return '-'
	}, heading), "-")
	for strings.Contains(id, "--") {
		id = strings.ReplaceAll(id, "--", "-")
	}
	if id == "" {
		id = "section"
	}
	unique := id
	for n := 2; p.taken(unique); n++ {
		unique = fmt.Sprintf("%s-%d", id, n)
	}
	return unique
}

func (p *Page) taken(id string) bool {
	for _, s := range p.sections {
		if s.id == id {
			return true
		}
	}
	return false
}

// Text appends paragraphs of plain text.
func (s *Section) Text(paragraphs ...string) *Section {
	for _, t := range paragraphs {
		s.blocks = append(s.blocks, block{text: t})
	}
	return s
}

// Pre appends text whose line breaks and blanks count: a drawing, a listing.
func (s *Section) Pre(text string) *Section {
	s.blocks = append(s.blocks, block{pre: text})
	return s
}

// Table appends a table.
func (s *Section) Table(t Table) *Section {
	s.blocks = append(s.blocks, block{table: &t})
	return s
}

// Figure appends a figure with its caption. It is drawn when the page is
// written.
func (s *Section) Figure(f *Figure) *Section {
	s.blocks = append(s.blocks, block{figure: f})
	return s
}

// Save writes the page to a file, which is whole or not there.
func (p *Page) Save(path string) error { return atomicfile.Write(path, 0o644, p.WriteHTML) }

// pageSection is a section for the template.
type pageSection struct {
	ID, Heading string
	Blocks      []pageBlock
}

// pageBlock is a block for the template; HTML comes from this package's own
// renderers.
type pageBlock struct {
	Text, Pre, Label, Caption string
	HTML                      template.HTML
	Figure                    bool
}

// WriteHTML writes the page. A figure that cannot be drawn is an error naming
// it; nothing has been written then.
func (p *Page) WriteHTML(w io.Writer) error {
	sections := make([]pageSection, len(p.sections))
	for i, s := range p.sections {
		sections[i] = pageSection{ID: s.id, Heading: clean(s.heading)}
		for _, b := range s.blocks {
			shown, err := b.html()
			if err != nil {
				return fmt.Errorf("report: page %q: section %q: %w", p.title, s.heading, err)
			}
			sections[i].Blocks = append(sections[i].Blocks, shown)
		}
	}
	var b bytes.Buffer
	err := pageHTML.Execute(&b, map[string]any{
		"Title": clean(p.title), "Lead": p.lead, "Sections": sections, "Style": template.CSS(pageStyle),
	})
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("report: page %q: %w", p.title, err)
	}
	return nil
}

func (b block) html() (pageBlock, error) {
	var out bytes.Buffer
	switch {
	case b.table != nil:
		err := b.table.WriteHTML(&out)
		return pageBlock{HTML: template.HTML(out.String())}, err
	case b.figure != nil:
		err := b.figure.WriteSVG(&out)
		svg := out.String()
		if at := strings.Index(svg, "<svg"); at > 0 { // without the XML declaration
			svg = svg[at:]
		}
		label := clean(b.figure.Title())
		if label == "" {
			label = clean(b.figure.Caption())
		}
		return pageBlock{HTML: template.HTML(svg), Figure: true, Label: label, Caption: clean(b.figure.Caption())}, err
	case b.pre != "":
		return pageBlock{Pre: b.pre}, nil
	}
	return pageBlock{Text: b.text}, nil
}

var pageHTML = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<style>
{{.Style}}</style>
</head>
<body>
<main>
<h1>{{.Title}}</h1>
{{- range .Lead}}
<p>{{.}}</p>
{{- end}}
{{- if gt (len .Sections) 1}}
<nav aria-label="Contents">
<ol>
{{- range .Sections}}
<li><a href="#{{.ID}}">{{.Heading}}</a></li>
{{- end}}
</ol>
</nav>
{{- end}}
{{- range .Sections}}
<section id="{{.ID}}">
<h2>{{.Heading}}</h2>
{{- range .Blocks}}
{{if .Figure}}<figure>
<div role="img" aria-label="{{.Label}}">{{.HTML}}</div>
{{- if .Caption}}
<figcaption>{{.Caption}}</figcaption>
{{- end}}
</figure>
{{- else if .HTML}}<div class="scroll">{{.HTML}}</div>
{{- else if .Pre}}<pre>{{.Pre}}</pre>
{{- else}}<p>{{.Text}}</p>
{{- end}}
{{- end}}
</section>
{{- end}}
</main>
</body>
</html>
`))

const pageStyle = `body { margin: 0; background: #fff; color: #222; font: 16px/1.55 Georgia, "Times New Roman", serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1, h2, nav, table, figcaption, caption { font-family: "Liberation Sans", Arial, Helvetica, sans-serif; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-top: .5rem; border-top: 1px solid #ccc; }
nav { font-size: .95rem; }
a { color: #00518a; }
pre { overflow-x: auto; padding: .75rem 1rem; background: #f5f5f5; font-size: .85rem; line-height: 1.35; }
.scroll { overflow-x: auto; margin: 1.25rem 0; }
table.schedlab { border-collapse: collapse; font-size: .875rem; line-height: 1.35; }
table.schedlab caption { text-align: left; padding-bottom: .5rem; }
table.schedlab th, table.schedlab td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; font-weight: normal; }
table.schedlab thead th { font-weight: bold; vertical-align: bottom; border-bottom: 1.5px solid #222; }
table.schedlab tbody tr { border-bottom: 1px solid #e4e4e4; }
table.schedlab .num { text-align: right; font-variant-numeric: tabular-nums; }
table.schedlab .absent { color: #767676; }
figure { margin: 1.5rem 0; }
figure svg { max-width: 100%; height: auto; }
figcaption { font-size: .875rem; color: #444; }
@media print {
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  a { color: inherit; text-decoration: none; }
  .scroll { overflow: visible; }
  figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`
