package machine

import "fmt"

// Governor says who sets a CPU's clock. The zero value is Fixed.
type Governor uint8

const (
	Fixed       Governor = iota // the clock never moves: turbo off under the performance governor, or no scaling at all
	Performance                 // always as fast as turbo allows: clock_max for few busy cores, clock_allcore for all
	Powersave                   // intel_pstate powersave: follows utilisation, see Clock.Request
)

var governorNames = [...]string{"fixed", "performance", "powersave"}

// String is "fixed", "performance" or "powersave".
func (g Governor) String() string {
	if int(g) >= len(governorNames) {
		return fmt.Sprintf("Governor(%d)", uint8(g))
	}
	return governorNames[g]
}

func parseGovernor(name string) (Governor, bool) {
	for i, n := range governorNames {
		if n == name {
			return Governor(i), true
		}
	}
	return 0, false
}

// Clock is how fast a machine's CPUs run, in kHz so that an engine needs no floats.
// MinKHz <= BaseKHz <= AllCoreKHz <= MaxKHz; all equal under Fixed.
type Clock struct {
	Governor   Governor
	MinKHz     int64 // an unused CPU under Powersave
	BaseKHz    int64 // nominal
	AllCoreKHz int64 // all cores busy
	MaxKHz     int64 // one core busy; the clock at which all costs in ns hold
}

// Request is the clock, in kHz, that the governor asks for on a CPU with the given utilisation
// (0-1024, PELT's scale), before turbo's limit by busy cores. Under Powersave it is
// 1.25 * max * busy, held within MinKHz and MaxKHz (G. Gherdovich 2020 describes the rule).
func (c Clock) Request(util int64) int64 {
	if c.Governor != Powersave {
		return c.MaxKHz
	}
	return min(max(c.MaxKHz*util*5/(4*1024), c.MinKHz), c.MaxKHz)
}

// Clock is the machine's clock, its GHz figures rounded to kHz.
func (m *Machine) Clock() Clock {
	khz := func(p Param) int64 { return int64(m.costs[p].Value*1e6 + 0.5) }
	return Clock{
		Governor:   Governor(m.costs[ClockGovernor].Value),
		MinKHz:     khz(ClockMin),
		BaseKHz:    khz(ClockBase),
		AllCoreKHz: khz(ClockAllCore),
		MaxKHz:     khz(ClockMax),
	}
}

// check says what makes a clock impossible, or nil.
func (c Clock) check() error {
	switch {
	case c.MinKHz > c.BaseKHz || c.BaseKHz > c.AllCoreKHz || c.AllCoreKHz > c.MaxKHz:
		return fmt.Errorf("clocks must rise from clock_min through clock_base and clock_allcore to clock_max, not %d, %d, %d, %d kHz",
			c.MinKHz, c.BaseKHz, c.AllCoreKHz, c.MaxKHz)
	case c.Governor == Fixed && c.MinKHz != c.MaxKHz:
		return fmt.Errorf("a fixed clock cannot range from %d to %d kHz: set all clocks equal or name another governor", c.MinKHz, c.MaxKHz)
	}
	return nil
}
