package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/schedlab/lab/schedlab/report"
)

func page() *report.Page {
	p := report.NewPage("SIS_SYNC & friends", "A <lead>.")
	p.Section("Results on 240 CPUs").Text("First.", "Second.").Table(board()).Figure(figures()["lines"])
	p.Section("Why").Pre("waker --> wakee\n  <sync>")
	p.Section("Why") // the same heading once more
	p.Section("µ")
	return p
}

func TestPage(t *testing.T) {
	var a, b bytes.Buffer
	if err := errors.Join(page().WriteHTML(&a), page().WriteHTML(&b)); err != nil {
		t.Fatal(err)
	}
	got := a.String()
	if got != b.String() {
		t.Error("equal pages give different bytes")
	}
	for _, want := range []string{
		"<title>SIS_SYNC &amp; friends</title>", "<p>A &lt;lead&gt;.</p>", `<a href="#results-on-240-cpus">`,
		`<section id="why">`, `<section id="why-2">`, `<section id="section">`, "<p>Second.</p>",
		"<pre>waker --&gt; wakee\n  &lt;sync&gt;</pre>", `<table class="schedlab">`, "prev &lt;idle&gt; | kept",
		`role="img" aria-label="TCP_RR"`, "<figcaption>As published.</figcaption>", "<svg width=",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("page lacks %s", want)
		}
	}
	for _, bad := range []string{"<?xml", "<lead>", "src=", "url(", "@import", "<script", "<link"} {
		if strings.Contains(got, bad) {
			t.Errorf("page holds %s", bad)
		}
	}
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(got, -1) {
		if !strings.Contains(got, `id="`+strings.TrimPrefix(m[1], "#")+`"`) {
			t.Errorf("link %s leads nowhere", m[1])
		}
	}
	wellFormed(t, got)
}

// wellFormed checks that every element is closed; the void meta elements and the
// doctype are the only things XML does not know.
func wellFormed(t *testing.T, html string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(html))
	d.Strict = false
	d.AutoClose = []string{"meta"}
	d.Entity = xml.HTMLEntity
	depth := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	if depth != 0 {
		t.Errorf("%d elements are not closed", depth)
	}
}

func TestPageSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	if err := page().Save(path); err != nil {
		t.Fatal(err)
	}
	if b := must(os.ReadFile(path)); !bytes.HasSuffix(b, []byte("</html>\n")) {
		t.Error("the file is not whole")
	}
}

func TestPageErrorsNameTheFigure(t *testing.T) {
	bad := plot.New()
	bad.Title.Text = "bad one"
	bad.Y.Scale, bad.Y.Min, bad.Y.Max = plot.LogScale{}, 0, 1
	p := report.NewPage("P")
	p.Section("S").Figure(report.NewFigure(bad, ""))
	var b bytes.Buffer
	err := p.WriteHTML(&b)
	if err == nil || !strings.Contains(err.Error(), `page "P": section "S": report: figure "bad one"`) || b.Len() != 0 {
		t.Errorf("error %v after %d bytes", err, b.Len())
	}
	path := filepath.Join(t.TempDir(), "p.html")
	if p.Save(path) == nil {
		t.Error("a broken page was saved")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a broken page is on the disk")
	}
}
