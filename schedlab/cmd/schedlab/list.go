package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedlab/lab/datasets"
	"github.com/schedlab/lab/schedlab/internal/nearest"
	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/report"
	"github.com/schedlab/lab/schedlab/workload"
)

// lists are the things there are names for, in the order the help names them.
var lists = []struct {
	name  string
	table func() (report.Table, error)
}{
	{"machines", machineList}, {"workloads", workloadList}, {"policies", policyList}, {"mails", mailList},
}

func (a *app) listCommand() *cobra.Command {
	var names []string
	for _, l := range lists {
		names = append(names, l.name)
	}
	return &cobra.Command{
		Use:       "list " + strings.Join(names, "|"),
		Short:     "List the names the other commands take",
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("list takes one of %s", strings.Join(names, ", "))
			}
			for _, l := range lists {
				if l.name != args[0] {
					continue
				}
				t, err := l.table()
				if err != nil {
					return err
				}
				return a.showTable(t)
			}
			return usageError{fmt.Errorf("%s", nearest.Suggest("list", args[0], names))}
		},
	}
}

func machineList() (report.Table, error) {
	var names, shape, llc, idle []string
	var cpus []int
	for _, n := range machine.Names() {
		m, err := machine.Preset(n)
		if err != nil {
			return report.Table{}, err
		}
		t := m.Topology()
		names = append(names, n)
		cpus = append(cpus, t.All().Len())
		shape = append(shape, fmt.Sprintf("%d sockets x %d cores x SMT%d, %d nodes",
			t.NumSockets(), t.NumCores()/t.NumSockets(), t.SMT(), t.NumNodes()))
		llc = append(llc, fmt.Sprintf("%d x %d CPUs", t.NumLLCs(), t.LLCCPUs(0).Len()))
		wake := "interrupt"
		if m.PollingIdle() {
			wake = "polling"
		}
		idle = append(idle, wake)
	}
	return report.NewTable("Machines", "schedlab topology NAME draws one.",
		report.Strings("name", names), report.Ints("CPUs", "", cpus), report.Strings("shape", shape),
		report.Strings("LLCs", llc), report.Strings("idle wakeup", idle))
}

func workloadList() (report.Table, error) {
	var names, load, about, options []string
	var built []bool
	for _, b := range workload.Benchmarks() {
		names = append(names, b.Name)
		load = append(load, b.Load)
		built = append(built, b.Built())
		about = append(about, b.About)
		options = append(options, strings.Join(b.Options, ", "))
	}
	return report.NewTable("Workloads", "Write name:load[,option=VALUE]. What is not built yet is a reserved name.",
		report.Strings("name", names), report.Strings("load counts", load), report.Bools("built", built),
		report.Strings("options", options), report.Strings("about", about))
}

func policyList() (report.Table, error) {
	var version, feature, initial, about []string
	var built []bool
	for _, v := range policy.Versions() {
		version, feature, initial = append(version, v.Name), append(feature, ""), append(initial, "")
		built, about = append(built, v.Built()), append(about, "Linux "+v.Name)
		for _, f := range v.Features {
			name, on := f.Name, "off"
			if f.High > 0 {
				name += fmt.Sprintf("=%d..%d", f.Low, f.High)
			}
			if f.Default {
				on = "on"
			}
			version, feature, initial = append(version, ""), append(feature, name), append(initial, on)
			built, about = append(built, v.Built() && f.Built), append(about, f.About)
		}
	}
	return report.NewTable("Policies", "Write VERSION[+FEATURE|+NO_FEATURE|+FEATURE=N]. What is not built yet is a reserved name.",
		report.Strings("version", version), report.Strings("feature", feature), report.Strings("default", initial),
		report.Bools("built", built), report.Strings("about", about))
}

func mailList() (report.Table, error) {
	var slug, title, author, date []string
	var rows []int
	var data []bool
	for _, m := range datasets.Mails() {
		d, err := datasets.Describe(m)
		if err != nil {
			return report.Table{}, err
		}
		c, err := datasets.Comparisons(m)
		slug, title = append(slug, m), append(title, d.Title)
		author, date = append(author, d.Author), append(date, d.Date)
		rows, data = append(rows, len(c)), append(data, err == nil)
	}
	return report.NewTable("Mails", "schedlab reproduce MAIL sets what one published beside the simulation.",
		report.Strings("name", slug), report.Strings("author", author), report.Strings("date", date),
		report.Ints("comparisons", "", rows), report.Bools("data", data), report.Strings("about", title))
}
