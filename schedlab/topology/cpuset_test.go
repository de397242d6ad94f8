package topology_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedlab/lab/schedlab/topology"
)

func TestParseCPUList(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{" \n", ""},
		{"0", "0"},
		{"0-7,16-23", "0-7,16-23"},
		{"3,2,1", "1-3"},
		{"1,1-2", "1-2"},
		{" 0-1 , 4 \n", "0-1,4"},
		{"62-65", "62-65"},
		{"8191", "8191"},
		{"0-31:2/8", "0-1,8-9,16-17,24-25"},
		{"0-9:1/3", "0,3,6,9"},
		{"0-4:4/4", "0-4"},
	} {
		s, err := topology.ParseCPUList(test.in)
		if err != nil || s.String() != test.want {
			t.Errorf("ParseCPUList(%q) = %q, %v, want %q", test.in, s, err, test.want)
		}
	}
}

func TestParseCPUListRefuses(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"0,,1", `topology: CPU list "0,,1": empty item (two commas in a row, or one at an end)`},
		{"0-3,", `topology: CPU list "0-3,": empty item (two commas in a row, or one at an end)`},
		{"x", `topology: CPU list "x": "x" is not a CPU number`},
		{"-3", `topology: CPU list "-3": "" is not a CPU number`},
		{"1-", `topology: CPU list "1-": "" is not a CPU number`},
		{"+1", `topology: CPU list "+1": "+1" is not a CPU number`},
		{"1 2", `topology: CPU list "1 2": "1 2" is not a CPU number`},
		{"7-4", `topology: CPU list "7-4": range "7-4" runs downwards`},
		{"8192", `topology: CPU list "8192": CPU number 8192 is above 8191, the largest supported`},
		{"99999999999999999999", `topology: CPU list "99999999999999999999": CPU number 99999999999999999999 is above 8191, the largest supported`},
		{"4:1/2", `topology: CPU list "4:1/2": stride in "4:1/2" is not of the form first-last:used/group`},
		{"0-4:1", `topology: CPU list "0-4:1": stride in "0-4:1" is not of the form first-last:used/group`},
		{"0-4:0/2", `topology: CPU list "0-4:0/2": stride in "0-4:0/2" needs 1 <= used <= group`},
		{"0-4:x/2", `topology: CPU list "0-4:x/2": "x" is not a CPU number`},
		{"0-4:1/y", `topology: CPU list "0-4:1/y": "y" is not a CPU number`},
		{"0-4:3/2", `topology: CPU list "0-4:3/2": stride in "0-4:3/2" needs 1 <= used <= group`},
		{"0-4:0/0", `topology: CPU list "0-4:0/0": stride in "0-4:0/0" needs 1 <= used <= group`},
	} {
		s, err := topology.ParseCPUList(test.in)
		if err == nil || err.Error() != test.want {
			t.Errorf("ParseCPUList(%q) = %q, %v, want error %s", test.in, s, err, test.want)
		}
	}
}

// model is a set of CPUs done the slow and obvious way.
type model map[topology.CPU]bool

func (m model) list() []topology.CPU {
	out := []topology.CPU{}
	for c := topology.CPU(0); c < 300; c++ {
		if m[c] {
			out = append(out, c)
		}
	}
	return out
}

func randomSet(r *rand.Rand) (topology.CPUSet, model) {
	m := model{}
	top := 1 + r.IntN(280)
	for range r.IntN(60) {
		m[topology.CPU(r.IntN(top))] = true
	}
	return topology.NewCPUSet(m.list()...), m
}

// TestCPUSetAgainstModel compares every operation with the slow one.
func TestCPUSetAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a, ma := randomSet(r)
		b, mb := randomSet(r)
		and, or, not := model{}, model{}, model{}
		for c := topology.CPU(0); c < 300; c++ {
			and[c] = ma[c] && mb[c]
			or[c] = ma[c] || mb[c]
			not[c] = ma[c] && !mb[c]
		}
		for _, op := range []struct {
			name string
			got  topology.CPUSet
			want model
		}{{"and", a.And(b), and}, {"or", a.Or(b), or}, {"and not", a.AndNot(b), not}} {
			if !slices.Equal(op.got.CPUs(), op.want.list()) {
				t.Fatalf("%s %s %s = %s", a, op.name, b, op.got)
			}
			if !op.got.Equal(topology.NewCPUSet(op.want.list()...)) {
				t.Fatalf("%s %s %s is not equal to a fresh set of the same members", a, op.name, b)
			}
		}
		if got, want := a.Overlaps(b), len(and.list()) > 0; got != want {
			t.Fatalf("%s overlaps %s: %v", a, b, got)
		}
		if got, want := a.SubsetOf(b), len(not.list()) == 0; got != want {
			t.Fatalf("%s subset of %s: %v", a, b, got)
		}
		if got, want := a.Equal(b), slices.Equal(a.CPUs(), b.CPUs()); got != want {
			t.Fatalf("%s equal %s: %v", a, b, got)
		}
		back, err := topology.ParseCPUList(a.String())
		if err != nil || !back.Equal(a) {
			t.Fatalf("%s reads back as %s, %v", a, back, err)
		}
	}
}

