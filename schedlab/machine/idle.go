package machine

import (
	"fmt"
	"strings"
)

// IdleState is one way a CPU can wait, as the kernel's idle governor knows it. The zero value is
// not valid.
type IdleState struct {
	Name        string // "POLL", "C1", "C1E", "C3", "C6", "WFI"
	ExitNS      int64  // worst case latency of leaving it; 0 for the idle loop spinning
	ResidencyNS int64  // shortest stay that makes entering it worth while
	Polling     bool   // the CPU watches its flags word (a spinning loop, or MWAIT): a remote wake is a store; if false it takes an IPI
	Grade       Grade
	Source      string
}

const stateNameChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// checkAfter says what is wrong with a state that follows shallower ones, or nil.
func (s IdleState) checkAfter(shallower []IdleState) *fieldError {
	switch {
	case strings.Trim(s.Name, stateNameChars) != "" || s.Name == "":
		return fieldErrorf("state", "%q: an idle state needs a name of letters, digits, _ and -", s.Name)
	case s.ExitNS < 0 || s.ExitNS > 1e9:
		return fieldErrorf("exit_latency_ns", "%s: %d is outside 0 to 1e9 ns", s.Name, s.ExitNS)
	case s.ResidencyNS < s.ExitNS || s.ResidencyNS > 1e10:
		return fieldErrorf("target_residency_ns", "%s: %d must lie between the exit latency %d and 1e10 ns", s.Name, s.ResidencyNS, s.ExitNS)
	case s.Grade < GradeA || s.Grade > GradeE:
		return fieldErrorf("grade", "%s: grade %q is not one of A, B, C, D, E", s.Name, s.Grade.String())
	case !isProse(s.Source):
		return fieldErrorf("source", "%s has no source on one line", s.Name)
	}
	for _, before := range shallower {
		switch {
		case before.Name == s.Name:
			return fieldErrorf("state", "%q is there twice", s.Name)
		case s.ExitNS <= before.ExitNS:
			return fieldErrorf("exit_latency_ns", "states go from shallow to deep, but %d of %s is not above %d of %s", s.ExitNS, s.Name, before.ExitNS, before.Name)
		case s.ResidencyNS <= before.ResidencyNS:
			return fieldErrorf("target_residency_ns", "states go from shallow to deep, but %d of %s is not above %d of %s", s.ResidencyNS, s.Name, before.ResidencyNS, before.Name)
		}
	}
	return nil
}

func checkIdleStates(states []IdleState) error {
	if len(states) == 0 {
		return fmt.Errorf("no idle states: give at least one, such as WFI or C1")
	}
	for i, s := range states {
		if err := s.checkAfter(states[:i]); err != nil {
			return fmt.Errorf("idle state %d: %w", i, err)
		}
	}
	return nil
}

// IdleStates lists the enabled states from shallow to deep, at least one. The caller owns the slice.
func (m *Machine) IdleStates() []IdleState { return append([]IdleState(nil), m.idle...) }

// IdleExit is what leaving idle state i (an index into IdleStates) costs in ns: idle_exit_poll for
// the spinning loop, idle_exit_c1 for the shallowest halted state, the governor's table below that.
// The table's figure for C1 is a worst case; the measured one is what a ping-pong pays.
func (m *Machine) IdleExit(i int) int64 {
	switch {
	case m.idle[i].ExitNS == 0:
		return m.NS(IdleExitPoll)
	case i == 0 || m.idle[i-1].ExitNS == 0:
		return m.NS(IdleExitC1)
	}
	return max(m.idle[i].ExitNS, m.NS(IdleExitC1))
}

// PollingIdle says whether an idle CPU is always woken by a store alone, as with MWAIT on x86. If
// false (WFI on arm64, HLT) some idle state needs an IPI; ask each state's Polling.
func (m *Machine) PollingIdle() bool {
	for _, s := range m.idle {
		if !s.Polling {
			return false
		}
	}
	return true
}
