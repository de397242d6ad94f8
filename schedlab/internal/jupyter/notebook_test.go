package jupyter_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/internal/jupyter"
)

func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"tiny.ipynb", "tiny.golden.ipynb", "odd.ipynb"} {
		path := filepath.Join("testdata", name)
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		nb, err := jupyter.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(t, nb); !bytes.Equal(got, want) {
			t.Errorf("%s is not written as it was read:\n%s", name, got)
		}
	}
}

func TestDecodeTakesStringsAndLines(t *testing.T) {
	nb, err := jupyter.Decode("x", []byte(`{"nbformat": 4, "cells": [
		{"cell_type": "code", "source": "a\nb", "outputs": [{"output_type": "stream", "name": "stdout", "text": "c\nd\n"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := string(encode(t, nb))
	for _, want := range []string{"\"a\\n\",\n    \"b\"\n", "\"c\\n\",\n      \"d\\n\"\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"empty", "", "jupyter: x.ipynb:1:0: not a notebook: unexpected end"},
		{"syntax", "{\n \"cells\": [],\n oops}", "jupyter: x.ipynb:3:2: not a notebook: invalid character 'o'"},
		{"more", "{} {}", "x.ipynb:1:4: not a notebook: invalid character"},
		{"not an object", "[1]", "holds no JSON object"},
		{"null", "null", "holds no JSON object"},
		{"old format", `{"nbformat": 3, "worksheets": []}`, "notebook format 3: only format 4"},
		{"no format", `{}`, "notebook format 0"},
		{"format", `{"nbformat": "4"}`, `"nbformat" is not a number`},
		{"cells", `{"nbformat": 4, "cells": {}}`, `"cells" is not an array`},
		{"cell", `{"nbformat": 4, "cells": [1]}`, `element 1 of "cells" is not an object`},
		{"cell type", `{"nbformat": 4, "cells": [{"cell_type": "heading"}]}`, `cell 1: cell type "heading"`},
		{"source", `{"nbformat": 4, "cells": [{"cell_type": "raw", "source": ["a", 1]}]}`, `cell 1: "source" is neither`},
		{"count", `{"nbformat": 4, "cells": [{"cell_type": "code", "execution_count": -1}]}`, `cell 1: "execution_count" is -1`},
		{"metadata", `{"nbformat": 4, "metadata": []}`, `"metadata" is not an object`},
		{"output type", `{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": [{"output_type": "pyout"}]}]}`, `cell 1: output 1: output type "pyout"`},
		{"traceback", `{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": [{"output_type": "error", "traceback": [1]}]}]}`, `output 1: "traceback"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := jupyter.Decode("x.ipynb", []byte(test.data))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestLoadNamesTheFile(t *testing.T) {
	_, err := jupyter.Load("testdata/none.ipynb")
	if err == nil || !strings.Contains(err.Error(), "testdata/none.ipynb") {
		t.Errorf("error %v", err)
	}
}

func TestSaveReplacesInOneStep(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "n.ipynb")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	nb, err := jupyter.Load("testdata/tiny.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if err := nb.Save(path); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(path)
	if !bytes.Equal(got, encode(t, nb)) {
		t.Error("the file does not hold the notebook")
	}
	if info, _ := os.Stat(path); info.Mode().Perm()&0o200 == 0 {
		t.Errorf("mode %v", info.Mode())
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("files beside it: %v", entries)
	}
	if err := nb.Save(filepath.Join(dir, "missing", "n.ipynb")); err == nil {
		t.Error("saved into a folder that is not there")
	}
}

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"tiny.ipynb", "tiny.golden.ipynb", "odd.ipynb"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"nbformat":4,"cells":[{"cell_type":"code","outputs":[{"output_type":"display_data","data":{"a/json":[""],"b":["c",1]}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := jupyter.Decode("f", data)
		if err != nil {
			return
		}
		once := encode(t, nb)
		again, err := jupyter.Decode("f", once)
		if err != nil {
			t.Fatalf("not read back: %v\n%s", err, once)
		}
		if twice := encode(t, again); !bytes.Equal(once, twice) {
			t.Fatalf("written differently the second time:\n%s\n%s", once, twice)
		}
		jupyter.Check(nb)
	})
}
