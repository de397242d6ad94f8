package policy_test

import (
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/policy"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"6.10", "6.10"},
		{"6.10+SIS_SYNC", "6.10+SIS_SYNC"},
		{"6.10+NO_SIS_SYNC", "6.10"},
		{"6.10+WA_IDLE", "6.10"},
		{"6.10+NO_WA_IDLE", "6.10+NO_WA_IDLE"},
		{"6.10+SIS_SYNC+NO_TTWU_QUEUE+NO_WA_IDLE", "6.10+NO_WA_IDLE+NO_TTWU_QUEUE+SIS_SYNC"},
		{"6.10+SIS_UTIL+SIS_PROP", "6.10+SIS_PROP"},
		{"5.16+SIS_PROP+CLUSTER_SCAN", "5.16+CLUSTER_SCAN"},
		{"5.3+LATENCY_NICE=5+NO_SIS_CORE", "5.3+NO_SIS_CORE+LATENCY_NICE=5"},
		{"5.3+NO_LATENCY_NICE", "5.3"},
		{"5.3+LATENCY_NICE=100", "5.3+LATENCY_NICE=100"},
		{"4.15+LESSMIGRATE+WAKEPREV", "4.15+LESSMIGRATE+WAKEPREV"},
		{"6.2+TG_PER_NODE", "6.2+TG_PER_NODE"},
	} {
		got, err := policy.Canonical(c.text)
		if err != nil || got != c.want {
			t.Errorf("Canonical(%q) = %q, %v; want %q", c.text, got, err, c.want)
		}
	}
}

func TestGrammarErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `policy: unknown kernel version ""`},
		{"6.1", `policy: unknown kernel version "6.1": nearest are 6.10, `},
		{"6.10+SIS_SINK", `policy: unknown feature of Linux 6.10 "SIS_SINK": nearest are SIS_SYNC, `},
		{"6.10+", `unknown feature of Linux 6.10 ""`},
		{"6.10+sis_sync", `unknown feature of Linux 6.10 "sis_sync": nearest are SIS_SYNC`},
		{"6.10+NO_NO_SIS_SYNC", `unknown feature of Linux 6.10 "NO_SIS_SYNC"`},
		{"6.10+LATENCY_NICE=5", `unknown feature of Linux 6.10 "LATENCY_NICE"`},
		{"6.10+SIS_SYNC+SIS_SYNC", "policy: feature SIS_SYNC is given twice"},
		{"6.10+SIS_SYNC+NO_SIS_SYNC", "policy: feature SIS_SYNC is given twice"},
		{"6.10+SIS_SYNC=3", "policy: feature SIS_SYNC takes no value, got 3"},
		{"5.3+LATENCY_NICE", "policy: feature LATENCY_NICE needs a value from 1 to 100: LATENCY_NICE=1"},
		{"5.3+LATENCY_NICE=101", "policy: LATENCY_NICE=101 is not from 1 to 100"},
		{"5.3+LATENCY_NICE=-1", "policy: LATENCY_NICE=-1 is not from 1 to 100"},
		{"5.3+LATENCY_NICE=0", `value "0" of LATENCY_NICE is not a whole number from 1`},
		{"5.3+LATENCY_NICE=05", `value "05" of LATENCY_NICE is not a whole number from 1`},
		{"5.3+LATENCY_NICE=5x", `value "5x" of LATENCY_NICE is not a whole number from 1`},
		{"5.3+LATENCY_NICE=", `value "" of LATENCY_NICE is not a whole number from 1`},
		{"5.3+NO_LATENCY_NICE=5", "policy: NO_LATENCY_NICE takes no value, got 5"},
	} {
		if got, err := policy.Canonical(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Canonical(%q) = %q, error %v; want %q", c.text, got, err, c.want)
		}
		if _, err := policy.Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%q): error %v; want %q", c.text, err, c.want)
		}
	}
}

