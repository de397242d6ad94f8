package sim

import (
	"testing"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/topology"
)

// level takes the lag away that a pair gets from the way it starts: with it, a
// wakee on its waker's CPU may come first. It waits for the client to send with
// the server asleep.
func (e *engine) level(t *testing.T) {
	for e.tasks[1].cat != Blocked || e.tasks[1].cpu == none || e.cpus[e.tasks[0].cpu].curr != 0 || e.cpus[e.tasks[0].cpu].effect != effSend {
		oneEvent(t, e)
	}
	e.ents[0].vlag, e.ents[1].vlag = 0, 0
}

// TestPipe compares a ping-pong with its closed form, to the nanosecond: round is
// one round trip, client what the client's task spends of it on a CPU.
func TestPipe(t *testing.T) {
	const a, b, lines = 7_001, 5_003, 3
	one := cores(t, 1)
	flat := cores(t, 2)
	arm := on(t, "kunpeng128", "arm", topology.New("arm").Cores(2))
	arms := on(t, "kunpeng128", "arms", topology.New("arms").Sockets(2).Cores(1))
	sockets := on(t, "xeon240", "sockets", topology.New("sockets").Sockets(2).Cores(1))

	// exit is what the halted state of the machine in question costs to leave.
	var exit int64
	// On one CPU both ends pay two system calls, a local wakeup and a switch.
	local := func(p prices) int64 { return 4*p.syscall + 2*p.localWake + 2*p.contextSwitch + a + b }
	// Over two CPUs the way of a message is: onto the wakelist, out of the
	// shallowest halted state, drained, switched to, received, its lines fetched,
	// worked on, sent. What the sender does meanwhile (the switch to idle) is off the
	// path.
	hop := func(p prices, d topology.Distance) int64 {
		return p.wakelistAdd + p.line[d] + exit + p.drain + p.contextSwitch + lines*p.line[d] + 2*p.syscall
	}
	interrupt := func(p prices) int64 { return p.ipiSend + p.ipiDelivery }

	for _, c := range []struct {
		name           string
		m              *machine.Machine
		client, server string
		policy         string
		round          func(p prices) int64
		latency        func(p prices) int64
		reason         policy.Reason
		distance       topology.Distance
	}{
		{"one CPU, pinned", flat, "1", "1", "6.10", local,
			func(p prices) int64 { return p.localWake + p.contextSwitch },
			policy.Pinned, topology.SameCPU},
		// Nothing else exists, but the rules are asked: a free look at This.
		{"one CPU, searched", one, "", "", "6.10",
			func(p prices) int64 { return local(p) + 2*p.scanFixed },
			func(p prices) int64 { return p.scanFixed + p.localWake + p.contextSwitch },
			policy.NothingIdle, topology.SameCPU},
		{"two CPUs", flat, "0", "1", "6.10",
			func(p prices) int64 { return 2*hop(p, topology.LLC) + a + b },
			func(p prices) int64 { return hop(p, topology.LLC) - lines*p.line[topology.LLC] - 2*p.syscall },
			policy.Pinned, topology.SameCPU},
		{"two sockets", sockets, "0", "1", "6.10",
			func(p prices) int64 { return 2*hop(p, topology.Remote) + a + b },
			func(p prices) int64 { return hop(p, topology.Remote) - lines*p.line[topology.Remote] - 2*p.syscall },
			policy.Pinned, topology.SameCPU},
		// Without wakelists the waker enqueues itself and the drain is not paid.
		{"two CPUs, no wakelist", flat, "0", "1", "6.10+NO_TTWU_QUEUE",
			func(p prices) int64 {
				return 2*(hop(p, topology.LLC)-p.wakelistAdd-p.line[topology.LLC]-p.drain+p.remoteEnqueue) + a + b
			},
			func(p prices) int64 { return p.remoteEnqueue + exit + p.contextSwitch },
			policy.Pinned, topology.SameCPU},
		// An idle state that does not poll takes an interrupt to leave.
		{"interrupt", arm, "0", "1", "6.10",
			func(p prices) int64 { return 2*(hop(p, topology.LLC)+interrupt(p)) + a + b },
			func(p prices) int64 {
				return hop(p, topology.LLC) + interrupt(p) - lines*p.line[topology.LLC] - 2*p.syscall
			},
			policy.Pinned, topology.SameCPU},
		{"interrupt to another socket", arms, "0", "1", "6.10",
			func(p prices) int64 { return 2*(hop(p, topology.Remote)+interrupt(p)+p.ipiRemoteExtra) + a + b },
			func(p prices) int64 {
				return hop(p, topology.Remote) + interrupt(p) + p.ipiRemoteExtra - lines*p.line[topology.Remote] - 2*p.syscall
			},
			policy.Pinned, topology.SameCPU},
	} {
		t.Run(c.name, func(t *testing.T) {
			const rounds = 500
			cfg := Config{Machine: c.m, Workload: pingPong(t, a, b, lines, c.client, c.server), Policy: linux(t, c.policy), Duration: 1}
			e := prepare(t, cfg).calm()
			p := e.price
			exit = e.halted()
			round := c.round(p)
			// By then the ends have left the deepest state once, and know better.
			e.cfg.Warmup, e.cfg.Duration = 3*round+2*ms+17, rounds*round
			e.level(t)
			got := e.play(t)
			if got.Done[0] != rounds {
				t.Errorf("%d rounds, want %d of %d ns", got.Done[0], rounds, round)
			}
			if got.Task[Work] != rounds*(a+b) || got.Task[Syscall] != rounds*4*p.syscall {
				t.Errorf("work %d, syscalls %d ns; want %d and %d", got.Task[Work], got.Task[Syscall], rounds*(a+b), rounds*4*p.syscall)
			}
			if want := c.latency(p); got.Latency.Mean != want || got.Latency.Max != want {
				t.Errorf("wakeup latency %+v, want %d ns each", got.Latency, want)
			}
			if got.Placements[c.reason] != 2*rounds || got.Migrations[c.distance] != 2*rounds || got.Wakeups != 2*rounds {
				t.Errorf("%d wakeups, placements %v, migrations %v; want %d %s", got.Wakeups, got.Placements, got.Migrations, 2*rounds, c.reason)
			}
		})
	}
}
