package sim

// EEVDF, the fair class of 6.6 and later. Every queued entity has a virtual
// runtime v and a virtual deadline; an entity is eligible while v is not beyond
// the queue's weighted mean V, and the earliest eligible deadline runs.
//
// Sleepers get no credit: an entity keeps its lag V - v over a sleep. A pair
// that alternates on one CPU leaves with lag 0 each time, so the waker goes on
// until it blocks; a wakee with positive lag pulls V below the v of a lone
// runner and preempts it.
type entity struct {
	v        int64 // virtual ns
	deadline int64 // virtual ns
	vlag     int64 // V - v when it last left a queue
	picked   int64 // deadline when it was picked: RUN_TO_PARITY holds while equal
	weight   int64 // 1024 at nice 0
}

const niceZero = 1024

// fair is the run queue of one CPU. The running entity is not in queue, as in
// the kernel; the CPU's nr counts it.
type fair struct {
	queue  []int32 // waiting tasks, in no order
	base   int64   // v are summed relative to it
	sum    int64   // of weight x (v - base) over queue
	weight int64   // of queue
}

// rebase keeps the sums small: v moves 1 s per second, a product of weight and
// distance must fit 64 bits for hundreds of entities.
const rebase = int64(1) << 34

func (q *fair) insert(t int32, e *entity) {
	if e.v-q.base > rebase || q.base-e.v > rebase {
		q.sum -= q.weight * (e.v - q.base)
		q.base = e.v
	}
	q.queue = append(q.queue, t)
	q.sum += e.weight * (e.v - q.base)
	q.weight += e.weight
}

func (q *fair) remove(t int32, e *entity) {
	for i, x := range q.queue {
		if x == t {
			last := len(q.queue) - 1
			q.queue[i] = q.queue[last]
			q.queue = q.queue[:last]
			break
		}
	}
	q.sum -= e.weight * (e.v - q.base)
	q.weight -= e.weight
}

// mean is V over the queue and the running entity, rounded down; curr is nil
// when nothing runs.
func (q *fair) mean(curr *entity) int64 {
	sum, weight := q.sum, q.weight
	if curr != nil {
		sum += curr.weight * (curr.v - q.base)
		weight += curr.weight
	}
	if weight == 0 {
		return q.base
	}
	if sum < 0 {
		sum -= weight - 1
	}
	return q.base + sum/weight
}

// eligible: v is not beyond V, without the division's rounding.
func (q *fair) eligible(e, curr *entity) bool {
	sum, weight := q.sum, q.weight
	if curr != nil {
		sum += curr.weight * (curr.v - q.base)
		weight += curr.weight
	}
	return sum >= (e.v-q.base)*weight
}

// virtual is ns of run time as virtual time at a weight.
func virtual(ns, weight int64) int64 {
	if weight == niceZero {
		return ns
	}
	return ns * niceZero / weight
}

// place gives an entity that is being queued its v and deadline. new entities
// get half a slice, so that a burst of forks does not starve who is there.
func (q *fair) place(e, curr *entity, slice int64, lagOn, fresh bool) {
	span := virtual(slice, e.weight)
	v := q.mean(curr)
	load := q.weight
	if curr != nil {
		load += curr.weight
	}
	if lagOn && load > 0 {
		v -= e.vlag * (load + e.weight) / load
	}
	if fresh {
		span /= 2
	}
	e.v = v
	e.deadline = v + span
}

// leave records the lag of an entity that stops being queued; it must still
// count in the mean (as curr or in queue).
func (q *fair) leave(e, curr *entity, slice, tick int64) {
	limit := virtual(max(2*slice, tick), e.weight)
	e.vlag = min(max(q.mean(curr)-e.v, -limit), limit)
}

// advance books ns of run time on the running entity and reports whether its
// slice is used up; it then has a new deadline.
func (e *entity) advance(ns, slice int64) bool {
	e.v += virtual(ns, e.weight)
	if e.v < e.deadline {
		return false
	}
	e.deadline = e.v + virtual(slice, e.weight)
	return true
}

// pick returns the task to run next: none for the running one. curr is nil when
// the CPU's task does not go on.
func (q *fair) pick(entities []entity, curr *entity, parity bool) int32 {
	if len(q.queue) == 0 {
		return none
	}
	if curr != nil && !q.eligible(curr, curr) {
		return q.earliest(entities, curr, nil)
	}
	if curr != nil && parity && curr.picked == curr.deadline {
		return none
	}
	return q.earliest(entities, curr, curr)
}

// earliest is the eligible entity with the earliest deadline; rival, if not nil,
// wins only if strictly earlier. With nothing eligible the running one goes on.
func (q *fair) earliest(entities []entity, curr, rival *entity) int32 {
	best := int32(none)
	for _, t := range q.queue {
		e := &entities[t]
		if !q.eligible(e, curr) {
			continue
		}
		if best == none || e.deadline < entities[best].deadline || e.deadline == entities[best].deadline && t < best {
			best = t
		}
	}
	if best != none && rival != nil && rival.deadline < entities[best].deadline {
		return none
	}
	if best == none && curr == nil {
		// Rounding may leave nothing eligible on a queue nobody runs on.
		return q.leftmost(entities)
	}
	return best
}

func (q *fair) leftmost(entities []entity) int32 {
	best := q.queue[0]
	for _, t := range q.queue[1:] {
		if entities[t].v < entities[best].v || entities[t].v == entities[best].v && t < best {
			best = t
		}
	}
	return best
}
