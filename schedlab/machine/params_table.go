package machine

const (
	unitNS       = "ns"
	unitRatio    = "ratio"
	unitGHz      = "GHz"
	unitLines    = "lines"
	unitBytes    = "bytes"
	unitGovernor = "governor"
)

const (
	groupLine      = "line transfer"
	groupContended = "contended line"
	groupWake      = "wake path"
	groupSearch    = "search"
	groupCache     = "cache and memory"
	groupSpeed     = "SMT and clock"
	groupLeg       = "lines per leg"
	groupAnchor    = "anchors"
)

// low and high are only given where the unit's own range is too wide; see Param.Range.
type paramInfo struct {
	name, unit, group, doc string
	low, high              float64
}

// The table docs are generated from. Order is the order of the constants.
var paramTable = [numParams]paramInfo{
	LineSMT:     {name: "line_smt", unit: unitNS, group: groupLine, doc: "One way of a cache line between the two threads of a core, nobody else wanting it."},
	LineCluster: {name: "line_cluster", unit: unitNS, group: groupLine, doc: "One way of a cache line between cores of one cluster; equals line_llc where there are no clusters."},
	LineLLC:     {name: "line_llc", unit: unitNS, group: groupLine, doc: "One way of a cache line between cores that share an LLC."},
	LineSocket:  {name: "line_socket", unit: unitNS, group: groupLine, doc: "One way of a cache line between LLCs of one socket; equals line_llc where a socket has one LLC."},
	LineRemote:  {name: "line_remote", unit: unitNS, group: groupLine, doc: "One way of a cache line between sockets."},

	ContendedCluster: {name: "contended_cluster", unit: unitNS, group: groupContended, doc: "How long a contended line is taken by one access from within the owner's cluster; equals contended_llc where there are no clusters."},
	ContendedLLC:     {name: "contended_llc", unit: unitNS, group: groupContended, doc: "How long a contended line (a task group's load_avg, a hot lock) is taken by one access from within the LLC: the service time of a single server."},
	ContendedSocket:  {name: "contended_socket", unit: unitNS, group: groupContended, doc: "The same from another LLC of the socket; equals contended_llc where a socket has one LLC."},
	ContendedRemote:  {name: "contended_remote", unit: unitNS, group: groupContended, doc: "The same from another socket."},

	Syscall:                {name: "syscall", unit: unitNS, group: groupWake, doc: "Entering and leaving the kernel once, with the mitigations of the machine's kernel."},
	LocalWake:              {name: "local_wake", unit: unitNS, group: groupWake, doc: "Enqueue and preemption check when the wakee goes to the waker's own CPU."},
	ContextSwitch:          {name: "context_switch", unit: unitNS, group: groupWake, doc: "Dequeue, pick and switch between two tasks on one CPU, caches warm."},
	RemoteEnqueue:          {name: "remote_enqueue", unit: unitNS, group: groupWake, doc: "Waker's time to lock another CPU's runqueue in its LLC and enqueue there, about six lines included."},
	MigrationBookkeeping:   {name: "migration_bookkeeping", unit: unitNS, group: groupWake, doc: "Waker's extra time when the chosen CPU is not the previous one: moving the load averages and clocks over, before the CPU looks busy."},
	GroupLevel:             {name: "group_level", unit: unitNS, group: groupWake, doc: "One level of task group in one enqueue or dequeue, its contended line not counted."},
	WakelistAdd:            {name: "wakelist_add", unit: unitNS, group: groupWake, doc: "Waker's time to put a wakee on another CPU's wakelist, its one line transfer not counted."},
	WakelistDrain:          {name: "wakelist_drain", unit: unitNS, group: groupWake, doc: "Extra time on the wakee's CPU to take it off the wakelist and enqueue it."},
	IPISend:                {name: "ipi_send", unit: unitNS, group: groupWake, doc: "Sender's time for a reschedule IPI."},
	IPIDelivery:            {name: "ipi_delivery", unit: unitNS, group: groupWake, doc: "From sending an IPI to its handler running, within a socket."},
	IPIDeliveryRemoteExtra: {name: "ipi_delivery_remote_extra", unit: unitNS, group: groupWake, doc: "Added to ipi_delivery when the target is on another socket."},
	IdleExitPoll:           {name: "idle_exit_poll", unit: unitNS, group: groupWake, doc: "From the store that wakes a CPU spinning in the idle loop to its scheduler running."},
	IdleExitC1:             {name: "idle_exit_c1", unit: unitNS, group: groupWake, doc: "The same from the shallowest halted state (C1, WFI), as measured: the governor's table gives a worst case instead."},
	Tick:                   {name: "tick", unit: unitNS, group: groupWake, doc: "One scheduler tick on a busy CPU."},

	ScanFixed:     {name: "scan_fixed", unit: unitNS, group: groupSearch, doc: "Entering a search for an idle CPU, whatever it then looks at."},
	ScanQuiet:     {name: "scan_quiet", unit: unitNS, group: groupSearch, doc: "One look at a CPU whose runqueue line is still cached here."},
	ScanDirty:     {name: "scan_dirty", unit: unitNS, group: groupSearch, doc: "One look at a CPU whose runqueue line was written since the last look."},
	ScanSaturated: {name: "scan_saturated", unit: unitNS, group: groupSearch, doc: "One look when all CPUs wake and search at once, so that the lines are fought over."},
	NewidleFixed:  {name: "newidle_fixed", unit: unitNS, group: groupSearch, doc: "One pass of newidle balancing over one domain level, CPUs not counted."},
	NewidlePerCPU: {name: "newidle_per_cpu", unit: unitNS, group: groupSearch, doc: "What each CPU in the span adds to a newidle pass."},

	RefillLLC:        {name: "refill_llc", unit: unitNS, group: groupCache, doc: "Extra time of a small task (a few KB: ping-pong, RPC) after moving within its LLC; a measured hop contains it, so it is not added to one."},
	RefillSocket:     {name: "refill_socket", unit: unitNS, group: groupCache, doc: "The same after moving to another LLC of the socket; equals refill_llc where a socket has one LLC."},
	RefillRemote:     {name: "refill_remote", unit: unitNS, group: groupCache, doc: "The same after moving to another socket."},
	L2Size:           {name: "l2_size", unit: unitBytes, group: groupCache, doc: "Private second level cache of a core: the most a migrated task has to fetch again."},
	LLCSizePerSocket: {name: "llc_size_per_socket", unit: unitBytes, group: groupCache, doc: "Last level cache of a socket, all its LLC domains together."},
	LLCHit:           {name: "llc_hit", unit: unitNS, group: groupCache, doc: "Load served by the LLC, line in no other core's cache."},
	DRAMLocal:        {name: "dram_local", unit: unitNS, group: groupCache, doc: "Load served by memory of the own node."},
	DRAMRemote:       {name: "dram_remote", unit: unitNS, group: groupCache, doc: "Load served by memory of another socket."},

	SMTGainKernel:  {name: "smt_gain_kernel", unit: unitRatio, group: groupSpeed, low: 1, high: 2, doc: "Throughput of a core with both threads in network or pipe code, one thread alone being 1; each thread runs gain/2 as fast."},
	SMTGainCompute: {name: "smt_gain_compute", unit: unitRatio, group: groupSpeed, low: 1, high: 2, doc: "The same with both threads in user code or a database."},
	ClockGovernor:  {name: "clock_governor", unit: unitGovernor, group: groupSpeed, doc: "Who sets the clock: fixed (never moves), performance (as fast as turbo allows), powersave (follows utilisation)."},
	ClockMin:       {name: "clock_min", unit: unitGHz, group: groupSpeed, doc: "Clock of a CPU with next to no utilisation under powersave."},
	ClockBase:      {name: "clock_base", unit: unitGHz, group: groupSpeed, doc: "Nominal clock."},
	ClockAllCore:   {name: "clock_allcore", unit: unitGHz, group: groupSpeed, doc: "Highest clock with all cores busy."},
	ClockMax:       {name: "clock_max", unit: unitGHz, group: groupSpeed, doc: "Highest clock of one busy core; all nanosecond costs hold at this clock."},

	TCPLinesPerLeg:      {name: "tcp_lines_per_leg", unit: unitLines, group: groupLeg, doc: "Lines of shared socket structures that follow one leg of a small TCP message to another CPU."},
	PayloadLineFraction: {name: "payload_line_fraction", unit: unitRatio, group: groupLeg, low: 0.01, high: 1, doc: "Price of a payload line as a part of a structure line's: streaming copies overlap their misses."},

	PipeSameCPU:      {name: "pipe_same_cpu", unit: unitNS, group: groupAnchor, doc: "One hop (half a round trip) of a pipe ping-pong, both tasks on one CPU."},
	PipeCluster:      {name: "pipe_cluster", unit: unitNS, group: groupAnchor, doc: "One hop of a pipe ping-pong within a cluster; equals pipe_cross_cpu where there are no clusters."},
	PipeCrossCPU:     {name: "pipe_cross_cpu", unit: unitNS, group: groupAnchor, doc: "One hop of a pipe ping-pong between cores of one LLC."},
	HopExtraSocket:   {name: "hop_extra_socket", unit: unitNS, group: groupAnchor, doc: "Added to a hop that crosses to another LLC of the socket; 0 where a socket has one LLC."},
	HopExtraRemote:   {name: "hop_extra_remote", unit: unitNS, group: groupAnchor, doc: "Added to a hop that crosses to another socket."},
	TCPSameCPU:       {name: "tcp_same_cpu", unit: unitNS, group: groupAnchor, doc: "One netperf TCP_RR transaction over loopback, one pair, both tasks on one CPU."},
	TCPCrossCPU:      {name: "tcp_cross_cpu", unit: unitNS, group: groupAnchor, doc: "The same with the two tasks on two cores of one LLC."},
	UDPTCPRatio:      {name: "udp_tcp_ratio", unit: unitRatio, group: groupAnchor, low: 0.1, high: 2, doc: "Time of a UDP_RR transaction as a part of a TCP_RR one's."},
	TbenchOp:         {name: "tbench_op", unit: unitNS, group: groupAnchor, doc: "One tbench operation (request and reply), one client."},
	HackbenchMessage: {name: "hackbench_message", unit: unitNS, group: groupAnchor, doc: "CPU time per hackbench message over pipes with all CPUs busy."},
	UperfRTT:         {name: "uperf_rtt", unit: unitNS, group: groupAnchor, doc: "One uperf round trip, 8 KB each way, few threads."},
}
