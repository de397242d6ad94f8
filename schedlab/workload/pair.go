package workload

import (
	"fmt"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
)

// pairOptions: client and server pin the two ends of every pair, as taskset
// does; a list with commas cannot be written inside a workload text, one range
// can. start is the state the pairs begin in: spread, one by one where the
// kernel puts them, or stacked, all at once with both ends of a pair on one CPU.
var pairOptions = []string{"client", "server", "start"}

// startGap is the time between two instances a shell loop starts one by one:
// fork and exec of a small program, order of magnitude only. Placement depends
// on the order of the starts, not on this figure.
const startGap = 500_000

// pair describes a request/response benchmark: n independent pairs, each a
// client that sends and waits and a server that waits and answers.
type pair struct {
	context       Context
	lines         float64
	counter       bool  // every message draws from one shared counter
	sendNS, recNS int64 // CPU of the sending and the receiving half of one leg
}

// buildTCP is netperf TCP_RR.
func buildTCP(r request) (*Workload, error) {
	m := r.machine
	return buildPairs(r, pairOf(m, m.NS(machine.TCPSameCPU)/2, m.NS(machine.TCPCrossCPU)/2, InSoftirq))
}

// buildUDP is netperf UDP_RR: the same graph with a shorter path. netperf leaves
// both sockets unconnected, so each datagram takes its IP identification from a
// bucket chosen by addresses and protocol: on loopback one counter for all.
func buildUDP(r request) (*Workload, error) {
	m := r.machine
	scale := m.Ratio(machine.UDPTCPRatio)
	leg := func(p machine.Param) int64 { return int64(float64(m.NS(p)) * scale / 2) }
	p := pairOf(m, leg(machine.TCPSameCPU), leg(machine.TCPCrossCPU), InSoftirq)
	p.counter = true
	return buildPairs(r, p)
}

// buildPipe is a 1-byte ping-pong over two pipes; a Done is one round trip.
func buildPipe(r request) (*Workload, error) {
	m := r.machine
	return buildPairs(r, pairOf(m, m.NS(machine.PipeSameCPU), m.NS(machine.PipeCrossCPU), InTask))
}

// pairOf takes a leg apart, given how long it is with both ends pinned to one
// CPU and to two CPUs of an LLC. What the machine model charges for itself is
// taken off the first, and what is left is the path; what is then missing to the
// second are the lines that move. Pinned wakees are not searched for.
//
//	one CPU:  path + two system calls + local wakeup + switch
//	two CPUs: path + two system calls + wakelist and its line + idle exit + drain + switch + lines
//
// The path is split between sending and receiving six to four (a guess:
// transmit, loopback receive and wakeup against copy and return).
func pairOf(m *machine.Machine, same, cross int64, context Context) pair {
	path := max(0, same-2*m.NS(machine.Syscall)-m.NS(machine.LocalWake)-m.NS(machine.ContextSwitch))
	line := m.Line(topology.LLC)
	lines := cross - path - 2*m.NS(machine.Syscall) - m.NS(machine.WakelistAdd) - line - idleExit(m) - m.NS(machine.WakelistDrain) - m.NS(machine.ContextSwitch)
	return pair{
		context: context,
		lines:   float64(max(0, lines)) / float64(max(1, line)),
		sendNS:  path * 6 / 10,
		recNS:   path - path*6/10,
	}
}

// idleExit is what waking a CPU that idles for microseconds costs before it does
// anything: the exit of its shallowest halted state, and the interrupt where it
// takes one.
func idleExit(m *machine.Machine) int64 {
	for i, s := range m.IdleStates() {
		if s.ExitNS == 0 {
			continue
		}
		if s.Polling {
			return m.IdleExit(i)
		}
		return m.IdleExit(i) + m.NS(machine.IPISend) + m.NS(machine.IPIDelivery)
	}
	return 0
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
	if r.options["start"] != "" && !(client.Empty() && server.Empty()) {
		return nil, fmt.Errorf("workload: %q: start=%s puts both ends of a pair on one CPU; leave out client and server", r.text, r.options["start"])
	}
	w := &Workload{
		Metric:   Metric{Name: "transactions", Unit: r.bench.Unit, HigherIsBetter: true, PerDone: 1},
		Groups:   r.load,
		Programs: p.programs(),
	}
	if p.counter {
		w.Lines = []Line{{Name: "ip-id"}}
	}
	for i := range r.load {
		c, s, base := TaskID(2*i), TaskID(2*i+1), ChannelID(2*i)
		start, home := r.beginning(i)
		w.Tasks = append(w.Tasks,
			Task{Name: fmt.Sprintf("client-%d", i), Program: 0, Base: base, Group: i, Start: start, Home: home, Allowed: client},
			Task{Name: fmt.Sprintf("server-%d", i), Program: 1, Base: base, Group: i, Start: start, Home: home, Allowed: server})
		w.Channels = append(w.Channels,
			Channel{Name: fmt.Sprintf("request-%d", i), From: c, To: s, Sync: true, Context: p.context, Lines: p.lines},
			Channel{Name: fmt.Sprintf("reply-%d", i), From: s, To: c, Sync: true, Context: p.context, Lines: p.lines})
	}
	return w, nil
}

// beginning is when pair i starts, and where.
func (r request) beginning(i int) (start int64, home topology.CPUSet) {
	if r.options["start"] != "stacked" {
		return int64(i) * startGap, topology.CPUSet{}
	}
	cpus := r.machine.Topology().All().CPUs()
	return 0, topology.NewCPUSet(cpus[i%len(cpus)])
}

// programs are the client's and the server's.
func (p pair) programs() []Program {
	run := func(ns int64) Step { return Step{Op: Run, Dist: Jittered, Time: ns} }
	send := func(ch ChannelID) Program {
		if p.counter {
			return Program{{Op: Touch}, {Op: Send, Channel: ch}}
		}
		return Program{{Op: Send, Channel: ch}}
	}
	const request, reply = 0, 1
	client := append(Program{run(p.sendNS)}, send(request)...)
	client = append(client, Step{Op: Recv, Channel: reply}, run(p.recNS), Step{Op: Done})
	server := append(Program{{Op: Recv, Channel: request}, run(p.recNS + p.sendNS)}, send(reply)...)
	return []Program{client, server}
}
