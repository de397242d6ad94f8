package workload_test

import (
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/workload"
)

func preset(tb testing.TB, name string) *machine.Machine {
	tb.Helper()
	m, err := machine.Preset(name)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"netperf-tcp_rr:240", "netperf-tcp_rr:240"},
		{"pipe:1,server=2,client=1", "pipe:1,client=1,server=2"},
		{"pipe:1,client=0-3", "pipe:1,client=0-3"},
		{"pipe:1,client=3-3", "pipe:1,client=3"},
		{"pipe:1,client=0-31:31/32", "pipe:1,client=0-30"},
		{"pipe:1,client= 1", "pipe:1,client=1"},
		{"hackbench-thread-socket:4", "hackbench-thread-socket:4"},
		{"pipe:100000", "pipe:100000"},
		{"hackbench-process-pipe:4,loops=300000,fds=30", "hackbench-process-pipe:4,fds=30,loops=300000"},
		{"hackbench-process-pipe:1,fds=20,loops=100", "hackbench-process-pipe:1"},
	} {
		got, err := workload.Canonical(c.text)
		if err != nil || got != c.want {
			t.Errorf("Canonical(%q) = %q, %v; want %q", c.text, got, err, c.want)
		}
	}
}

func TestGrammarErrors(t *testing.T) {
	m := preset(t, "xeon240")
	for _, c := range []struct{ text, want string }{
		{"", `workload: unknown workload ""`},
		{"netperf-tcp:1", `workload: unknown workload "netperf-tcp": nearest are netperf-tcp_rr, `},
		{"Pipe:1", `unknown workload "Pipe": nearest are pipe, `},
		{"pipe", `workload: "pipe" needs a load, the number of pairs: for example pipe:60`},
		{"schbench", `needs a load, the number of workers: for example schbench:60`},
		{"pipe:", `workload: "pipe:": load "" is not a whole number from 1 to 100000`},
		{"pipe:0", `load "0" is not a whole number`},
		{"pipe:-1", `load "-1" is not a whole number`},
		{"pipe:+1", `load "+1" is not a whole number`},
		{"pipe:01", `load "01" is not a whole number`},
		{"pipe:1.5", `load "1.5" is not a whole number`},
		{"pipe:100001", `load "100001" is not a whole number`},
		{"pipe:1 ", `load "1 " is not a whole number`},
		{"pipe:1:2", `load "1:2" is not a whole number`},
		{"tbench:1,client=1", `workload: "tbench:1,client=1": option "client=1": tbench has no options`},
		{"pipe:1,", `option "": pipe knows client, server`},
		{"pipe:1,clint=1", `option "clint=1": pipe knows client, server`},
		{"pipe:1,client", `option "client" needs a value: client=...`},
		{"pipe:1,client=", `option "client=" needs a value: client=...`},
		{"pipe:1,client=1,client=2", `option "client" is given twice`},
		{"pipe:1,client= ", `option "client= ": no CPU in it`},
		{"pipe:1,client=x", `option "client=x": `},
		{"pipe:1,client=3-1", `option "client=3-1": `},
		{"pipe:1,client=1,3", `option "3": pipe knows client, server`},
		{"hackbench-process-pipe:1,fds=0", `option "fds=0": "0" is not a whole number from 1 to 1000`},
		{"hackbench-process-pipe:1,fds=030", `option "fds=030": "030" is not a whole number`},
		{"hackbench-process-pipe:1,loops=2e5", `option "loops=2e5": "2e5" is not a whole number`},
		{"hackbench-process-pipe:1,client=1", `hackbench-process-pipe knows fds, loops`},
		{"pipe:1,client=0-31:2/8", `option "client=0-31:2/8": CPUs 0-1,8-9,16-17,24-25 are not one range`},
	} {
		if got, err := workload.Canonical(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Canonical(%q) = %q, error %v; want %q", c.text, got, err, c.want)
		}
		if _, err := workload.Parse(c.text, m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%q): error %v; want %q", c.text, err, c.want)
		}
	}
}

func TestMachineLacksCPU(t *testing.T) {
	_, err := workload.Parse("pipe:1,client=200-250", preset(t, "xeon240"))
	want := `workload: "pipe:1,client=200-250": option client: CPU 240 is not on xeon240, which has CPUs 0-239`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
	_, err = workload.Parse("netperf-udp_rr:1,server=48", preset(t, "ivb48"))
	if want := "option server: CPU 48 is not on ivb48"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// TestEveryName: every name of the grammar is built, on every machine, or says
// that it is reserved.
func TestEveryName(t *testing.T) {
	names := workload.Names()
	for i, b := range workload.Benchmarks() {
		if b.Name != names[i] || b.Load == "" || b.About == "" {
			t.Errorf("benchmark %d: %+v, name %q", i, b, names[i])
		}
		text := b.Name + ":3"
		if c, err := workload.Canonical(text); c != text || err != nil {
			t.Errorf("Canonical(%q) = %q, %v", text, c, err)
		}
		for _, name := range machine.Names() {
			w, err := workload.Parse(text, preset(t, name))
			switch {
			case b.Built() && err != nil:
				t.Errorf("%s on %s: %v", text, name, err)
			case b.Built() && w.Name != text:
				t.Errorf("%s on %s calls itself %q", text, name, w.Name)
			case !b.Built() && (err == nil || !strings.Contains(err.Error(), `"`+b.Name+`" is reserved but not built yet`)):
				t.Errorf("%s on %s: error %v", text, name, err)
			}
		}
	}
	workload.Benchmarks()[0].Name = "changed"
	if workload.Names()[0] != names[0] {
		t.Error("the list of benchmarks can be changed from outside")
	}
}

// FuzzParse: a canonical text is its own canonical text, and builds wherever the
// text it came from builds.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"netperf-tcp_rr:240", "pipe:1,server=2,client=1", "pipe:1,client=0-31:2/8", "pipe:1,client=", "tbench:1,x=1",
		"pipe:9999999999999999999", "pipe:1,client=99999", "pipe:1,client=0-8191", ":", ",", "pipe:1,client=5-5:1/1",
	} {
		f.Add(s)
	}
	m := preset(f, "ivb48")
	f.Fuzz(func(t *testing.T, text string) {
		canonical, err := workload.Canonical(text)
		if err != nil {
			if _, perr := workload.Parse(text, m); perr == nil || !strings.HasPrefix(err.Error(), "workload: ") {
				t.Fatalf("%q: Canonical says %v, Parse %v", text, err, perr)
			}
			return
		}
		if again, err := workload.Canonical(canonical); err != nil || again != canonical {
			t.Fatalf("%q: canonical %q, of which %q, %v", text, canonical, again, err)
		}
		if len(canonical) > 40 {
			return // large loads take long to build
		}
		a, aerr := workload.Parse(text, m)
		b, berr := workload.Parse(canonical, m)
		if (aerr == nil) != (berr == nil) || aerr == nil && (a.Name != canonical || len(a.Tasks) != len(b.Tasks)) {
			t.Fatalf("%q builds %v, its canonical %q %v", text, aerr, canonical, berr)
		}
	})
}
