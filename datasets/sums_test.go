package datasets_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/lab/datasets"
)

// SHA256SUMS covers every file of every thread, in the form sha256sum -c reads.
func TestFilesMatchTheirSums(t *testing.T) {
	if *update {
		TestCSVFilesFollowFromRaw(t) // the sums are of the new files
	}
	var b strings.Builder
	for _, mail := range datasets.Mails() {
		err := filepath.WalkDir(mail, func(path string, d fs.DirEntry, err error) error {
			if os.IsNotExist(err) && path == mail {
				return filepath.SkipDir // no data yet
			}
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), filepath.ToSlash(path))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.WriteFile("SHA256SUMS", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile("SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	if got := string(have); got != b.String() {
		t.Errorf("SHA256SUMS:\n%s\nthe files give:\n%s", got, b.String())
	}
}

// The provenance page of every thread has the same headings, none empty.
func TestProvenanceHeadings(t *testing.T) {
	want := []string{"Source", "Message-ID", "Author", "Date", "Kernels", "Machine", "Command line",
		"Metric and direction", "Repeats and spread", "Transcription", "Licence"}
	pages, err := filepath.Glob("*/PROVENANCE.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, part := range strings.Split(string(data), "\n## ")[1:] {
			heading, body, _ := strings.Cut(part, "\n")
			got = append(got, heading)
			if strings.TrimSpace(body) == "" {
				t.Errorf("%s: nothing under %q", page, heading)
			}
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s has headings %q, want %q", page, got, want)
		}
		mail, err := datasets.Describe(filepath.Dir(page))
		if err != nil {
			t.Fatal(err)
		}
		for _, fact := range append([]string{mail.MessageID, mail.Author, mail.Date, mail.Archive()}, mail.Machines...) {
			if fact == "" || !strings.Contains(string(data), fact) {
				t.Errorf("%s does not hold %q", page, fact)
			}
		}
	}
}

// The catalogue names every thread.
func TestCatalogueNamesEveryMail(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range datasets.Inventory() {
		if !strings.Contains(string(data), fmt.Sprintf("| `%s` |", c.Mail)) {
			t.Errorf("README.md has no row for %s", c.Mail)
		}
	}
}
