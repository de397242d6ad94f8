package table_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/schedlab/lab/schedlab/table"
)

func ExampleRead() {
	mail := `> tbench
>                           6.9.0                  6.9.0
>                         vanilla                patched
> Hmean     8      1845.04 (   0.00%)     1990.10 *   7.86%*
> Hmean     16     2000.00 (   0.00%)     1900.00 (   5.00%)
`
	tables, warnings, err := table.Read(strings.NewReader(mail), "mail.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range tables {
		fmt.Println(t.Name, t.Columns)
		for _, r := range t.Rows {
			fmt.Printf("%s at %s: %.2f %%, %s is better\n", r.Op, r.Load, r.Cells[1].Change, r.Better)
		}
	}
	for _, w := range warnings {
		fmt.Println(w)
	}
	// Output:
	// tbench [6.9.0-vanilla 6.9.0-patched]
	// Hmean at 8: 7.86 %, higher is better
	// Hmean at 16: 5.00 %, higher is better
	// mail.txt:5:1: column "6.9.0-patched": 5.00 % is printed, -5.00 % follows from 2000.00 and 1900.00
}

func ExampleWriteMmtests() {
	t := table.Table{
		Name:    "tbench",
		Columns: []string{"6.9.0-vanilla", "6.9.0-patched"},
		Rows: []table.Row{{Op: "Hmean", Load: "8", Cells: []table.Cell{
			{Value: 1845.04, Decimals: 2},
			{Value: 1990.10, Decimals: 2, Change: table.ChangePct(1845.04, 1990.10, table.HigherBetter), Star: true},
		}}},
	}
	if err := table.WriteMmtests(os.Stdout, t); err != nil {
		fmt.Println(err)
	}
	// Output:
	// tbench
	//                              6.9.0                  6.9.0
	//                            vanilla                patched
	// Hmean     8     1845.04 (   0.00%)     1990.10 *   7.86%*
}
