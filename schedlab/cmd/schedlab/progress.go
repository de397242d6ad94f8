package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress draws a bar on stderr when that is a terminal and nothing otherwise.
// It returns what to call with (done, total) and what to call at the end.
func (a *app) progress(what string) (step func(done, total int), stop func()) {
	if !isTerminal(a.err) {
		return func(int, int) {}, func() {}
	}
	var bar *progressbar.ProgressBar
	step = func(done, total int) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(a.err), progressbar.OptionSetDescription(what),
				progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
		}
		_ = bar.Set(done)
	}
	return step, func() {
		if bar != nil {
			_ = bar.Clear()
		}
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth is how many characters a line of w may have; files and pipes
// get what fits a mail reader's wide window.
func terminalWidth(w io.Writer) int {
	const usual = 120
	if !isTerminal(w) {
		return usual
	}
	width, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || width < 40 {
		return usual
	}
	return width
}
