package machine

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"github.com/schedlab/lab/schedlab/topology"
)

// Columns of the two files of a machine.
var (
	costColumns = []string{"param", "value", "unit", "low", "high", "grade", "source"}
	idleColumns = []string{"state", "exit_latency_ns", "target_residency_ns", "polling", "grade", "source"}
)

// Load reads a machine of your own from two CSV files, <base>.csv with its costs and <base>.idle.csv
// with its idle states. Lines starting with # are comments. Every [Param] must be there once; nothing
// is guessed. Errors read file:line: column: message.
func Load(fsys fs.FS, base, name string, t *topology.Topology) (*Machine, error) {
	costs, err := LoadCosts(fsys, base+".csv")
	if err != nil {
		return nil, err
	}
	idle, err := LoadIdleStates(fsys, base+".idle.csv")
	if err != nil {
		return nil, err
	}
	return New(name, t, costs, idle)
}

// LoadCosts reads a cost file: columns param, value, unit, low, high, grade, source. The costs come
// back in the order of [Params].
func LoadCosts(fsys fs.FS, file string) ([]Cost, error) {
	var (
		costs [numParams]Cost
		line  [numParams]int
		seen  [numParams]bool
	)
	end, err := readTable(fsys, file, costColumns, func(at int, field []string) *fieldError {
		c, ferr := parseCost(field)
		if ferr != nil {
			return ferr
		}
		if seen[c.Param] {
			return fieldErrorf("param", "%q is there twice, first on line %d", field[0], line[c.Param])
		}
		costs[c.Param], line[c.Param], seen[c.Param] = c, at, true
		return nil
	})
	if err != nil {
		return nil, err
	}
	if missing := absent(&seen); missing != "" {
		return nil, fmt.Errorf("%s:%d: param: no row for %s", file, end, missing)
	}
	return costs[:], nil
}

// LoadIdleStates reads a file of idle states from shallow to deep: columns state, exit_latency_ns,
// target_residency_ns, polling (yes or no), grade, source.
func LoadIdleStates(fsys fs.FS, file string) ([]IdleState, error) {
	var states []IdleState
	end, err := readTable(fsys, file, idleColumns, func(at int, field []string) *fieldError {
		s, ferr := parseIdleState(field)
		if ferr != nil {
			return ferr
		}
		if ferr := s.checkAfter(states); ferr != nil {
			return ferr
		}
		states = append(states, s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(states) == 0 {
		return nil, fmt.Errorf("%s:%d: state: no idle states: give at least one, such as WFI or C1", file, end)
	}
	return states, nil
}

func parseCost(field []string) (Cost, *fieldError) {
	p, err := ParseParam(field[0])
	if err != nil {
		return Cost{}, &fieldError{"param", err.Error()}
	}
	c := Cost{Param: p, Unit: field[2], Source: strings.TrimSpace(field[6])}
	for _, n := range []struct {
		column int
		value  *float64
	}{{1, &c.Value}, {3, &c.Low}, {4, &c.High}} {
		v, ok := parseValue(p, field[n.column])
		if !ok {
			return Cost{}, fieldErrorf(costColumns[n.column], "%s: %q is not a %s", p, field[n.column], valueKind(p))
		}
		*n.value = v
	}
	if c.Grade, err = parseGrade(field[5]); err != nil {
		return Cost{}, &fieldError{"grade", p.String() + ": " + err.Error()}
	}
	return c, c.check()
}

func parseIdleState(field []string) (IdleState, *fieldError) {
	s := IdleState{Name: field[0], Source: strings.TrimSpace(field[5])}
	var err error
	if s.ExitNS, err = strconv.ParseInt(field[1], 10, 64); err != nil {
		return s, fieldErrorf(idleColumns[1], "%s: %q is not a whole number of ns", s.Name, field[1])
	}
	if s.ResidencyNS, err = strconv.ParseInt(field[2], 10, 64); err != nil {
		return s, fieldErrorf(idleColumns[2], "%s: %q is not a whole number of ns", s.Name, field[2])
	}
	switch field[3] {
	case "yes":
		s.Polling = true
	case "no":
	default:
		return s, fieldErrorf(idleColumns[3], "%s: %q is not yes or no", s.Name, field[3])
	}
	if s.Grade, err = parseGrade(field[4]); err != nil {
		return s, &fieldError{"grade", s.Name + ": " + err.Error()}
	}
	return s, nil
}

// parseValue takes plain decimals only: no hexadecimal, no infinities, no digit separators.
func parseValue(p Param, text string) (float64, bool) {
	if p.Unit() == unitGovernor {
		g, ok := parseGovernor(text)
		return float64(g), ok
	}
	if strings.Trim(text, "0123456789.-+eE") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsInf(v, 0)
}

func valueKind(p Param) string {
	if p.Unit() == unitGovernor {
		return "governor (" + strings.Join(governorNames[:], ", ") + ")"
	}
	return "plain decimal number"
}

func parseGrade(text string) (Grade, error) {
	if len(text) != 1 || text[0] < byte(GradeA) || text[0] > byte(GradeE) {
		return 0, fmt.Errorf("grade %q is not one of A, B, C, D, E", text)
	}
	return Grade(text[0]), nil
}

// readTable reads a CSV file with exactly the given columns and hands each row to row; it returns the
// number of the last line read. It adds file and line to every error.
func readTable(fsys fs.FS, file string, columns []string, row func(line int, field []string) *fieldError) (int, error) {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return 0, fmt.Errorf("machine: cannot read %q: %w", file, err)
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment = '#'
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	last := 1
	for header := true; ; header = false {
		field, err := r.Read()
		if err == io.EOF && !header {
			return last, nil
		}
		if err != nil && err != io.EOF {
			return 0, csvError(file, err)
		}
		if header {
			if strings.Join(field, ",") != strings.Join(columns, ",") {
				return 0, fmt.Errorf("%s:%d: header: want columns %s, not %q", file, last, strings.Join(columns, ","), strings.Join(field, ","))
			}
			continue
		}
		last, _ = r.FieldPos(0)
		if len(field) != len(columns) {
			return 0, fmt.Errorf("%s:%d: row: %d columns, not %d: quote a source that contains a comma", file, last, len(field), len(columns))
		}
		if ferr := row(last, field); ferr != nil {
			return 0, fmt.Errorf("%s:%d: %w", file, last, ferr)
		}
	}
}

func csvError(file string, err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return fmt.Errorf("%s:%d: row: %w", file, p.Line, p.Err)
	}
	return fmt.Errorf("%s: %w", file, err)
}
