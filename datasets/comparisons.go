package datasets

import (
	"embed"
	"fmt"
	"io"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
)

//go:embed */*.csv
var files embed.FS

// Comparison is one published result: a benchmark at a load on two kernels.
type Comparison struct {
	Mail           string  // slug of the thread
	Benchmark      string  // name of the workload in this project, without the load
	Metric         string  // what was measured, such as "transactions" or "wakeup_latency_p99"
	Unit           string  // of Base and Patched
	Load           int     // number of threads, groups, clients or pairs; 0 means the post does not state it
	Machine        string  // machine name of this project
	HigherIsBetter bool    // direction of the raw metric; ChangePct does not depend on it
	Base           float64 // in Unit; NaN = not reported
	Patched        float64 // in Unit; NaN = not reported
	ChangePct      float64 // % of Base, positive = better; always reported or derived
	ChangeDerived  bool    // ChangePct is worked out from Base and Patched, the post prints none
	BaseSpreadPct  float64 // standard deviation in % of the mean; NaN = not reported
	// PatchedSpreadPct is the same for the patched kernel.
	PatchedSpreadPct float64
	SpreadOf         string // what spreads: "pairs" (dispersion between the pairs), "runs" (between repeated runs), "" (no spread reported)
	Star             bool   // the post marks the change as significant
	BasePolicy       string // policy name of the baseline, such as "6.10"
	PatchedPolicy    string // policy name of the patched kernel, such as "6.10+SIS_SYNC"
	Raw              string // the posted line: "raw/netperf.txt:4" in the thread's folder
	File             string // the CSV file it was read from
	Line             int    // line in File, from 1
}

// DerivedPct works ChangePct out from Base and Patched: positive = better. It
// is NaN where either is not reported.
func (c Comparison) DerivedPct() float64 {
	pct := c.Patched*100/c.Base - 100
	if !c.HigherIsBetter {
		pct = -pct
	}
	return pct
}

// Comparisons returns the published comparisons of a thread in the order of
// the post. A thread whose data is not here yet, or an unknown slug, is an
// error.
func Comparisons(mail string) ([]Comparison, error) {
	m, err := Describe(mail)
	if err != nil {
		return nil, err
	}
	name := path.Join(m.Slug, "comparisons.csv")
	f, err := files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("datasets: mail %q is reserved but has no data yet", mail)
	}
	defer f.Close()
	all, err := ReadComparisons(f, name)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		if c.Mail != mail {
			return nil, fmt.Errorf("datasets: %s:%d: row of mail %q in the folder of %q", c.File, c.Line, c.Mail, mail)
		}
	}
	return all, nil
}

// comparisonColumns is the header of comparisons.csv.
var comparisonColumns = []string{
	"mail", "benchmark", "metric", "unit", "load", "machine", "higher_is_better", "base", "patched",
	"change_pct", "change_source", "base_spread_pct", "patched_spread_pct", "spread_of", "star",
	"base_policy", "patched_policy", "raw",
}

var (
	wordPattern   = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
	policyPattern = regexp.MustCompile(`^[0-9]+\.[0-9]+(?:\+[A-Z][A-Z0-9_]*(?:=-?[0-9]+)?)*$`)
	rawPattern    = regexp.MustCompile(`^raw/[a-z0-9_-]+\.txt:[1-9][0-9]*$`)
)

// ReadComparisons reads a comparisons.csv; name stands for the file in errors.
// The header must be the exact one. Every fault is an error with file, line and
// column.
func ReadComparisons(r io.Reader, name string) ([]Comparison, error) {
	var all []Comparison
	seen := map[string]int{}
	err := readRecords(r, name, comparisonColumns, func(rec *record) {
		c := comparison(rec)
		key := fmt.Sprint(c.Mail, "\x00", c.Benchmark, "\x00", c.Metric, "\x00", c.Load, "\x00", c.Machine, "\x00", c.BasePolicy, "\x00", c.PatchedPolicy)
		if line, ok := seen[key]; ok {
			rec.fail("benchmark", fmt.Sprintf("%s %s at load %d on %s repeats line %d", c.Benchmark, c.Metric, c.Load, c.Machine, line))
		}
		seen[key] = c.Line
		all = append(all, c)
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func comparison(rec *record) Comparison {
	c := Comparison{
		Mail:             rec.oneOf("mail", Mails()...),
		Benchmark:        rec.match("benchmark", wordPattern),
		Metric:           rec.match("metric", wordPattern),
		Unit:             rec.text("unit"),
		Load:             rec.load("load"),
		Machine:          rec.match("machine", wordPattern),
		HigherIsBetter:   rec.boolean("higher_is_better"),
		Base:             rec.optional("base"),
		Patched:          rec.optional("patched"),
		ChangePct:        rec.number("change_pct"),
		ChangeDerived:    rec.oneOf("change_source", "posted", "derived") == "derived",
		BaseSpreadPct:    rec.optional("base_spread_pct"),
		PatchedSpreadPct: rec.optional("patched_spread_pct"),
		SpreadOf:         rec.oneOf("spread_of", "pairs", "runs", ""),
		Star:             rec.boolean("star"),
		BasePolicy:       rec.match("base_policy", policyPattern),
		PatchedPolicy:    rec.match("patched_policy", policyPattern),
		Raw:              rec.match("raw", rawPattern),
		File:             rec.file,
		Line:             rec.line,
	}
	c.check(rec)
	return c
}

// check looks for fields that do not fit together.
func (c Comparison) check(rec *record) {
	for _, f := range []struct {
		column string
		value  float64
		lowest bool
	}{
		{"base", c.Base, c.Base <= 0}, {"patched", c.Patched, c.Patched <= 0},
		{"base_spread_pct", c.BaseSpreadPct, c.BaseSpreadPct < 0}, {"patched_spread_pct", c.PatchedSpreadPct, c.PatchedSpreadPct < 0},
	} {
		if f.lowest {
			rec.fail(f.column, fmt.Sprintf("%v is out of range", f.value))
		}
	}
	if m, err := Describe(c.Mail); err == nil && !slices.Contains(m.Machines, c.Machine) {
		rec.fail("machine", fmt.Sprintf("%q is no machine of %s: it has %s", c.Machine, c.Mail, strings.Join(m.Machines, ", ")))
	}
	spread := !math.IsNaN(c.BaseSpreadPct) || !math.IsNaN(c.PatchedSpreadPct)
	if spread != (c.SpreadOf != "") {
		rec.fail("spread_of", fmt.Sprintf("%q does not fit the spread columns: name what spreads exactly where a spread is given", c.SpreadOf))
	}
	if c.ChangeDerived && math.IsNaN(c.DerivedPct()) {
		rec.fail("change_source", "a derived change needs base and patched")
	}
	if c.PatchedPolicy == c.BasePolicy {
		rec.fail("patched_policy", fmt.Sprintf("%q is the baseline too", c.PatchedPolicy))
	}
}
