package sim

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/schedlab/lab/schedlab/machine"
	"github.com/schedlab/lab/schedlab/policy"
	"github.com/schedlab/lab/schedlab/workload"
)

func TestSmoke(t *testing.T) {
	for _, mn := range []string{"xeon240", "xeon240-llc120"} {
		m, err := machine.Preset(mn)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []string{"1,client=1,server=2", "1,client=2,server=2", "60", "120", "180", "240", "300", "360", "420"} {
			for _, pn := range []string{"6.10", "6.10+SIS_SYNC"} {
				w, err := workload.Parse("netperf-tcp_rr:"+l, m)
				if err != nil {
					t.Fatal(err)
				}
				p, _ := policy.Parse(pn)
				t0 := time.Now()
				r, err := Run(context.Background(), Config{Machine: m, Workload: w, Policy: p, Seed: 1, Warmup: 30e6, Duration: 30e6})
				if err != nil {
					t.Fatal(err)
				}
				var n int64
				for _, d := range r.Done {
					n += d
				}
				dt := time.Since(t0)
				fmt.Printf("%s %s %s: %.0f/s total %.0f per pair; wake %d probes/search %.2f lat %v ns/wakeup %.0f ev/wk %.1f\n  reasons %v mig %v\n", mn, l, pn, float64(n)/0.03, float64(n)/0.03/float64(len(r.Done)), r.Wakeups, float64(r.Probes)/float64(r.Searches), r.Latency, float64(dt)/float64(r.Wakeups)/2, float64(r.Events)/float64(r.Wakeups), r.Placements, r.Migrations)
				for c := Category(0); c < NumCategories; c++ {
					if r.CPU[c] != 0 {
						fmt.Printf(" %s %.1f%%", c, 100*float64(r.CPU[c])/float64(r.CPU.Total()))
					}
				}
				fmt.Println()
				for i := range r.PerCPU {
					if r.PerCPU[i].Total() != 30e6 {
						t.Fatal(i, r.PerCPU[i].Total())
					}
				}
				for i := range r.PerTask {
					if r.PerTask[i].Total() != 30e6 {
						t.Fatal(i, r.PerTask[i].Total(), r.PerTask[i])
					}
				}
			}
		}
	}
}
