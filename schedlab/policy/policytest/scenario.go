package policytest

import (
	"bufio"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/internal/sim"
	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// Scenarios runs every *.txt file of fsys: placements worked by hand, one
// question each. A file holds scenarios separated by blank lines; a line that
// begins with # is the story. A scenario is a state, then questions:
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
		f, err := fsys.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var block []line
		n := 0
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			n++
			text := strings.TrimSpace(lines.Text())
			if text != "" {
				block = append(block, line{name, n, text})
				continue
			}
			runBlock(t, block)
			block = nil
		}
		runBlock(t, block)
		if err := lines.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// line is a line of a scenario file.
type line struct {
	file string
	n    int
	text string
}

// scenario is one being read.
type scenario struct {
	machine  string
	policies []string
	title    string
	setup    []line
	tasks    map[string]workload.TaskID
}

func runBlock(t *testing.T, block []line) {
	s := scenario{tasks: map[string]workload.TaskID{}}
	for _, l := range block {
		word, rest, _ := strings.Cut(l.text, " ")
		switch word {
		case "machine":
			s.machine = rest
		case "policy":
			s.policies = strings.Fields(rest)
		default:
			if strings.HasPrefix(l.text, "#") {
				s.title += " " + strings.Trim(l.text, "# ")
				continue
			}
			s.setup = append(s.setup, l)
			s.name(word, rest)
		}
	}
	if len(s.setup) == 0 {
		return // a story without a scenario
	}
	if s.machine == "" || len(s.policies) == 0 {
		t.Errorf("%s:%d: a scenario needs a machine and a policy", block[0].file, block[0].n)
	}
	for _, p := range s.policies {
		t.Run(fmt.Sprintf("%s:%d/%s", block[0].file, block[0].n, p), func(t *testing.T) { s.run(t, p) })
	}
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
			note(fmt.Sprintf("busy-%d", c))
		}
	case len(fields) > 0 && (word == "run" || word == "queue" || word == "sleep" || word == "task" || word == "wake"):
		note(fields[0])
	}
}

func (s *scenario) run(t *testing.T, name string) {
	p, err := policy.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	topo, err := topology.Parse(s.machine)
	if err != nil {
		t.Fatal(err)
	}
	costs, err := machine.Preset("xeon240")
	if err != nil {
		t.Fatal(err)
	}
	m, err := costs.On("scenario", topo)
	if err != nil {
		t.Fatal(err)
	}
	still, err := sim.NewStill(m, p, len(s.tasks))
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]topology.CPU{}
	for _, l := range s.setup {
		word, rest, _ := strings.Cut(l.text, " ")
		if err := s.do(t, still, at, word, rest); err != nil {
			t.Errorf("%s:%d: %q:%s: %v", l.file, l.n, l.text, s.title, err)
		}
	}
}

func (s *scenario) do(t *testing.T, still *sim.Still, at map[string]topology.CPU, word, rest string) error {
	f := strings.Fields(rest)
	switch word {
	case "run", "queue", "sleep":
		if len(f) != 2 {
			return fmt.Errorf("want TASK CPU")
		}
		c, err := cpu(f[1])
		if err != nil {
			return err
		}
		at[f[0]] = c
		place := map[string]func(workload.TaskID, topology.CPU) error{"run": still.Run, "queue": still.Queue, "sleep": still.Sleep}
		return place[word](s.tasks[f[0]], c)
	case "busy":
		set, err := topology.ParseCPUList(rest)
		if err != nil {
			return err
		}
		for _, c := range set.CPUs() {
			if err := still.Run(s.tasks[fmt.Sprintf("busy-%d", c)], c); err != nil {
				return err
			}
		}
		return nil
	case "load", "hints":
		return setCPU(still, word, f)
	case "task":
		x, err := s.state(f[1:])
		if err != nil {
			return err
		}
		return still.SetTask(s.tasks[f[0]], x)
	case "wake":
		return s.wake(still, at, f)
	}
	return fmt.Errorf("unknown statement")
}

func cpu(text string) (topology.CPU, error) {
	n, err := strconv.Atoi(text)
	return topology.CPU(n), err
}

func setCPU(still *sim.Still, word string, f []string) error {
	if len(f) < 2 {
		return fmt.Errorf("too few words")
	}
	c, err := cpu(f[0])
	if err != nil {
		return err
	}
	if word == "load" {
		n, err := strconv.ParseInt(f[1], 10, 64)
		still.SetLoad(c, n)
		return err
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
			x.LastWakee = s.tasks[value]
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

// wake asks the question and compares the answer.
func (s *scenario) wake(still *sim.Still, at map[string]topology.CPU, f []string) error {
	i := 0
	for i < len(f) && f[i] != "->" {
		i++
	}
	if len(f) < 3 || f[1] != "by" || len(f) < i+3 {
		return fmt.Errorf("want TASK by TASK|irq=CPU [sync] [softirq] -> CPU REASON")
	}
	w := policy.Wakeup{Wakee: s.tasks[f[0]], Prev: at[f[0]], Waker: workload.NoTask}
	if irq, found := strings.CutPrefix(f[2], "irq="); found {
		c, err := cpu(irq)
		if err != nil {
			return err
		}
		w.This, w.Context = c, workload.InIRQ
	} else {
		w.Waker, w.This = s.tasks[f[2]], at[f[2]]
	}
	for _, word := range f[3:i] {
		switch word {
		case "sync":
			w.Sync = true
		case "softirq":
			w.Context = workload.InSoftirq
		default:
			return fmt.Errorf("unknown word %q", word)
		}
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
		have := map[string]string{"probes": strconv.Itoa(probes), "cores": strconv.FormatBool(still.HasIdleCores(got.CPU))}[key]
		if have != value {
			return fmt.Errorf("%s is %s, want %s", key, have, value)
		}
	}
	return nil
}
