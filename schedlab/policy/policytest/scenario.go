package policytest

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/internal/sim"
	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// Scenarios runs every *.txt file of fsys: placements worked by hand. A file
// holds scenarios separated by blank lines; a line that begins with # is the
// story. A scenario is a state, then questions:
//
//	# Loopback pair: the waker is alone on 0, the wakee's CPU 2 is idle.
//	machine pack:1 l3:1 core:4 pu:2
//	policy 6.10 6.10+SIS_SYNC
//	run client 0
//	sleep server 2
//	wake server by client sync softirq -> 2 prev-idle probes=4
//
// Statements: machine SPEC (a preset or a synthetic string), policy NAME...
// (the scenario holds under each), run TASK CPU, queue TASK CPU, sleep TASK CPU,
// busy CPUS (filler tasks run there), load CPU N, hints CPU cores|nocores
// [scan=N], task TASK [recent=CPU] [lastwakee=TASK] [flips=N] [duration=NS]
// [load=N] [kthread] [allowed=CPUS], and wake TASK by TASK|irq=CPU [sync]
// [softirq] -> CPU REASON [probes=N] [cores=true|false].
func Scenarios(t *testing.T, fsys fs.FS) {
	files, err := fs.Glob(fsys, "*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("policytest: no scenario files: %v", err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range blocks(name, string(text)) {
			s, err := readScenario(block)
			if err != nil {
				t.Error(err)
				continue
			}
			for _, p := range s.policies {
				t.Run(fmt.Sprintf("%s:%d/%s", name, block[0].n, p), func(t *testing.T) {
					if err := s.run(p); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// line is a line of a scenario file.
type line struct {
	file string
	n    int
	text string
}

func (l line) wrap(err error) error {
	return fmt.Errorf("%s:%d: %q: %w", l.file, l.n, l.text, err)
}

// blocks cuts a file at its blank lines; blocks that only tell a story are
// left out.
func blocks(file, text string) [][]line {
	var all [][]line
	var block []line
	says := false
	end := func() {
		if says {
			all = append(all, block)
		}
		block, says = nil, false
	}
	for i, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l == "" {
			end()
			continue
		}
		block = append(block, line{file, i + 1, l})
		says = says || l[0] != '#'
	}
	end()
	return all
}

// scenario is one that has been read.
type scenario struct {
	machine  string
	policies []string
	setup    []line
	tasks    map[string]workload.TaskID
}

func readScenario(block []line) (*scenario, error) {
	s := &scenario{tasks: map[string]workload.TaskID{}}
	asks := false
	for _, l := range block {
		word, rest, _ := strings.Cut(l.text, " ")
		switch {
		case word[0] == '#':
		case word == "machine":
			s.machine = rest
		case word == "policy":
			s.policies = strings.Fields(rest)
		default:
			asks = asks || word == "wake"
			s.setup = append(s.setup, l)
			s.name(word, rest)
		}
	}
	if s.machine == "" || len(s.policies) == 0 || !asks {
		return nil, block[0].wrap(fmt.Errorf("a scenario needs a machine, a policy and a question (wake)"))
	}
	return s, nil
}

// name notes the tasks a statement mentions.
func (s *scenario) name(word, rest string) {
	fields := strings.Fields(rest)
	note := func(name string) {
		if _, ok := s.tasks[name]; !ok {
			s.tasks[name] = workload.TaskID(len(s.tasks))
		}
	}
	switch {
	case word == "busy":
		set, _ := topology.ParseCPUList(rest)
		for _, c := range set.CPUs() {
			note(filler(c))
		}
	case len(fields) > 0 && (word == "run" || word == "queue" || word == "sleep" || word == "task" || word == "wake"):
		note(fields[0])
	}
}

// run sets the scenario up under the named policy and asks its questions, up to
// the first that is answered otherwise.
func (s *scenario) run(name string) error {
	p, err := policy.Parse(name)
	if err != nil {
		return err
	}
	topo, err := topology.Parse(s.machine)
	if err != nil {
		return err
	}
	costs, err := machine.Preset("xeon240")
	if err != nil {
		return err
	}
	m, err := costs.On("scenario", topo)
	if err != nil {
		return err
	}
	still, err := sim.NewStill(m, p, len(s.tasks))
	if err != nil {
		return err
	}
	at := map[string]topology.CPU{}
	for _, l := range s.setup {
		word, rest, _ := strings.Cut(l.text, " ")
		if err := s.do(still, topo, at, word, strings.Fields(rest)); err != nil {
			return l.wrap(err)
		}
	}
	return nil
}

func (s *scenario) do(still *sim.Still, topo *topology.Topology, at map[string]topology.CPU, word string, f []string) error {
	switch {
	case len(f) < 1 || len(f) < 2 && word != "busy":
		return fmt.Errorf("too few words")
	case word == "run" || word == "queue" || word == "sleep":
		c, err := cpu(topo, f[1])
		if err != nil {
			return err
		}
		at[f[0]] = c
		place := map[string]func(workload.TaskID, topology.CPU) error{"run": still.Run, "queue": still.Queue, "sleep": still.Sleep}
		return place[word](s.tasks[f[0]], c)
	case word == "busy":
		set, err := topology.ParseCPUList(f[0])
		for _, c := range set.CPUs() {
			if err == nil {
				err = still.Run(s.tasks[filler(c)], c)
			}
		}
		return err
	case word == "load":
		c, err := cpu(topo, f[0])
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(f[1], 10, 64)
		still.SetLoad(c, n)
		return err
	case word == "hints":
		return hints(still, topo, f)
	case word == "task":
		x, err := s.state(f[1:])
		if err != nil {
			return err
		}
		return still.SetTask(s.tasks[f[0]], x)
	case word == "wake":
		return s.wake(still, topo, at, f)
	}
	return fmt.Errorf("unknown statement")
}

// filler names the task that keeps c busy.
func filler(c topology.CPU) string { return fmt.Sprintf("busy-%d", c) }

func cpu(t *topology.Topology, text string) (topology.CPU, error) {
	n, err := strconv.Atoi(text)
	if err == nil && !t.All().Has(topology.CPU(n)) {
		err = fmt.Errorf("the machine has no CPU %d", n)
	}
	return topology.CPU(n), err
}

func hints(still *sim.Still, topo *topology.Topology, f []string) error {
	c, err := cpu(topo, f[0])
	if err != nil {
		return err
	}
	if f[1] != "cores" && f[1] != "nocores" {
		return fmt.Errorf("want cores or nocores, got %q", f[1])
	}
	scan := int64(-1)
	for _, w := range f[2:] {
		if scan, err = strconv.ParseInt(strings.TrimPrefix(w, "scan="), 10, 64); err != nil {
			return err
		}
	}
	still.SetHints(c, f[1] == "cores", scan)
	return nil
}

// state reads the words of a task statement.
func (s *scenario) state(words []string) (sim.TaskState, error) {
	x := sim.TaskState{Recent: topology.NoCPU, LastWakee: workload.NoTask}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		var err error
		var n int64
		number := func() { n, err = strconv.ParseInt(value, 10, 64) }
		switch key {
		case "recent":
			number()
			x.Recent = topology.CPU(n)
		case "lastwakee":
			x.LastWakee, err = s.task(value)
		case "flips":
			number()
			x.Flips = int(n)
		case "duration":
			number()
			x.Duration = n
		case "load":
			number()
			x.Load = n
		case "kthread":
			x.BoundKthread = true
		case "allowed":
			x.Allowed, err = topology.ParseCPUList(value)
		default:
			err = fmt.Errorf("unknown word %q", w)
		}
		if err != nil {
			return x, err
		}
	}
	return x, nil
}

func (s *scenario) task(name string) (workload.TaskID, error) {
	id, ok := s.tasks[name]
	if !ok {
		return workload.NoTask, fmt.Errorf("no task %q", name)
	}
	return id, nil
}

// wake asks the question and compares the answer.
func (s *scenario) wake(still *sim.Still, topo *topology.Topology, at map[string]topology.CPU, f []string) error {
	i := slices.Index(f, "->")
	if i < 3 || f[1] != "by" || len(f) < i+3 {
		return fmt.Errorf("want TASK by TASK|irq=CPU [sync] [softirq] -> CPU REASON")
	}
	w, err := s.question(topo, at, f[:i])
	if err != nil {
		return err
	}
	got, probes, _, err := still.Ask(w)
	if err != nil {
		return err
	}
	answer := fmt.Sprintf("%d %s", got.CPU, got.Reason)
	if want := f[i+1] + " " + f[i+2]; answer != want {
		return fmt.Errorf("placed on %s (%d probes), want %s", answer, probes, want)
	}
	for _, word := range f[i+3:] {
		key, value, _ := strings.Cut(word, "=")
		have, known := map[string]string{"probes": strconv.Itoa(probes), "cores": strconv.FormatBool(still.HasIdleCores(got.CPU))}[key]
		if !known {
			return fmt.Errorf("unknown word %q", word)
		}
		if have != value {
			return fmt.Errorf("%s is %s, want %s", key, have, value)
		}
	}
	return nil
}

// question reads the words before the arrow.
func (s *scenario) question(topo *topology.Topology, at map[string]topology.CPU, f []string) (policy.Wakeup, error) {
	w := policy.Wakeup{Wakee: s.tasks[f[0]], Prev: at[f[0]], Waker: workload.NoTask}
	if _, slept := at[f[0]]; !slept {
		return w, fmt.Errorf("%q sleeps nowhere", f[0])
	}
	var err error
	if irq, found := strings.CutPrefix(f[2], "irq="); found {
		w.This, err = cpu(topo, irq)
		w.Context = workload.InIRQ
	} else {
		w.Waker, err = s.task(f[2])
		w.This = at[f[2]]
	}
	for _, word := range f[3:] {
		switch word {
		case "sync":
			w.Sync = true
		case "softirq":
			w.Context = workload.InSoftirq
		default:
			return w, fmt.Errorf("unknown word %q", word)
		}
	}
	return w, err
}
