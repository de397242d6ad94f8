package experiment

import "github.com/schedlab/lab/datasets"

// harness says how a mail's harness called a benchmark, where that is not the
// benchmark's own default, in options of the workload's name. The options are of
// the harness, none is chosen for its result.
var harness = []struct{ mail, machine, benchmark, options string }{
	// The harness of the SIS_SYNC mail calls hackbench with -f an eighth of the
	// CPUs and -l 300000.
	{"sis-sync", "xeon240", "hackbench-process-pipe", ",fds=30,loops=300000"},
}

// optionsOf are the options of a comparison's workload, "" for none.
func optionsOf(c datasets.Comparison) string {
	for _, h := range harness {
		same := h.machine == c.Machine || h.machine == variantOf[c.Machine]
		if h.mail == c.Mail && same && h.benchmark == c.Benchmark {
			return h.options
		}
	}
	return ""
}
