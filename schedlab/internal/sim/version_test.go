package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
)

// pins are the results of each run below under the engine of a version. When a
// run differs although its inputs do not, results kept under that version are
// stale: change Version, then these.
var pins = map[string][]string{
	"2": {"9cbd6c0a", "60282911", "6255325b", "4674d89f", "cd7236cb", "cd7236cb"},
}

// TestVersion plays runs that depend on no file of costs.
func TestVersion(t *testing.T) {
	var got []string
	for i, shape := range []*topology.Builder{
		topology.New("flat").Cores(6),
		topology.New("smt").Sockets(2).Cores(3).Threads(2),
		topology.New("clusters").LLCs(2).Clusters(2).Cores(2),
	} {
		for _, p := range []string{"6.10", "6.10+SIS_SYNC"} {
			m := on(t, "xeon240", "pin", shape)
			w := randomWorkload(rand.New(rand.NewPCG(uint64(i), 1)), m.Topology().All())
			for k := range 4 { // and some that keep the machine busy
				x := mixture{rand.New(rand.NewPCG(uint64(k), 2)), m.Topology().All(), w}
				x.ring(3)
			}
			for k := range w.Channels {
				w.Channels[k].PayloadLines = 0
			}
			e := prepare(t, Config{Machine: m, Workload: w, Policy: linux(t, p), Seed: uint64(i), Warmup: ms, Duration: 3 * ms})
			e.price = prices{
				syscall: 101, localWake: 307, contextSwitch: 809, remoteEnqueue: 503, wakelistAdd: 97, ipiSend: 211, ipiDelivery: 701,
				ipiRemoteExtra: 311, drain: 397, moving: 223, tick: 1511, newIdleFixed: 601, newIdlePerCPU: 59, scanFixed: 151, scanQuiet: 29, scanDirty: 83,
				line: [topology.NumDistances]int64{0, 11, 31, 53, 73, 149}, contended: [topology.NumDistances]int64{0, 13, 37, 59, 79, 157},
			}
			e.sleeps = []sleepState{{polling: true}, {exit: 1000, residency: 1000, price: 907, polling: i != 2}, {exit: 9000, residency: 40_000, price: 7001}}
			e.shallow, e.payload, e.follows = 1, 5<<24/64, false
			for _, c := range e.everyone {
				e.idlers[c].state = 2
				for j := range e.domains[c] {
					e.domains[c][j].newIdleCost = newIdlePeak * e.balanceCost(&e.domains[c][j])
				}
				e.gates(c)
			}
			for j := range e.refill {
				e.refill[j] = [topology.NumDistances]int64{0, 0, 503, 1009, 1511, 3001}
			}
			e.stretchOf = stretches(1.25, m.Topology().SMT())
			for i := range e.llcDist {
				if e.llcDist[i] != 0 {
					e.llcDist[i] = 41
				}
			}
			if err := e.runUntil(300*us, ms); err != nil {
				t.Fatal(err)
			}
			e.age()
			sum := sha256.Sum256(fmt.Appendf(nil, "%+v", *e.play(t)))
			got = append(got, hex.EncodeToString(sum[:4]))
		}
	}
	if want := pins[Version]; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the runs give %q, under version %q it was %q: results have changed, so must Version", got, Version, want)
	}
}
