package workload_test

import (
	"math"
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

// TestTbench: a client and its server per load, started together at a barrier,
// each pair at another place of the same programs.
func TestTbench(t *testing.T) {
	w := build(t, "tbench:240", "xeon240")
	if len(w.Tasks) != 480 || len(w.Channels) != 480 || w.Groups != 240 || len(w.Programs) != 2 {
		t.Fatalf("%d tasks, %d channels, %d groups, %d programs", len(w.Tasks), len(w.Channels), w.Groups, len(w.Programs))
	}
	ops := len(w.Programs[1]) / 3
	if ops != 510 || len(w.Programs[0]) != 5*ops {
		t.Fatalf("programs of %d and %d steps", len(w.Programs[0]), len(w.Programs[1]))
	}
	places := map[int]bool{}
	for i := 0; i < len(w.Tasks); i += 2 {
		c, s := w.Tasks[i], w.Tasks[i+1]
		if !c.AtBarrier || s.AtBarrier || c.Setup == 0 || c.Group != i/2 || s.Group != i/2 || c.Base != s.Base {
			t.Fatalf("pair %d: %+v, %+v", i/2, c, s)
		}
		if c.First*3 != s.First*5 || c.First%5 != 0 {
			t.Errorf("pair %d begins at steps %d and %d", i/2, c.First, s.First)
		}
		places[c.First] = true
		if w.Barrier.Release < max(c.Start, s.Start)+5_000_000 {
			t.Errorf("pair %d is forked at %d, the barrier opens at %d", i/2, c.Start, w.Barrier.Release)
		}
		for _, ch := range w.Channels[i : i+2] {
			if !ch.Sync || ch.Context != workload.InSoftirq || ch.Room.Bounded() {
				t.Errorf("channel %+v", ch)
			}
		}
	}
	if len(places) != 240 {
		t.Errorf("%d starting places", len(places))
	}
	if want := w.Barrier.Release + 239*w.Barrier.Gap; w.LastStart() != want {
		t.Errorf("last start %d, want the last release, %d", w.LastStart(), want)
	}
	// They begin evenly spread over the LLCs.
	at := map[string]int{}
	for _, task := range w.Tasks {
		at[task.Home.String()]++
	}
	if len(at) != 4 || at[w.Tasks[0].Home.String()] != 120 {
		t.Errorf("homes %v", at)
	}
}

// TestTbenchMix: the operations stand in the program as often as in the load file,
// the data they move is what the metric counts, and messages match on both sides.
func TestTbenchMix(t *testing.T) {
	w := build(t, "tbench:1", "xeon240")
	client, server := w.Programs[0], w.Programs[1]
	ops := len(server) / 3
	var total int64
	type shape struct{ request, reply int32 }
	count := map[shape]int{}
	small := 0
	for i := range ops {
		c, s := client[5*i:5*i+5], server[3*i:3*i+3]
		for j, op := range []workload.Op{workload.Run, workload.Send, workload.Recv, workload.Run, workload.Done} {
			if c[j].Op != op {
				t.Fatalf("operation %d: step %d is %s", i, j, c[j].Op)
			}
		}
		if s[0].Op != workload.Recv || s[1].Op != workload.Run || s[2].Op != workload.Send || s[0].Channel != c[1].Channel || s[2].Channel != c[2].Channel {
			t.Fatalf("operation %d: server %v", i, s)
		}
		total += int64(c[1].Bytes + s[2].Bytes)
		count[shape{c[1].Bytes, s[2].Bytes}]++
		if c[1].Bytes < 1500 && s[2].Bytes < 1500 {
			small++
		}
	}
	for _, c := range []struct {
		name string
		shape
		of3573 int
	}{
		{"create", shape{158, 87}, 613}, {"query path", shape{139, 71}, 584}, {"close", shape{47, 39}, 450},
		{"write 64K", shape{59 + 65536, 55}, 96}, {"write 4K", shape{59 + 4096, 55}, 77}, {"find first", shape{143, 939}, 215},
		{"unlink", shape{127, 39}, 124}, {"query fs and file", shape{59, 71}, 199}, {"set file", shape{71, 47}, 50},
		{"flush", shape{41, 39}, 43}, {"rename", shape{215, 39}, 26},
	} {
		if got, want := float64(count[c.shape]), float64(c.of3573)/7; math.Abs(got-want) > 1 {
			t.Errorf("%s stands %.0f times in %d operations, want %.1f", c.name, got, ops, want)
		}
	}
	if want := float64(3573-962-303) / 3573; math.Abs(float64(small)/float64(ops)-want) > 0.005 {
		t.Errorf("%d of %d operations move no data, want a share of %.3f", small, ops, want)
	}
	perOp := float64(total) / float64(ops)
	if data := w.Metric.PerDone * 1e6; math.Abs(data-5428) > 1e-6 || perOp < data || perOp > data+300 {
		t.Errorf("%.1f bytes per operation, %.1f of them counted; want 5428 and some 200 of headers", perOp, data)
	}
}

// TestTbenchOp: an operation of one client, with what the machine model adds on
// two idle CPUs, is the machine's own figure.
func TestTbenchOp(t *testing.T) {
	for _, name := range machine.Names() {
		m := preset(t, name)
		w := build(t, "tbench:1", name)
		ops := float64(len(w.Programs[1]) / 3)
		var work, bytes float64
		for _, p := range w.Programs {
			for _, s := range p {
				if s.Op == workload.Run {
					work += float64(s.Time)
				}
				bytes += float64(s.Bytes)
			}
		}
		line := float64(m.Line(topology.LLC))
		moved := 2*w.Channels[0].Lines + bytes/ops/machine.LineBytes*m.Ratio(machine.PayloadLineFraction)
		leg := float64(2*m.NS(machine.Syscall)+m.NS(machine.ScanFixed)+m.NS(machine.ScanQuiet)+m.NS(machine.WakelistAdd)+
			m.NS(machine.WakelistDrain)+m.NS(machine.ContextSwitch)) + line
		for i, s := range m.IdleStates() {
			if s.ExitNS > 0 {
				leg += float64(m.IdleExit(i))
				if !s.Polling {
					leg += float64(m.NS(machine.IPISend) + m.NS(machine.IPIDelivery))
				}
				break
			}
		}
		got, want := work/ops+2*leg+moved*line, float64(m.NS(machine.TbenchOp))
		if math.Abs(got-want) > 5 {
			t.Errorf("%s: an operation takes %.0f ns, want %.0f", name, got, want)
		}
	}
}
