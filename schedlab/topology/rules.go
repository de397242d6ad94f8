package topology

import (
	"fmt"

	"github.com/schedlab/lab/schedlab/internal/nearest"
)

// DomainRules is what differs between kernel versions in how they build
// scheduling domains. It is plain data: start from DomainRulesFor and change a
// field to ask "what if". The zero value is a kernel without any of the later
// levels, flags and tables, with an imbalance threshold of 0; it is not useful
// as it is.
type DomainRules struct {
	// Version names the rules, as "6.10".
	Version string
	// ClusterLevel: there is a CLS level between SMT and MC (5.16 and later).
	ClusterLevel bool
	// ClusterFlag: the CLS level carries FlagCluster, which the wakeup path
	// looks for (6.7 and later).
	ClusterFlag bool
	// Package names the level of all CPUs of a node: LevelDIE, or LevelPKG
	// since 6.7.
	Package Level
	// SkipPackage: a socket that holds several nodes has no package level, and
	// LevelNODE, without flags, takes its place. x86 does so; on arm64 the
	// level is there. They differ in name alone.
	SkipPackage bool
	// ImbalancePct is the threshold of the levels above the LLC, in percent:
	// 125 up to 5.9, 117 since. SMT has 110 and LLC levels 117 in all versions.
	ImbalancePct int
	// BusyFactor stretches a busy CPU's balance interval: 32, since 5.10 16.
	BusyFactor int
	// ReclaimDistance is the largest node distance over which wakeups, fork and
	// exec may move a task: 30, on AMD 32.
	ReclaimDistance int
	// LoadIndices: balancing looks at decayed loads, see Domain.BusyIdx (up to
	// 5.2).
	LoadIndices bool
	// ImbNUMA: domains carry the table of allowed NUMA imbalance, see
	// Domain.ImbNUMA (5.18 and later; 5.16 and 5.17 work with a quarter of the
	// span instead, and earlier kernels allow none).
	ImbNUMA bool
	// DescendGroups: a NUMA group that would reach out of its domain is taken
	// from a lower level of its node (5.13 and later). It matters on machines
	// whose farthest nodes are three hops apart.
	DescendGroups bool
}

// DomainVersions lists the kernel versions DomainRulesFor knows, oldest first.
func DomainVersions() []string { return []string{"4.15", "5.3", "5.16", "6.2", "6.10"} }

// DomainRulesFor returns the rules of a kernel version on an x86 machine, one
// of DomainVersions. An unknown version is an error that names the nearest.
func DomainRulesFor(version string) (DomainRules, error) {
	r := DomainRules{Version: version, Package: LevelDIE, SkipPackage: true, ImbalancePct: 125, BusyFactor: 32, ReclaimDistance: 30}
	since := 0
	for i, v := range DomainVersions() {
		if v == version {
			since = i + 1
		}
	}
	switch since {
	case 0:
		return DomainRules{}, fmt.Errorf("topology: %s", nearest.Suggest("kernel version", version, DomainVersions()))
	case 1:
		r.LoadIndices = true
	}
	if since >= 3 {
		r.ClusterLevel, r.DescendGroups, r.ImbalancePct, r.BusyFactor = true, true, 117, 16
	}
	if since >= 4 {
		r.ImbNUMA = true
	}
	if since >= 5 {
		r.ClusterFlag, r.Package = true, LevelPKG
	}
	return r, nil
}
