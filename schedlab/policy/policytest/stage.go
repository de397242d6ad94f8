package policytest

import (
	"fmt"
	"time"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// stage is a machine and what runs on it.
type stage struct {
	name   string
	cfg    schedlab.Config
	pinned bool // has tasks with one CPU only
}

// under is the stage's Config with p.
func (s stage) under(p policy.Policy) schedlab.Config {
	c := s.cfg
	c.Policy = p
	return c
}

// stages lists machines times workloads; short leaves the published machines out.
func stages(short bool) ([]stage, error) {
	machines, err := smallMachines()
	if err != nil {
		return nil, err
	}
	var all []stage
	for _, m := range machines {
		n := m.Topology().All().Len()
		for _, text := range []string{
			fmt.Sprintf("netperf-tcp_rr:%d", n/2), // about one task runs per CPU
			fmt.Sprintf("pipe:%d,server=0-%d", n, n/2),
		} {
			if all, err = parsed(all, m, text); err != nil {
				return nil, err
			}
		}
		all = append(all, newStage(m, crowds(m.Topology())))
	}
	if short {
		return all, nil
	}
	for _, c := range [][2]string{{"xeon240", "netperf-tcp_rr:150"}, {"kunpeng128", "pipe:120"}} {
		m, err := machine.Preset(c[0])
		if err != nil {
			return nil, err
		}
		if all, err = parsed(all, m, c[1]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func parsed(all []stage, m *machine.Machine, text string) ([]stage, error) {
	w, err := workload.Parse(text, m)
	if err != nil {
		return nil, err
	}
	return append(all, newStage(m, w)), nil
}

// newStage warms up for longer than it takes to leave the deepest idle state, in
// which every CPU starts.
func newStage(m *machine.Machine, w *workload.Workload) stage {
	s := stage{name: m.Name() + " " + w.Name, cfg: schedlab.Config{
		Machine: m, Workload: w, Seed: 7, Warmup: 2 * time.Millisecond, Duration: 700*time.Microsecond + 1,
	}}
	for _, t := range w.Tasks {
		s.pinned = s.pinned || t.Allowed.Len() == 1
	}
	return s
}

// smallMachines differ in what a policy may trip over.
func smallMachines() ([]*machine.Machine, error) {
	var machines []*machine.Machine
	for _, c := range []struct {
		name, costs string
		shape       *topology.Builder
	}{
		{"flat", "xeon240", topology.New("flat").Cores(8)},
		{"smt", "xeon240", topology.New("smt").Cores(6).Threads(2)},
		{"smt4", "spr224", topology.New("smt4").LLCs(2).Cores(2).Threads(4).Numbering(topology.SiblingsAdjacent)},
		{"clusters", "kunpeng128", topology.New("clusters").Nodes(2).Clusters(3).Cores(4)},
		{"llcs", "bdw88", topology.New("llcs").Sockets(2).LLCs(2).Cores(3).Threads(2)},
	} {
		t, err := c.shape.Build()
		if err != nil {
			return nil, err
		}
		m, err := machine.Preset(c.costs)
		if err != nil {
			return nil, err
		}
		if m, err = m.On(c.name, t); err != nil {
			return nil, err
		}
		machines = append(machines, m)
	}
	return machines, nil
}

// crowds are dispatchers that a timer wakes and that wake three workers each, not
// in sync. Every third worker is kept to one LLC, every fifth to one CPU.
func crowds(t *topology.Topology) *workload.Workload {
	exp := func(op workload.Op, ns int64) workload.Step {
		return workload.Step{Op: op, Dist: workload.Exponential, Time: ns}
	}
	send := func(c workload.ChannelID) workload.Step { return workload.Step{Op: workload.Send, Channel: c} }
	worker := workload.Program{{Op: workload.Recv}, exp(workload.Run, 8_000), {Op: workload.Done}}
	w := &workload.Workload{
		Name: "crowds", Groups: 1, Metric: workload.Metric{Name: "rounds", Unit: "rounds/s", PerDone: 1},
		Programs: []workload.Program{
			{exp(workload.Sleep, 50_000*int64(t.SMT())), exp(workload.Run, 2_000), send(0), exp(workload.Run, 1_000), send(1), send(2)},
			worker,
		},
	}
	cpus := t.All().CPUs()
	for i := range len(cpus) {
		base := workload.ChannelID(3 * i)
		boss := workload.TaskID(len(w.Tasks))
		w.Tasks = append(w.Tasks, workload.Task{Name: fmt.Sprintf("dispatcher-%d", i), Base: base})
		for j := range 3 {
			id := workload.TaskID(len(w.Tasks))
			task := workload.Task{Name: fmt.Sprintf("worker-%d-%d", i, j), Program: 1, Base: base + workload.ChannelID(j)}
			if c := cpus[int(id)%len(cpus)]; id%5 == 0 {
				task.Allowed = topology.NewCPUSet(c)
			} else if id%3 == 0 {
				task.Allowed = t.LLCCPUs(t.LLC(c))
			}
			w.Tasks = append(w.Tasks, task)
			w.Channels = append(w.Channels, workload.Channel{Name: task.Name, From: boss, To: id, Lines: 4})
		}
	}
	return w
}

// finite is a workload that ends: pairs that go so many rounds, their length
// drawn, and then wait for a message that never comes. All that is drawn is drawn
// under any policy.
func finite() (stage, error) {
	const pairs, rounds = 10, 40
	machines, err := smallMachines()
	if err != nil {
		return stage{}, err
	}
	step := func(op workload.Op, c workload.ChannelID) workload.Step { return workload.Step{Op: op, Channel: c} }
	var client, server workload.Program
	for range rounds {
		run := workload.Step{Op: workload.Run, Dist: workload.Exponential, Time: 7_000}
		nap := workload.Step{Op: workload.Sleep, Dist: workload.Exponential, Time: 3_000}
		client = append(client, run, step(workload.Send, 0), step(workload.Recv, 1), nap, step(workload.Done, 0))
		server = append(server, step(workload.Recv, 0), run, step(workload.Send, 1))
	}
	w := &workload.Workload{
		Name: "finite", Groups: pairs, Metric: workload.Metric{Name: "rounds", Unit: "rounds/s", PerDone: 1},
		Programs: []workload.Program{append(client, step(workload.Recv, 2)), append(server, step(workload.Recv, 3))},
	}
	for i := range pairs {
		a, base := workload.TaskID(2*i), workload.ChannelID(4*i)
		w.Tasks = append(w.Tasks,
			workload.Task{Name: fmt.Sprintf("client-%d", i), Program: 0, Base: base, Group: i},
			workload.Task{Name: fmt.Sprintf("server-%d", i), Program: 1, Base: base, Group: i})
		w.Channels = append(w.Channels,
			workload.Channel{Name: "request", From: a, To: a + 1, Sync: true, Lines: 3}, workload.Channel{Name: "reply", From: a + 1, To: a, Lines: 3},
			workload.Channel{Name: "never"}, workload.Channel{Name: "never"})
	}
	s := newStage(machines[len(machines)-1], w)
	// Even on one CPU all of it takes less than 20 ms.
	s.cfg.Warmup, s.cfg.Duration = 0, 200*time.Millisecond
	return s, nil
}
