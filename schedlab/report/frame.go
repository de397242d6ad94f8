package report

import (
	"fmt"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Frame gives the table as a dataframe for further work: one series per column,
// named by its heading, of the types int, float, string and bool. Title,
// caption and the number of decimals do not travel. The string "NaN" becomes an
// absent value there: gota knows no other way.
//
// The frame is for display and exchange. Its CSV writer cuts floats to six
// decimals and its GroupBy returns rows in random order: use WriteCSV, and group
// in Go.
func (t Table) Frame() (dataframe.DataFrame, error) {
	columns := make([]series.Series, len(t.columns))
	for i, c := range t.columns {
		switch c.kind {
		case floatKind:
			columns[i] = series.New(c.floats, series.Float, c.Header())
		case intKind:
			columns[i] = series.New(c.ints, series.Int, c.Header())
		case stringKind:
			columns[i] = series.New(c.strings, series.String, c.Header())
		case boolKind:
			columns[i] = series.New(c.bools, series.Bool, c.Header())
		}
		if columns[i].Err != nil {
			return dataframe.DataFrame{}, fmt.Errorf("report: table %q: column %q: %w", t.title, c.name, columns[i].Err)
		}
	}
	df := dataframe.New(columns...)
	if df.Err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("report: table %q: %w", t.title, df.Err)
	}
	return df, nil
}

// FromFrame gives a dataframe as a table, to be printed properly. A heading
// "name (unit)" is taken apart; floats get Auto decimals; an int column with
// absent values becomes a Float column. A bool column with absent values is
// refused, for it has no third value. The frame's own error is returned.
func FromFrame(df dataframe.DataFrame) (Table, error) {
	if df.Err != nil {
		return Table{}, fmt.Errorf("report: frame: %w", df.Err)
	}
	columns := make([]Column, 0, df.Ncol())
	for _, name := range df.Names() {
		s := df.Col(name)
		if s.Err != nil {
			return Table{}, fmt.Errorf("report: frame: column %q: %w", name, s.Err)
		}
		c, err := columnOf(name, s)
		if err != nil {
			return Table{}, fmt.Errorf("report: frame: column %q: %w", name, err)
		}
		columns = append(columns, c)
	}
	return NewTable("", "", columns...)
}

func columnOf(header string, s series.Series) (Column, error) {
	name, unit := splitHeader(header)
	switch s.Type() {
	case series.Float:
		return Floats(name, unit, Auto, s.Float()), nil
	case series.Int:
		if s.HasNaN() {
			return Floats(name, unit, 0, s.Float()), nil
		}
		values, err := s.Int()
		return Ints(name, unit, values), err
	case series.Bool:
		values, err := s.Bool()
		return Bools(header, values), err
	case series.String:
		values := make([]string, s.Len())
		for i := range values {
			if e := s.Elem(i); !e.IsNA() {
				values[i] = e.String()
			}
		}
		return Strings(header, values), nil
	}
	return Column{}, fmt.Errorf("type %q: want int, float, string or bool", s.Type())
}

// splitHeader takes "name (unit)" apart.
func splitHeader(h string) (name, unit string) {
	open := strings.LastIndex(h, " (")
	if open < 1 || !strings.HasSuffix(h, ")") {
		return h, ""
	}
	return h[:open], h[open+2 : len(h)-1]
}
