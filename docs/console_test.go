package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// fromSource is how documents run the command; the test has built it once.
const fromSource = "go run ./schedlab/cmd/schedlab"

// Every transcript shows what its commands print. The blocks of a document run
// in one folder, from its first to its last.
func TestTranscripts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the command")
	}
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("transcripts need bash")
	}
	dependOnSources(t)
	bin := t.TempDir()
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	run(t, checkout, "go", "build", "-mod=readonly", "-o", filepath.Join(bin, "schedlab"+exe()), "./schedlab/cmd/schedlab")
	home := t.TempDir() // the result cache lies here, one for all transcripts
	found := 0
	for _, d := range documents(t) {
		var blocks []block
		for _, b := range d.blocks() {
			if b.mark == "console" {
				blocks = append(blocks, b)
			}
		}
		dir := t.TempDir()
		var shown []string
		for _, b := range blocks {
			shown = append(shown, play(t, b, shell, bin, home, dir))
		}
		for i, b := range slices.Backward(blocks) {
			b.expect(t, shown[i])
		}
		found += len(blocks)
	}
	if found < 4 {
		t.Fatalf("only %d transcripts found", found)
	}
}

// play runs the commands of a block and returns the block as it should be.
func play(t *testing.T, b block, shell, bin, home, dir string) string {
	t.Helper()
	var s strings.Builder
	if !strings.HasPrefix(b.text(), "$ ") {
		t.Errorf("%s:%d: a transcript starts with a command: $ schedlab ...", b.doc.name, b.first)
	}
	for _, line := range b.doc.lines[b.first:b.end] {
		command, found := strings.CutPrefix(line, "$ ")
		if !found {
			continue
		}
		c := exec.Command(shell, "-c", strings.ReplaceAll(command, fromSource, "schedlab"))
		c.Dir = dir
		c.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
			"HOME="+home, "XDG_CACHE_HOME="+home, "LocalAppData="+home)
		out, _ := c.CombinedOutput() // commands may fail: documents show that too
		s.WriteString(line + "\n" + trimLines(string(out)))
	}
	return s.String()
}
