package machine

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// WriteCosts writes a cost file that [LoadCosts] reads back: a start for a machine of your own, or
// the outcome of a calibration.
func WriteCosts(w io.Writer, costs []Cost) error {
	out := csv.NewWriter(w)
	out.Write(costColumns) // a csv.Writer keeps its first error for Error
	for _, c := range costs {
		out.Write([]string{c.Param.String(), c.Text(), c.Unit, formatValue(c.Param, c.Low), formatValue(c.Param, c.High), c.Grade.String(), c.Source})
	}
	return flush(out)
}

// WriteIdleStates writes a file that [LoadIdleStates] reads back.
func WriteIdleStates(w io.Writer, states []IdleState) error {
	out := csv.NewWriter(w)
	out.Write(idleColumns)
	for _, s := range states {
		polling := "no"
		if s.Polling {
			polling = "yes"
		}
		out.Write([]string{s.Name, strconv.FormatInt(s.ExitNS, 10), strconv.FormatInt(s.ResidencyNS, 10), polling, s.Grade.String(), s.Source})
	}
	return flush(out)
}

func flush(out *csv.Writer) error {
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("machine: cannot write: %w", err)
	}
	return nil
}
