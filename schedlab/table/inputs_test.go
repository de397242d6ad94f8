package table_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/table"
)

// inputs is a folder of real posts. They are not part of the project, as mail
// has no licence; the test runs where the folder is at hand.
func inputs(t *testing.T) string {
	dir := os.Getenv("SCHEDLAB_INPUTS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "inputs")
	}
	dir = filepath.Join(dir, "tables")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no folder of real tables: set SCHEDLAB_INPUTS to run this test")
	}
	return dir
}

func readFile(t *testing.T, path string) ([]table.Table, []table.Warning) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tables, warnings, err := table.Read(f, filepath.Base(path))
	if err != nil {
		t.Fatal(err)
	}
	return tables, warnings
}

// Counts taken independently of this reader. wrong is the number of printed
// percentages that contradict their values, nameless that of tables without
// column names.
var posts = []struct {
	file                                                                    string
	tables, schedtests, hmean, amean, stddev, cells, stars, wrong, nameless int
}{
	{"01-prateek-multi-llc-zen3.txt", 3, 0, 24, 6, 0, 120, 43, 0, 0},
	{"02-peterz-reply-multi-llc-quoted.txt", 3, 0, 24, 6, 0, 120, 43, 0, 0},
	{"05-chenyu-multi-llc-std.txt", 8, 88, 0, 0, 0, 176, 0, 0, 0},
	{"07-tip-next-buddy-qp.txt", 7, 0, 15, 56, 22, 186, 0, 0, 0},
	{"10-tip-libo-sync-irq.txt", 5, 0, 10, 60, 0, 140, 0, 0, 0},
	{"12-tip-sis-util-tabs.txt", 4, 44, 0, 0, 0, 88, 0, 0, 0},
	{"14-tip-age-avg-idle.txt", 2, 0, 10, 15, 15, 80, 21, 0, 0},
	{"18-prateek-curb-preempt.txt", 1, 0, 8, 2, 0, 50, 24, 4, 0},
	{"21-mel-acpi-cst-haswell.txt", 1, 0, 9, 0, 0, 18, 9, 0, 0},
	{"26-loehle-iowait-fio.txt", 9, 0, 30, 0, 0, 150, 23, 0, 9},
	{"38-ricardo-asym-smt-std.txt", 4, 80, 0, 0, 0, 160, 0, 0, 0},
	{"49-giovanni-freq-invariance.txt", 6, 0, 18, 18, 0, 107, 0, 1, 0},
	{"62-derived-flattened-age-avg-idle.txt", 2, 0, 10, 15, 15, 80, 21, 0, 0},
}

func TestRealPosts(t *testing.T) {
	dir := inputs(t)
	for _, p := range posts {
		t.Run(p.file, func(t *testing.T) {
			tables, warnings := readFile(t, filepath.Join(dir, p.file))
			got := p
			got.tables, got.schedtests, got.hmean, got.amean, got.stddev, got.cells, got.stars, got.wrong, got.nameless = len(tables), 0, 0, 0, 0, 0, 0, 0, 0
			for _, tab := range tables {
				for _, r := range tab.Rows {
					switch r.Op {
					case "":
						got.schedtests++
					case "Hmean":
						got.hmean++
					case "Amean":
						got.amean++
					case "Stddev":
						got.stddev++
					}
					got.cells += len(r.Cells)
					for _, c := range r.Cells {
						if c.Star {
							got.stars++
						}
					}
				}
			}
			for _, w := range warnings {
				switch {
				case strings.Contains(w.Message, "is printed"):
					got.wrong++
				case strings.Contains(w.Message, "no heading"):
					got.nameless++
				default:
					t.Errorf("unexpected warning: %s", w)
				}
			}
			if got != p {
				t.Errorf("got  %+v\nwant %+v", got, p)
			}
		})
	}
}

// Posts in dialects this reader does not know, counted as above.
var foreign = []string{
	"03-swapnil-mm_cid-hackbench.txt", "08-tip-should-we-balance-qp-tabs.txt", "16-tip-tianchen-wf-on-cpu.txt",
	"22-wyes-amd-pstate-guided-v8.txt", "23-oleksandr-reply-amd-pstate-qp.txt", "27-lkp-perf-bench-sched-pipe.eml",
	"30-lkp-stress-ng-sem-sysv.txt", "31-shrikanth-latency-list-schbench.txt", "35-prateek-flatten-pick-2026.txt",
	"43-srikar-coregroup.txt", "46-qais-misfit-nan.txt", "51-doug-teo-menu-tabs.txt", "53-annamaria-teo.eml",
	"54-qais-transition-delay.txt", "59-lkp-vm-scalability-e101.txt", "61-tonylu-wrk-nan.txt", "65-derived-html-nbsp-wyes.html",
}

// None of them may be taken for a table it is not.
func TestForeignPostsGiveNoTable(t *testing.T) {
	dir := inputs(t)
	for _, f := range foreign {
		if tables, warnings := readFile(t, filepath.Join(dir, f)); len(tables)+len(warnings) > 0 {
			t.Errorf("%s: %d tables, warnings %v", f, len(tables), warnings)
		}
	}
}

// Whatever lies in the folder must be read to its end.
func TestEveryPostIsRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(inputs(t), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		readFile(t, f)
	}
}

func TestFlattenedPostGivesTheSameFigures(t *testing.T) {
	dir := inputs(t)
	printed, _ := readFile(t, filepath.Join(dir, "14-tip-age-avg-idle.txt"))
	flat, _ := readFile(t, filepath.Join(dir, "62-derived-flattened-age-avg-idle.txt"))
	if got, want := figures(flat), figures(printed); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

// The writers reproduce posts of the tools they imitate to the byte.
func TestWritersReproducePosts(t *testing.T) {
	dir := inputs(t)
	for _, p := range []struct {
		file  string
		write func(*strings.Builder, table.Table) error
	}{
		{"05-chenyu-multi-llc-std.txt", schedtests},
		{"14-tip-age-avg-idle.txt", mmtests},
		{"21-mel-acpi-cst-haswell.txt", mmtests},
	} {
		post, err := os.ReadFile(filepath.Join(dir, p.file))
		if err != nil {
			t.Fatal(err)
		}
		tables, _ := readFile(t, filepath.Join(dir, p.file))
		for _, tab := range tables {
			var b strings.Builder
			if err := p.write(&b, tab); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(post), b.String()) {
				t.Errorf("%s does not hold this:\n%s", p.file, b.String())
			}
		}
	}
}
