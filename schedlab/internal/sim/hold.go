package sim

// HoldLoop is the yardstick of the benchmarks: a winner tree of slots pending
// times, from which the earliest is taken and put back an exponential step of
// 10 us later, events times. It returns the time it ends at, so that nothing of
// it can be left out. A run's cost in units of one such event compares over
// computers.
func HoldLoop(slots, events int) int64 {
	s := newStream(1, 0, forService)
	t := newTree(slots)
	for i := range slots {
		t.set(int32(i), s.exponential(10_000))
	}
	var now int64
	for range events {
		at, slot, _ := t.next()
		now = at
		t.set(slot, at+s.exponential(10_000))
	}
	return now
}
