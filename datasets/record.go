package datasets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxFile is the largest file a loader takes, in bytes.
const maxFile = 16 << 20

// record is one data row of a CSV file. Its methods read a field by column
// name; the first fault is kept and the rest of the row is read on.
type record struct {
	file    string
	line    int
	columns []string
	fields  []string
	places  []int // byte column of each field, from 1
	err     error
}

// readRecords checks the header and hands every row to use.
func readRecords(r io.Reader, name string, columns []string, use func(*record)) error {
	limited := &io.LimitedReader{R: r, N: maxFile + 1}
	in := csv.NewReader(limited)
	in.FieldsPerRecord = -1
	header, err := in.Read()
	if err == io.EOF {
		return fmt.Errorf("datasets: %s:1:1: empty file: the header must be %s", name, strings.Join(columns, ","))
	}
	if err != nil {
		return csvError(name, err)
	}
	if !slices.Equal(header, columns) {
		return fmt.Errorf("datasets: %s:1:1: header %s: it must be %q", name, quote(strings.Join(header, ",")), strings.Join(columns, ","))
	}
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return csvError(name, err)
		}
		if limited.N <= 0 {
			return fmt.Errorf("datasets: %s: larger than %d bytes", name, maxFile)
		}
		rec := &record{file: name, columns: columns, fields: fields}
		rec.line, _ = in.FieldPos(0)
		if len(fields) != len(columns) {
			return fmt.Errorf("datasets: %s:%d:1: %d fields, the header has %d", name, rec.line, len(fields), len(columns))
		}
		for i := range fields {
			_, place := in.FieldPos(i)
			rec.places = append(rec.places, place)
		}
		use(rec)
		if rec.err != nil {
			return rec.err
		}
	}
}

func csvError(name string, err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return fmt.Errorf("datasets: %s:%d:%d: %w", name, p.Line, p.Column, p.Err)
	}
	return fmt.Errorf("datasets: %s: %w", name, err)
}

// index panics for a column that the file does not have: a programmer's error.
func (r *record) index(column string) int {
	i := slices.Index(r.columns, column)
	if i < 0 {
		panic("datasets: no column " + column)
	}
	return i
}

func (r *record) fail(column, message string) {
	if r.err == nil {
		r.err = fmt.Errorf("datasets: %s:%d:%d: %s: %s", r.file, r.line, r.places[r.index(column)], column, message)
	}
}

// text reads a field that must not be empty or padded.
func (r *record) text(column string) string {
	s := r.fields[r.index(column)]
	if s == "" || strings.TrimSpace(s) != s {
		r.fail(column, quote(s)+" is empty or padded")
	}
	return s
}

func (r *record) match(column string, pattern *regexp.Regexp) string {
	s := r.fields[r.index(column)]
	if !pattern.MatchString(s) {
		r.fail(column, fmt.Sprintf("%s does not match %s", quote(s), pattern))
	}
	return s
}

func (r *record) oneOf(column string, allowed ...string) string {
	s := r.fields[r.index(column)]
	if !slices.Contains(allowed, s) {
		r.fail(column, fmt.Sprintf("%s is not one of %q", quote(s), allowed))
	}
	return s
}

func (r *record) boolean(column string) bool {
	return r.oneOf(column, "true", "false") == "true"
}

// number reads a plain decimal figure.
func (r *record) number(column string) float64 {
	s := r.fields[r.index(column)]
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.Trim(s, "-.0123456789") != "" {
		r.fail(column, quote(s)+" is no decimal number")
		return math.NaN()
	}
	return v
}

// optional is number, with NaN for an empty field.
func (r *record) optional(column string) float64 {
	if r.fields[r.index(column)] == "" {
		return math.NaN()
	}
	return r.number(column)
}

func (r *record) whole(column string) int {
	s := r.fields[r.index(column)]
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || strconv.Itoa(n) != s {
		r.fail(column, quote(s)+" is no whole number")
	}
	return n
}

// load reads a load of at least 1, or 0 for an empty field.
func (r *record) load(column string) int {
	if r.fields[r.index(column)] == "" {
		return 0
	}
	n := r.whole(column)
	if n == 0 {
		r.fail(column, "0: a load that is not stated is left empty")
	}
	return n
}

// quote shortens an offending value for a message.
func quote(s string) string {
	const most = 100
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strconv.Quote(s)
}
