package topology

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// MaxCPUs is the largest machine the package accepts: CPU numbers run from 0 to
// MaxCPUs-1. It is the kernel's own largest configuration on x86 and keeps a
// mistyped CPU list from asking for gigabytes.
const MaxCPUs = 8192

// CPU is a logical CPU number as the kernel gives it out (the N of cpuN in
// sysfs). The zero value is CPU 0, a real CPU; "no CPU" is NoCPU.
type CPU int32

// NoCPU stands for "none found". It is never a member of a CPUSet.
const NoCPU CPU = -1

// CPUSet is a set of CPU numbers. It is an immutable value: every operation
// returns a new set, sets may be shared and copied freely between goroutines,
// and the zero value is the empty set.
type CPUSet struct {
	w []uint64 // bit c%64 of word c/64; no zero words at the end
}

// NewCPUSet returns the set of the given CPUs; order and repetition do not
// matter. A number below 0 or from MaxCPUs up is a programmer error and panics.
func NewCPUSet(cpus ...CPU) CPUSet {
	var w []uint64
	for _, c := range cpus {
		if c < 0 || c >= MaxCPUs {
			panic(fmt.Sprintf("topology: CPU %d outside 0-%d", c, MaxCPUs-1))
		}
		for int(c)>>6 >= len(w) {
			w = append(w, 0)
		}
		w[c>>6] |= 1 << (c & 63)
	}
	return CPUSet{w}
}

// Range returns the set of CPUs from lo to hi, both included; it is empty when
// lo > hi. Numbers outside 0 to MaxCPUs-1 panic as in NewCPUSet.
func Range(lo, hi CPU) CPUSet {
	if lo > hi {
		return CPUSet{}
	}
	if lo < 0 || hi >= MaxCPUs {
		panic(fmt.Sprintf("topology: CPUs %d-%d outside 0-%d", lo, hi, MaxCPUs-1))
	}
	w := make([]uint64, hi>>6+1)
	for i := lo >> 6; i <= hi>>6; i++ {
		w[i] = ^uint64(0)
	}
	w[lo>>6] &= ^uint64(0) << (lo & 63)
	w[hi>>6] &= ^uint64(0) >> (63 - hi&63)
	return CPUSet{w}
}

// ParseCPUList reads the kernel's list form: comma-separated numbers and
// inclusive ranges such as "0-7,16-23", with the kernel's optional stride
// "0-31:2/8" (the first 2 of every 8). An empty or blank string is the empty
// set, as in sysfs. Blanks around items are allowed. The error names the item
// that was not understood.
func ParseCPUList(s string) (CPUSet, error) {
	if strings.TrimSpace(s) == "" {
		return CPUSet{}, nil
	}
	w := make([]uint64, MaxCPUs/64)
	for _, item := range strings.Split(s, ",") {
		r, err := parseListItem(strings.TrimSpace(item))
		if err != nil {
			return CPUSet{}, fmt.Errorf("topology: CPU list %q: %w", s, err)
		}
		for base := r.lo; base <= r.hi; base += r.group {
			for c := base; c < base+r.used && c <= r.hi; c++ {
				w[c>>6] |= 1 << (c & 63)
			}
		}
	}
	return trimmed(w), nil
}

// listItem is one range of a CPU list: of every group CPUs from lo on, the
// first used ones.
type listItem struct{ lo, hi, used, group int }

func parseListItem(item string) (listItem, error) {
	if item == "" {
		return listItem{}, fmt.Errorf("empty item (two commas in a row, or one at an end)")
	}
	span, stride, strided := strings.Cut(item, ":")
	first, last, ranged := strings.Cut(span, "-")
	if !ranged {
		last = first
	}
	lo, err := parseCPUNumber(first)
	if err != nil {
		return listItem{}, err
	}
	hi, err := parseCPUNumber(last)
	if err != nil {
		return listItem{}, err
	}
	if lo > hi {
		return listItem{}, fmt.Errorf("range %q runs downwards", item)
	}
	r := listItem{lo, hi, 1, 1}
	if !strided {
		return r, nil
	}
	used, group, ok := strings.Cut(stride, "/")
	if !ranged || !ok {
		return listItem{}, fmt.Errorf("stride in %q is not of the form first-last:used/group", item)
	}
	if r.used, err = parseCPUNumber(used); err != nil {
		return listItem{}, err
	}
	if r.group, err = parseCPUNumber(group); err != nil {
		return listItem{}, err
	}
	if r.used < 1 || r.used > r.group {
		return listItem{}, fmt.Errorf("stride in %q needs 1 <= used <= group", item)
	}
	return r, nil
}

func parseCPUNumber(s string) (int, error) {
	for _, r := range s {
		if r < '0' || r > '9' {
			return 0, fmt.Errorf("%q is not a CPU number", s)
		}
	}
	n, err := strconv.Atoi(s)
	if s == "" || (err == nil && n < 0) {
		return 0, fmt.Errorf("%q is not a CPU number", s)
	}
	if err != nil || n >= MaxCPUs {
		return 0, fmt.Errorf("CPU number %s is above %d, the largest supported", s, MaxCPUs-1)
	}
	return n, nil
}

