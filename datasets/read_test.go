package datasets_test

import (
	"os"
	"strings"
	"testing"

	"github.com/schedlab/lab/datasets"
)

const (
	header = "mail,benchmark,metric,unit,load,machine,higher_is_better,base,patched,change_pct,change_source,base_spread_pct,patched_spread_pct,spread_of,star,base_policy,patched_policy,raw\n"
	sound  = "sis-sync,tbench,throughput,MB/s,60,xeon240,true,,,0.04,posted,0.27,0.11,runs,false,6.10,6.10+SIS_SYNC,raw/tbench.txt:4\n"
)

func TestReadComparisonsRejects(t *testing.T) {
	swap := func(old, new string) string { return header + strings.Replace(sound, old, new, 1) }
	tests := []struct{ name, text, want string }{
		{"nothing", "", "f.csv:1:1: empty file: the header must be " + strings.TrimSpace(header)},
		{"header", "a,b\n", `f.csv:1:1: header "a,b": it must be "` + strings.TrimSpace(header) + `"`},
		{"short row", header + "a,b\n", "f.csv:2:1: 2 fields, the header has 18"},
		{"quote", header + "a\"b\n", `f.csv:2:2: bare " in non-quoted-field`},
		{"mail", swap("sis-sync", "sis"), `f.csv:2:1: mail: "sis" is not one of ["wake-affine" "sis-sync" "cluster-scan" "load-avg" "latency-nice"]`},
		{"benchmark", swap("tbench", "T bench"), `f.csv:2:10: benchmark: "T bench" does not match ^[a-z][a-z0-9_-]*$`},
		{"unit", swap("MB/s", ""), `f.csv:2:28: unit: "" is empty or padded`},
		{"load", swap(",60,", ",sixty,"), `f.csv:2:33: load: "sixty" is no whole number`},
		{"load 0", swap(",60,", ",0,"), `f.csv:2:33: load: 0: a load that is not stated is left empty`},
		{"machine", swap("xeon240", "bdw88"), `f.csv:2:36: machine: "bdw88" is no machine of sis-sync: it has xeon240, ivb48, spr224`},
		{"boolean", swap("true", "yes"), `f.csv:2:44: higher_is_better: "yes" is not one of ["true" "false"]`},
		{"base", swap(",,,", ",-1,,"), `f.csv:2:49: base: -1 is out of range`},
		{"change missing", swap("0.04", ""), `f.csv:2:51: change_pct: "" is no decimal number`},
		{"change not finite", swap("0.04", "NaN"), `f.csv:2:51: change_pct: "NaN" is no decimal number`},
		{"change in other notation", swap("0.04", "4e-2"), `f.csv:2:51: change_pct: "4e-2" is no decimal number`},
		{"derived from nothing", swap("posted", "derived"), `f.csv:2:56: change_source: a derived change needs base and patched`},
		{"spread", swap("0.27", "-0.27"), `f.csv:2:63: base_spread_pct: -0.27 is out of range`},
		{"spread of what", swap("runs", ""), `f.csv:2:73: spread_of: "" does not fit the spread columns: name what spreads exactly where a spread is given`},
		{"policy", swap("6.10+SIS_SYNC", "6.10+sis_sync"), `f.csv:2:89: patched_policy: "6.10+sis_sync" does not match ^[0-9]+\.[0-9]+(?:\+[A-Z][A-Z0-9_]*(?:=-?[0-9]+)?)*$`},
		{"same policy", swap("6.10+SIS_SYNC", "6.10"), `f.csv:2:89: patched_policy: "6.10" is the baseline too`},
		{"raw", swap("raw/tbench.txt:4", "mail"), `f.csv:2:103: raw: "mail" does not match ^raw/[a-z0-9_-]+\.txt:[1-9][0-9]*$`},
		{"twice", header + sound + sound, `f.csv:3:10: benchmark: tbench throughput at load 60 on xeon240 repeats line 2`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, err := datasets.ReadComparisons(strings.NewReader(tt.text), "f.csv")
			if err == nil || err.Error() != "datasets: "+tt.want {
				t.Errorf("got  %v (%d rows)\nwant datasets: %s", err, len(all), tt.want)
			}
		})
	}
	if all, err := datasets.ReadComparisons(strings.NewReader(header+sound), "f.csv"); err != nil || len(all) != 1 || all[0].Line != 2 || all[0].File != "f.csv" {
		t.Errorf("the sound row: %+v %v", all, err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestReadComparisonsIsBounded(t *testing.T) {
	if _, err := datasets.ReadComparisons(endless{}, "f.csv"); err == nil || len(err.Error()) > 1000 {
		t.Error("an endless header must be a short error")
	}
}

func FuzzReadComparisons(f *testing.F) {
	f.Add(header + sound)
	f.Add(header)
	f.Add("a,\"b\n")
	if data, err := os.ReadFile("sis-sync/comparisons.csv"); err == nil {
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := datasets.ReadComparisons(strings.NewReader(text), "f")
		if err != nil && (!strings.HasPrefix(err.Error(), "datasets: f") || all != nil) {
			t.Fatalf("%d rows, error %q", len(all), err)
		}
		for _, c := range all {
			if c.ChangePct != c.ChangePct || c.Load < 0 || c.Line < 2 || (c.SpreadOf == "") != (c.BaseSpreadPct != c.BaseSpreadPct && c.PatchedSpreadPct != c.PatchedSpreadPct) {
				t.Fatalf("bad row %+v", c)
			}
		}
	})
}
