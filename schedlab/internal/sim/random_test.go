package sim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// randomMachine is a small machine of any shape.
func randomMachine(t *testing.T, rng *rand.Rand) *machine.Machine {
	one := func(n ...int) int { return n[rng.IntN(len(n))] }
	b := topology.New("random").Sockets(one(1, 1, 2)).Nodes(one(1, 1, 2)).LLCs(one(1, 1, 2)).
		Numbering(topology.Numbering(rng.IntN(3)))
	b.Clusters(one(1, 1, 2)).Cores(one(1, 2, 3)).Threads(one(1, 2, 2, 4))
	return on(t, []string{"xeon240", "kunpeng128"}[rng.IntN(2)], "random", b)
}

// mixture collects a random message graph.
type mixture struct {
	rng *rand.Rand
	all topology.CPUSet
	w   *workload.Workload
}

func (x *mixture) some(step workload.Op) workload.Step {
	return workload.Step{Op: step, Dist: workload.Dist(x.rng.IntN(3)), Time: int64(x.rng.IntN(20_000))}
}

func (x *mixture) task(p ...workload.Step) {
	var allowed topology.CPUSet
	if x.rng.IntN(3) == 0 {
		for _, c := range x.all.CPUs() {
			if x.rng.IntN(3) == 0 {
				allowed = allowed.Or(topology.NewCPUSet(c))
			}
		}
	}
	x.w.Programs = append(x.w.Programs, p)
	x.w.Tasks = append(x.w.Tasks, workload.Task{
		Name: "task", Program: len(x.w.Programs) - 1, Group: x.rng.IntN(x.w.Groups),
		Start: x.rng.Int64N(200 * us), Allowed: allowed, Footprint: x.rng.Int64N(3) * 100_000,
	})
}

func (x *mixture) channels(n int) workload.ChannelID {
	first := workload.ChannelID(len(x.w.Channels))
	for range n {
		x.w.Channels = append(x.w.Channels, workload.Channel{
			Sync: x.rng.IntN(2) == 0, Context: workload.Context(x.rng.IntN(3)), Lines: float64(x.rng.IntN(48)) / 4, PayloadLines: float64(x.rng.IntN(3)),
		})
	}
	return first
}

// touch takes one of a few lines everybody wants.
func (x *mixture) touch() workload.Step {
	for len(x.w.Lines) < 3 {
		x.w.Lines = append(x.w.Lines, workload.Line{Name: "line"})
	}
	s := x.some(workload.Touch)
	s.Line, s.Time = workload.LineID(x.rng.IntN(3)), s.Time/10
	return s
}

// sendWith sends some payload.
func (x *mixture) sendWith(ch workload.ChannelID) workload.Step {
	s := sendTo(ch)
	s.Bytes = x.rng.Int32N(3) * 3000
	return s
}

// ring passes some tokens round n tasks.
func (x *mixture) ring(n int) {
	first := x.channels(n)
	tokens := 1 + x.rng.IntN(n)
	for i := range n {
		in, out := first+workload.ChannelID(i), first+workload.ChannelID((i+1)%n)
		if i < tokens {
			x.task(x.some(workload.Run), x.sendWith(out), recvFrom(in), done)
		} else {
			x.task(recvFrom(in), x.some(workload.Run), sendTo(out), x.some(workload.Run))
		}
	}
}

// crowd is a dispatcher on a timer and its workers.
func (x *mixture) crowd(n int) {
	first := x.channels(n)
	p := []workload.Step{x.some(workload.Sleep)}
	for i := range n {
		p = append(p, sendTo(first+workload.ChannelID(i)), x.some(workload.Run))
		x.task(recvFrom(first+workload.ChannelID(i)), x.some(workload.Run), done)
	}
	x.task(append(p, runFor(100), done)...)
}

func randomWorkload(rng *rand.Rand, all topology.CPUSet) *workload.Workload {
	x := mixture{rng, all, &workload.Workload{Name: "random", Groups: 3, Metric: workload.Metric{PerDone: 1}}}
	for range 1 + rng.IntN(5) {
		switch rng.IntN(7) {
		case 0:
			x.crowd(1 + rng.IntN(5))
		case 1:
			x.task(x.some(workload.Sleep), x.some(workload.Run), runFor(10), done)
		case 2:
			x.task(x.some(workload.Run), runFor(50), done) // a hog
		case 3:
			x.task(x.some(workload.Run), x.touch(), x.some(workload.Sleep), x.touch(), done)
		default:
			x.ring(2 + rng.IntN(4))
		}
	}
	return x.w
}

// randomPolicy is one of the built-in ones, or one that goes anywhere.
func randomPolicy(t *testing.T, rng *rand.Rand) policy.Policy {
	names := []string{"6.10", "6.10+SIS_SYNC", "6.10+NO_WA_IDLE", "6.10+NO_TTWU_QUEUE"}
	base := linux(t, names[rng.IntN(len(names))])
	if rng.IntN(3) == 0 {
		base = hurried{base}
	}
	if rng.IntN(3) > 0 {
		return base
	}
	return policy.Func("anywhere", base, func(v policy.View, w policy.Wakeup, _ func() policy.Placement) policy.Placement {
		all := v.Topology().All().CPUs()
		for i := v.Now() + int64(w.Wakee)*7919; ; i++ {
			if c := all[mix(uint64(i))%uint64(len(all))]; v.Allowed(w.Wakee, c) {
				return policy.Placement{CPU: c, Reason: policy.Custom}
			}
		}
	})
}

// hurried ticks and slices twenty times as often, so that a short run sees much
// preemption.
type hurried struct{ policy.Policy }

func (h hurried) Name() string { return "hurried " + h.Policy.Name() }

func (h hurried) Kernel() policy.Kernel {
	k := h.Policy.Kernel()
	k.HZ, k.BaseSlice, k.MigrationCost = 20*k.HZ, k.BaseSlice/20, k.MigrationCost/20
	return k
}

// randomConfig is the i-th random run.
func randomConfig(t *testing.T, i int) Config {
	rng := rand.New(rand.NewPCG(2024, uint64(i)))
	m := randomMachine(t, rng)
	cfg := Config{
		Machine: m, Workload: randomWorkload(rng, m.Topology().All()), Policy: randomPolicy(t, rng),
		Seed: uint64(i), Warmup: rng.Int64N(ms), Duration: 1 + rng.Int64N(2*ms),
	}
	if i%4 == 0 { // long enough for balancing
		cfg.Warmup *= 5
		cfg.Duration *= 10
	}
	return cfg
}

func (c Config) describe() string {
	s := fmt.Sprintf("%s under %s, %d tasks", c.Machine, c.Policy.Name(), len(c.Workload.Tasks))
	for _, t := range c.Workload.Tasks {
		s += fmt.Sprintf("\n  %v on [%s] from %d", c.Workload.Programs[t.Program], t.Allowed, t.Start)
	}
	return s
}
