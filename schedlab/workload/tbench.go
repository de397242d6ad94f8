package workload

import (
	"fmt"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
)

// operation is one kind of request of the recorded load file, with how often it
// stands in the 3573 operations mmtests takes from it. head and answer are the
// bytes of the two messages without data; read and write are the data.
type operation struct {
	name         string
	count        int
	head, answer int32
	read, write  int32
}

// pathBytes is the length of a file name in a message, two bytes a character: a
// guess, about that of "/clients/client1/~dmtmp/PWRPNT/NEWPCB.PPT".
const pathBytes = 2 * 42

// operations is the mix. Known are the counts, the 64-KiB and 4-KiB writes, and
// that 7.7 MB are written and 11.4 MB read. What reads are made of is not known:
// those of 64 KiB are as many as leave 4 KiB to the others. The data of the
// kinds marked rest follows from bytesPerOp.
var operations = []operation{
	{"read 64K", 121, 59, 59, 65536, 0},
	{"read", 841, 59, 59, rest, 0},
	{"create", 613, 74 + pathBytes, 87, 0, 0},
	{"query path", 584, 55 + pathBytes, 71, 0, 0},
	{"close", 450, 47, 39, 0, 0},
	{"write 64K", 96, 59, 55, 0, 65536},
	{"write 4K", 77, 59, 55, 0, 4096},
	{"write", 130, 59, 55, 0, rest},
	{"find first", 215, 59 + pathBytes, 39 + 90*10, 0, 0}, // ten names found: a guess
	{"unlink", 124, 43 + pathBytes, 39, 0, 0},
	{"query fs", 102, 59, 71, 0, 0},
	{"query file", 97, 59, 71, 0, 0},
	{"set file", 50, 71, 47, 0, 0},
	{"flush", 43, 41, 39, 0, 0},
	{"rename", 26, 47 + 2*pathBytes, 39, 0, 0},
	{"lock", 4, 51, 39, 0, 0},
}

const (
	// rest stands for data that is worked out.
	rest = -1
	// bytesPerOp is the mean data, read and written, of the whole load file: what
	// tbench counts as throughput. writtenPer191 of 191 parts are written.
	bytesPerOp    = 5428
	writtenPer191 = 77
	// oneIn shortens the mix: a client's program has a 7th of the 3573.
	oneIn = 7
	// copyNSPerKiB is the CPU time of copying payload, half of it on each side.
	copyNSPerKiB = 100
)

// tbenchOps are the operations of one round of a client, in a fixed order that
// no client's neighbour shares in time: each begins at another place.
func tbenchOps() []operation {
	var ops []operation
	carried := 0 // what rounding left over goes to the next kinds
	for _, o := range operations {
		carried += o.count
		for ; carried*2 >= oneIn; carried -= oneIn {
			ops = append(ops, o)
		}
	}
	fill(ops, true, bytesPerOp*len(ops)*writtenPer191/191)
	fill(ops, false, bytesPerOp*len(ops)-written(ops))
	x := uint64(2024)
	for i := len(ops) - 1; i > 0; i-- {
		x = x*6364136223846793005 + 1442695040888963407
		j := int(x >> 33 % uint64(i+1))
		ops[i], ops[j] = ops[j], ops[i]
	}
	return ops
}

func written(ops []operation) (n int) {
	for _, o := range ops {
		n += int(o.write)
	}
	return n
}

// fill shares what is missing to total bytes among the operations marked rest.
func fill(ops []operation, write bool, total int) {
	data := func(o *operation) *int32 {
		if write {
			return &o.write
		}
		return &o.read
	}
	open := 0
	for i := range ops {
		if n := *data(&ops[i]); n == rest {
			open++
		} else {
			total -= int(n)
		}
	}
	for i := range ops {
		if p := data(&ops[i]); *p == rest {
			*p = int32(total / open)
			total -= int(*p)
			open--
		}
	}
}

// tbench is the path of a leg, payload apart.
type tbench struct {
	sendNS, recNS int64
	lines         float64
}

