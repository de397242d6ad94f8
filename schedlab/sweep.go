package schedlab

import (
	"context"
	"runtime"
	"sync"
)

// Sweep plays many Specs at once, as many as there are processors, through a
// cache. The order of the answers is the order of the Specs; which finishes
// first changes nothing.
type Sweep struct {
	Cache Cache
	// Workers is how many runs go on at once; 0 means one per processor.
	Workers int
	// Progress, if not nil, is called after each finished run, one call at a
	// time.
	Progress func(done, total int)
}

// Run returns a Result per Spec. When a run fails or ctx is cancelled the
// Results finished so far are returned with the first error; what is missing is
// nil. Finished runs are kept in the cache, so that the next Run goes on from
// there.
func (s Sweep) Run(ctx context.Context, specs []Spec) ([]*Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]*Result, len(specs))
	jobs := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range max(1, min(s.workers(), len(specs))) {
		wg.Go(func() {
			for i := range jobs {
				r, err := s.Cache.Simulate(ctx, specs[i])
				results[i] = r
				if err != nil {
					cancel(err)
					continue
				}
				mu.Lock()
				done++
				if s.Progress != nil {
					s.Progress(done, len(specs))
				}
				mu.Unlock()
			}
		})
	}
	for i := range specs {
		if ctx.Err() != nil {
			break
		}
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	return results, context.Cause(ctx)
}

func (s Sweep) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	return runtime.GOMAXPROCS(0)
}
