package sim

import (
	"context"
	"fmt"
)

// Run plays cfg and returns what was measured in its window. It stops early
// with the context's error when ctx is cancelled.
func Run(ctx context.Context, cfg Config) (*Totals, error) {
	e, err := compile(ctx, cfg)
	if err != nil {
		return nil, err
	}
	start := cfg.Workload.LastStart() + cfg.Warmup
	middle, end := start+cfg.Duration/2, start+cfg.Duration
	for third := range int64(3) {
		if err := e.runUntil(start-cfg.Warmup*(3-third)/3, end); err != nil {
			return nil, err
		}
		e.age()
	}
	if err := e.runUntil(start, end); err != nil {
		return nil, err
	}
	e.closeBooks()
	e.resetMeters()
	if err := e.runUntil(middle, end); err != nil {
		return nil, err
	}
	half := append([]int64(nil), e.meter.groups...)
	if err := e.runUntil(end, end); err != nil {
		return nil, err
	}
	e.closeBooks()
	return e.totals(half), nil
}

func (e *engine) resetMeters() {
	groups := e.meter.groups
	clear(groups)
	e.meter = meter{groups: groups}
	clear(e.cpuTime)
	clear(e.tskTime)
}

// Between two looks at the context and the progress callback pass this many
// events, some tens of microseconds of host time.
const checkEvery = 4096

// stuckAfter is how many events in a row may happen at one instant before the
// run is given up: far more than all tasks and CPUs together can have.
const stuckAfter = 5_000_000

// runUntil executes the events before until.
func (e *engine) runUntil(until, total int64) error {
	same := 0
	for n := 0; ; n++ {
		at, slot, _ := e.timers.next()
		done, c, _ := e.done.next()
		first := min(at, done)
		if first >= until {
			e.now = until
			break
		}
		same++
		if first != e.now {
			same = 0
		}
		e.now = first
		if at <= done {
			e.timer(slot)
		} else {
			e.complete(c)
		}
		if n%checkEvery == 0 || e.err != nil {
			if err := e.pause(same, total); err != nil {
				return err
			}
		}
		e.meter.events++
	}
	return e.pause(0, total)
}

// pause looks at the world outside.
func (e *engine) pause(same int, total int64) error {
	if e.err != nil {
		return e.err
	}
	if err := e.ctx.Err(); err != nil {
		return fmt.Errorf("sim: stopped at %d of %d ns: %w", e.now, total, err)
	}
	if same > stuckAfter {
		return fmt.Errorf("sim: workload %q makes no progress at %d ns: all its steps take no time", e.cfg.Workload.Name, e.now)
	}
	if e.cfg.Progress != nil {
		e.cfg.Progress(e.now, total)
	}
	return nil
}
