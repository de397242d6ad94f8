package machine_test

import (
	"fmt"
	"log"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/topology"
)

// What a cache line costs on the machine of the cluster patches, and how well that is known.
func Example() {
	m, err := machine.Preset("kunpeng128")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m)
	for d := topology.Cluster; d < topology.NumDistances; d++ {
		fmt.Printf("%-8s line %3d ns, contended %3d ns\n", d, m.Line(d), m.Contended(d))
	}
	c := m.Cost(machine.LineCluster)
	fmt.Printf("%s = %v %s (%v to %v), grade %s\n", c.Param, c.Value, c.Unit, c.Low, c.High, c.Grade)
	fmt.Println("idle CPU woken by a store alone:", m.PollingIdle())
	// Output:
	// kunpeng128: 2 sockets, 4 nodes, 4 LLCs, 128 cores, 128 CPUs, fixed clock
	// cluster  line  35 ns, contended  40 ns
	// LLC      line  36 ns, contended  72 ns
	// socket   line  80 ns, contended 104 ns
	// remote   line 150 ns, contended 150 ns
	// line_cluster = 35 ns (30 to 38), grade A
	// idle CPU woken by a store alone: false
}

// A machine of your own: its topology under the costs of a relative, with what you measured put in.
func ExampleMachine_On() {
	relative, err := machine.Preset("spr224")
	if err != nil {
		log.Fatal(err)
	}
	mine, err := topology.New("mine").Sockets(2).Cores(32).Threads(2).Build()
	if err != nil {
		log.Fatal(err)
	}
	m, err := relative.On("mine", mine)
	if err != nil {
		log.Fatal(err)
	}
	m, err = m.With(machine.Cost{
		Param: machine.LineRemote, Value: 108, Low: 102, High: 113, Unit: "ns",
		Grade: machine.GradeA, Source: "compare-and-swap ping-pong on this machine",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m)
	fmt.Println("to the other socket:", m.Line(topology.Remote), "ns")
	// Output:
	// mine: 2 sockets, 2 nodes, 2 LLCs, 64 cores, 128 CPUs, performance clock
	// to the other socket: 108 ns
}
