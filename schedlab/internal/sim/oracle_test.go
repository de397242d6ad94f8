package sim

import (
	"fmt"
	"math"
	"testing"
)

// repairman is the finite-source closed form M/M/c//n: n customers think for z
// on average, then want one of c servers for s. It gives the mean numbers of
// busy servers and of waiting customers.
func repairman(n, c int, s, z float64) (busy, waiting float64) {
	p := make([]float64, n+1) // weight of k customers in the system
	p[0] = 1
	total := 1.0
	for k := 1; k <= n; k++ {
		p[k] = p[k-1] * float64(n-k+1) / float64(min(k, c)) * s / z
		total += p[k]
	}
	for k, w := range p {
		busy += float64(min(k, c)) * w / total
		waiting += float64(max(0, k-c)) * w / total
	}
	return busy, waiting
}

// TestOneServer plays the machine-repairman model on one CPU at no cost.
func TestOneServer(t *testing.T) {
	const s, z = 10_000, 50_000
	for _, n := range []int{1, 3, 6, 20} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			w := copies(t, n, "", sleepExp(z), runExp(s), done)
			e := prepare(t, Config{Machine: cores(t, 1), Workload: w, Policy: linux(t, "6.10"), Seed: 5, Warmup: 5 * ms, Duration: 4000 * ms}).free()
			got := e.play(t)
			busy, waiting := repairman(n, 1, s, z)
			near(t, "utilisation", float64(got.CPU[Work])/float64(got.Window), busy, 0.01)
			near(t, "throughput", float64(sum(got.Done))*s/float64(got.Window), busy, 0.01)
			near(t, "queue", float64(got.Task[Queued])/float64(got.Window), waiting, 0.03)
			if got.CPU[Idle]+got.CPU[Work] != got.Window {
				t.Errorf("something costs: %v", got.CPU)
			}
		})
	}
}

// TestManyServers: one queue per CPU cannot beat one queue for all, and a scan of
// the whole LLC makes it better than queues that never share.
func TestManyServers(t *testing.T) {
	const s, z, c = 10_000, 25_000, 4
	for _, n := range []int{2, 4, 8, 16, 40} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			w := copies(t, n, "", sleepExp(z), runExp(s), done)
			e := prepare(t, Config{Machine: cores(t, c), Workload: w, Policy: linux(t, "6.10+NO_SIS_UTIL"), Seed: 6, Warmup: 5 * ms, Duration: 1500 * ms}).free()
			got := e.play(t)
			busy := float64(got.CPU[Work]) / float64(got.Window)
			best, _ := repairman(n, c, s, z)
			if n <= c {
				near(t, "busy CPUs", busy, best, 0.01)
				if got.Task[Queued] != 0 {
					t.Errorf("%d tasks on %d CPUs wait %d ns", n, c, got.Task[Queued])
				}
				return
			}
			apart, _ := repairman(n/c, 1, s, z)
			if busy > best*1.01 || busy < c*apart*0.99 {
				t.Errorf("%.3f busy CPUs, want %.3f to %.3f", busy, c*apart, best)
			}
		})
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if diff := math.Abs(got - want); diff > tolerance*want && diff > 1e-4 {
		t.Errorf("%s %.5f, want %.5f +-%g %%", what, got, want, 100*tolerance)
	}
}
