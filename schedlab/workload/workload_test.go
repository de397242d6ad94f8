package workload_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

func build(tb testing.TB, text, on string) *workload.Workload {
	tb.Helper()
	w, err := workload.Parse(text, preset(tb, on))
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// TestPairs: 240 pairs are 480 tasks, client and server by turns, two channels
// each, started one pair after the other.
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		name    string
		context workload.Context
	}{{"netperf-tcp_rr", workload.InSoftirq}, {"netperf-udp_rr", workload.InSoftirq}, {"pipe", workload.InTask}} {
		w := build(t, c.name+":240", "xeon240")
		if len(w.Tasks) != 480 || len(w.Channels) != 480 || w.Groups != 240 || len(w.Programs) != 2 {
			t.Fatalf("%s: %d tasks, %d channels, %d groups, %d programs", w.Name, len(w.Tasks), len(w.Channels), w.Groups, len(w.Programs))
		}
		for i, task := range w.Tasks {
			role := []string{"client", "server"}[i%2]
			if task.Name != fmt.Sprintf("%s-%d", role, i/2) || task.Program != i%2 || task.Group != i/2 || !task.Allowed.Empty() {
				t.Fatalf("%s: task %d is %+v", w.Name, i, task)
			}
			if i > 1 && task.Start <= w.Tasks[i-2].Start {
				t.Fatalf("%s: task %d starts at %d, the pair before at %d", w.Name, i, task.Start, w.Tasks[i-2].Start)
			}
			ch := w.Channels[i] // request of the client, reply of the server
			other := workload.TaskID(i ^ 1)
			if ch.From != workload.TaskID(i) || ch.To != other || !ch.Sync || ch.Context != c.context {
				t.Fatalf("%s: channel %d is %+v", w.Name, i, ch)
			}
		}
		if w.LastStart() != w.Tasks[479].Start {
			t.Errorf("%s: last start %d", w.Name, w.LastStart())
		}
		if !w.Metric.HigherIsBetter || w.Metric.PerDone != 1 || !strings.HasSuffix(w.Metric.Unit, "/s") {
			t.Errorf("%s: metric %+v", w.Name, w.Metric)
		}
	}
}

func TestPinning(t *testing.T) {
	w := build(t, "pipe:3,client=1,server=4-7", "ivb48")
	for i, task := range w.Tasks {
		want := []topology.CPUSet{topology.NewCPUSet(1), topology.Range(4, 7)}[i%2]
		if !task.Allowed.Equal(want) {
			t.Errorf("task %d runs on %s, want %s", i, task.Allowed, want)
		}
	}
}

// TestLegs: what a pair works per round and the lines it moves, with what the
// machine model adds on one CPU and on two, are the machine's own figures. Pinned
// wakees are not searched for.
func TestLegs(t *testing.T) {
	for _, name := range machine.Names() {
		m := preset(t, name)
		own := 2*m.NS(machine.Syscall) + m.NS(machine.LocalWake) + m.NS(machine.ContextSwitch)
		hop := 2*m.NS(machine.Syscall) + m.NS(machine.WakelistAdd) + m.Line(topology.LLC) + m.NS(machine.WakelistDrain) + m.NS(machine.ContextSwitch)
		for i, s := range m.IdleStates() {
			if s.ExitNS > 0 {
				hop += m.IdleExit(i)
				if !s.Polling {
					hop += m.NS(machine.IPISend) + m.NS(machine.IPIDelivery)
				}
				break
			}
		}
		udp := m.Ratio(machine.UDPTCPRatio) / 2
		for _, c := range []struct {
			text     string
			one, two int64
		}{
			{"netperf-tcp_rr:1", m.NS(machine.TCPSameCPU) / 2, m.NS(machine.TCPCrossCPU) / 2},
			{"netperf-udp_rr:1", int64(float64(m.NS(machine.TCPSameCPU)) * udp), int64(float64(m.NS(machine.TCPCrossCPU)) * udp)},
			{"pipe:1", m.NS(machine.PipeSameCPU), m.NS(machine.PipeCrossCPU)},
		} {
			w := build(t, c.text, name)
			var round int64
			for _, p := range w.Programs {
				for _, s := range p {
					if s.Op == workload.Run {
						round += s.Time
					}
				}
			}
			if want := 2 * max(0, c.one-own); round != want {
				t.Errorf("%s on %s works %d ns a round, want %d", c.text, name, round, want)
			}
			for _, ch := range w.Channels {
				got := ch.Lines * float64(m.Line(topology.LLC))
				if want := float64(max(0, c.two-hop-round/2)); got < want-0.5 || got > want+0.5 {
					t.Errorf("%s on %s: the lines of %q take %.1f ns, want %.0f", c.text, name, ch.Name, got, want)
				}
			}
		}
	}
}

// good is the smallest workload of each kind of step.
func good() *workload.Workload {
	return &workload.Workload{
		Name: "w", Groups: 1,
		Programs: []workload.Program{
			{{Op: workload.Run, Time: 5}, {Op: workload.Send}, {Op: workload.Sleep, Time: 1}, {Op: workload.Done}},
			{{Op: workload.Recv}},
		},
		Tasks:    []workload.Task{{Name: "a"}, {Name: "b", Program: 1}},
		Channels: []workload.Channel{{Name: "c", To: 1}},
	}
}

