package jupyter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// The kernelspec of the notebooks: what their metadata name, and what InstallKernelspec installs. It is not called "gonb",
// which is the name GoNB's own installer uses: both may be there side by side.
const (
	KernelName        = "schedlab-gonb"
	KernelDisplayName = "Go (GoNB, schedlab)"
)

// installedBy marks our kernelspec in the free "metadata" of kernel.json.
const installedBy = "schedlab notebooks --install"

type kernelspec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
	Metadata      map[string]string `json:"metadata"`
}

// InstallKernelspec makes the kernel in kernelDir (from BuildKernel) known to Jupyter and VS Code under KernelName and gives
// the file written. prefix is an environment to install into (PREFIX/share/jupyter), such as a Python virtual environment;
// "" is the user's own Jupyter folder: JUPYTER_DATA_DIR, or the usual place of the operating system. An earlier kernelspec of
// ours is replaced; one by somebody else is left alone and is an error.
//
// The PATH of the moment is written into the kernelspec, so that a Jupyter or VS Code started from a desktop finds the go
// command too, and GOFLAGS and GOWORK are set to values that do not break cells.
func InstallKernelspec(ctx context.Context, kernelDir, prefix string) (file string, err error) {
	if !kernelRuns {
		return "", errNoKernel
	}
	if kernelDir, err = filepath.Abs(kernelDir); err != nil {
		return "", fmt.Errorf("jupyter: %w", err)
	}
	if err := checkTools(kernelDir); err != nil {
		return "", err
	}
	data, err := dataFolder(prefix)
	if err != nil {
		return "", err
	}
	spec, err := newKernelspec(ctx, kernelDir)
	if err != nil {
		return "", err
	}
	file = filepath.Join(data, "kernels", KernelName, "kernel.json")
	if err := mayReplace(file); err != nil {
		return "", err
	}
	out, err := json.MarshalIndent(spec, "", " ")
	if err != nil {
		return "", fmt.Errorf("jupyter: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", fmt.Errorf("jupyter: %w", err)
	}
	if err := writeAtomic(file, append(out, '\n'), 0o644); err != nil {
		return "", fmt.Errorf("jupyter: %w", err)
	}
	return file, nil
}

func newKernelspec(ctx context.Context, dir string) (kernelspec, error) {
	flags, err := goFlags(ctx)
	if err != nil {
		return kernelspec{}, err
	}
	goPath, err := exec.LookPath("go")
	if err != nil {
		return kernelspec{}, fmt.Errorf("jupyter: %w", err)
	}
	list := string(os.PathListSeparator)
	return kernelspec{
		Argv:          []string{filepath.Join(dir, "gonb"), "--kernel", "{connection_file}"},
		DisplayName:   KernelDisplayName,
		Language:      "go",
		InterruptMode: "message",
		Env: map[string]string{
			"PATH":    dir + list + filepath.Dir(goPath) + list + os.Getenv("PATH"),
			"GOFLAGS": flags,
			"GOWORK":  "",
		},
		Metadata: map[string]string{"installed_by": installedBy},
	}, nil
}

// mayReplace is nil if there is no kernelspec at file or it is ours.
func mayReplace(file string) error {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("jupyter: %w", err)
	}
	var old kernelspec
	if json.Unmarshal(data, &old) == nil && old.Metadata["installed_by"] == installedBy {
		return nil
	}
	return fmt.Errorf("jupyter: %s was not written by schedlab and is left alone; remove it first if it may be replaced", file)
}

// dataFolder is where Jupyter looks for kernelspecs.
func dataFolder(prefix string) (string, error) {
	if prefix != "" {
		return filepath.Join(prefix, "share", "jupyter"), nil
	}
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("jupyter: no home folder: %w; set JUPYTER_DATA_DIR", err)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Jupyter"), nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}
