package sim

import "github.com/schedlab/lab/schedlab/topology"

// place is where a CPU sits. A table of all pairs would be faster to read and
// slower to have: it does not fit the nearest cache.
type place struct {
	core, cluster, llc, socket int32 // cluster is unique where there are none
}

// distance is topology.Distance on the compiled machine.
func (e *engine) distance(a, b int32) topology.Distance {
	if a == b {
		return topology.SameCPU
	}
	x, y := &e.places[a], &e.places[b]
	switch {
	case x.core == y.core:
		return topology.SMT
	case x.cluster == y.cluster:
		return topology.Cluster
	case x.llc == y.llc:
		return topology.LLC
	case x.socket == y.socket:
		return topology.Socket
	}
	return topology.Remote
}
