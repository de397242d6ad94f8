package sim

import "math/bits"

// tree is a winner tree over slots that each hold at most one pending time. A
// key is time<<shift | slot, so that equal times go by slot and the winner names
// its slot. Setting a slot costs one walk to the root without a branch that
// depends on data.
type tree struct {
	key   []uint64 // key[1] is the winner; the leaves are key[len/2:]
	shift uint
}

const never = 1<<64 - 1

func newTree(slots int) tree {
	shift := uint(bits.Len(uint(max(slots, 2) - 1)))
	t := tree{key: make([]uint64, 2<<shift), shift: shift}
	for i := range t.key {
		t.key[i] = never
	}
	return t
}

// set makes time the pending time of slot.
func (t *tree) set(slot int32, time int64) {
	t.put(slot, uint64(time)<<t.shift|uint64(slot))
}

// clear takes slot's pending time away.
func (t *tree) clear(slot int32) { t.put(slot, never) }

func (t *tree) put(slot int32, key uint64) {
	keys := t.key
	i := uint(len(keys))/2 + uint(slot)
	keys[i] = key
	for i > 1 {
		key = min(key, keys[i^1])
		i /= 2
		keys[i] = key
	}
}

// next is the earliest pending time and its slot; ok is false when none is.
func (t *tree) next() (time int64, slot int32, ok bool) {
	key := t.key[1]
	if key == never {
		return 1<<63 - 1, 0, false
	}
	return int64(key >> t.shift), int32(key & (1<<t.shift - 1)), true
}
