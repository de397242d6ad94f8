package topology_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
)

func TestTreeGolden(t *testing.T) {
	var b strings.Builder
	for _, name := range topology.Presets() {
		b.WriteString(must(t)(topology.Preset(name)).Tree() + "\n")
	}
	b.WriteString(uneven(t).Tree())
	golden(t, "trees.txt", []byte(b.String()))
}

// uneven has a socket with a core fused off and a node over two sockets.
func uneven(t *testing.T) *topology.Topology {
	return must(t)(topology.FromCPUs("uneven", []topology.Place{
		{CPU: 0, Cluster: -1, Core: 0, Thread: -1}, {CPU: 1, Cluster: -1, Core: 0, Thread: -1}, {CPU: 2, Cluster: -1, Core: 1, Thread: -1},
		{CPU: 8, Socket: 1, LLC: 1, Cluster: -1, Core: 8, Thread: -1}, {CPU: 9, Socket: 1, LLC: 1, Cluster: -1, Core: 9, Thread: -1},
		{CPU: 10, Socket: 1, LLC: 1, Cluster: -1, Core: 10, Thread: -1},
	}, nil))
}

func TestSVGGolden(t *testing.T) {
	golden(t, "ivb48.svg", must(t)(topology.Preset("ivb48")).SVG())
	golden(t, "uneven.svg", uneven(t).SVG())
}

// texts lists the texts of an SVG picture and fails if it is not well-formed.
func texts(t *testing.T, svg []byte) []string {
	t.Helper()
	var out []string
	d := xml.NewDecoder(bytes.NewReader(svg))
	inText := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			inText = e.Name.Local == "text"
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				out = append(out, string(e))
			}
		}
	}
}

// Each CPU is drawn once, and each named part has its label.
func TestSVGShowsEveryPart(t *testing.T) {
	check := func(t *testing.T, m *topology.Topology) {
		seen := map[string]int{}
		for _, s := range texts(t, m.SVG()) {
			for _, label := range strings.Split(s, " / ") {
				seen[label]++
			}
		}
		want := func(kind string, n int) {
			for i := range n {
				if label := fmt.Sprint(kind, " ", i); seen[label] != 1 {
					t.Errorf("%s: %s is drawn %d times", m.Name(), label, seen[label])
				}
			}
		}
		want("socket", m.NumSockets())
		want("node", m.NumNodes())
		want("LLC", m.NumLLCs())
		if m.HasClusters() {
			want("cluster", m.NumClusters())
		}
		for _, c := range m.All().CPUs() {
			if seen[fmt.Sprint(c)] == 0 {
				t.Errorf("%s: CPU %d is missing", m.Name(), c)
			}
		}
	}
	for _, name := range topology.Presets() {
		check(t, must(t)(topology.Preset(name)))
	}
	eachRandomMachine(t, 100, check)
}

// Boxes lie within the page.
func TestSVGFitsItsPage(t *testing.T) {
	for _, spec := range append(topology.Presets(), "pu:1", "pack:1 l3:8 core:1 1", "[numa] pack:4 l3:4 group:4 core:8 2") {
		m := must(t)(topology.Parse(spec))
		var page struct {
			Width  int `xml:"width,attr"`
			Height int `xml:"height,attr"`
			Boxes  []struct {
				Rect struct {
					X int `xml:"x,attr"`
					Y int `xml:"y,attr"`
					W int `xml:"width,attr"`
					H int `xml:"height,attr"`
				} `xml:"rect"`
			} `xml:"g"`
			Texts []struct {
				X    int    `xml:"x,attr"`
				Y    int    `xml:"y,attr"`
				Text string `xml:",chardata"`
			} `xml:"text"`
		}
		if err := xml.Unmarshal(m.SVG(), &page); err != nil {
			t.Fatal(err)
		}
		for _, b := range page.Boxes {
			if r := b.Rect; r.X < 0 || r.Y < 0 || r.X+r.W > page.Width || r.Y+r.H > page.Height {
				t.Errorf("%s: a box at %d,%d of %dx%d leaves the page of %dx%d", spec, r.X, r.Y, r.W, r.H, page.Width, page.Height)
			}
		}
		for _, x := range page.Texts {
			if x.Y > page.Height || x.X+5*len(x.Text) > page.Width+10 {
				t.Errorf("%s: %q at %d,%d leaves the page of %dx%d", spec, x.Text, x.X, x.Y, page.Width, page.Height)
			}
		}
	}
}

func TestSVGEscapesNames(t *testing.T) {
	m := must(t)(topology.New("<b>&\"\x00").Cores(2).Build())
	if got := texts(t, m.SVG())[0]; got != "<b>&\"\uFFFD" {
		t.Errorf("the title reads %q", got)
	}
}
