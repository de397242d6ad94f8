package schedlab

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/schedlab/lab/schedlab/internal/atomicfile"
)

// Cache keeps Results on disk under the hash of their Spec, the engine version
// and the machine's costs. Files are written atomically, one per Result, and may
// be deleted at any time. The zero Cache keeps nothing.
type Cache struct {
	// Dir is the folder; it is made when the first Result is kept.
	Dir string
}

// DefaultCache is the folder schedlab under the user's cache folder, or no cache
// where the system names none.
func DefaultCache() Cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return Cache{}
	}
	return Cache{Dir: filepath.Join(dir, "schedlab", "results")}
}

// Simulate returns the kept Result of s, or plays s and keeps its Result. A
// Result is the same byte for byte either way. A file that cannot be read is
// replaced; a folder that cannot be written is an error that names it, after
// the Result, which is returned with it.
func (c Cache) Simulate(ctx context.Context, s Spec) (*Result, error) {
	cfg, err := s.Config()
	if err != nil {
		return nil, err
	}
	if c.Dir == "" {
		return SimulateContext(ctx, cfg)
	}
	path := filepath.Join(c.Dir, cacheKey(cfg)+".json")
	if r := load(path, cfg.Spec); r != nil {
		return r, nil
	}
	r, err := SimulateContext(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return r, keep(path, r)
}

func cacheKey(cfg Config) string {
	sum := sha256.Sum256([]byte(cfg.Spec.String() + "\n" + EngineVersion + "\n" + cfg.Machine.Fingerprint()))
	return hex.EncodeToString(sum[:])
}

// load returns nil for whatever is not exactly a Result of spec.
func load(path string, spec Spec) *Result {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var r Result
	if json.Unmarshal(b, &r) != nil || r.Spec == nil || *r.Spec != spec || r.Engine != EngineVersion || r.Decisions != nil {
		return nil
	}
	var same bytes.Buffer
	if encode(&same, &r) != nil || !bytes.Equal(same.Bytes(), b) {
		return nil // members are missing, or there are others
	}
	return &r
}

func encode(w io.Writer, r *Result) error { return json.NewEncoder(w).Encode(r) }

func keep(path string, r *Result) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("schedlab: result cache: %w (use no cache, or name a folder you may write)", err)
	}
	err := atomicfile.Write(path, 0o644, func(w io.Writer) error { return encode(w, r) })
	if err != nil {
		return fmt.Errorf("schedlab: result cache: %w (use no cache, or name a folder you may write)", err)
	}
	return nil
}
