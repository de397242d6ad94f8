package report_test

import (
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/report"
	"github.com/schedlab/lab/schedlab/topology"
	"github.com/schedlab/lab/schedlab/workload"
)

var twoDecisions = []schedlab.Decision{
	{TimeNS: 54, Wakeup: policy.Wakeup{Wakee: 7, Waker: 6, This: 1, Prev: 2, Sync: true, Context: workload.InSoftirq},
		CPU: 2, Reason: policy.PrevIdle, Probes: 2, SearchNS: 120, PrevIdle: true, HasIdleCores: true, NrIdleScan: 60},
	{TimeNS: 90, Wakeup: policy.Wakeup{Wakee: 3, Waker: workload.NoTask, This: 5, Prev: 5, Context: workload.InIRQ},
		CPU: 9, Reason: policy.ScanIdle, Distance: topology.LLC, Probes: 11, SearchNS: 700, NrIdleScan: 14},
}

func TestDecisionsTable(t *testing.T) {
	table, err := report.DecisionsTable(twoDecisions)
	if err != nil {
		t.Fatal(err)
	}
	var csv strings.Builder
	if err := table.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	want := "time (ns),wakee,waker,context,sync,this,this idle,prev,prev idle,has_idle_cores,nr_idle_scan,CPU,reason,distance,probes,search (ns)\n" +
		"54,7,6,softirq,true,1,false,2,true,true,60,2,prev-idle,same CPU,2,120\n" +
		"90,3,-1,irq,false,5,false,5,false,false,14,9,scan-idle,LLC,11,700\n"
	if csv.String() != want {
		t.Errorf("\n%swant\n%s", &csv, want)
	}
	df, err := report.DecisionsFrame(twoDecisions)
	if err != nil || df.Nrow() != 2 || strings.Join(df.Names(), ",")+"\n" != want[:strings.Index(want, "\n")+1] {
		t.Errorf("%v, %v", df, err)
	}
	if empty, err := report.DecisionsTable(nil); err != nil || empty.Rows() != 0 {
		t.Errorf("%d rows, %v", empty.Rows(), err)
	}
}
