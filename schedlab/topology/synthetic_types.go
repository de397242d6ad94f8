package topology

import "strings"

// hwType is the type of a level of a synthetic description.
type hwType struct {
	base  hwBase
	depth int  // of a cache, 1 to 5
	instr bool // instruction cache
}

type hwBase uint8

const (
	hwNone hwBase = iota // a bare number
	hwMachine
	hwPackage
	hwDie
	hwNUMA
	hwGroup
	hwCache
	hwCore
	hwPU
)

// hwNames are the type names, of which any prefix of two letters or more will
// do, as in hwloc.
var hwNames = []struct {
	name string
	base hwBase
}{
	{"package", hwPackage}, {"socket", hwPackage}, {"die", hwDie}, {"numanode", hwNUMA}, {"node", hwNUMA},
	{"group", hwGroup}, {"core", hwCore}, {"pu", hwPU},
}

// hwTypeNamed resolves a type as written, in either case.
func hwTypeNamed(word string) (hwType, bool) {
	word = strings.ToLower(word)
	if len(word) < 2 {
		return hwType{}, false
	}
	for _, n := range hwNames {
		if strings.HasPrefix(n.name, word) {
			return hwType{base: n.base}, true
		}
	}
	if digits, ok := strings.CutPrefix(word, "group"); ok && strings.Trim(digits, "0123456789") == "" {
		return hwType{base: hwGroup}, true
	}
	return cacheNamed(word)
}

// cacheNamed resolves "l2", "l1i", "l3u", "l2cache", "l1dcache".
func cacheNamed(word string) (hwType, bool) {
	if word[0] != 'l' || word[1] < '1' || word[1] > '5' {
		return hwType{}, false
	}
	typ := hwType{base: hwCache, depth: int(word[1] - '0')}
	rest := word[2:]
	if rest != "" && strings.IndexByte("dui", rest[0]) >= 0 {
		typ.instr = rest[0] == 'i'
		rest = rest[1:]
	}
	if typ.instr && typ.depth > 3 {
		return hwType{}, false
	}
	return typ, strings.HasPrefix("cache", rest)
}

// String is the short name, as Synthetic writes it.
func (t hwType) String() string {
	switch t.base {
	case hwMachine:
		return "machine"
	case hwPackage:
		return "pack"
	case hwDie:
		return "die"
	case hwNUMA:
		return "numa"
	case hwGroup:
		return "group"
	case hwCache:
		name := "l" + string(rune('0'+t.depth))
		if t.instr {
			name += "i"
		}
		return name
	case hwCore:
		return "core"
	case hwPU:
		return "pu"
	}
	return "number"
}

// bareTypes are the types of n bare numbers, in hwloc's order of need: numa,
// package, core, L2, L1, L3, L1i, then groups on the outside.
func bareTypes(n int) []hwType {
	cache := func(depth int) hwType { return hwType{base: hwCache, depth: depth} }
	types := make([]hwType, 0, n)
	for range n - 8 {
		types = append(types, hwType{base: hwGroup})
	}
	if n >= 3 {
		types = append(types, hwType{base: hwPackage})
	}
	if n >= 2 {
		types = append(types, hwType{base: hwNUMA})
	}
	if n >= 7 {
		types = append(types, cache(3))
	}
	if n >= 5 {
		types = append(types, cache(2))
	}
	if n >= 6 {
		types = append(types, cache(1))
	}
	if n >= 8 {
		types = append(types, hwType{base: hwCache, depth: 1, instr: true})
	}
	if n >= 4 {
		types = append(types, hwType{base: hwCore})
	}
	return append(types, hwType{base: hwPU})
}
