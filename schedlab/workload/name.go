package workload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/schedlab/lab/schedlab/internal/nearest"
	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
)

// Benchmark is one name of the grammar and what it stands for.
type Benchmark struct {
	Name string
	// Load says what the number after the colon counts.
	Load string
	// Unit is what the benchmark reports in, "" while it is only a name.
	Unit string
	// About is one sentence for lists.
	About string
	// Options names the options that may follow a comma.
	Options []string
	build   func(r request) (*Workload, error)
}

// Built reports whether the workload can be simulated yet; the names of those
// that cannot are reserved.
func (b Benchmark) Built() bool { return b.build != nil }

// Benchmarks lists every name of the grammar, in the order lists print them.
func Benchmarks() []Benchmark { return append([]Benchmark(nil), benchmarks...) }

var benchmarks = []Benchmark{
	{"netperf-tcp_rr", "pairs", "Trans/s", "1-byte request and response over loopback TCP", pairOptions, buildTCP},
	{"netperf-udp_rr", "pairs", "Trans/s", "1-byte request and response over loopback UDP", pairOptions, buildUDP},
	{"netperf-sendfile", "pairs", "", "bulk send from files over loopback TCP", nil, nil},
	{"netperf-stream", "pairs", "", "bulk send over loopback TCP", nil, nil},
	{"netperf-maerts", "pairs", "", "bulk receive over loopback TCP", nil, nil},
	{"tbench", "clients", "MB/s", "file-server traffic of dbench over loopback TCP", nil, buildTbench},
	{"dbench-ext4", "clients", "", "file-server load file on ext4", nil, nil},
	{"dbench-xfs", "clients", "", "file-server load file on XFS", nil, nil},
	{"hackbench-process-pipe", "groups", "s", "senders to receivers, processes over pipes", hackbenchOptions, buildHackbenchPipe},
	{"hackbench-process-socket", "groups", "", "senders to receivers, processes over sockets", nil, nil},
	{"hackbench-thread-pipe", "groups", "", "senders to receivers, threads over pipes", nil, nil},
	{"hackbench-thread-socket", "groups", "", "senders to receivers, threads over sockets", nil, nil},
	{"schbench", "workers", "", "message threads waking workers by futex", nil, nil},
	{"uperf-8k", "threads", "", "8 KiB ping-pong over loopback TCP", nil, nil},
	{"lat_pipe", "copies", "", "lmbench pipe latency", nil, nil},
	{"lat_unix", "copies", "", "lmbench AF_UNIX stream latency", nil, nil},
	{"context_switch1", "copies", "", "will-it-scale pipe ping-pong", nil, nil},
	{"vm-rw", "copies", "", "stress-ng process_vm_readv and writev", nil, nil},
	{"postgres", "connections", "", "sysbench read-only on PostgreSQL", nil, nil},
	{"pipe", "pairs", "RTT/s", "1-byte ping-pong over two pipes", pairOptions, buildPipe},
}

// Names lists every name of the grammar.
func Names() []string {
	names := make([]string, len(benchmarks))
	for i, b := range benchmarks {
		names[i] = b.Name
	}
	return names
}

// MaxLoad bounds the number after the colon; far above any machine there is,
// it keeps a slip of the finger from eating all memory.
const MaxLoad = 100_000

// request is a parsed workload text.
type request struct {
	text    string
	bench   Benchmark
	load    int
	options map[string]string
	machine *machine.Machine
}

// Parse builds the workload that text names for machine m. The text is
// "name:load" with options after commas, for example "netperf-tcp_rr:240" or
// "netperf-tcp_rr:1,client=1,server=2". An unknown name answers with the
// nearest three; a reserved one says so.
func Parse(text string, m *machine.Machine) (*Workload, error) {
	r, err := parse(text)
	if err != nil {
		return nil, err
	}
	r.machine = m
	if !r.bench.Built() {
		return nil, fmt.Errorf("workload: %q is reserved but not built yet; `schedlab list workloads` shows what is", r.bench.Name)
	}
	w, err := r.bench.build(r)
	if err != nil {
		return nil, err
	}
	w.Name = r.text
	return w, w.Validate()
}

// Canonical checks text and returns its one canonical spelling: options in the
// order the benchmark declares them, defaults left out. It does not need a
// machine.
func Canonical(text string) (string, error) {
	r, err := parse(text)
	return r.text, err
}