// trimmed wraps words that nobody else holds, dropping zero words at the end so
// that equal sets have equal words.
func trimmed(w []uint64) CPUSet {
	for len(w) > 0 && w[len(w)-1] == 0 {
		w = w[:len(w)-1]
	}
	return CPUSet{w[:len(w):len(w)]}
}

// Has reports whether c is a member. NoCPU never is.
func (s CPUSet) Has(c CPU) bool {
	return c >= 0 && int(c)>>6 < len(s.w) && s.w[c>>6]&(1<<(c&63)) != 0
}

// Len is the number of members.
func (s CPUSet) Len() int {
	n := 0
	for _, x := range s.w {
		n += bits.OnesCount64(x)
	}
	return n
}

// Empty reports whether the set has no member.
func (s CPUSet) Empty() bool { return len(s.w) == 0 }

// First is the smallest member, NoCPU if there is none.
func (s CPUSet) First() CPU { return s.Next(NoCPU) }

// Last is the largest member, NoCPU if there is none.
func (s CPUSet) Last() CPU {
	if len(s.w) == 0 {
		return NoCPU
	}
	return CPU(len(s.w)*64 - 1 - bits.LeadingZeros64(s.w[len(s.w)-1]))
}

// Next is the smallest member above after, NoCPU if there is none.
func (s CPUSet) Next(after CPU) CPU {
	c := max(after+1, 0)
	i := int(c) >> 6
	if i >= len(s.w) {
		return NoCPU
	}
	x := s.w[i] & (^uint64(0) << (c & 63))
	for x == 0 {
		if i++; i >= len(s.w) {
			return NoCPU
		}
		x = s.w[i]
	}
	return CPU(i<<6 + bits.TrailingZeros64(x))
}

// And is the intersection of s and o.
func (s CPUSet) And(o CPUSet) CPUSet {
	w := make([]uint64, min(len(s.w), len(o.w)))
	for i := range w {
		w[i] = s.w[i] & o.w[i]
	}
	return trimmed(w)
}

// Or is the union of s and o.
func (s CPUSet) Or(o CPUSet) CPUSet {
	if len(s.w) < len(o.w) {
		s, o = o, s
	}
	w := append([]uint64(nil), s.w...)
	for i, x := range o.w {
		w[i] |= x
	}
	return CPUSet{w}
}

// AndNot is the set of the members of s that are not members of o.
func (s CPUSet) AndNot(o CPUSet) CPUSet {
	w := append([]uint64(nil), s.w...)
	for i := range min(len(w), len(o.w)) {
		w[i] &^= o.w[i]
	}
	return trimmed(w)
}

// Equal reports whether s and o have the same members.
func (s CPUSet) Equal(o CPUSet) bool { return slices.Equal(s.w, o.w) }

// SubsetOf reports whether every member of s is a member of o.
func (s CPUSet) SubsetOf(o CPUSet) bool {
	if len(s.w) > len(o.w) {
		return false
	}
	for i, x := range s.w {
		if x&^o.w[i] != 0 {
			return false
		}
	}
	return true
}

// Overlaps reports whether s and o have a member in common.
func (s CPUSet) Overlaps(o CPUSet) bool {
	for i := range min(len(s.w), len(o.w)) {
		if s.w[i]&o.w[i] != 0 {
			return true
		}
	}
	return false
}

// CPUs lists the members in ascending order, in a slice the caller owns.
func (s CPUSet) CPUs() []CPU {
	out := make([]CPU, 0, s.Len())
	for c := s.First(); c != NoCPU; c = s.Next(c) {
		out = append(out, c)
	}
	return out
}

// Words is a read-only view of the bits: CPU c is bit c%64 of word c/64. It may
// be shorter than the machine, because words of zeros at the end are dropped.
// The caller MUST NOT write to it.
func (s CPUSet) Words() []uint64 { return s.w }

// Wrap walks the members in the kernel's wrap order: from the first one at or
// above from upwards, then from the lowest up to the one before from. With a
// from that is not in the set the walk starts at the next member, as
// for_each_cpu_wrap does.
func (s CPUSet) Wrap(from CPU) iter.Seq[CPU] {
	return func(yield func(CPU) bool) {
		for c := s.Next(from - 1); c != NoCPU; c = s.Next(c) {
			if !yield(c) {
				return
			}
		}
		for c := s.First(); c != NoCPU && c < from; c = s.Next(c) {
			if !yield(c) {
				return
			}
		}
	}
}

// String is the kernel's list form, "0-7,16-23"; the empty set is "".
// ParseCPUList reads it back.
func (s CPUSet) String() string {
	var b strings.Builder
	for lo := s.First(); lo != NoCPU; {
		hi := lo
		for s.Has(hi + 1) {
			hi++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(lo)))
		if hi > lo {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(int(hi)))
		}
		lo = s.Next(hi)
	}
	return b.String()
}
