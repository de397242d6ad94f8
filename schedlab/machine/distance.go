package machine

import "github.com/schedlab/lab/schedlab/topology"

// Which param prices each distance. SameCPU has none: it costs nothing.
var (
	lineParams = [topology.NumDistances]Param{
		topology.SMT:     LineSMT,
		topology.Cluster: LineCluster,
		topology.LLC:     LineLLC,
		topology.Socket:  LineSocket,
		topology.Remote:  LineRemote,
	}
	contendedParams = [topology.NumDistances]Param{
		topology.SMT:     LineSMT, // the line never leaves the core
		topology.Cluster: ContendedCluster,
		topology.LLC:     ContendedLLC,
		topology.Socket:  ContendedSocket,
		topology.Remote:  ContendedRemote,
	}
	refillParams = [topology.NumDistances]Param{
		topology.Cluster: RefillLLC,
		topology.LLC:     RefillLLC,
		topology.Socket:  RefillSocket,
		topology.Remote:  RefillRemote,
	}
)

// Line is the uncontended transfer of one cache line over a distance, in ns; 0 on the same CPU.
func (m *Machine) Line(d topology.Distance) int64 {
	if d == topology.SameCPU {
		return 0
	}
	return m.ns[lineParams[d]]
}

// Contended is how long one access over a distance takes a contended line for itself, in ns: the
// service time of a single server. 0 on the same CPU.
func (m *Machine) Contended(d topology.Distance) int64 {
	if d == topology.SameCPU {
		return 0
	}
	return m.ns[contendedParams[d]]
}

// Refill is the extra time of a small task (a few KB) after a move over a distance, in ns. It is 0 on
// the same CPU and between SMT siblings, which share their caches.
func (m *Machine) Refill(d topology.Distance) int64 {
	if d == topology.SameCPU || d == topology.SMT {
		return 0
	}
	return m.ns[refillParams[d]]
}

// RefillBytes is the same for a task that touches a given number of bytes, in ns. Each line costs
// payload_line_fraction of a transfer over the distance, since the misses overlap; no more lines
// count than fit the second level cache, because no more were near before the move. Never less than
// Refill.
//
// On a 2.3 GHz Haswell 80 KB give 20 us within the LLC and 55 us across sockets, which is what a
// dbench client is estimated to lose.
func (m *Machine) RefillBytes(d topology.Distance, bytes int64) int64 {
	if d == topology.SameCPU || d == topology.SMT {
		return 0
	}
	lines := min(bytes, int64(m.costs[L2Size].Value)) / LineBytes
	overlapped := float64(lines*m.Line(d)) * m.costs[PayloadLineFraction].Value
	return max(m.Refill(d), int64(overlapped+0.5))
}

// LineBytes is the size of a cache line, 64 on every machine here.
const LineBytes = 64

// Work is what a CPU is doing, as far as SMT cares. The zero value is KernelWork.
type Work uint8

const (
	KernelWork  Work = iota // network, pipe and other kernel paths
	ComputeWork             // user code, databases
)

// SMTGain is the throughput of a core with both threads busy, one thread alone being 1; from 1 to 2.
// Each of the two threads then runs SMTGain/2 as fast. It means nothing where cores have one thread.
func (m *Machine) SMTGain(w Work) float64 {
	if w == ComputeWork {
		return m.costs[SMTGainCompute].Value
	}
	return m.costs[SMTGainKernel].Value
}
