package table_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/table"
)

func TestLongLineIsCutWithAWarning(t *testing.T) {
	row := "Hmean 1 100.00 (0.00%) 110.00 (10.00%) "
	long := " base patched\n" + strings.Repeat(row, 3*table.MaxLine/len(row)) + "\n" + "Content-Transfer-Encoding: base64\n"
	tables, warnings := read(t, long)
	if len(tables) == 0 || len(tables[0].Rows) > table.MaxLine/len(row) {
		t.Errorf("the long line was not cut")
	}
	if len(warnings) < 2 || warnings[0].String() != "mail.txt:2: line longer than 1048576 bytes: the rest is left out" || warnings[len(warnings)-1].Line != 3 {
		t.Errorf("warnings: %v", warnings)
	}
}

func TestSoftBreaksWithoutEndAreCut(t *testing.T) {
	text := "a =3D b\n" + strings.Repeat("0123456789=\n", table.MaxLine/4)
	_, warnings := read(t, text)
	if len(warnings) == 0 || !strings.Contains(warnings[0].Message, "after joining its soft breaks") {
		t.Errorf("warnings: %v", warnings)
	}
}

func TestWarningsAreCounted(t *testing.T) {
	_, warnings := read(t, strings.Repeat("Hmean 1 1.00 (0.00%)\n", table.MaxWarnings+7))
	if len(warnings) != table.MaxWarnings+1 || warnings[table.MaxWarnings].Message != "7 more warnings are not shown" {
		t.Errorf("%d warnings, last %v", len(warnings), warnings[len(warnings)-1])
	}
}

type endless struct{ row string }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n+len(e.row) <= len(p) {
		n += copy(p[n:], e.row)
	}
	return n, nil
}

func TestEndlessTableIsAnError(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a hundred thousand rows")
	}
	_, _, err := table.Read(endless{"User 1.00 2.00\n"}, "pipe")
	if err == nil || err.Error() != "table: pipe:131073: more than 131072 rows in one table: split the input" {
		t.Errorf("err: %v", err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestReadErrorNamesThePlace(t *testing.T) {
	tables, _, err := table.Read(io.MultiReader(strings.NewReader(netperf), broken{}), "mail.txt")
	if err == nil || err.Error() != "table: mail.txt:7: disk on fire" {
		t.Errorf("err: %v, %d tables", err, len(tables))
	}
}
