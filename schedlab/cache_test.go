package schedlab_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/schedlab/lab/schedlab"
)

// kept is the only file of a cache folder.
func kept(t *testing.T, dir string) string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || !strings.HasSuffix(files[0].Name(), ".json") {
		t.Fatalf("the cache holds %v, want one .json", files)
	}
	return filepath.Join(dir, files[0].Name())
}

func cached(t *testing.T, c schedlab.Cache, s schedlab.Spec) []byte {
	t.Helper()
	r, err := c.Simulate(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return bytesOf(t, r)
}

func TestCache(t *testing.T) {
	s := short(t, "ivb48 netperf-tcp_rr:30 6.10 seed=2")
	want := bytesOf(t, simulate(t, s))
	c := schedlab.Cache{Dir: filepath.Join(t.TempDir(), "a", "b")}
	for _, state := range []string{"cold", "warm"} {
		if got := cached(t, c, s); !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes than without a cache", state)
		}
	}
	// Proof that the second came from the file: one that says something else.
	file := kept(t, c.Dir)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r schedlab.Result
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	r.Wakeups = 42
	if err := os.WriteFile(file, append(bytesOf(t, &r), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Simulate(context.Background(), s); err != nil || got.Wakeups != 42 {
		t.Errorf("the kept file is not read: %v", err)
	}
	// Another way to write the same Spec finds it too, another Spec does not.
	s.Workload = "netperf-tcp_rr:30"
	s.Policy = "6.10+NO_SIS_SYNC"
	if got, err := c.Simulate(context.Background(), s); err != nil || got.Wakeups != 42 {
		t.Errorf("the same run by another spelling is not found: %v", err)
	}
	s.Seed++
	if got, err := c.Simulate(context.Background(), s); err != nil || got.Wakeups == 42 {
		t.Errorf("another run is taken for the same: %v", err)
	}
}

func TestCacheReplacesCorruptFiles(t *testing.T) {
	s := short(t, "ivb48 pipe:3 6.10")
	c := schedlab.Cache{Dir: t.TempDir()}
	want := cached(t, c, s)
	file := kept(t, c.Dir)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]string{
		"empty":             "",
		"cut short":         string(good[:len(good)/2]),
		"not JSON":          "\x00\xff",
		"two of them":       string(good) + string(good),
		"nothing in it":     "{}",
		"members missing":   strings.Replace(string(good), `"probes"`, `"trials"`, 1),
		"another Spec":      strings.Replace(string(good), `"seed":0`, `"seed":1`, 1),
		"another engine":    strings.Replace(string(good), `"engine":"`, `"engine":"x`, 1),
		"spaces added":      strings.Replace(string(good), `,"wakeups"`, `, "wakeups"`, 1),
		"only what is read": `{"spec":` + strings.SplitAfter(strings.SplitN(string(good), `"spec":`, 2)[1], "}")[0] + `,"engine":"` + schedlab.EngineVersion + `"}`,
	} {
		if bad == string(good) {
			t.Fatalf("%s: nothing is corrupted", name)
		}
		if err := os.WriteFile(file, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := cached(t, c, s); !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes", name)
		}
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, good) {
			t.Errorf("%s: not replaced, %v", name, err)
		}
	}
}

// TestCacheUnwritable: the Result comes with an error that names the folder.
func TestCacheUnwritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := short(t, "ivb48 pipe:3 6.10")
	r, err := schedlab.Cache{Dir: filepath.Join(file, "sub")}.Simulate(context.Background(), s)
	if err == nil || !strings.HasPrefix(err.Error(), "schedlab: result cache: ") || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v, want one that names %s", err, file)
	}
	if r == nil || !bytes.Equal(bytesOf(t, r), bytesOf(t, simulate(t, s))) {
		t.Error("the Result is lost")
	}
}

func TestNoCache(t *testing.T) {
	s := short(t, "ivb48 pipe:3 6.10")
	if got := cached(t, schedlab.Cache{}, s); !bytes.Equal(got, bytesOf(t, simulate(t, s))) {
		t.Error("other bytes without a cache")
	}
	if _, err := (schedlab.Cache{}).Simulate(context.Background(), schedlab.Spec{Machine: "x"}); err == nil {
		t.Error("a bad Spec runs")
	}
}

// TestCacheCancelled: what is given up is not kept.
func TestCacheCancelled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := schedlab.Cache{Dir: dir}.Simulate(ctx, short(t, "ivb48 pipe:3 6.10"))
	if files, _ := os.ReadDir(dir); r != nil || !errors.Is(err, context.Canceled) || len(files) != 0 {
		t.Errorf("result %v, error %v, %d files", r, err, len(files))
	}
}

func TestCacheConcurrent(t *testing.T) {
	s := short(t, "ivb48 pipe:10 6.10")
	want := bytesOf(t, simulate(t, s))
	c := schedlab.Cache{Dir: t.TempDir()}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			r, err := c.Simulate(context.Background(), s)
			if err != nil {
				t.Error(err)
			} else if b, _ := json.Marshal(r); !bytes.Equal(b, want) {
				t.Error("other bytes")
			}
		})
	}
	wg.Wait()
	kept(t, c.Dir) // and no temporary file is left
}
