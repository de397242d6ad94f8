package nb_test

import (
	"fmt"
	"io"

	"github.com/schedlab/lab/notebooks/nb"
)

// cpus is a small table of its own; tables of package report need no such code.
type cpus int

func (c cpus) WriteHTML(w io.Writer) error {
	_, err := fmt.Fprintf(w, "<table><tr><td>CPUs</td><td>%d</td></tr></table>", int(c))
	return err
}

func (c cpus) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "CPUs  %d\n", int(c))
	return err
}

// The same program shows a table in a notebook and prints it elsewhere.
func ExampleTable() {
	nb.Markdown("## The machine")
	nb.Table(cpus(240))
	// Output:
	// ## The machine
	// CPUs  240
}