func TestValidate(t *testing.T) {
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want   string
		change func(w *workload.Workload)
	}{
		{`workload: "w" has no tasks`, func(w *workload.Workload) { w.Tasks = nil }},
		{`program 1: is empty`, func(w *workload.Workload) { w.Programs[1] = nil }},
		{`program 1: step 0: unknown operation 77`, func(w *workload.Workload) { w.Programs[1][0].Op = 77 }},
		{`program 1: step 0: unknown distribution 9`, func(w *workload.Workload) { w.Programs[1][0].Dist = 9 }},
		{`program 0: step 2: negative time -1 ns`, func(w *workload.Workload) { w.Programs[0][2].Time = -1 }},
		{`program 0: step 0: time 8589934592 ns is above 8589934591`, func(w *workload.Workload) { w.Programs[0][0].Time = 1 << 33 }},
		{`program 1: never runs and never blocks`, func(w *workload.Workload) { w.Programs[1] = workload.Program{{Op: workload.Done}} }},
		{`program 1: never runs and never blocks`, func(w *workload.Workload) { w.Programs[1] = workload.Program{{Op: workload.Run}} }},
		{`program 1: never runs and never blocks`, func(w *workload.Workload) { w.Programs[1] = workload.Program{{Op: workload.Send, Time: 3}} }},
		{`task 1 "b": program 2 does not exist`, func(w *workload.Workload) { w.Tasks[1].Program = 2 }},
		{`task 1 "b": program -1 does not exist`, func(w *workload.Workload) { w.Tasks[1].Program = -1 }},
		{`task 0 "a": group 1 is not in 0..0`, func(w *workload.Workload) { w.Tasks[0].Group = 1 }},
		{`task 0 "a": group 0 is not in 0..-1`, func(w *workload.Workload) { w.Groups = 0 }},
		{`task 1 "b": starts at -3 ns, before the run`, func(w *workload.Workload) { w.Tasks[1].Start = -3 }},
		{`task 0 "a": step 1: channel 1 does not exist`, func(w *workload.Workload) { w.Tasks[0].Base = 1 }},
		{`task 1 "b": step 0: channel -1 does not exist`, func(w *workload.Workload) { w.Tasks[1].Base = -1 }},
		{`task 2 "c": channel 0 is read by task 1 too; one reader is the rule`, func(w *workload.Workload) {
			w.Tasks = append(w.Tasks, workload.Task{Name: "c", Program: 1})
		}},
		{`channel 0 "c": -1 lines and 0 payload lines are not in 0..1048576`, func(w *workload.Workload) { w.Channels[0].Lines = -1 }},
		{`channel 0 "c": 0 lines and 1048577 payload lines are not in`, func(w *workload.Workload) { w.Channels[0].PayloadLines = workload.MaxLines + 1 }},
		{`channel 0 "c": 0.25 lines and -0.5 payload lines are not in`, func(w *workload.Workload) { w.Channels[0].Lines, w.Channels[0].PayloadLines = 0.25, -0.5 }},
		{`channel 0 "c": NaN lines and 0 payload lines are not in`, func(w *workload.Workload) { w.Channels[0].Lines = math.NaN() }},
	} {
		w := good()
		c.change(w)
		if err := w.Validate(); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "workload: ") {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// TestSame: building twice gives the same workload.
func TestSame(t *testing.T) {
	if a, b := build(t, "netperf-tcp_rr:20", "spr224"), build(t, "netperf-tcp_rr:20", "spr224"); !reflect.DeepEqual(a, b) {
		t.Error("two builds differ")
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ got, want fmt.Stringer }{
		{workload.Run, text("run")}, {workload.Send, text("send")}, {workload.Recv, text("recv")}, {workload.Sleep, text("sleep")},
		{workload.Done, text("done")}, {workload.Op(9), text("op(9)")},
		{workload.InTask, text("task")}, {workload.InSoftirq, text("softirq")}, {workload.InIRQ, text("irq")}, {workload.Context(7), text("context(7)")},
	} {
		if c.got.String() != c.want.String() {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

type text string

func (s text) String() string { return string(s) }

// A workload made by hand: one task that a timer wakes and that hands its work to
// another.
func ExampleWorkload_Validate() {
	w := workload.Workload{
		Name: "hand-over", Groups: 1,
		Programs: []workload.Program{
			{{Op: workload.Sleep, Dist: workload.Exponential, Time: 50_000}, {Op: workload.Run, Time: 2_000}, {Op: workload.Send}},
			{{Op: workload.Recv}, {Op: workload.Run, Time: 8_000}, {Op: workload.Done}},
		},
		Tasks: []workload.Task{
			{Name: "dispatcher", Program: 0},
			{Name: "worker", Program: 1},
		},
		Channels: []workload.Channel{{Name: "work", From: 0, To: 1, Lines: 4}},
	}
	fmt.Println(w.Validate())
	w.Tasks[1].Program = 2
	fmt.Println(w.Validate())
	// Output:
	// <nil>
	// workload: "hand-over": task 1 "worker": program 2 does not exist
}

func ExampleParse() {
	m, err := machine.Preset("xeon240")
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := workload.Parse("netperf-tcp_rr:240", m)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(w.Tasks), "tasks,", w.Metric.Unit)
	_, err = workload.Parse("netperf-tcp_rr:1,client=240", m)
	fmt.Println(err)
	// Output:
	// 480 tasks, Trans/s
	// workload: "netperf-tcp_rr:1,client=240": option client: CPU 240 is not on xeon240, which has CPUs 0-239
}
