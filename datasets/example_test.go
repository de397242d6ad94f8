package datasets_test

import (
	"fmt"

	"github.com/schedlab/lab/datasets"
)

func ExampleComparisons() {
	all, err := datasets.Comparisons("sis-sync")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range all {
		if c.Benchmark == "tbench" {
			fmt.Printf("%s:%d  %+.2f %%  spread of %s %.2f %% -> %.2f %%\n",
				c.Benchmark, c.Load, c.ChangePct, c.SpreadOf, c.BaseSpreadPct, c.PatchedSpreadPct)
		}
	}
	// Output:
	// tbench:60  +0.04 %  spread of runs 0.27 % -> 0.11 %
	// tbench:120  -1.01 %  spread of runs 0.65 % -> 0.41 %
	// tbench:180  +62.05 %  spread of runs 0.42 % -> 26.22 %
	// tbench:240  +77.61 %  spread of runs 30.43 % -> 15.27 %
}
