package jupyter

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// The programs of a kernel: packages named by the tool lines of go.mod.
const (
	gonbPackage      = "github.com/janpfeifer/gonb"
	goimportsPackage = "golang.org/x/tools/cmd/goimports"
)

var errNoKernel = fmt.Errorf("jupyter: the GoNB kernel does not run on %s; use Linux, macOS or the Windows Subsystem for Linux", runtime.GOOS)

// BuildKernel builds the kernel and goimports, in the versions the go.mod of moduleRoot asks for, into a folder below cacheDir
// and gives that folder. Built once, it is given back at once until go.mod, go.sum or the Go version change; the first build
// takes up to a minute. moduleRoot "" is found upwards from the current folder; cacheDir "" is "schedlab" in the user's cache
// folder. Safe to call from several processes at a time.
func BuildKernel(ctx context.Context, moduleRoot, cacheDir string) (dir string, err error) {
	if !kernelRuns {
		return "", errNoKernel
	}
	if moduleRoot, err = ModuleRoot(moduleRoot); err != nil {
		return "", err
	}
	if cacheDir, err = cacheFolder(cacheDir); err != nil {
		return "", err
	}
	stamp, err := kernelStamp(ctx, moduleRoot)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(cacheDir, "gonb-"+stamp)
	if complete(dir) {
		return dir, nil
	}
	if err := build(ctx, moduleRoot, dir); err != nil {
		return "", err
	}
	return dir, nil
}

// ModuleRoot gives the folder of the go.mod that governs dir, as an absolute path. dir "" is the current folder.
func ModuleRoot(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("jupyter: %w", err)
	}
	for d := abs; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("jupyter: no go.mod in %s or above: run this inside the schedlab checkout", abs)
		}
	}
}

func cacheFolder(dir string) (string, error) {
	if dir != "" {
		return filepath.Abs(dir)
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("jupyter: no cache folder: %w", err)
	}
	return filepath.Join(user, "schedlab"), nil
}

// kernelStamp names a build: equal stamps, equal programs.
func kernelStamp(ctx context.Context, root string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("jupyter: %w", err)
	}
	if !strings.Contains(string(mod), gonbPackage) {
		return "", fmt.Errorf("jupyter: %s does not name %s: the kernel is built in the schedlab checkout, give its folder", filepath.Join(root, "go.mod"), gonbPackage)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("jupyter: %w", err)
	}
	version, err := goCommand(ctx, root, "env", "GOVERSION")
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %s/%s\n%s\n%s", version, runtime.GOOS, runtime.GOARCH, mod, sum)
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// build compiles into a folder beside dir and renames it, so that dir is complete whenever it exists.
func build(ctx context.Context, root, dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("jupyter: %w", err)
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), "building-")
	if err != nil {
		return fmt.Errorf("jupyter: %w", err)
	}
	defer os.RemoveAll(part)
	if err := compile(ctx, root, part); err != nil {
		return err
	}
	if err := os.Chmod(part, 0o755); err != nil {
		return fmt.Errorf("jupyter: %w", err)
	}
	if complete(dir) {
		return nil // another process was faster: the programs are the same
	}
	os.RemoveAll(dir)
	if err := os.Rename(part, dir); err != nil && !complete(dir) {
		return fmt.Errorf("jupyter: %w", err)
	}
	return nil
}

func complete(dir string) bool {
	return executable(filepath.Join(dir, "gonb")) && executable(filepath.Join(dir, "goimports"))
}

func compile(ctx context.Context, root, into string) error {
	flags, err := goFlags(ctx)
	if err != nil {
		return err
	}
	log := new(tail)
	cmd := exec.CommandContext(ctx, "go", "build", "-o", into+string(os.PathSeparator), gonbPackage, goimportsPackage)
	cmd.Dir = root
	// GOWORK=off: a workspace around the module could choose other versions.
	cmd.Env = append(cleanEnv(os.Environ()), "PATH="+os.Getenv("PATH"), "PWD="+root, "GOWORK=off", "GOFLAGS="+flags)
	cmd.Stdout, cmd.Stderr = log, log
	ownGroup(cmd)
	cmd.Cancel = func() error {
		killGroup(cmd.Process.Pid)
		return nil
	}
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return fmt.Errorf("jupyter: the GoNB kernel was not built in %s: %w%s", root, err, quote("go build", log.last(8)))
	}
	return nil
}
