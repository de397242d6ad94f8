package sim

// PELT, per-entity load tracking: averages that forget half in 32 periods of
// 1.048576 ms. As in the kernel, an average moves only when a period ends;
// inside a period time is collected. Values are fixed point with peltShift
// fraction bits, so that 1024 stands for "all the time".
const (
	periodShift = 20 // a period is 2^20 ns
	period      = 1 << periodShift
	peltShift   = 16
	peltFull    = 1024 << peltShift
)

// decayTable[n] is 2^32 * 0.5^(n/32).
var decayTable = [32]uint64{
	0xffffffff, 0xfa83b2db, 0xf5257d15, 0xefe4b99c,
	0xeac0c6e8, 0xe5b906e7, 0xe0ccdeec, 0xdbfbb798,
	0xd744fccb, 0xd2a81d92, 0xce248c15, 0xc9b9bd86,
	0xc5672a11, 0xc12c4cca, 0xbd08a39f, 0xb8fbaf47,
	0xb504f334, 0xb123f582, 0xad583eea, 0xa9a15ab5,
	0xa5fed6aa, 0xa2704303, 0x9ef53261, 0x9b8d39ba,
	0x9837f052, 0x94f4efa9, 0x91c3d374, 0x8ea4398b,
	0x8b95c1e4, 0x88980e81, 0x85aac368, 0x82cd8699,
}

// decay is x after n periods.
func decay(x int64, n int64) int64 {
	if n >= 63*32 {
		return 0
	}
	return int64(uint64(x)*decayTable[n&31]>>32) >> (n >> 5)
}

// average is one entity's or one queue's signals.
type average struct {
	stamp   int64 // ns; up to when time is collected
	util    int64 // share of time running, fixed point
	load    int64 // weight x share of time queued, fixed point
	ran     int32 // ns running in the current period
	weighed int64 // weight x ns queued in the current period
}

// update brings a up to now, given that since the last update the owner ran
// (or not) and had weight queued. A stamp ahead of now stays.
func (a *average) update(now int64, ran bool, weight int64) {
	dt := now - a.stamp
	if dt < 0 {
		return
	}
	if (a.stamp^now)>>periodShift == 0 {
		if ran {
			a.ran += int32(dt)
		}
		a.weighed += weight * dt
		a.stamp = now
		return
	}
	a.roll(now, ran, weight)
}

// roll crosses at least one period boundary.
func (a *average) roll(now int64, ran bool, weight int64) {
	rest := period - a.stamp&(period-1)
	full := int64(0)
	if ran {
		a.ran += int32(rest)
		full = peltFull
	}
	a.weighed += weight * rest
	// The period that ends: what was collected counts as one period's share.
	a.util = decay(a.util, 1) + share(int64(a.ran)<<(10+peltShift-periodShift), 1)
	a.load = decay(a.load, 1) + share(a.weighed>>(periodShift-peltShift), 1)
	// Whole periods in one state after it.
	if n := now>>periodShift - a.stamp>>periodShift - 1; n > 0 {
		a.util = decay(a.util, n) + share(full, n)
		a.load = decay(a.load, n) + share(weight<<peltShift, n)
	}
	begun := now & (period - 1)
	a.ran, a.weighed = 0, weight*begun
	if ran {
		a.ran = int32(begun)
	}
	a.stamp = now
}

// share is what n periods at level x add: x (1 - y^n).
func share(x, n int64) int64 { return x - decay(x, n) }

// attach adds the contribution of an entity that comes to this queue, detach
// takes that of one that leaves; a queue never goes below zero.
func (a *average) attach(e *average) {
	a.util += e.util
	a.load += e.load
}

func (a *average) detach(e *average) {
	a.util = max(0, a.util-e.util)
	a.load = max(0, a.load-e.load)
}