func parse(text string) (request, error) {
	name, rest, found := strings.Cut(text, ":")
	var r request
	for _, b := range benchmarks {
		if b.Name == name {
			r.bench = b
		}
	}
	if r.bench.Name == "" {
		return r, fmt.Errorf("workload: %s", nearest.Suggest("workload", name, Names()))
	}
	if !found {
		return r, fmt.Errorf("workload: %q needs a load, the number of %s: for example %s:60", text, r.bench.Load, name)
	}
	fields := strings.Split(rest, ",")
	load, err := strconv.Atoi(fields[0])
	if err != nil || load < 1 || load > MaxLoad || fields[0] != strconv.Itoa(load) {
		return r, fmt.Errorf("workload: %q: load %q is not a whole number from 1 to %d", text, fields[0], MaxLoad)
	}
	r.load = load
	r.options, err = parseOptions(r.bench, fields[1:])
	if err != nil {
		return r, fmt.Errorf("workload: %q: %w", text, err)
	}
	r.text = fmt.Sprintf("%s:%d", name, load)
	for _, o := range r.bench.Options {
		if v, ok := r.options[o]; ok {
			r.text += "," + o + "=" + v
		}
	}
	return r, nil
}

func parseOptions(b Benchmark, fields []string) (map[string]string, error) {
	options := map[string]string{}
	seen := map[string]bool{}
	for _, f := range fields {
		key, value, found := strings.Cut(f, "=")
		known := false
		for _, o := range b.Options {
			known = known || o == key
		}
		switch {
		case !known && len(b.Options) == 0:
			return nil, fmt.Errorf("option %q: %s has no options", f, b.Name)
		case !known:
			return nil, fmt.Errorf("option %q: %s knows %s", f, b.Name, strings.Join(b.Options, ", "))
		case !found || value == "":
			return nil, fmt.Errorf("option %q needs a value: %s=...", f, key)
		case seen[key]:
			return nil, fmt.Errorf("option %q is given twice", key)
		}
		seen[key] = true
		canonical, err := optionValue(key, value)
		if err != nil {
			return nil, fmt.Errorf("option %q: %w", f, err)
		}
		if canonical != "" {
			options[key] = canonical
		}
	}
	return options, nil
}

// choices are the options that are words, each with its default first. What is
// neither here nor among numbers is a CPU list.
var choices = map[string][]string{"start": {"spread", "stacked"}}

// numbers are the options that are whole numbers from 1 up.
var numbers = map[string]struct{ def, most int }{"fds": {20, 1000}, "loops": {100, 1_000_000_000}}

// optionValue is the canonical form of an option's value: for a CPU list the
// kernel's, for a default "".
func optionValue(key, value string) (string, error) {
	if words, ok := choices[key]; ok {
		switch i := slices.Index(words, value); i {
		case 0:
			return "", nil
		case -1:
			return "", fmt.Errorf("want one of %s", strings.Join(words, ", "))
		default:
			return value, nil
		}
	}
	if n, ok := numbers[key]; ok {
		switch i, err := strconv.Atoi(value); {
		case err != nil || i < 1 || i > n.most || value != strconv.Itoa(i):
			return "", fmt.Errorf("%q is not a whole number from 1 to %d", value, n.most)
		case i == n.def:
			return "", nil
		}
		return value, nil
	}
	set, err := topology.ParseCPUList(value)
	if err != nil {
		return "", err
	}
	if set.Empty() {
		return "", fmt.Errorf("no CPU in it")
	}
	if strings.Contains(set.String(), ",") {
		return "", fmt.Errorf("CPUs %s are not one range, and commas separate options here", set)
	}
	return set.String(), nil
}

// number is the value of an option that is a whole number.
func (r request) number(option string) int {
	if n, err := strconv.Atoi(r.options[option]); err == nil {
		return n
	}
	return numbers[option].def
}

// cpus is the CPU list of an option, the empty set when it is not given.
func (r request) cpus(option string) (topology.CPUSet, error) {
	value, ok := r.options[option]
	if !ok {
		return topology.CPUSet{}, nil
	}
	set, err := topology.ParseCPUList(value)
	if err != nil {
		return set, fmt.Errorf("workload: %q: option %s: %w", r.text, option, err)
	}
	if all := r.machine.Topology().All(); !set.SubsetOf(all) {
		return set, fmt.Errorf("workload: %q: option %s: CPU %d is not on %s, which has CPUs %s",
			r.text, option, set.AndNot(all).First(), r.machine.Name(), all)
	}
	return set, nil
}
