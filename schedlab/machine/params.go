package machine

import (
	"errors"
	"fmt"

	"github.com/schedlab/lab/schedlab/internal/nearest"
)

// Param names one cost of a machine. The set is closed: a machine has each of them exactly once.
// The zero value is LineSMT, the first. [Param.Doc], [Param.Unit] and [Param.Range] give meaning,
// unit and range; [Param.String] is the name used in data files.
type Param uint8

// Uncontended transfer of one cache line, by distance.
const (
	LineSMT Param = iota
	LineCluster
	LineLLC
	LineSocket
	LineRemote

	// Contended hand-over of one cache line, by distance.
	ContendedCluster
	ContendedLLC
	ContendedSocket
	ContendedRemote

	// The wake path, and what else the kernel does on a CPU's time.
	Syscall
	LocalWake
	ContextSwitch
	RemoteEnqueue
	MigrationBookkeeping
	GroupLevel
	WakelistAdd
	WakelistDrain
	IPISend
	IPIDelivery
	IPIDeliveryRemoteExtra
	IdleExitPoll
	IdleExitC1
	Tick

	// The search for an idle CPU, and balancing.
	ScanFixed
	ScanQuiet
	ScanDirty
	ScanSaturated
	NewidleFixed
	NewidlePerCPU

	// Caches and memory.
	RefillLLC
	RefillSocket
	RefillRemote
	L2Size
	LLCSizePerSocket
	LLCHit
	DRAMLocal
	DRAMRemote

	// SMT and clock.
	SMTGainKernel
	SMTGainCompute
	ClockGovernor
	ClockMin
	ClockBase
	ClockAllCore
	ClockMax

	// Lines per leg of a message.
	TCPLinesPerLeg
	PayloadLineFraction

	// Anchors: measured wholes that a calibration must meet.
	PipeSameCPU
	PipeCluster
	PipeCrossCPU
	HopExtraSocket
	HopExtraRemote
	TCPSameCPU
	TCPCrossCPU
	UDPTCPRatio
	TbenchOp
	HackbenchMessage
	UperfRTT

	numParams
)

// NumParams is how many costs a machine has.
const NumParams = int(numParams)

// Params lists every Param in order: grouped, as tables show them. The caller owns the slice.
func Params() []Param {
	all := make([]Param, numParams)
	for i := range all {
		all[i] = Param(i)
	}
	return all
}

// ParseParam finds a Param by the name used in data files. An unknown name is an error that offers
// the three nearest ones.
func ParseParam(name string) (Param, error) {
	for i := range paramTable {
		if paramTable[i].name == name {
			return Param(i), nil
		}
	}
	names := make([]string, numParams)
	for i := range paramTable {
		names[i] = paramTable[i].name
	}
	return 0, errors.New(nearest.Suggest("param", name, names))
}

// String is the name used in data files, such as "line_llc".
func (p Param) String() string {
	if p >= numParams {
		return fmt.Sprintf("Param(%d)", uint8(p))
	}
	return paramTable[p].name
}

// Group is the heading the param stands under in tables, such as "wake path".
func (p Param) Group() string { return paramTable[p].group }

// Unit is one of "ns", "ratio", "GHz", "lines", "bytes" and, for clock_governor alone, "governor".
func (p Param) Unit() string { return paramTable[p].unit }

// Doc is one sentence: what the cost is and when it is paid.
func (p Param) Doc() string { return paramTable[p].doc }

// Range is the span a value must lie in to make sense at all, ends included. It is far wider than a
// cost's own interval: it catches a wrong unit, not a wrong measurement.
func (p Param) Range() (low, high float64) {
	info := paramTable[p]
	if info.high != 0 {
		return info.low, info.high
	}
	switch info.unit {
	case unitNS:
		return 0, 1e9
	case unitGHz:
		return 0.1, 20
	case unitBytes:
		return 1024, 1 << 40
	case unitLines:
		return 0, 1e6
	case unitGovernor:
		return float64(Fixed), float64(Powersave)
	}
	return 0, 100
}
