package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedlab/lab/schedlab/internal/atomicfile"
	"github.com/schedlab/lab/schedlab/report"
	"github.com/schedlab/lab/schedlab/topology"
)

func (a *app) topologyCommand() *cobra.Command {
	var svg, kernel string
	cmd := &cobra.Command{
		Use:   "topology SPEC",
		Short: "Show a machine's shape and its scheduling domains",
		Long: `Show the tree of a topology and the scheduling domains a kernel builds on it.
SPEC is a machine of "schedlab list machines" or an hwloc synthetic string.`,
		Example: `  schedlab topology kunpeng128
  schedlab topology "pack:2 numa:2 l3:1 group:8 core:4 pu:1" --kernel 5.16 --svg kunpeng.svg`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("topology takes one SPEC, got %d; quote a synthetic string, see `schedlab help topology`", len(args))
			}
			t, err := topology.Parse(args[0])
			if err != nil {
				return err
			}
			if svg != "" {
				err := atomicfile.Write(svg, 0o644, func(w io.Writer) error { _, err := w.Write(t.SVG()); return err })
				if err != nil {
					return err
				}
			}
			return a.showTopology(t, kernel)
		},
	}
	cmd.Flags().StringVar(&svg, "svg", "", "also draw it into this file")
	cmd.Flags().StringVar(&kernel, "kernel", "6.10", "kernel version whose domains to show")
	return cmd
}

func (a *app) showTopology(t *topology.Topology, kernel string) error {
	rules, err := topology.DomainRulesFor(kernel)
	if err != nil {
		return err
	}
	fmt.Fprint(a.out, t.Tree())
	if s, err := t.Synthetic(); err == nil {
		fmt.Fprintf(a.out, "\nsynthetic: %s\n", s)
	} else {
		fmt.Fprintf(a.out, "\nsynthetic: none (%v)\n", err)
	}
	fmt.Fprintln(a.out)
	table, err := domainTable(t, rules, kernel)
	if err != nil {
		return err
	}
	return a.showTable(table)
}

// domainTable shows the levels above the first CPU; the others have the same
// ones with their own spans.
func domainTable(t *topology.Topology, rules topology.DomainRules, kernel string) (report.Table, error) {
	first := t.All().First()
	var level, span, flags []string
	var cpus, groups, pct []int
	for _, d := range t.Domains(rules).Of(first) {
		level = append(level, d.Level.String())
		cpus = append(cpus, d.Span.Len())
		span = append(span, d.Span.String())
		groups = append(groups, len(d.Groups))
		pct = append(pct, d.ImbalancePct)
		flags = append(flags, strings.ToLower(strings.ReplaceAll(d.Flags.String(), "|", " ")))
	}
	return report.NewTable(fmt.Sprintf("Scheduling domains of CPU %d under Linux %s, bottom to top", first, kernel), "",
		report.Strings("level", level), report.Ints("CPUs", "", cpus), report.Ints("groups", "", groups),
		report.Ints("imbalance_pct", "%", pct), report.Strings("span", span), report.Strings("flags", flags))
}
