package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/schedlab/lab/datasets"
	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/experiment"
	"github.com/schedlab/lab/schedlab/internal/atomicfile"
	"github.com/schedlab/lab/schedlab/report"
)

// summary is what a terminal shows of a mail: the scoreboard, why rows are
// outside, the pinned pair.
func (r reproduction) summary() ([]report.Table, error) {
	score, err := report.ScoreSummary(r.result)
	if err != nil {
		return nil, err
	}
	reasons, err := report.ReasonTable(r.result)
	if err != nil {
		return nil, err
	}
	tables := []report.Table{score, reasons}
	if len(r.pinned) > 0 {
		for _, table := range []func([]experiment.Pinned) (report.Table, error){report.PinnedTable, report.PinnedTimeTable} {
			t, err := table(r.pinned)
			if err != nil {
				return nil, err
			}
			tables = append(tables, t)
		}
	}
	return tables, nil
}

// figure is a picture with the file name it is saved under.
type figure struct {
	name string
	*report.Figure
}

// figures draws, for every simulated benchmark of a mail, the change over load,
// where the time goes and which rules decided.
func (r reproduction) figures() ([]figure, error) {
	var out []figure
	var err error
	add := func(name string, f *report.Figure, e error) {
		if err == nil && e != nil {
			err = e
		}
		out = append(out, figure{name, f})
	}
	for _, b := range simulatedBenchmarks(r.result) {
		arms := armsOf(r.result, b)
		f, e := report.ScorePlot(r.result, b)
		add(b+"-change", f, e)
		f, e = report.TimePlot(arms)
		add(b+"-time", f, e)
		f, e = report.PlacementPlot(arms)
		add(b+"-placement", f, e)
	}
	return out, err
}

func simulatedBenchmarks(p *experiment.Prediction) []string {
	var out []string
	seen := map[string]bool{}
	for _, r := range p.Rows {
		if r.Simulated() && !seen[r.Benchmark] {
			out = append(out, r.Benchmark)
			seen[r.Benchmark] = true
		}
	}
	return out
}

// armsOf lists base and patched runs of a benchmark, load by load.
func armsOf(p *experiment.Prediction, benchmark string) []report.Arm {
	var arms []report.Arm
	for _, r := range p.Rows {
		if r.Benchmark == benchmark && r.Simulated() {
			load := strconv.Itoa(r.Load)
			arms = append(arms, report.Arm{Label: load + " base", Results: r.Base}, report.Arm{Label: load + " patch", Results: r.Patched})
		}
	}
	return arms
}

// writeReport writes the page and, beside it, a folder per mail with the
// scoreboard as CSV and every figure as PNG, SVG and PDF.
func writeReport(done []reproduction, out, path string) error {
	page := report.NewPage("schedlab: published against simulated",
		"Every published comparison stands beside the simulation of both arms on the same seeds. What is not simulated says why.",
		"Changes are in percent of the base, positive = better, whatever the metric.")
	for _, r := range done {
		if err := r.write(page, filepath.Join(out, r.mail.Slug)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return page.Save(path)
}

func (r reproduction) write(page *report.Page, folder string) error {
	tables, err := r.summary()
	if err != nil {
		return err
	}
	figures, err := r.figures()
	if err != nil {
		return err
	}
	full, err := report.ScoreTable(r.result)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := atomicfile.Write(filepath.Join(folder, "scoreboard.csv"), 0o644, func(w io.Writer) error { return full.WriteCSV(w) }); err != nil {
		return err
	}
	s := page.Section(r.mail.Slug)
	s.Text(describe(r.mail), fmt.Sprintf("Simulated with seeds 1 to %d, engine version %s.", r.result.Options.Seeds, schedlab.EngineVersion))
	for _, t := range tables {
		s.Table(t)
	}
	for _, f := range figures {
		s.Figure(f.Figure)
		for _, ext := range []string{".png", ".svg", ".pdf"} {
			if err := f.Save(filepath.Join(folder, f.name+ext)); err != nil {
				return err
			}
		}
	}
	for _, b := range simulatedBenchmarks(r.result) {
		t, err := report.TimeTable(armsOf(r.result, b))
		if err != nil {
			return err
		}
		s.Table(t.Titled(b+": "+t.Title(), t.Caption()))
	}
	return nil
}

func describe(m datasets.Mail) string {
	return fmt.Sprintf("%s. %s, %s, %s", m.Title, m.Author, m.Date, m.Archive())
}