func TestCPUSetLooks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		s, m := randomSet(r)
		list := m.list()
		if s.Len() != len(list) || s.Empty() != (len(list) == 0) {
			t.Fatalf("%s: Len %d, Empty %v", s, s.Len(), s.Empty())
		}
		first, last := topology.NoCPU, topology.NoCPU
		if len(list) > 0 {
			first, last = list[0], list[len(list)-1]
		}
		if s.First() != first || s.Last() != last {
			t.Fatalf("%s: First %d, Last %d", s, s.First(), s.Last())
		}
		for c := topology.CPU(-1); c < 300; c++ {
			if s.Has(c) != m[c] {
				t.Fatalf("%s has %d: %v", s, c, s.Has(c))
			}
			i, _ := slices.BinarySearch(list, c)
			if want := slices.Concat(list[i:], list[:i]); !slices.Equal(slices.AppendSeq([]topology.CPU{}, s.Wrap(c)), want) {
				t.Fatalf("%s wrapped from %d, want %v", s, c, want)
			}
		}
	}
}

func TestRange(t *testing.T) {
	for lo := topology.CPU(0); lo < 140; lo += 7 {
		for hi := lo - 1; hi < 200; hi += 3 {
			s := topology.Range(lo, hi)
			if s.Len() != int(hi-lo+1) || hi >= lo && (s.First() != lo || s.Last() != hi) {
				t.Fatalf("Range(%d, %d) = %s", lo, hi, s)
			}
		}
	}
}

func TestCPUSetRefusesNumbersNoMachineHas(t *testing.T) {
	for _, f := range []func(){
		func() { topology.NewCPUSet(topology.NoCPU) },
		func() { topology.NewCPUSet(topology.MaxCPUs) },
		func() { topology.Range(-1, 3) },
		func() { topology.Range(0, topology.MaxCPUs) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		}()
	}
}

// A walk may be left early, on either side of the wrap.
func TestWrapStops(t *testing.T) {
	for _, test := range []struct {
		n    int
		want []topology.CPU
	}{{1, []topology.CPU{8}}, {4, []topology.CPU{8, 9, 0, 1}}} {
		var got []topology.CPU
		for c := range topology.Range(0, 9).Wrap(8) {
			if got = append(got, c); len(got) == test.n {
				break
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("got %v, want %v", got, test.want)
		}
	}
}

func TestWords(t *testing.T) {
	s := topology.NewCPUSet(1, 64, 70)
	if got, want := s.Words(), []uint64{1 << 1, 1<<0 | 1<<6}; !slices.Equal(got, want) {
		t.Errorf("words %x, want %x", got, want)
	}
	if got := s.AndNot(topology.Range(64, 200)).Words(); len(got) != 1 {
		t.Errorf("%d words for CPU 1", len(got))
	}
}

func ExampleCPUSet_Wrap() {
	idle, _ := topology.ParseCPUList("2-3,9,14")
	for c := range idle.Wrap(5) {
		fmt.Print(c, " ")
	}
	// Output: 9 14 2 3
}

func FuzzParseCPUList(f *testing.F) {
	for _, seed := range []string{"", "0", "0-7,16-23", "0-31:2/8", "8191", "8192", "1-0", "0,,1", "0-8191:1/2", "-", ":", "1:2/3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		s, err := topology.ParseCPUList(in)
		if err != nil {
			return
		}
		back, err := topology.ParseCPUList(s.String())
		if err != nil || !back.Equal(s) {
			t.Errorf("%q is %q, which reads back as %q, %v", in, s, back, err)
		}
	})
}
