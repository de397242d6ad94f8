package schedlab_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/schedlab/lab/schedlab"
)

// some are n runs of which the first is the longest.
func some(t *testing.T, n int) []schedlab.Spec {
	var specs []schedlab.Spec
	for i := range n {
		specs = append(specs, short(t, fmt.Sprintf("ivb48 pipe:%d 6.10 seed=%d", 3*(n-i), i)))
	}
	return specs
}

// TestSweep: answers in the order of the questions, at any number of workers.
func TestSweep(t *testing.T) {
	specs := some(t, 6)
	specs = append(specs, specs[0]) // the same run twice
	for _, workers := range []int{0, 1, 3, 50} {
		var calls []int
		s := schedlab.Sweep{Workers: workers, Progress: func(done, total int) {
			if total != len(specs) {
				t.Errorf("total %d", total)
			}
			calls = append(calls, done)
		}}
		results, err := s.Run(context.Background(), specs)
		if err != nil || len(results) != len(specs) {
			t.Fatalf("%d results, %v", len(results), err)
		}
		for i, r := range results {
			if *r.Spec != specs[i] {
				t.Errorf("answer %d is to %s, want %s", i, r.Spec, specs[i])
			}
		}
		if !bytes.Equal(bytesOf(t, results[0]), bytesOf(t, results[6])) {
			t.Error("the same run twice differs")
		}
		if fmt.Sprint(calls) != "[1 2 3 4 5 6 7]" {
			t.Errorf("progress %v", calls)
		}
	}
}

func TestEmptySweep(t *testing.T) {
	if results, err := (schedlab.Sweep{}).Run(context.Background(), nil); err != nil || len(results) != 0 {
		t.Errorf("%v, %v", results, err)
	}
}

// TestSweepCancelled: what has finished is returned and kept, and a second sweep
// goes on from there.
func TestSweepCancelled(t *testing.T) {
	specs := some(t, 6)
	ctx, cancel := context.WithCancel(context.Background())
	s := schedlab.Sweep{Cache: schedlab.Cache{Dir: t.TempDir()}, Workers: 1}
	s.Progress = func(done, _ int) {
		if done == 2 {
			cancel()
		}
	}
	results, err := s.Run(ctx, specs)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	for i, r := range results {
		if (r != nil) != (i < 2) {
			t.Errorf("result %d is %v", i, r)
		}
	}
	if files, _ := os.ReadDir(s.Cache.Dir); len(files) != 2 {
		t.Errorf("%d results are kept, want 2", len(files))
	}
	s.Progress = nil
	all, err := s.Run(context.Background(), specs)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range all {
		if !bytes.Equal(bytesOf(t, r), bytesOf(t, simulate(t, specs[i]))) {
			t.Errorf("run %d gives other bytes after the pause", i)
		}
	}
}

// TestSweepError: the first error stops the sweep and is the one that is told.
func TestSweepError(t *testing.T) {
	specs := some(t, 5)
	specs[1].Workload = "dbench-xfs:1"
	results, err := schedlab.Sweep{Workers: 1}.Run(context.Background(), specs)
	if err == nil || !strings.Contains(err.Error(), `"dbench-xfs" is reserved`) {
		t.Errorf("error %v", err)
	}
	if results[0] == nil || results[1] != nil || results[4] != nil {
		t.Errorf("results %v", results)
	}
}
