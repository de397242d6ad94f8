package sim

// Load balancing of 5.5 and later. A CPU compares the groups of a domain, finds
// the busiest one that is worse off than its own, and pulls tasks from its
// busiest queue.

// occasion is why a CPU balances.
type occasion uint8

const (
	goingIdle occasion = iota
	whileIdle
	whileBusy
)

// groupKind orders groups by how much help they need.
type groupKind uint8

const (
	hasSpare groupKind = iota
	fullyBusy
	overloaded
)

// load is what a group looks like to the balancer.
type load struct {
	group    *group
	kind     groupKind
	running  int64
	idle     int64
	util     int64
	load     int64
	average  int64 // load per capacity, for overloaded and fully busy groups
	capacity int64
}

func (e *engine) cpuUtil(c int32) int64 {
	return min(fullCapacity, max(e.rqAvg[c].util>>peltShift, e.rqEst[c]))
}

func (e *engine) look(g *group, pct int64) load {
	s := load{group: g, capacity: g.capacity}
	for _, c := range g.cpus {
		p := &e.cpus[c]
		s.running += int64(p.nr)
		s.util += e.cpuUtil(c)
		s.load += e.rqAvg[c].load >> peltShift
		if e.looksIdle(c) {
			s.idle++
		}
	}
	n := int64(len(g.cpus))
	switch {
	// At equal weights the load average is the runnable average.
	case s.running > n && (s.capacity*100 < s.util*pct || s.capacity*pct < s.load*100):
		s.kind = overloaded
	case s.running < n || s.capacity*100 > s.util*pct && s.capacity*pct > s.load*100:
		s.kind = hasSpare
	default:
		s.kind = fullyBusy
	}
	s.average = s.load * fullCapacity / s.capacity
	return s
}

// busier: a needs help more than b.
func busier(a, b *load) bool {
	if a.kind != b.kind {
		return a.kind > b.kind
	}
	if a.kind == hasSpare {
		if a.idle != b.idle {
			return a.idle < b.idle
		}
		return a.running > b.running
	}
	return a.average > b.average
}

// balance pulls tasks to c in domain d and returns how many came.
func (e *engine) balance(c int32, d *domain, why occasion) int {
	if !e.shouldBalance(c, d, why) || why == goingIdle && !e.anythingWaits(d) {
		return 0
	}
	local := e.look(d.groups[0], d.pct)
	total, capacity, util := local.load, local.capacity, local.util
	var busiest load
	for _, g := range d.groups[1:] {
		s := e.look(g, d.pct)
		total, capacity, util = total+s.load, capacity+s.capacity, util+s.util
		if s.running > 0 && (busiest.group == nil || busier(&s, &busiest)) {
			busiest = s
		}
	}
	if d.top {
		e.overloaded = e.anyOverloaded()
	}
	if d.isLLC && why != goingIdle {
		e.scanHint[e.cpus[c].llc] = idleScan(util, d.span, d.pct)
	}
	mean := total * fullCapacity / capacity
	var amount int64
	var by currency
	if busiest.group != nil && worthIt(d, &local, &busiest, mean, why) {
		amount, by = imbalance(d, &local, &busiest, mean, why)
	}
	if amount <= 0 {
		d.balanced(why)
		return 0
	}
	return e.pull(c, d, busiest.group, amount, by, why)
}

// balanced: nothing to do here; look less often.
func (d *domain) balanced(why occasion) {
	d.failed = 0
	if why != goingIdle {
		d.interval = min(2*d.interval, d.max)
	}
}

// idleScan is SIS_UTIL's hint: the share of the LLC that is worth scanning
// falls with the square of its utilisation and is 0 from 85.5 % at pct 117.
func idleScan(util, n, pct int64) int64 {
	x := util / n
	y := fullCapacity - x*x*pct*pct/(10_000*fullCapacity)
	return n * max(0, y) / fullCapacity
}

// anythingWaits: some queue of d has a task to spare. Without one a CPU going
// idle has nothing to pull, whatever the statistics say.
func (e *engine) anythingWaits(d *domain) bool {
	for _, g := range d.groups {
		for _, c := range g.cpus {
			if e.cpus[c].nr > 1 {
				return true
			}
		}
	}
	if d.top {
		e.overloaded = false
	}
	return false
}

// shouldBalance: one CPU of the own group balances for it, the first idle one
// (preferably on an idle core), else the first.
func (e *engine) shouldBalance(c int32, d *domain, why occasion) bool {
	if why == goingIdle {
		return e.cpus[c].nr == 0
	}
	second := int32(none)
	for _, x := range d.mask {
		if !e.looksIdle(x) {
			continue
		}
		if !d.sharesCore && !e.coreIdle(x) {
			if second == none {
				second = x
			}
			continue
		}
		return x == c
	}
	if second != none {
		return second == c
	}
	return len(d.mask) > 0 && d.mask[0] == c
}

func (e *engine) coreIdle(c int32) bool {
	for _, x := range e.threads[e.cpus[c].core] {
		if !e.looksIdle(x) {
			return false
		}
	}
	return true
}

// worthIt decides whether anything should move at all.
func worthIt(d *domain, local, busiest *load, mean int64, why occasion) bool {
	switch {
	case local.kind > busiest.kind:
		return false
	case local.kind == overloaded:
		return local.average < busiest.average && local.average < mean && 100*busiest.average > d.pct*local.average
	case d.spread && local.kind == hasSpare && siblingImbalance(local, busiest, why) > 1:
		return true
	case busiest.kind == overloaded:
		return true
	case why == whileBusy:
		return false
	case len(busiest.group.cpus) > 1 && local.idle <= busiest.idle+1:
		return false
	}
	return busiest.running != 1
}

// siblingImbalance is the difference in tasks, per core where cores differ.
func siblingImbalance(local, busiest *load, why occasion) int64 {
	if why == whileBusy || busiest.running == 0 {
		return 0
	}
	a, b := local.group.cores, busiest.group.cores
	diff := max(0, busiest.running-local.running)
	if a != b {
		diff = (2*max(0, a*busiest.running-b*local.running) + a + b) / (a + b)
	}
	if diff <= 1 && local.running == 0 && busiest.running > 1 {
		diff = 2
	}
	return diff
}

// currency is what an imbalance is measured in.
type currency uint8

const (
	byTasks currency = iota
	byUtil
	byLoad
)

// imbalance is how much to move.
func imbalance(d *domain, local, busiest *load, mean int64, why occasion) (int64, currency) {
	if local.kind == hasSpare {
		if busiest.kind > fullyBusy && !d.sharesLLC {
			amount := max(local.capacity, local.util) - local.util
			if amount == 0 && why != whileBusy {
				return 1, byTasks
			}
			return amount, byUtil
		}
		amount := max(0, local.idle-busiest.idle)
		if d.spread || len(busiest.group.cpus) == 1 {
			amount = siblingImbalance(local, busiest, why)
		}
		if d.crossNode && local.running+1 <= d.numa && amount <= 2 {
			return 0, byTasks // so small an imbalance between nodes is allowed
		}
		return amount >> 1, byTasks
	}
	if local.average >= busiest.average || local.average >= mean {
		return 0, byLoad
	}
	return min((busiest.average-mean)*busiest.capacity, (mean-local.average)*local.capacity) / fullCapacity, byLoad
}

// anyOverloaded: some CPU has two tasks, as statistics over the whole machine
// find it.
func (e *engine) anyOverloaded() bool {
	for _, c := range e.everyone {
		if e.cpus[c].nr > 1 {
			return true
		}
	}
	return false
}
