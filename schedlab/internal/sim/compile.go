package sim

import (
	"context"
	"fmt"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// maxTime bounds the end of a run: keys hold time and slot in 64 bits.
const maxTime = int64(1) << 43

func compile(ctx context.Context, cfg Config) (*engine, error) {
	if err := check(cfg); err != nil {
		return nil, err
	}
	e := &engine{cfg: cfg, ctx: ctx, topo: cfg.Machine.Topology(), kernel: cfg.Policy.Kernel(), price: pricesOf(cfg.Machine)}
	e.slice, e.tickNS = e.kernel.BaseSlice, 1_000_000_000/int64(e.kernel.HZ)
	e.self = none
	e.compileMachine()
	if err := e.compileWorkload(); err != nil {
		return nil, err
	}
	e.view.e = e
	e.sel = cfg.Policy.Start(e.topo)
	e.onIdle, _ = e.sel.(policy.IdleObserver)
	e.onNap, _ = e.sel.(policy.SleepObserver)
	e.onTick, _ = e.sel.(policy.TickObserver)
	e.recorder = newRecorder(cfg)
	e.startTicks()
	return e, nil
}

func check(cfg Config) error {
	switch {
	case cfg.Machine == nil:
		return fmt.Errorf("sim: no machine")
	case cfg.Workload == nil:
		return fmt.Errorf("sim: no workload")
	case cfg.Policy == nil:
		return fmt.Errorf("sim: no policy")
	case cfg.Duration <= 0:
		return fmt.Errorf("sim: duration %d ns is not positive", cfg.Duration)
	case cfg.Warmup < 0:
		return fmt.Errorf("sim: warm-up %d ns is negative", cfg.Warmup)
	}
	if hz := cfg.Policy.Kernel().HZ; hz < 1 || hz > 1_000_000 {
		return fmt.Errorf("sim: policy %q: its kernel ticks %d times a second; want 1 to 1000000", cfg.Policy.Name(), hz)
	}
	if err := cfg.Workload.Validate(); err != nil {
		return err
	}
	if cfg.Warmup > maxTime || cfg.Duration > maxTime || cfg.Workload.LastStart() > maxTime || cfg.Workload.LastStart()+cfg.Warmup+cfg.Duration > maxTime {
		return fmt.Errorf("sim: the run would last longer than %.0f s of simulated time", float64(maxTime)/1e9)
	}
	return cfg.Record.check(cfg)
}

func (e *engine) compileMachine() {
	t := e.topo
	n := int(t.All().Last()) + 1
	e.cpus = make([]cpu, n)
	e.parts = make([][maxParts]part, n)
	e.cpuTime = make([]books, n)
	e.done = newTree(n)
	e.idle = make([]uint64, (n+63)/64)
	copy(e.idle, t.All().Words())
	e.present = append([]uint64(nil), e.idle...)
	e.busy = make([]int32, t.NumCores())
	e.threads = make([][]int32, t.NumCores())
	e.stretchOf = stretches(e.cfg.Machine.Ratio(machine.SMTGainKernel), t.SMT())
	domains := t.Domains(e.kernel.Domains)
	e.compileLLCs(domains)
	e.compileDistances()
	for _, c := range t.All().CPUs() {
		core := int32(t.Core(c))
		e.cpus[c] = cpu{curr: none, leaving: none, wakee: none, core: core, llc: e.llcOf(c), stretch: 1024}
		e.threads[core] = append(e.threads[core], int32(c))
		e.everyone = append(e.everyone, int32(c))
	}
	e.compileSiblings()
	e.compileMasks()
	e.compileIdle()
	e.compileDomains(domains)
}

// compileSiblings fills the table of siblings of a machine whose cores all have
// two threads.
func (e *engine) compileSiblings() {
	siblings := make([]int32, len(e.cpus))
	for _, t := range e.threads {
		if len(t) != 2 {
			return
		}
		siblings[t[0]], siblings[t[1]] = t[1], t[0]
	}
	e.siblings = siblings
}

// compileLLCs numbers the LLCs as the scheduler sees them. The scan hints start
// where an idle machine has them.
func (e *engine) compileLLCs(domains *topology.Domains) {
	for _, c := range e.topo.All().CPUs() {
		if domains.LLCID(c) != c {
			continue
		}
		set := domains.LLC(c)
		e.llcs = append(e.llcs, set)
		e.scanHint = append(e.scanHint, int64(set.Len()))
		e.idleCores = append(e.idleCores, e.topo.SMT() > 1)
	}
	e.llcBusy = make([]int32, len(e.llcs))
}

func (e *engine) llcOf(c topology.CPU) int32 {
	for i, set := range e.llcs {
		if set.Has(c) {
			return int32(i)
		}
	}
	panic("sim: a CPU without an LLC")
}

func (e *engine) compileIdle() {
	n := len(e.cpus)
	e.rqAvg = make([]average, n)
	e.rqEst = make([]int64, n)
	e.idlers = make([]idler, n)
	m := e.cfg.Machine
	e.clock = m.Clock()
	e.follows = e.clock.Governor == machine.Powersave
	e.noise = make([]stream, n)
	for c := range e.noise {
		e.noise[c] = newStream(e.cfg.Seed, uint64(c), forNoise)
	}
	for i, s := range m.IdleStates() {
		e.sleeps = append(e.sleeps, sleepState{exit: s.ExitNS, residency: s.ResidencyNS, price: m.IdleExit(i), polling: s.Polling})
	}
	if len(e.sleeps) > 1 && e.sleeps[0].exit == 0 {
		e.shallow = 1
	}
	for c := range e.idlers {
		e.idlers[c] = idler{avgIdle: 1_000_000, maxCost: 500_000, state: uint8(len(e.sleeps) - 1), slow: 1024}
	}
	e.maxInterval = int64(e.kernel.HZ) * int64(len(e.topo.All().CPUs())) / 10 * (1_000_000_000 / int64(e.kernel.HZ))
}

func (e *engine) compileDistances() {
	t := e.topo
	e.places = make([]place, len(e.cpus))
	for _, c := range t.All().CPUs() {
		e.places[c] = place{core: int32(t.Core(c)), llc: int32(t.LLC(c)), socket: int32(t.Socket(c)), cluster: none - int32(c)}
		if t.HasClusters() {
			e.places[c].cluster = int32(t.Cluster(c))
		}
	}
	n := len(e.llcs)
	e.llcDist = make([]int64, n*n)
	for i, a := range e.llcs {
		for j, b := range e.llcs {
			if i != j {
				d := t.Distance(a.First(), b.First())
				e.llcDist[i*n+j] = max(0, e.price.line[d]-e.price.line[topology.LLC])
			}
		}
	}
}

func (e *engine) compileWorkload() error {
	w := e.cfg.Workload
	first := make([]int32, len(w.Programs))
	for i, p := range w.Programs {
		first[i] = int32(len(e.steps))
		e.steps = append(e.steps, p...)
	}
	fraction := e.cfg.Machine.Ratio(machine.PayloadLineFraction)
	for _, c := range w.Channels {
		e.chans = append(e.chans, channel{
			to: none, fromCPU: none, sync: c.Sync, context: c.Context,
			lines: int32(256*c.Lines + 256*fraction*float64(c.PayloadLines)),
		})
	}
	e.compilePipes()
	e.payload = int64(fraction / machine.LineBytes * (1 << 24))
	e.lines = make([]contended, len(w.Lines))
	for i := range e.lines {
		e.lines[i].owner = none
	}
	e.tasks = make([]task, len(w.Tasks))
	e.naps = make([]stream, len(w.Tasks))
	e.tskTime = make([]books, len(w.Tasks))
	e.allowed = make([][]uint64, len(w.Tasks))
	e.ents = make([]entity, len(w.Tasks))
	e.avg = make([]average, len(w.Tasks))
	e.est = make([]int64, len(w.Tasks))
	e.saved = make([]leftover, len(w.Tasks))
	e.refill = make([][topology.NumDistances]int64, len(w.Tasks))
	e.meter.groups = make([]int64, w.Groups)
	e.timers = newTree(len(w.Tasks) + len(e.cpus))
	e.claims = newClaimQueue(len(e.cpus))
	for i, t := range w.Tasks {
		if !t.Allowed.Empty() && t.Allowed.And(e.topo.All()).Empty() {
			return fmt.Errorf("sim: task %d %q is allowed on CPUs %s, none of which %s has", i, t.Name, t.Allowed, e.topo.Name())
		}
		if !t.Home.Empty() && !e.usable(t) {
			return fmt.Errorf("sim: task %d %q starts on CPUs %s, none of which it may use on %s", i, t.Name, t.Home, e.topo.Name())
		}
		e.compileTask(int32(i), t, first[t.Program], int32(len(w.Programs[t.Program])))
		e.lineBase = append(e.lineBase, t.Lines)
	}
	e.compileBarrier()
	return nil
}

func (e *engine) compileTask(i int32, t workload.Task, first, n int32) {
	e.tasks[i] = task{
		service: newStream(e.cfg.Seed, uint64(i), forService),
		steps:   first, end: first + n, pc: first + int32(t.First), channels: int32(t.Base), group: int32(t.Group),
		cpu: none, recent: none, ranAt: none, wokenAt: none, lastWakee: none, cat: Blocked,
	}
	e.ents[i].weight = niceZero
	// A new task counts as busy until it is known better.
	e.avg[i] = average{util: peltFull / 2, load: niceZero << peltShift}
	for d := topology.SMT; d < topology.NumDistances; d++ {
		e.refill[i][d] = e.cfg.Machine.RefillBytes(d, t.Footprint)
	}
	e.naps[i] = newStream(e.cfg.Seed, uint64(i), forSleep)
	set := e.topo.All()
	if !t.Allowed.Empty() {
		set = set.And(t.Allowed)
		e.tasks[i].restricted = !set.Equal(e.topo.All())
	}
	e.allowed[i] = e.present
	if e.tasks[i].restricted {
		e.allowed[i] = make([]uint64, len(e.idle))
		copy(e.allowed[i], set.Words())
	}
	for _, s := range e.steps[first : first+n] {
		if s.Op == workload.Recv {
			e.chans[int32(t.Base)+int32(s.Channel)].to = i
		}
	}
	e.timers.set(i, t.Start)
}

// startTicks gives every CPU a tick of random phase.
func (e *engine) startTicks() {
	period := 1_000_000_000 / int64(e.kernel.HZ)
	for _, c := range e.topo.All().CPUs() {
		phase := newStream(e.cfg.Seed, uint64(c), forTick)
		e.timers.set(int32(len(e.tasks))+int32(c), int64(phase.next()%uint64(period)))
	}
}
