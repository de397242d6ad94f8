package nearest_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/schedlab/lab/schedlab/internal/nearest"
)

var machines = []string{"xeon240", "xeon240-llc120", "ivb48", "spr224", "kunpeng128", "bdw88", "hsw48", "spr224-fixed"}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		word string
		n    int
		want []string
	}{
		{"xeon24", 3, []string{"xeon240", "xeon240-llc120", "spr224"}}, // unfinished names first
		{"ivb84", 1, []string{"ivb48"}},                                // a swap is one edit: hsw48 is four away
		{"HSW48", 1, []string{"hsw48"}},                                // case does not count
		{"spr244", 2, []string{"spr224", "xeon240"}},                   // the closest, not the longest common beginning
		{"", 2, []string{"ivb48", "bdw88"}},                            // ties keep the order of the list
		{"zzzzz", 3, []string{"ivb48", "bdw88", "hsw48"}},
		{"x", 99, []string{"xeon240", "xeon240-llc120", "ivb48", "bdw88", "hsw48", "spr224", "kunpeng128", "spr224-fixed"}},
		{"x", 0, nil},
		{"x", -1, nil},
	} {
		got := nearest.Names(test.word, machines, test.n)
		if !slices.Equal(got, test.want) {
			t.Errorf("Names(%q, %d) = %q, want %q", test.word, test.n, got, test.want)
		}
	}
}

func TestNamesLeavesItsInputAlone(t *testing.T) {
	before := slices.Clone(machines)
	nearest.Names("spr", machines, 3)
	if !slices.Equal(before, machines) {
		t.Errorf("the list was reordered: %q", machines)
	}
}

func TestSuggestShortLists(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  string
	}{
		{nil, `unknown mail "x": none are known`},
		{[]string{"sis-sync"}, `unknown mail "x": the only one is sis-sync`},
		{[]string{"load-avg", "sis-sync"}, `unknown mail "x": nearest are load-avg, sis-sync`},
	} {
		if got := nearest.Suggest("mail", "x", test.names); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func ExampleSuggest() {
	fmt.Println(nearest.Suggest("machine", "xeon24", machines))
	// Output: unknown machine "xeon24": nearest are xeon240, xeon240-llc120, spr224
}
