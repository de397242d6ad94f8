package machine_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/schedlab/lab/schedlab/machine"
)

const costHeader = "param,value,unit,low,high,grade,source\n"

func files(costs string) fstest.MapFS {
	return fstest.MapFS{"mine.csv": {Data: []byte(costs)}}
}

func TestLoadCostsRejects(t *testing.T) {
	for _, tt := range []struct{ what, file, want string }{
		{"empty", "", "mine.csv:1: header: "},
		{"header", "param,value\n", "mine.csv:1: header: want columns param,value,unit,low,high,grade,source"},
		{"unknown param", costHeader + "line_lcl,55,ns,50,60,A,me\n", `mine.csv:2: param: unknown param "line_lcl": nearest are line_llc`},
		{"twice", costHeader + "line_llc,55,ns,50,60,A,me\n# again\nline_llc,55,ns,50,60,A,me\n", `mine.csv:4: param: "line_llc" is there twice, first on line 2`},
		{"missing", costHeader + "line_llc,55,ns,50,60,A,me\n", "mine.csv:2: param: no row for line_smt, line_cluster, line_socket and "},
		{"unit", costHeader + "line_llc,55,us,50,60,A,me\n", `mine.csv:2: unit: line_llc is in "ns", not "us"`},
		{"value", costHeader + "line_llc,x,ns,50,60,A,me\n", `mine.csv:2: value: line_llc: "x" is not a plain decimal number`},
		{"hexadecimal", costHeader + "line_llc,0x1p4,ns,1,60,A,me\n", `mine.csv:2: value: line_llc: "0x1p4"`},
		{"infinite", costHeader + "line_llc,55,ns,50,Inf,A,me\n", `mine.csv:2: high: line_llc: "Inf"`},
		{"overflow", costHeader + "line_llc,55,ns,50,1e999,A,me\n", `mine.csv:2: high: line_llc: "1e999"`},
		{"negative", costHeader + "line_llc,-5,ns,-6,60,A,me\n", "mine.csv:2: value: line_llc = -5 is outside 0 to"},
		{"scale", costHeader + "clock_max,2000,GHz,1,2000,A,me\n", "mine.csv:2: value: clock_max = 2000 is outside 0.1 to 20 GHz"},
		{"low above value", costHeader + "line_llc,55,ns,56,60,A,me\n", "mine.csv:2: low: line_llc: low 56 must lie between"},
		{"high below value", costHeader + "line_llc,55,ns,50,54,A,me\n", "mine.csv:2: high: line_llc: high 54 must lie between"},
		{"grade", costHeader + "line_llc,55,ns,50,60,F,me\n", `mine.csv:2: grade: line_llc: grade "F" is not one of`},
		{"no grade", costHeader + "line_llc,55,ns,50,60,,me\n", `mine.csv:2: grade: line_llc: grade ""`},
		{"no source", costHeader + "line_llc,55,ns,50,60,A,  \n", "mine.csv:2: source: line_llc has no source"},
		{"governor", costHeader + "clock_governor,ondemand,governor,fixed,fixed,A,me\n", `mine.csv:2: value: clock_governor: "ondemand" is not a governor (fixed, performance, powersave)`},
		{"number for governor", costHeader + "clock_governor,0,governor,0,0,A,me\n", `mine.csv:2: value: clock_governor: "0" is not a governor`},
		{"columns", costHeader + "line_llc,55,ns,50,60,A,me,too\n", "mine.csv:2: row: 8 columns, not 7: quote"},
		{"quotes", costHeader + "line_llc,55,ns,50,60,A,\"me\nand you\n", "mine.csv:3: row: "},
	} {
		costs, err := machine.LoadCosts(files(tt.file), "mine.csv")
		if err == nil || costs != nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: error %v\nwant %s", tt.what, err, tt.want)
		}
	}
	if _, err := machine.LoadCosts(files(""), "other.csv"); err == nil || !strings.Contains(err.Error(), `"other.csv"`) {
		t.Errorf("no file: error %v", err)
	}
}

func TestLoadIdleStatesRejects(t *testing.T) {
	const header = "state,exit_latency_ns,target_residency_ns,polling,grade,source\n"
	for _, tt := range []struct{ what, file, want string }{
		{"none", header, "mine.csv:1: state: no idle states"},
		{"header", "state\n", "mine.csv:1: header: want columns state,exit_latency_ns"},
		{"exit", header + "C1,2us,2,yes,A,me\n", `mine.csv:2: exit_latency_ns: C1: "2us" is not a whole number of ns`},
		{"residency", header + "C1,2,x,yes,A,me\n", `mine.csv:2: target_residency_ns: C1: "x"`},
		{"polling", header + "C1,2,2,true,A,me\n", `mine.csv:2: polling: C1: "true" is not yes or no`},
		{"grade", header + "C1,2,2,yes,AA,me\n", `mine.csv:2: grade: C1: grade "AA"`},
		{"source", header + "C1,2,2,yes,A,\n", "mine.csv:2: source: C1 has no source"},
		{"name", header + ",2,2,yes,A,me\n", "mine.csv:2: state: \"\": an idle state needs a name"},
		{"comment in name", header + "\"#1\",2,2,yes,A,me\n", "mine.csv:2: state: \"#1\": an idle state needs a name"},
		{"two-line source", header + "C1,2,2,yes,A,\"me\nyou\"\n", "mine.csv:2: source: C1 has no source on one line"},
		{"order", header + "C1,2,2,yes,A,me\nPOLL,0,0,yes,A,me\n", "mine.csv:3: exit_latency_ns: states go from shallow to deep"},
		{"twice", header + "C1,2,2,yes,A,me\nC1,3,3,yes,A,me\n", `mine.csv:3: state: "C1" is there twice`},
		{"short", header + "C1,2,1,yes,A,me\n", "mine.csv:2: target_residency_ns: C1: 1 must lie between the exit latency 2"},
		{"negative", header + "C1,-2,1,yes,A,me\n", "mine.csv:2: exit_latency_ns: C1: -2 is outside"},
	} {
		states, err := machine.LoadIdleStates(files(tt.file), "mine.csv")
		if err == nil || states != nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: error %v\nwant %s", tt.what, err, tt.want)
		}
	}
}

