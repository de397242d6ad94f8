package sim

// claim is a placement on its way to being seen: at time, cpu stops looking
// idle.
type claim struct {
	time int64
	cpu  int32
}

// claimQueue holds the claims of all wakers, at most one each, ordered by time.
// Windows differ little, so inserting from the end moves almost nothing.
type claimQueue struct {
	ring       []claim
	head, tail uint32 // mask with len(ring)-1
}

func newClaimQueue(cpus int) claimQueue {
	size := 2
	for size <= cpus {
		size *= 2
	}
	return claimQueue{ring: make([]claim, size)}
}

func (q *claimQueue) at(i uint32) *claim { return &q.ring[i&uint32(len(q.ring)-1)] }

func (q *claimQueue) push(c claim) {
	i := q.tail
	for i != q.head && q.at(i-1).time > c.time {
		*q.at(i) = *q.at(i - 1)
		i--
	}
	*q.at(i) = c
	q.tail++
}

// drop takes out the earliest claim on cpu and reports whether there was one.
func (q *claimQueue) drop(cpu int32) bool {
	for i := q.head; i != q.tail; i++ {
		if q.at(i).cpu != cpu {
			continue
		}
		for ; i+1 != q.tail; i++ {
			*q.at(i) = *q.at(i + 1)
		}
		q.tail--
		return true
	}
	return false
}

// showClaims makes visible what is due.
func (e *engine) showClaims() {
	q := &e.claims
	for q.head != q.tail && q.at(q.head).time <= e.now {
		c := q.at(q.head).cpu
		q.head++
		e.cpus[c].claims++
		e.markBusy(c)
	}
}

// settleClaim ends one claim on c because its task is being queued: if the
// window shrank on the way (the waker's sibling stopped) it may not show yet.
func (e *engine) settleClaim(c int32) {
	e.showClaims()
	if e.cpus[c].claims > 0 {
		e.cpus[c].claims--
		return
	}
	if !e.claims.drop(c) {
		panic("sim: a placement without a claim")
	}
}

func (e *engine) markBusy(c int32) {
	e.idle[c>>6] &^= 1 << (c & 63)
	e.mark(c, false)
}

// markIdle sets c's bit if c really looks idle.
func (e *engine) markIdle(c int32) {
	p := &e.cpus[c]
	if !p.active && p.nr == 0 && p.claims == 0 {
		e.idle[c>>6] |= 1 << (c & 63)
		e.mark(c, true)
	}
}

func (e *engine) looksIdle(c int32) bool { return e.idle[c>>6]>>(c&63)&1 != 0 }
