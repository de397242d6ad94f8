package sim

// idler is the cold part of a CPU: what it remembers of its idle times and of
// balancing.
type idler struct {
	// What every idle time touches comes first.
	stamp   int64 // when it entered newidle balancing, 0 once sampled
	avgIdle int64
	maxCost int64 // max_idle_balance_cost
	nextBal int64 // when periodic balancing is due
	// Of the two lowest domains: what a newidle pass costs, and from which
	// avg_idle on it is made.
	firstCost, firstGate, secondGate int64
	state                            uint8    // of idleStates, while idle
	at                               uint8    // in last
	level                            uint8    // where a newidle pass is
	pair                             bool     // the lowest domain is the two threads of its core
	spent                            int64    // on the newidle pass under way
	last                             [8]int64 // idle times, ns

	// The clock: its slowdown in 1/1024, and what it is set by.
	slow                    int32
	sampled, busy, activeAt int64
}

// sleepState is one idle state as the governor and the bill see it, ns.
type sleepState struct {
	exit, residency int64 // the governor's table
	price           int64 // what leaving it costs
	polling         bool
}

// Square of 20 us: typical idle times vary less.
const steady = 20_000 * 20_000

// typical is menu's guess at the coming idle time: the mean of the last eight if
// they agree, dropping the longest while at least six remain; else a tick, when
// something will happen anyway.
func (d *idler) typical(tick int64) int64 {
	limit := int64(1)<<62 - 1
	for n := 8; n >= 6; n-- {
		var sum, top int64
		count := int64(0)
		for _, x := range d.last {
			if x <= limit {
				sum += x
				count++
				top = max(top, x)
			}
		}
		if count < 6 {
			break
		}
		mean := sum / count
		var square int64
		for _, x := range d.last {
			if x <= limit {
				diff := max(min(x-mean, 1<<29), -1<<29) // beyond half a second is far enough
				square += diff * diff
			}
		}
		variance := square / count
		if variance <= steady || mean < 1<<30 && mean*mean/36 > variance {
			return mean
		}
		limit = top - 1
	}
	return tick
}

// enterIdle chooses c's idle state: the deepest that pays off and can be left in
// time, never polling while a halted state fits.
func (e *engine) enterIdle(c int32) {
	d := &e.idlers[c]
	d.state = e.shallow
	if !e.choice() {
		return
	}
	expected := d.typical(e.tickNS)
	for i := int(e.shallow) + 1; i < len(e.sleeps); i++ {
		if s := &e.sleeps[i]; s.residency <= expected && s.exit <= expected {
			d.state = uint8(i)
		}
	}
}

// choice: there is more than one idle state to choose from.
func (e *engine) choice() bool { return int(e.shallow) < len(e.sleeps)-1 }

// leaveIdle takes c out of the idle loop and returns what the exit costs.
func (e *engine) leaveIdle(c int32) int64 {
	d := &e.idlers[c]
	if e.choice() {
		d.last[d.at&7] = e.now - e.cpus[c].idleSince
		d.at++
	}
	e.activate(c)
	return e.sleeps[d.state].price
}

// sampleIdle updates avg_idle when a wakeup ends an idle time. Time spent in
// newidle balancing counts as idle.
func (d *idler) sampleIdle(now int64) {
	if d.stamp != 0 {
		d.avgIdle = min(d.avgIdle+(now-d.stamp-d.avgIdle)>>3, 2*d.maxCost)
		d.stamp = 0
	}
}