// TestReserved: every name of the grammar is either built or says that it is not.
func TestReserved(t *testing.T) {
	for _, v := range policy.Versions() {
		p, err := policy.Parse(v.Name)
		if v.Built() != (err == nil) {
			t.Errorf("%s: built %v, error %v", v.Name, v.Built(), err)
		}
		if !v.Built() {
			if !strings.Contains(err.Error(), "Linux "+v.Name+" is reserved but not built yet") {
				t.Errorf("%s: %v", v.Name, err)
			}
			continue
		}
		if p.Name() != v.Name || p.Kernel().Version != v.Name || p.Kernel().HZ < 1 {
			t.Errorf("%s: name %q, kernel %+v", v.Name, p.Name(), p.Kernel())
		}
		for _, k := range v.Features {
			f := policy.Feature{Name: k.Name, Off: k.Default, Value: k.Low}
			_, err := policy.Linux(v.Name, f)
			if k.Built != (err == nil) {
				t.Errorf("%s+%s: built %v, error %v", v.Name, f, k.Built, err)
			}
			if err != nil && !strings.Contains(err.Error(), "feature "+k.Name+" of Linux "+v.Name+" is reserved but not built yet") {
				t.Errorf("%s+%s: %v", v.Name, f, err)
			}
		}
	}
}

// TestVersionLists: features have unique names and a sentence, and the lists are
// the caller's.
func TestVersionLists(t *testing.T) {
	names := policy.Names()
	for i, v := range policy.Versions() {
		if names[i] != v.Name {
			t.Errorf("name %d is %q, version %q", i, names[i], v.Name)
		}
		seen := map[string]bool{}
		for _, k := range v.Features {
			if seen[k.Name] || k.About == "" || k.Low > k.High || k.High > 0 && k.Low < 1 {
				t.Errorf("%s: feature %+v", v.Name, k)
			}
			seen[k.Name] = true
		}
	}
	policy.Versions()[0].Name = "changed"
	if policy.Names()[0] != names[0] {
		t.Error("the list of versions can be changed from outside")
	}
}

func TestKernel610(t *testing.T) {
	k := parse(t, "6.10").Kernel()
	if k.Class != policy.EEVDF || k.Wakelist != policy.WakelistEmpty || !k.QueueOnSwitchingOut || k.SwitchingOutMax != 0 || k.MigrationCost != 500_000 {
		t.Errorf("6.10 is %+v", k)
	}
	if off := parse(t, "6.10+NO_TTWU_QUEUE").Kernel(); off.Wakelist != policy.WakelistOff {
		t.Errorf("NO_TTWU_QUEUE leaves wakelist rule %d", off.Wakelist)
	}
	if policy.CFS.String() != "CFS" || policy.EEVDF.String() != "EEVDF" {
		t.Error("class names")
	}
}

func TestReasonNames(t *testing.T) {
	seen := map[string]bool{}
	for r := range policy.NumReasons {
		if s := r.String(); s == "" || seen[s] {
			t.Errorf("reason %d is called %q", r, s)
		} else {
			seen[s] = true
		}
	}
	if got := policy.NumReasons.String(); got != "reason(14)" {
		t.Errorf("an unknown reason prints %q", got)
	}
}

// FuzzParse: a canonical text is its own canonical text, and a policy that is
// built has it for a name.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"6.10", "6.10+SIS_SYNC", "6.10+NO_WA_IDLE+SIS_SYNC", "5.3+LATENCY_NICE=5+NO_SIS_CORE", "4.15+WAKEPREV_INTENDED",
		"6.10+", "+", "6.10+NO_", "6.10+=", "5.3+LATENCY_NICE=99999999999999999999", "6.10+NO_TTWU_QUEUE+WA_IDLE",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		canonical, err := policy.Canonical(text)
		p, perr := policy.Parse(text)
		if err != nil {
			if perr == nil || !strings.HasPrefix(err.Error(), "policy: ") {
				t.Fatalf("Canonical says %v, Parse %v", err, perr)
			}
			return
		}
		if again, err := policy.Canonical(canonical); err != nil || again != canonical {
			t.Fatalf("%q: canonical %q, of which %q, %v", text, canonical, again, err)
		}
		if perr == nil && p.Name() != canonical {
			t.Fatalf("%q: canonical %q, name %q", text, canonical, p.Name())
		}
	})
}
