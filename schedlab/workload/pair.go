package workload

import (
	"fmt"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
)

// pairOptions pin the two ends of every pair, as taskset does. A list with
// commas cannot be written inside a workload text; one range can.
var pairOptions = []string{"client", "server"}

// startGap is the time between two instances a shell loop starts one by one:
// fork and exec of a small program, order of magnitude only. Placement depends
// on the order of the starts, not on this figure.
const startGap = 50_000

// pair describes a request/response benchmark: n independent pairs, each a
// client that sends and waits and a server that waits and answers.
type pair struct {
	metric        Metric
	context       Context
	lines         int
	sendNS, recNS int64 // CPU of the sending and the receiving half of one leg
}

// buildTCP is netperf TCP_RR. The machine's one-pair figure with both ends on
// one CPU fixes the length of a leg; what the machine model charges for itself
// (two system calls, the local wakeup, its search and the switch) is taken off.
func buildTCP(r request) (*Workload, error) {
	return buildPairs(r, pairOf(r.machine, r.machine.NS(machine.TCPSameCPU)/2, "transactions", "Trans/s"))
}

// buildUDP is netperf UDP_RR: the same graph with a shorter path.
func buildUDP(r request) (*Workload, error) {
	m := r.machine
	leg := int64(float64(m.NS(machine.TCPSameCPU)) * m.Ratio(machine.UDPTCPRatio) / 2)
	return buildPairs(r, pairOf(m, leg, "transactions", "Trans/s"))
}

// buildPipe is a 1-byte ping-pong over two pipes; a Done is one round trip.
func buildPipe(r request) (*Workload, error) {
	m := r.machine
	p := pairOf(m, m.NS(machine.PipeSameCPU), "round trips", "RTT/s")
	p.context = InTask
	// The same hop over two CPUs of one LLC costs the extra lines.
	extra := m.NS(machine.PipeCrossCPU) - m.NS(machine.PipeSameCPU)
	p.lines = int(max(0, extra) / max(1, m.Line(topology.LLC)))
	return buildPairs(r, p)
}

// pairOf splits a same-CPU leg of legNS between sending and receiving, six to
// four (a guess: transmit, loopback receive and wakeup against copy and
// return), after taking off what the engine charges for itself.
func pairOf(m *machine.Machine, legNS int64, name, unit string) pair {
	path := legNS - 2*m.NS(machine.Syscall) - m.NS(machine.LocalWake) - m.NS(machine.ContextSwitch) - m.NS(machine.ScanFixed)
	path = max(path, 0)
	return pair{
		metric:  Metric{Name: name, Unit: unit, HigherIsBetter: true, PerDone: 1},
		context: InSoftirq,
		lines:   int(m.Cost(machine.TCPLinesPerLeg).Value),
		sendNS:  path * 6 / 10,
		recNS:   path - path*6/10,
	}
}

func buildPairs(r request, p pair) (*Workload, error) {
	client, err := r.cpus("client")
	if err != nil {
		return nil, err
	}
	server, err := r.cpus("server")
	if err != nil {
		return nil, err
	}
	run := func(ns int64) Step { return Step{Op: Run, Dist: Jittered, Time: ns} }
	const request, reply = 0, 1
	w := &Workload{
		Metric: p.metric,
		Groups: r.load,
		Programs: []Program{
			{run(p.sendNS), {Op: Send, Channel: request}, {Op: Recv, Channel: reply}, run(p.recNS), {Op: Done}},
			{{Op: Recv, Channel: request}, run(p.recNS + p.sendNS), {Op: Send, Channel: reply}},
		},
	}
	for i := range r.load {
		c, s, base := TaskID(2*i), TaskID(2*i+1), ChannelID(2*i)
		start := int64(i) * startGap
		w.Tasks = append(w.Tasks,
			Task{Name: fmt.Sprintf("client-%d", i), Program: 0, Base: base, Group: i, Start: start, Allowed: client},
			Task{Name: fmt.Sprintf("server-%d", i), Program: 1, Base: base, Group: i, Start: start, Allowed: server})
		w.Channels = append(w.Channels,
			Channel{Name: fmt.Sprintf("request-%d", i), From: c, To: s, Sync: true, Context: p.context, Lines: p.lines},
			Channel{Name: fmt.Sprintf("reply-%d", i), From: s, To: c, Sync: true, Context: p.context, Lines: p.lines})
	}
	return w, nil
}
