package schedlab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/schedlab/lab/schedlab/internal/sim"
	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/workload"
)

// The one rule for how long to simulate. PELT forgets half in 32 ms and the
// scan hint is refreshed every few tens of ms, so a run settles for several of
// these before it is measured.
const (
	DefaultWarmup   = 150 * time.Millisecond
	DefaultDuration = 60 * time.Millisecond
)

// EngineVersion changes whenever equal Specs may give different Results.
const EngineVersion = sim.Version

// Spec names one run. Its text form is what the command, files and the cache
// carry: "xeon240 netperf-tcp_rr:240 6.10 seed=1 warmup=150ms duration=60ms".
type Spec struct {
	Machine  string `json:"machine"`
	Workload string `json:"workload"`
	Policy   string `json:"policy"`
	// Seed selects the draws; runs that differ only in their policy share them.
	Seed uint64 `json:"seed"`
	// Warmup is simulated after the last task has started and not counted; 0
	// means DefaultWarmup. Duration is the measured window after it; 0 means
	// DefaultDuration.
	Warmup   time.Duration `json:"warmup_ns"`
	Duration time.Duration `json:"duration_ns"`
}

// Parse reads a Spec's text: machine, workload and policy in this order, then
// any of seed=N, warmup=TIME and duration=TIME.
func Parse(text string) (Spec, error) {
	words := strings.Fields(text)
	if len(words) < 3 {
		return Spec{}, fmt.Errorf("schedlab: spec %q: want MACHINE WORKLOAD POLICY [seed=N] [warmup=TIME] [duration=TIME]", text)
	}
	s := Spec{Machine: words[0], Workload: words[1], Policy: words[2]}
	seen := map[string]bool{}
	for _, w := range words[3:] {
		key, value, _ := strings.Cut(w, "=")
		if seen[key] {
			return Spec{}, fmt.Errorf("schedlab: spec %q: %s is given twice", text, key)
		}
		seen[key] = true
		if err := s.set(key, value); err != nil {
			return Spec{}, fmt.Errorf("schedlab: spec %q: %w", text, err)
		}
	}
	return s.Canonical()
}

func (s *Spec) set(key, value string) (err error) {
	switch key {
	case "seed":
		s.Seed, err = strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("seed %q is not a whole number", value)
		}
	case "warmup":
		s.Warmup, err = positive(key, value)
	case "duration":
		s.Duration, err = positive(key, value)
	default:
		return fmt.Errorf("%q is none of seed, warmup, duration", key)
	}
	return err
}

func positive(key, value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%s %q is not a positive time like 100ms", key, value)
	}
	return d, nil
}

// Canonical checks every name against the grammar and returns the Spec in its
// one canonical spelling, defaults filled in. It accepts names that are only
// reserved; Config does not.
func (s Spec) Canonical() (Spec, error) {
	var err error
	if err = checkMachine(s.Machine); err != nil {
		return Spec{}, err
	}
	if s.Workload, err = workload.Canonical(s.Workload); err != nil {
		return Spec{}, err
	}
	if s.Policy, err = policy.Canonical(s.Policy); err != nil {
		return Spec{}, err
	}
	if s.Warmup == 0 {
		s.Warmup = DefaultWarmup
	}
	if s.Duration == 0 {
		s.Duration = DefaultDuration
	}
	if s.Warmup < 0 || s.Duration < 0 {
		return Spec{}, fmt.Errorf("schedlab: warm-up %v and duration %v must not be negative", s.Warmup, s.Duration)
	}
	return s, nil
}

func checkMachine(name string) error {
	for _, n := range machine.Names() {
		if n == name {
			return nil
		}
	}
	_, err := machine.Preset(name)
	return err
}

// String is the text Parse reads. For a Spec that Canonical or Parse returned
// it is the one canonical text.
func (s Spec) String() string {
	return fmt.Sprintf("%s %s %s seed=%d warmup=%s duration=%s", s.Machine, s.Workload, s.Policy, s.Seed, s.Warmup, s.Duration)
}

// names reports whether s can be the name of c, as far as names go: costs that
// were changed on a machine of the same name it cannot see.
func (s Spec) names(c Config) bool {
	return s == Spec{
		Machine: c.Machine.Name(), Workload: c.Workload.Name, Policy: c.Policy.Name(),
		Seed: c.Seed, Warmup: c.Warmup, Duration: c.Duration,
	}
}

// Hash is the SHA-256 of the canonical text in hexadecimal. Two Specs that mean
// the same run have equal hashes.
func (s Spec) Hash() (string, error) {
	c, err := s.Canonical()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(c.String()))
	return hex.EncodeToString(sum[:]), nil
}

// Config resolves the names: the machine with its costs, the workload built for
// it, the policy.
func (s Spec) Config() (Config, error) {
	c, err := s.Canonical()
	if err != nil {
		return Config{}, err
	}
	m, err := machine.Preset(c.Machine)
	if err != nil {
		return Config{}, err
	}
	w, err := workload.Parse(c.Workload, m)
	if err != nil {
		return Config{}, err
	}
	p, err := policy.Parse(c.Policy)
	if err != nil {
		return Config{}, err
	}
	return Config{Spec: c, Machine: m, Workload: w, Policy: p, Seed: c.Seed, Warmup: c.Warmup, Duration: c.Duration}, nil
}
