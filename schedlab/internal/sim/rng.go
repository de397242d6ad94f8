package sim

// stream is one random stream: 8 bytes of state, advanced by a Weyl constant and
// mixed on output (the SplitMix64 generator of Steele, Lea and Flood 2014). One
// stream belongs to one (task, purpose), so that swapping the policy, which
// changes the order of events, does not change what any task draws.
type stream uint64

// purpose separates the streams of one owner.
type purpose uint64

const (
	forService purpose = iota + 1
	forSleep
	forTick
	forBalance
	forNoise
)

const weyl = 0x9e3779b97f4a7c15

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// newStream derives the stream of (seed, owner, purpose) by hashing.
func newStream(seed, owner uint64, p purpose) stream {
	return stream(mix(mix(mix(seed+weyl)^(owner+1)*weyl) ^ uint64(p)*weyl))
}

func (s *stream) next() uint64 {
	*s += weyl
	return mix(uint64(*s))
}

// jittered is uniform in mean +- percent.
func (s *stream) jittered(mean, percent int64) int64 {
	spread := mean * percent / 100
	return mean - spread + int64((s.next()>>40)*uint64(2*spread)>>24)
}

// exponential is the exponential law with the given mean in ns (below 2^33),
// linear inside cells of equal probability. The last cell is drawn again: the
// law has no memory.
func (s *stream) exponential(mean int64) int64 {
	var units uint64 // of mean / 2^20
	for {
		r := s.next()
		cell := r >> 54
		low := uint64(expEdge[cell])
		if cell == 1023 {
			units += low
			continue
		}
		width := uint64(expEdge[cell+1]) - low
		units += low + (width*(r>>34&0xfffff))>>20
		return int64(units * uint64(mean) >> 20)
	}
}