// The files in data/ are what the writers write, comments apart: same order, same number format.
func TestFilesAreCanonical(t *testing.T) {
	for _, name := range machine.Names() {
		if name == "xeon240-llc120" {
			continue // has the file of xeon240
		}
		m := preset(t, name)
		var costs, idle bytes.Buffer
		if err := machine.WriteCosts(&costs, m.Costs()); err != nil {
			t.Fatal(err)
		}
		if err := machine.WriteIdleStates(&idle, m.IdleStates()); err != nil {
			t.Fatal(err)
		}
		for file, want := range map[string]string{name + ".csv": costs.String(), name + ".idle.csv": idle.String()} {
			text, err := os.ReadFile("data/" + file)
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for line := range strings.Lines(string(text)) {
				if !strings.HasPrefix(line, "#") {
					rows = append(rows, line)
				}
			}
			if got := strings.Join(rows, ""); got != want {
				t.Errorf("data/%s is not as it would be written:\n%s", file, want)
			}
		}
	}
}

func TestLoadOwnMachine(t *testing.T) {
	m := preset(t, "hsw48")
	var costs, idle bytes.Buffer
	if err := machine.WriteCosts(&costs, m.Costs()); err != nil {
		t.Fatal(err)
	}
	if err := machine.WriteIdleStates(&idle, m.IdleStates()); err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{"mine.csv": {Data: costs.Bytes()}, "mine.idle.csv": {Data: idle.Bytes()}}
	got, err := machine.Load(fsys, "mine", "hsw48", m.Topology())
	if err != nil {
		t.Fatal(err)
	}
	if got.Fingerprint() != m.Fingerprint() {
		t.Error("a machine written and loaded is another one")
	}
	delete(fsys, "mine.idle.csv")
	if _, err := machine.Load(fsys, "mine", "hsw48", m.Topology()); err == nil {
		t.Error("a machine without idle states was loaded")
	}
}

// Whatever loads must be valid and survive writing and loading; nothing may panic.
func FuzzLoadCosts(f *testing.F) {
	var whole bytes.Buffer
	if err := machine.WriteCosts(&whole, preset(f, "xeon240").Costs()); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.String())
	f.Add(strings.Replace(whole.String(), "55,ns", "5.5e1,ns", 1))
	f.Add(costHeader + "line_llc,55,ns,50,60,A,me\n")
	f.Add(costHeader + "clock_governor,powersave,governor,fixed,powersave,E,\"a, b\"\n")
	f.Add("# comment\n\n" + costHeader + "line_llc,NaN,ns,,,\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		costs, err := machine.LoadCosts(files(text), "mine.csv")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "mine.csv:") {
				t.Fatalf("error without file and line: %v", err)
			}
			return
		}
		var out bytes.Buffer
		if err := machine.WriteCosts(&out, costs); err != nil {
			t.Fatal(err)
		}
		again, err := machine.LoadCosts(files(out.String()), "mine.csv")
		if err != nil || !slices.Equal(costs, again) {
			t.Fatalf("written costs do not load back: %v", err)
		}
	})
}

func FuzzLoadIdleStates(f *testing.F) {
	const header = "state,exit_latency_ns,target_residency_ns,polling,grade,source\n"
	f.Add(header + "POLL,0,0,yes,A,me\nC1,1000,1000,yes,C,\"table, 2\"\n")
	f.Add(header + "WFI,1000,1000,no,E,me\n")
	f.Add(header + "C1,9223372036854775808,0,,,\n")
	f.Fuzz(func(t *testing.T, text string) {
		states, err := machine.LoadIdleStates(files(text), "mine.csv")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "mine.csv:") {
				t.Fatalf("error without file and line: %v", err)
			}
			return
		}
		var out bytes.Buffer
		if err := machine.WriteIdleStates(&out, states); err != nil {
			t.Fatal(err)
		}
		again, err := machine.LoadIdleStates(files(out.String()), "mine.csv")
		if err != nil || !slices.Equal(states, again) {
			t.Fatalf("written states do not load back: %v", err)
		}
	})
}
