package workload_test

import (
	"math"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// TestHackbench: in each group every sender goes round the pipes of all receivers
// of its group, and of no other.
func TestHackbench(t *testing.T) {
	const groups, fds = 4, 30
	w := build(t, "hackbench-process-pipe:4,fds=30,loops=300000", "xeon240")
	if len(w.Tasks) != 2*fds*groups || len(w.Channels) != fds*groups || len(w.Lines) != fds*groups || w.Groups != groups {
		t.Fatalf("%d tasks, %d pipes, %d locks, %d groups", len(w.Tasks), len(w.Channels), len(w.Lines), w.Groups)
	}
	writers := make([]int, len(w.Channels))
	for i, task := range w.Tasks {
		if !task.AtBarrier || task.Group != i/(2*fds) {
			t.Errorf("task %d: %+v", i, task)
		}
		sends, reads := 0, 0
		for _, s := range w.Programs[task.Program] {
			ch := int(task.Base + s.Channel)
			switch s.Op {
			case workload.Send:
				sends++
				writers[ch]++
				if s.Bytes != 100 || ch/fds != task.Group {
					t.Errorf("task %d of group %d sends %d bytes to pipe %d", i, task.Group, s.Bytes, ch)
				}
			case workload.Recv:
				reads++
				if w.Channels[ch].To != workload.TaskID(i) {
					t.Errorf("task %d reads pipe %d of task %d", i, ch, w.Channels[ch].To)
				}
			case workload.Touch:
				if l := int(task.Lines + s.Line); w.Lines[l].Name[len("mutex"):] != w.Channels[l].Name[len("pipe"):] || l/fds != task.Group {
					t.Errorf("task %d takes lock %d", i, l)
				}
			}
		}
		if sender := strings.HasPrefix(task.Name, "sender"); sender != (sends == fds) || sender == (reads == 1) {
			t.Errorf("%s sends %d times and reads %d times a round", task.Name, sends, reads)
		}
	}
	for i, c := range w.Channels {
		if writers[i] != fds || c.Room != (workload.Room{Slots: 16, PerSlot: 40}) || !c.Sync || c.Context != workload.InTask {
			t.Errorf("pipe %d: %d writers, %+v", i, writers[i], c)
		}
	}
	m := w.Metric
	if m.HigherIsBetter || m.Unit != "s" || m.Work != 4*30*30*300000 {
		t.Errorf("metric %+v", m)
	}
	if d := build(t, "hackbench-process-pipe:1", "ivb48"); len(d.Tasks) != 40 || d.Metric.Work != 20*20*100 {
		t.Errorf("default: %d tasks, %.0f messages", len(d.Tasks), d.Metric.Work)
	}
	if _, err := workload.Parse("hackbench-process-pipe:1000,fds=1000", preset(t, "ivb48")); err == nil || !strings.Contains(err.Error(), "1000 groups of 1000 senders") {
		t.Errorf("error %v", err)
	}
}

// TestHackbenchMessage: a message with nobody asleep, at the speed of a full core,
// is the machine's own figure.
func TestHackbenchMessage(t *testing.T) {
	for _, name := range machine.Names() {
		m := preset(t, name)
		w := build(t, "hackbench-process-pipe:1", name)
		var work float64
		for i, p := range w.Programs {
			for _, s := range p {
				if s.Op == workload.Run || s.Op == workload.Touch {
					work += float64(s.Time) / []float64{20, 1}[i]
				}
			}
		}
		lines := w.Channels[0].Lines + 100.0/machine.LineBytes*m.Ratio(machine.PayloadLineFraction)
		got := work + float64(2*m.NS(machine.Syscall)+2*m.Contended(topology.LLC)) + lines*float64(m.Line(topology.LLC))
		if m.Topology().SMT() == 2 {
			got *= 2 / m.Ratio(machine.SMTGainKernel)
		}
		if want := float64(m.NS(machine.HackbenchMessage)); math.Abs(got-want) > 10 {
			t.Errorf("%s: a message takes %.0f ns, want %.0f", name, got, want)
		}
	}
}

func TestMetricValue(t *testing.T) {
	for _, c := range []struct {
		m    workload.Metric
		done int64
		want float64
	}{
		{workload.Metric{PerDone: 3}, 10, 60},
		{workload.Metric{PerDone: 3}, 0, 0},
		{workload.Metric{PerDone: 3, Work: 120}, 10, 2},
		{workload.Metric{PerDone: 3, Work: 120}, 0, 0},
	} {
		if got := c.m.Value(c.done, 500_000_000); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %d in half a second are %g, want %g", c.m, c.done, got, c.want)
		}
	}
}

// TestBounds: what a workload with bounded channels or a barrier must keep to.
func TestBounds(t *testing.T) {
	bounded := func() *workload.Workload {
		w := good()
		w.Channels[0].Room = workload.Room{Slots: 2, PerSlot: 3}
		w.Programs[0] = workload.Program{{Op: workload.Send}, {Op: workload.Run, Time: 5}, {Op: workload.Pass}}
		w.Programs[1] = workload.Program{{Op: workload.Recv}, {Op: workload.Pass}}
		return w
	}
	if err := bounded().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want   string
		change func(w *workload.Workload)
	}{
		{`channel 0 "c": room of 17 slots of 3 messages`, func(w *workload.Workload) { w.Channels[0].Room.Slots = 17 }},
		{`channel 0 "c": room of 2 slots of 0 messages`, func(w *workload.Workload) { w.Channels[0].Room.PerSlot = 0 }},
		{`task 0 "a": step 0: send on bounded channel 0 without its pass`, func(w *workload.Workload) { w.Programs[0] = w.Programs[0][:2] }},
		{`task 1 "b": step 0: recv on bounded channel 0 without its pass`, func(w *workload.Workload) { w.Programs[1] = w.Programs[1][:1] }},
		{`task 1 "b": step 1: pass on channel 0, which is not bounded`, func(w *workload.Workload) {
			w.Channels[0].Room = workload.Room{}
			w.Programs[0] = w.Programs[0][:2]
		}},
		{`task 0 "a": first step 3 is not in its program of 3`, func(w *workload.Workload) { w.Tasks[0].First = 3 }},
		{`task 0 "a": setup -1 ns is not in`, func(w *workload.Workload) { w.Tasks[0].Setup = -1 }},
		{`barrier opens at -1 ns`, func(w *workload.Workload) { w.Barrier.Release = -1 }},
		{`task 1 "b": step 2: line 1 does not exist`, func(w *workload.Workload) {
			w.Lines = make([]workload.Line, 1)
			w.Tasks[1].Lines = 1
			w.Programs[1] = append(w.Programs[1], workload.Step{Op: workload.Touch})
		}},
	} {
		w := bounded()
		c.change(w)
		if err := w.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
