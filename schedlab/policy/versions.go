package policy

import "github.com/schedlab/lab/schedlab/topology"

// The grammar's table. A feature that is listed and not built is a name kept
// for what it will mean; using it is an error that says so.
var versions = []Version{
	{Name: "4.15", Features: append(commonFeatures(true),
		Known{Name: "LESSMIGRATE", About: "interrupts pull the wakee only inside an LLC (Gorman 2017, patch 1)"},
		Known{Name: "WAKEPREV", About: "keep an idle previous CPU, as posted (Gorman 2017, patch 2)"},
		Known{Name: "WAKEPREV_INTENDED", About: "keep an idle previous CPU, as the text means it (Gorman 2017, patch 2)"},
		Known{Name: "WA_STACK_WQ", About: "a kworker wakes its client in place (Gorman 2017, patch 4)"})},
	{Name: "5.3", Features: append(commonFeatures(true),
		Known{Name: "SIS_CORE", Default: true, About: "search for an idle core first (Mazumdar 2019)"},
		Known{Name: "LATENCY_NICE", Low: 1, High: 100, About: "share of the LLC to scan in percent (Mazumdar 2019)"})},
	{Name: "5.16", Features: append(commonFeatures(true),
		Known{Name: "CLUSTER_SCAN", About: "scan the target's cluster before the LLC (Song and Yang 2021)"})},
	{Name: "6.2", Features: append(commonFeatures(false),
		Known{Name: "TG_PER_NODE", About: "one task-group load counter per node (Lu 2023)"})},
	{Name: "6.10", kernel: kernel610, rules: rules610, Features: append(commonFeatures(false),
		Known{Name: "SIS_SYNC", Built: true, About: "short tasks that wake each other share a CPU when no core is idle (Chen Yu 2024)"})},
}

// commonFeatures are the toggles of every version the wakeup path reads.
func commonFeatures(sisProp bool) []Known {
	return []Known{
		{Name: "WA_IDLE", Default: true, Built: true, About: "wake_affine: idle CPUs and sync wakeups decide"},
		{Name: "WA_WEIGHT", Default: true, Built: true, About: "wake_affine: loads decide"},
		{Name: "WA_BIAS", Default: true, Built: true, About: "wake_affine: favour the previous CPU"},
		{Name: "SIS_PROP", Default: sisProp, About: "limit the scan by average idle time"},
		{Name: "SIS_UTIL", Default: !sisProp, Built: !sisProp, About: "limit the scan by LLC utilisation"},
		{Name: "TTWU_QUEUE", Default: true, Built: true, About: "remote wakeups go over the target's wakelist"},
	}
}

func kernel610() (Kernel, error) {
	domains, err := topology.DomainRulesFor("6.10")
	return Kernel{
		Version: "6.10", Class: EEVDF, HZ: 1000, BaseSlice: 3_000_000, PlaceLag: true, RunToParity: true, MigrationCost: 500_000,
		Wakelist: WakelistEmpty, QueueOnSwitchingOut: true, SwitchingOutMax: 0,
		Domains: domains,
	}, err
}
