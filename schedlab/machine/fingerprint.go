package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"

	"github.com/schedlab/lab/schedlab/topology"
)

// Fingerprint is a SHA-256 in hex over the machine's name, its topology CPU by CPU, every cost and
// every idle state. Machines with equal fingerprints simulate alike, so caches may use it as a key.
// Prose (the sources) is left out: rewording one does not throw results away.
func (m *Machine) Fingerprint() string {
	h := sha256.New()
	fmt.Fprintf(h, "machine 1\nname %q\n", m.name)
	writeTopology(h, m.topo)
	exact := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, c := range m.costs {
		fmt.Fprintf(h, "cost %s %s %s %s %s %s\n", c.Param, exact(c.Value), c.Unit, exact(c.Low), exact(c.High), c.Grade)
	}
	for _, s := range m.idle {
		fmt.Fprintf(h, "idle %q %d %d %t %s\n", s.Name, s.ExitNS, s.ResidencyNS, s.Polling, s.Grade)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func writeTopology(w io.Writer, t *topology.Topology) {
	fmt.Fprintf(w, "topology %q clusters %t\n", t.Name(), t.HasClusters())
	for _, c := range t.All().CPUs() {
		fmt.Fprintf(w, "cpu %d %d %d %d %d %d\n", c, t.Socket(c), t.Node(c), t.LLC(c), t.Cluster(c), t.Core(c))
	}
	for a := range topology.NodeID(t.NumNodes()) {
		for b := range topology.NodeID(t.NumNodes()) {
			fmt.Fprintf(w, "%d ", t.NodeDistance(a, b))
		}
		fmt.Fprintln(w)
	}
}
