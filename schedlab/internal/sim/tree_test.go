package sim

import (
	"math/rand/v2"
	"testing"
)

// TestTreeAgainstScan sets and clears random slots and compares the winner with
// a scan over all of them.
func TestTreeAgainstScan(t *testing.T) {
	for _, slots := range []int{1, 2, 3, 7, 8, 9, 240, 513} {
		rng := rand.New(rand.NewPCG(1, uint64(slots)))
		tr := newTree(slots)
		times := make([]int64, slots)
		for i := range times {
			times[i] = -1
		}
		for step := range 4000 {
			s := int32(rng.IntN(slots))
			if rng.IntN(3) == 0 {
				tr.clear(s)
				times[s] = -1
			} else {
				at := int64(rng.IntN(50)) // few values: many ties
				if rng.IntN(8) == 0 {
					at = maxTime + int64(rng.IntN(3))
				}
				tr.set(s, at)
				times[s] = at
			}
			want := -1
			for i, at := range times {
				if at >= 0 && (want < 0 || at < times[want]) {
					want = i
				}
			}
			at, slot, ok := tr.next()
			if ok != (want >= 0) || ok && (int(slot) != want || at != times[want]) {
				t.Fatalf("%d slots, step %d: next = %d, %d, %v; want slot %d of %v", slots, step, at, slot, ok, want, times)
			}
			if !ok && at != 1<<63-1 {
				t.Fatalf("%d slots: an empty tree is next at %d, want never", slots, at)
			}
		}
	}
}

func TestClaimQueueAgainstSlice(t *testing.T) {
	const cpus = 5
	rng := rand.New(rand.NewPCG(2, 2))
	q := newClaimQueue(cpus)
	q.head, q.tail = ^uint32(0)-3, ^uint32(0)-3 // run over the end of the counters
	var want []claim
	for step := range 20_000 {
		switch {
		case len(want) < cpus && rng.IntN(2) == 0:
			c := claim{int64(step + rng.IntN(20)), int32(rng.IntN(3))}
			q.push(c)
			i := len(want)
			for i > 0 && want[i-1].time > c.time {
				i--
			}
			want = append(want[:i], append([]claim{c}, want[i:]...)...)
		case len(want) > 0 && rng.IntN(3) == 0:
			q.head++
			want = want[1:]
		default:
			cpu, found := int32(rng.IntN(3)), false
			for i, c := range want {
				if c.cpu == cpu {
					want, found = append(want[:i:i], want[i+1:]...), true
					break
				}
			}
			if got := q.drop(cpu); got != found {
				t.Fatalf("step %d: drop(%d) = %v, want %v", step, cpu, got, found)
			}
		}
		if int(q.tail-q.head) != len(want) {
			t.Fatalf("step %d: %d claims, want %d", step, q.tail-q.head, len(want))
		}
		for i, c := range want {
			if got := *q.at(q.head + uint32(i)); got != c {
				t.Fatalf("step %d: claim %d is %v, want %v", step, i, got, c)
			}
		}
	}
}
