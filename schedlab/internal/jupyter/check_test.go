package jupyter_test

import (
	"os"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/internal/jupyter"
)

func TestCheckAcceptsExecuted(t *testing.T) {
	if problems := jupyter.Check(golden(t)); problems != nil {
		t.Errorf("problems %v", problems)
	}
}

func golden(t *testing.T) *jupyter.Notebook {
	t.Helper()
	nb, err := jupyter.Load("testdata/tiny.golden.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func TestCheckFinds(t *testing.T) {
	show := func(nb *jupyter.Notebook, mime, text string) {
		nb.Cells[2].Outputs = append(nb.Cells[2].Outputs, &jupyter.Output{Type: "display_data", Data: map[string]any{mime: text}})
	}
	say := func(nb *jupyter.Notebook, name, text string) {
		nb.Cells[3].Outputs = []*jupyter.Output{{Type: "stream", Name: name, Text: text}}
	}
	tests := []struct {
		name  string
		spoil func(nb *jupyter.Notebook)
		want  string
	}{
		{"format", func(nb *jupyter.Notebook) { nb.Minor = 4 }, "format is 4.4"},
		{"kernelspec", func(nb *jupyter.Notebook) { delete(nb.Metadata, "kernelspec") }, `kernelspec in the metadata is ""`},
		{"other kernel", func(nb *jupyter.Notebook) { nb.Metadata["kernelspec"] = map[string]any{"name": "gonb"} }, `is "gonb"`},
		{"version", func(nb *jupyter.Notebook) { nb.Metadata["language_info"] = map[string]any{"version": "go1"} }, "holds a version"},
		{"size", func(nb *jupyter.Notebook) { show(nb, "image/png", strings.Repeat("A", 1_000_000)) }, "1000000 is the limit"},
		{"id", func(nb *jupyter.Notebook) { nb.Cells[1].ID = "" }, "cell 2: it has no id"},
		{"same id", func(nb *jupyter.Notebook) { nb.Cells[3].ID = "show" }, `cell 4: its id "show" is also that of cell 3`},
		{"empty cell", func(nb *jupyter.Notebook) {
			nb.Cells = append(nb.Cells, &jupyter.Cell{Type: "code", ID: "e"})
		}, "cell 5: it is empty"},
		{"times", func(nb *jupyter.Notebook) { nb.Cells[2].Metadata = map[string]any{"execution": 1} }, `cell 3: its metadata hold "execution"`},
		{"no set-up", func(nb *jupyter.Notebook) { nb.Cells[1].Source = "%noautoget" }, "cell 2: the first code cell is not the set-up cell"},
		{"set-up speaks", func(nb *jupyter.Notebook) {
			nb.Cells[1].Outputs = []*jupyter.Output{{Type: "stream", Name: "stdout", Text: "hello"}}
		}, "cell 2: the set-up cell has an output"},
		{"count", func(nb *jupyter.Notebook) { nb.Cells[3].Count = 5 }, "cell 4: it is marked [5] and is code cell 3"},
		{"long cell", func(nb *jupyter.Notebook) { nb.Cells[3].Source = strings.Repeat("x\n", 26) }, "cell 4: it has 26 lines"},
		{"error", func(nb *jupyter.Notebook) {
			nb.Cells[3].Outputs = []*jupyter.Output{{Type: "error", EValue: "exit status 2"}}
		}, "cell 4: it failed: exit status 2"},
		{"stderr", func(nb *jupyter.Notebook) { say(nb, "stderr", "warning") }, `cell 4: it wrote to stderr: "warning"`},
		{"home", func(nb *jupyter.Notebook) { say(nb, "stdout", "in /home/ann/lab") }, `cell 4: its output names "/home/ann/lab"`},
		{"temporary", func(nb *jupyter.Notebook) { show(nb, "text/plain", "/tmp/gonb_1/main.go") }, `its output names "/tmp/gonb_1/main.go"`},
		{"home in source", func(nb *jupyter.Notebook) { nb.Cells[0].Source = `see C:\Users\ann\x` }, `cell 1: its source names "C:\\Users\\ann\\x"`},
		{"clock", func(nb *jupyter.Notebook) { say(nb, "stdout", "done 12:30:05") }, `the time "12:30:05"`},
		{"date", func(nb *jupyter.Notebook) { show(nb, "text/html", "<b>2024-05-20T12:30</b>") }, `the time "2024-05-20T12:30"`},
		{"form", func(nb *jupyter.Notebook) { show(nb, "image/svg+xml", "<svg/>") }, "it shows image/svg+xml"},
		{"script", func(nb *jupyter.Notebook) { show(nb, "text/html", "<SCRIPT src=x>") }, "it shows a script"},
		{"no code", func(nb *jupyter.Notebook) { nb.Cells = nb.Cells[:1] }, "there is no code cell"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			nb := golden(t)
			test.spoil(nb)
			problems := jupyter.Check(nb)
			if len(problems) != 1 || !strings.Contains(problems[0].String(), test.want) {
				t.Errorf("problems %v, want one with %q", problems, test.want)
			}
		})
	}
}

// The reader of the notebooks' README types what it says: it names the same kernel and the same set-up cell.
func TestREADMEMatches(t *testing.T) {
	data, err := os.ReadFile("../../../notebooks/README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "\n    ", "\n")
	for _, want := range []string{
		"**" + jupyter.KernelDisplayName + "** (`" + jupyter.KernelName + "`", jupyter.SetUp,
		"<!-- notebooks:begin -->\n", "<!-- notebooks:end -->\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("notebooks/README.md does not say %q", want)
		}
	}
}
