package policy

import (
	"fmt"
	"strings"

	"github.com/schedlab/lab/schedlab/internal/nearest"
	"github.com/schedlab/lab/schedlab/topology"
)

// Feature is a scheduler feature or a patch laid over a version, under the
// kernel's own name: {Name: "SIS_SYNC"}, {Name: "WA_IDLE", Off: true} for
// NO_WA_IDLE, {Name: "LATENCY_NICE", Value: 5}.
type Feature struct {
	Name  string
	Off   bool
	Value int
}

func (f Feature) String() string {
	switch {
	case f.Off:
		return "NO_" + f.Name
	case f.Value != 0:
		return fmt.Sprintf("%s=%d", f.Name, f.Value)
	}
	return f.Name
}

// Known is what the grammar knows about one feature of one version.
type Known struct {
	Name string
	// Default is whether the version has it on.
	Default bool
	// Low and High bound the value of a feature that takes one; both 0 when it
	// takes none.
	Low, High int
	// Built reports whether toggling it changes the simulation yet.
	Built bool
	// About is one sentence for lists; for a patch it names the post.
	About string
}

// Version is one kernel the grammar knows.
type Version struct {
	Name     string
	Features []Known
	kernel   func() (Kernel, error)
	rules    []rule
}

// Built reports whether the version can be simulated yet.
func (v Version) Built() bool { return v.kernel != nil }

// Versions lists the kernels of the grammar, oldest first.
func Versions() []Version { return append([]Version(nil), versions...) }

// Names lists the names of the versions, oldest first.
func Names() []string {
	names := make([]string, len(versions))
	for i, v := range versions {
		names[i] = v.Name
	}
	return names
}

// linux is a kernel version with its features resolved.
type linux struct {
	version  Version
	kernel   Kernel
	on       map[string]bool
	name     string
	features []Feature
}

// Linux returns the rules of a kernel version with features toggled. An unknown
// version or feature answers with the nearest names; a reserved one says so.
func Linux(version string, features ...Feature) (Policy, error) {
	l, err := resolve(version, features)
	if err != nil {
		return nil, err
	}
	if !l.version.Built() {
		return nil, fmt.Errorf("policy: Linux %s is reserved but not built yet; `schedlab list policies` shows what is", version)
	}
	for _, f := range l.features {
		if k := l.version.known(f.Name); !k.Built {
			return nil, fmt.Errorf("policy: feature %s of Linux %s is reserved but not built yet; `schedlab list policies` shows what is", f.Name, version)
		}
	}
	l.kernel, err = l.version.kernel()
	if err != nil {
		return nil, err
	}
	if !l.on["TTWU_QUEUE"] {
		l.kernel.Wakelist = WakelistOff
	}
	return l, nil
}

// Parse reads the canonical text, VERSION[+FEATURE|+NO_FEATURE|+FEATURE=N].
func Parse(text string) (Policy, error) {
	version, features, err := split(text)
	if err != nil {
		return nil, err
	}
	return Linux(version, features...)
}

// Canonical checks text and returns its one canonical spelling: features in the
// order their version lists them, those that only repeat the default left out.
// It accepts what is reserved.
func Canonical(text string) (string, error) {
	version, features, err := split(text)
	if err != nil {
		return "", err
	}
	l, err := resolve(version, features)
	if err != nil {
		return "", err
	}
	return l.name, nil
}

func split(text string) (string, []Feature, error) {
	parts := strings.Split(text, "+")
	var features []Feature
	for _, p := range parts[1:] {
		f := Feature{Name: p}
		if name, value, found := strings.Cut(p, "="); found {
			f.Name = name
			if _, err := fmt.Sscanf(value, "%d", &f.Value); err != nil || fmt.Sprint(f.Value) != value || f.Value == 0 {
				return "", nil, fmt.Errorf("policy: %q: value %q of %s is not a whole number from 1", text, value, name)
			}
		}
		if rest, found := strings.CutPrefix(f.Name, "NO_"); found {
			f.Name, f.Off = rest, true
		}
		features = append(features, f)
	}
	return parts[0], features, nil
}

func resolve(version string, features []Feature) (*linux, error) {
	l := &linux{on: map[string]bool{}}
	for _, v := range versions {
		if v.Name == version {
			l.version = v
		}
	}
	if l.version.Name == "" {
		return nil, fmt.Errorf("policy: %s", nearest.Suggest("kernel version", version, Names()))
	}
	given := map[string]Feature{}
	for _, f := range features {
		if err := l.version.check(f); err != nil {
			return nil, err
		}
		if _, twice := given[f.Name]; twice {
			return nil, fmt.Errorf("policy: feature %s is given twice", f.Name)
		}
		given[f.Name] = f
	}
	l.name = version
	for _, k := range l.version.Features {
		f, ok := given[k.Name]
		l.on[k.Name] = ok && !f.Off || !ok && k.Default
		if ok && (l.on[k.Name] != k.Default || f.Value != 0) {
			l.features = append(l.features, f)
			l.name += "+" + f.String()
		}
	}
	return l, nil
}

func (v Version) known(name string) Known {
	for _, k := range v.Features {
		if k.Name == name {
			return k
		}
	}
	return Known{}
}

func (v Version) check(f Feature) error {
	k := v.known(f.Name)
	if k.Name == "" {
		var names []string
		for _, k := range v.Features {
			names = append(names, k.Name)
		}
		return fmt.Errorf("policy: %s", nearest.Suggest("feature of Linux "+v.Name, f.Name, names))
	}
	switch {
	case f.Value != 0 && k.High == 0:
		return fmt.Errorf("policy: feature %s takes no value, got %d", f.Name, f.Value)
	case f.Value != 0 && f.Off:
		return fmt.Errorf("policy: NO_%s takes no value, got %d", f.Name, f.Value)
	case f.Value == 0 && k.High != 0 && !f.Off:
		return fmt.Errorf("policy: feature %s needs a value from %d to %d: %s=%d", f.Name, k.Low, k.High, f.Name, k.Low)
	case k.High != 0 && !f.Off && (f.Value < k.Low || f.Value > k.High):
		return fmt.Errorf("policy: %s=%d is not from %d to %d", f.Name, f.Value, k.Low, k.High)
	}
	return nil
}

func (l *linux) Name() string   { return l.name }
func (l *linux) Kernel() Kernel { return l.kernel }

func (l *linux) Start(t *topology.Topology) Selector { return newSelector(l, t) }
