package jupyter

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// kernelEnv gives the environment of a kernel of the folder bin working in the folder work: the user's, with the kernel's
// folder first on the PATH (GoNB looks for goimports there) and without what breaks cells.
func kernelEnv(ctx context.Context, bin, work string) ([]string, error) {
	flags, err := goFlags(ctx)
	if err != nil {
		return nil, err
	}
	env := cleanEnv(os.Environ())
	env = append(env,
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"PWD="+work,
		"NO_COLOR=1",
	)
	if flags != "" {
		env = append(env, "GOFLAGS="+flags)
	}
	return env, nil
}

// cleanEnv drops variables that break a kernel or the go command under it: GOWORK=off breaks the set-up cell, GOFLAGS may hold
// -mod=mod, GOOS and GOARCH would compile cells for another machine, GONB_* belong to a kernel around us.
func cleanEnv(env []string) []string {
	out := make([]string, 0, len(env)+4)
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "GOFLAGS", "GOWORK", "GO111MODULE", "GOOS", "GOARCH", "GOTMPDIR", "TMPDIR", "PATH", "PWD", "NO_COLOR":
		default:
			if !strings.HasPrefix(name, "GONB_") {
				out = append(out, kv)
			}
		}
	}
	return out
}

// goFlags gives the user's GOFLAGS, whether set by the environment or by "go env -w", with a -mod flag replaced: the go
// command accepts only readonly and vendor in a workspace, and cells are compiled in one.
func goFlags(ctx context.Context) (string, error) {
	out, err := goCommand(ctx, "", "env", "GOFLAGS")
	if err != nil {
		return "", err
	}
	return workspaceFlags(out), nil
}

func workspaceFlags(flags string) string {
	words := strings.Fields(flags)
	for i, w := range words {
		if strings.HasPrefix(strings.TrimLeft(w, "-"), "mod=") {
			words[i] = "-mod=readonly"
		}
	}
	return strings.Join(words, " ")
}

// goCommand runs the go command in dir and gives its output, trimmed.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("jupyter: the go command is not on PATH: notebook cells are compiled with it; install Go from https://go.dev/dl (%w)", err)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("jupyter: go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// checkTools tells what is missing for cells to run, before the kernel says it in its own words.
func checkTools(bin string) error {
	for _, name := range []string{"gonb", "goimports"} {
		if !executable(filepath.Join(bin, name)) {
			return fmt.Errorf("jupyter: %s has no program %q: delete that folder and run again to build it anew", bin, name)
		}
	}
	if !executable("/bin/bash") {
		return fmt.Errorf("jupyter: there is no /bin/bash: GoNB runs the \"!\" lines of cells with it; install bash")
	}
	return nil
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}
