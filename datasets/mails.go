package datasets

import (
	"fmt"
	"slices"
	"strings"
)

// Mail describes one thread.
type Mail struct {
	Slug      string   // name in this project
	Title     string   // what it proposes, in our words
	Author    string   // who posted the figures
	Date      string   // day of the post, 2006-01-02; the year alone where the day is not transcribed yet
	MessageID string   // "" where it is not transcribed yet
	Kernels   []string // versions the figures were measured on
	Machines  []string // machine names of this project
}

var mails = []Mail{
	{
		Slug:     "wake-affine",
		Title:    "Fewer migrations from wake_affine: keep a task near its data when an interrupt, an idle previous CPU or a bound kworker is involved",
		Author:   "Mel Gorman",
		Date:     "2017",
		Kernels:  []string{"4.15-rc3"},
		Machines: []string{"hsw48"},
	},
	{
		Slug:      "sis-sync",
		Title:     "Wake a short task on its waker's CPU when the two wake each other and no core is idle",
		Author:    "Chen Yu",
		Date:      "2024-06-25",
		MessageID: "383932811ae0cb4df0bb131fa968e746de979417.1719295669.git.yu.c.chen@intel.com",
		Kernels:   []string{"6.10"},
		Machines:  []string{"xeon240", "ivb48", "spr224"},
	},
	{
		Slug:     "cluster-scan",
		Title:    "Search the CPUs that share an L3 tag with the target before the rest of the LLC",
		Author:   "Barry Song and Yicong Yang",
		Date:     "2021",
		Kernels:  []string{"5.16-rc1"},
		Machines: []string{"kunpeng128"},
	},
	{
		Slug:     "load-avg",
		Title:    "Cost of the task group's shared load average on a two-socket machine, and counting it per node",
		Author:   "Aaron Lu and Chen Yu",
		Date:     "2023",
		Kernels:  []string{"6.2"},
		Machines: []string{"spr224-fixed"},
	},
	{
		Slug:     "latency-nice",
		Title:    "A per-task wish for low latency that shortens the search for an idle CPU",
		Author:   "Subhra Mazumdar",
		Date:     "2019",
		Kernels:  []string{"5.3"},
		Machines: []string{"bdw88"},
	},
}

// Mails returns the slugs of the five threads in their fixed order, those
// without data included.
func Mails() []string {
	out := make([]string, len(mails))
	for i, m := range mails {
		out[i] = m.Slug
	}
	return out
}

// Describe returns what is known about a thread, whether its data is here or
// not. An unknown slug is an error that lists the known ones.
func Describe(mail string) (Mail, error) {
	for _, m := range mails {
		if m.Slug == mail {
			m.Kernels, m.Machines = slices.Clone(m.Kernels), slices.Clone(m.Machines)
			return m, nil
		}
	}
	return Mail{}, fmt.Errorf("datasets: no mail %q: the mails are %s", mail, strings.Join(Mails(), ", "))
}

// Archive is the address of the post in the public archive, "" where the
// Message-ID is not transcribed yet.
func (m Mail) Archive() string {
	if m.MessageID == "" {
		return ""
	}
	return "https://lore.kernel.org/r/" + m.MessageID
}

// Count says how many published results a thread has.
type Count struct {
	Mail        string
	Comparisons int // two kernels against each other
	Statistics  int // figures of one kernel, beside the comparisons
}

// Inventory is the number of published results per thread, in the order of
// Mails, counted by hand in the posts: what the data must have once complete.
func Inventory() []Count {
	return []Count{
		{"wake-affine", 39, 3}, // dbench means 8+8+8+8, CPU seconds 6, migrations 1
		{"sis-sync", 28, 0},    // netperf 14, tbench 4, hackbench 3, schbench 3, lmbench 2, vm-rw 1, will-it-scale 1
		{"cluster-scan", 24, 0},
		{"load-avg", 4, 0},
		{"latency-nice", 12, 0},
	}
}