// tbenchOf takes the machine's tbench_op apart: one operation of one client,
// both ends on CPUs of their own in one LLC, each found idle where it was.
//
//	op / 2 = path + two system calls + search + wakelist and its line + idle exit + drain + switch + lines + payload + copy
//
// The anchor is tbench_op. Derived: the lines of shared socket structure, those
// of a netperf TCP_RR leg, since the sockets are the same; payload lines and
// copies of the mean message. Client and server read a message in two calls, of
// which only the first can sleep: the second is part of the path. The path is
// split as in pairOf.
func tbenchOf(m *machine.Machine, ops []operation) tbench {
	line := m.Line(topology.LLC)
	lines := pairOf(m, m.NS(machine.TCPSameCPU)/2, m.NS(machine.TCPCrossCPU)/2, InSoftirq).lines
	var bytes int64
	for _, o := range ops {
		bytes += int64(o.request() + o.reply())
	}
	perLeg := float64(bytes) / float64(2*len(ops))
	moved := lines + perLeg/machine.LineBytes*m.Ratio(machine.PayloadLineFraction)
	path := m.NS(machine.TbenchOp)/2 - 2*m.NS(machine.Syscall) - m.NS(machine.ScanFixed) - m.NS(machine.ScanQuiet) -
		m.NS(machine.WakelistAdd) - line - idleExit(m) - m.NS(machine.WakelistDrain) - m.NS(machine.ContextSwitch) -
		int64(moved*float64(line)+perLeg*copyNSPerKiB/1024)
	path = max(0, path)
	return tbench{sendNS: path * 6 / 10, recNS: path - path*6/10, lines: lines}
}

func (o operation) request() int32 { return o.head + o.write }
func (o operation) reply() int32   { return o.answer + o.read }

// copyHalf is the CPU time of one side's copy of a message.
func copyHalf(bytes int32) int64 { return int64(bytes) * copyNSPerKiB / 2048 }

// buildTbench: each client sends a request and reads the reply, and its server,
// forked when it connected, answers. All clients wait at a barrier first.
//
// They are forked in one LLC after the other. A fork looks at who is awake, and
// children that sleep at a barrier are not: some LLCs get twice as many as
// others. Balancing evens that out, a pair in some tenths of a second, as long
// as LLCs have idle CPUs; published runs last a minute or more, a simulated one
// begins where that leads to.
func buildTbench(r request) (*Workload, error) {
	ops := tbenchOps()
	b := tbenchOf(r.machine, ops)
	w := &Workload{
		Metric:   Metric{Name: "throughput", Unit: r.bench.Unit, HigherIsBetter: true, PerDone: bytesPerOp / 1e6},
		Groups:   r.load,
		Programs: b.programs(ops),
		Barrier:  barrierAfter(r.load, r.machine),
	}
	t := r.machine.Topology()
	for i := range r.load {
		at := t.LLCCPUs(topology.LLCID(i % t.NumLLCs()))
		c, s, base := TaskID(2*i), TaskID(2*i+1), ChannelID(2*i)
		start, first := int64(i)*forkGap, i*len(ops)/r.load
		w.Tasks = append(w.Tasks,
			Task{Name: fmt.Sprintf("client-%d", i), Program: 0, Base: base, Group: i, Start: start, Home: at, Setup: childSetup, AtBarrier: true, First: first * clientSteps},
			Task{Name: fmt.Sprintf("server-%d", i), Program: 1, Base: base, Group: i, Start: start + childSetup/2, Home: at, Setup: childSetup, First: first * serverSteps})
		w.Channels = append(w.Channels,
			Channel{Name: fmt.Sprintf("request-%d", i), From: c, To: s, Sync: true, Context: InSoftirq, Lines: b.lines},
			Channel{Name: fmt.Sprintf("reply-%d", i), From: s, To: c, Sync: true, Context: InSoftirq, Lines: b.lines})
	}
	return w, nil
}

// Steps of one operation in the two programs.
const (
	clientSteps = 5
	serverSteps = 3
)

// programs are the client's and the server's, a round of all operations each.
func (b tbench) programs(ops []operation) []Program {
	run := func(ns int64) Step { return Step{Op: Run, Dist: Jittered, Time: ns} }
	const request, reply = 0, 1
	var client, server Program
	for _, o := range ops {
		in, out := copyHalf(o.reply()), copyHalf(o.request())
		client = append(client, run(b.sendNS+out), Step{Op: Send, Channel: request, Bytes: o.request()},
			Step{Op: Recv, Channel: reply}, run(b.recNS+in), Step{Op: Done})
		server = append(server, Step{Op: Recv, Channel: request}, run(b.recNS+out+b.sendNS+in),
			Step{Op: Send, Channel: reply, Bytes: o.reply()})
	}
	return []Program{client, server}
}
