package schedlab_test

import (
	"strings"
	"testing"
	"time"

	"github.com/schedlab/lab/schedlab"
)

// short is a Spec that plays in a few milliseconds.
func short(tb testing.TB, text string) schedlab.Spec {
	tb.Helper()
	s, err := schedlab.Parse(text + " warmup=1ms duration=2ms")
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func simulate(tb testing.TB, s schedlab.Spec) *schedlab.Result {
	tb.Helper()
	c, err := s.Config()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := schedlab.Simulate(c)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"xeon240 netperf-tcp_rr:240 6.10", "xeon240 netperf-tcp_rr:240 6.10 seed=0 warmup=150ms duration=60ms"},
		{"  xeon240\tpipe:1,server=2,client=1 6.10+SIS_SYNC+NO_WA_IDLE  seed=7", "xeon240 pipe:1,client=1,server=2 6.10+NO_WA_IDLE+SIS_SYNC seed=7 warmup=150ms duration=60ms"},
		{"ivb48 tbench:1 4.15 duration=1.5s warmup=90us", "ivb48 tbench:1 4.15 seed=0 warmup=90µs duration=1.5s"},
		{"ivb48 tbench:1 4.15 seed=18446744073709551615", "ivb48 tbench:1 4.15 seed=18446744073709551615 warmup=150ms duration=60ms"},
	} {
		s, err := schedlab.Parse(c.text)
		if err != nil || s.String() != c.want {
			t.Errorf("Parse(%q) = %q, %v; want %q", c.text, s, err, c.want)
		}
		if again, err := schedlab.Parse(s.String()); err != nil || again != s {
			t.Errorf("%q parses to %q, %v", s, again, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "schedlab: spec \"\": want MACHINE WORKLOAD POLICY"},
		{"xeon240 pipe:1", "want MACHINE WORKLOAD POLICY [seed=N] [warmup=TIME] [duration=TIME]"},
		{"xeon24 pipe:1 6.10", `unknown machine "xeon24": nearest are xeon240, `},
		{"xeon240 pip:1 6.10", `unknown workload "pip": nearest are pipe, `},
		{"xeon240 pipe:1 6.11", `unknown kernel version "6.11": nearest are 6.10, `},
		{"xeon240 pipe:1 6.10 seed=x", `seed "x" is not a whole number`},
		{"xeon240 pipe:1 6.10 seed=-1", `seed "-1" is not a whole number`},
		{"xeon240 pipe:1 6.10 seed", `seed "" is not a whole number`},
		{"xeon240 pipe:1 6.10 seed=1 seed=1", `seed is given twice`},
		{"xeon240 pipe:1 6.10 sead=1", `"sead" is none of seed, warmup, duration`},
		{"xeon240 pipe:1 6.10 duration=0s", `duration "0s" is not a positive time like 100ms`},
		{"xeon240 pipe:1 6.10 warmup=-1ms", `warmup "-1ms" is not a positive time`},
		{"xeon240 pipe:1 6.10 duration=60", `duration "60" is not a positive time`},
	} {
		if s, err := schedlab.Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%q) = %q, error %v; want %q", c.text, s, err, c.want)
		}
	}
	if _, err := (schedlab.Spec{Machine: "xeon240", Workload: "pipe:1", Policy: "6.10", Warmup: -1}).Canonical(); err == nil {
		t.Error("a negative warm-up is canonical")
	}
}

// TestHash: one run, one hash, however it is written; the pin says that spellings
// have not changed, on which every cache hangs.
func TestHash(t *testing.T) {
	hash := func(s schedlab.Spec) string {
		h, err := s.Hash()
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	a := schedlab.Spec{Machine: "xeon240", Workload: "pipe:1,server=2,client=1", Policy: "6.10+SIS_SYNC+NO_WA_IDLE"}
	b := schedlab.Spec{Machine: "xeon240", Workload: "pipe:1,client=1,server=2-2", Policy: "6.10+NO_WA_IDLE+SIS_SYNC", Warmup: schedlab.DefaultWarmup, Duration: schedlab.DefaultDuration}
	if hash(a) != hash(b) {
		t.Errorf("%q and %q differ", a, b)
	}
	if got, want := hash(a), "c7ef058abd881ab6996d11b2d280836f54294af6f4126bd3785052bf9708eab5"; got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	seen := map[string]schedlab.Spec{}
	for _, change := range []func(s *schedlab.Spec){
		func(s *schedlab.Spec) {},
		func(s *schedlab.Spec) { s.Machine = "ivb48" },
		func(s *schedlab.Spec) { s.Workload = "pipe:1" },
		func(s *schedlab.Spec) { s.Policy = "6.10" },
		func(s *schedlab.Spec) { s.Seed = 1 },
		func(s *schedlab.Spec) { s.Warmup = time.Second },
		func(s *schedlab.Spec) { s.Duration = time.Second },
	} {
		s := a
		change(&s)
		h := hash(s)
		if o, ok := seen[h]; ok {
			t.Errorf("%q and %q share a hash", s, o)
		}
		seen[h] = s
	}
	if _, err := (schedlab.Spec{Machine: "nowhere"}).Hash(); err == nil {
		t.Error("a Spec of nothing has a hash")
	}
}

func TestConfig(t *testing.T) {
	s := short(t, "kunpeng128 pipe:20 6.10+SIS_SYNC seed=9")
	c, err := s.Config()
	if err != nil {
		t.Fatal(err)
	}
	if c.Spec != s || c.Machine.Name() != "kunpeng128" || c.Workload.Name != "pipe:20" || c.Policy.Name() != "6.10+SIS_SYNC" ||
		c.Seed != 9 || c.Warmup != time.Millisecond || c.Duration != 2*time.Millisecond {
		t.Errorf("%+v", c)
	}
	// Reserved names have a Spec and no Config.
	for text, want := range map[string]string{
		"xeon240 schbench:1 6.10": `workload: "schbench" is reserved but not built yet`,
		"xeon240 pipe:1 4.15":     `policy: Linux 4.15 is reserved but not built yet`,
	} {
		if _, err := short(t, text).Config(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// FuzzParseSpec: what parses prints as something that parses to the same.
func FuzzParseSpec(f *testing.F) {
	for _, s := range []string{
		"xeon240 netperf-tcp_rr:240 6.10+SIS_SYNC seed=1 duration=60ms", "ivb48 pipe:1,client=1 6.10 warmup=1ns", "a b c", "",
		"ivb48 pipe:1,client=0-7:1/2 5.3+LATENCY_NICE=7 seed=007", "ivb48 pipe:1 6.10 duration=2540400h", "ivb48 pipe:1 6.10 warmup=1.5ns =",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := schedlab.Parse(text)
		if err != nil {
			return
		}
		again, err := schedlab.Parse(s.String())
		if err != nil || again != s || again.String() != s.String() {
			t.Fatalf("%q prints as %q, which parses to %q, %v", text, s, again, err)
		}
		h, err := s.Hash()
		if h2, _ := again.Hash(); err != nil || h != h2 {
			t.Fatalf("%q: hashes %s and %s, %v", text, h, h2, err)
		}
	})
}
