package sim

// The clock of a CPU under the powersave governor follows how busy it was:
// 1.25 x maximum x busy, looked at no more often than every samplePeriod. Work
// that hops from idle CPU to idle CPU keeps each at its lowest clock. Fixed and
// performance clocks stay at the reference all costs hold for.

// samplePeriod is intel_pstate's, 10 ms.
const samplePeriod = 10_000_000

// sampleClock sets c's clock from its busy share since the last sample.
func (e *engine) sampleClock(c int32) {
	d := &e.idlers[c]
	elapsed := e.now - d.sampled
	if elapsed < samplePeriod {
		return
	}
	busy := d.busy
	if e.cpus[c].active {
		busy += e.now - max(d.activeAt, d.sampled)
	}
	khz := e.clock.Request(busy * 1024 / elapsed)
	d.slow = int32(e.clock.MaxKHz * 1024 / khz)
	d.sampled, d.busy = e.now, 0
}

// slowdown splits what passed ns at full speed took longer: first the clock's
// part, the rest is the sibling's.
func (e *engine) slowdown(c int32, passed, extra int64) {
	if slow := int64(e.idlers[c].slow); e.follows && slow != 1024 {
		part := min(extra, passed*(slow-1024)>>10)
		e.charge(c, FrequencySlowdown, part)
		extra -= part
	}
	e.charge(c, SMTSlowdown, extra)
}

// stretchNow is the slowdown of what c does now, in 1/1024.
func (e *engine) stretchNow(c int32) int32 {
	stretch := e.stretchOf[e.busy[e.cpus[c].core]]
	if e.follows {
		return int32(int64(stretch) * int64(e.idlers[c].slow) >> 10)
	}
	return stretch
}
