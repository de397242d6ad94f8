package jupyter

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// unixOnly skips where there is no kernel to build.
func unixOnly(t *testing.T) {
	t.Helper()
	if !kernelRuns {
		t.Skip(errNoKernel)
	}
}

// write makes a file in a new folder and gives the folder.
func write(t *testing.T, name, content string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

const someMod = "module example.com/m\n\ngo 1.26.0\n\nrequire github.com/janpfeifer/gonb v0.11.4\n"

func TestBuildKernelExplains(t *testing.T) {
	unixOnly(t)
	tests := []struct {
		name, root, want string
		path             string // PATH, if not the usual
	}{
		{"no module", t.TempDir(), "no go.mod in", ""},
		{"other module", write(t, "go.mod", "module example.com/m\n\ngo 1.26.0\n"), "does not name github.com/janpfeifer/gonb: the kernel is built in the schedlab checkout", ""},
		{"no go", write(t, "go.mod", someMod), "the go command is not on PATH", t.TempDir()},
		{"does not build", write(t, "go.mod", someMod), "the GoNB kernel was not built in", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.path != "" {
				t.Setenv("PATH", test.path)
			}
			t.Setenv("GOPROXY", "off")
			cache := t.TempDir()
			_, err := BuildKernel(context.Background(), test.root, cache)
			if err == nil || !strings.HasPrefix(err.Error(), "jupyter: ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if left, _ := os.ReadDir(cache); len(left) != 0 {
				t.Errorf("left in the cache: %v", left)
			}
		})
	}
}

func TestBuildKernelStops(t *testing.T) {
	unixOnly(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := BuildKernel(ctx, "", t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v does not wrap context.Canceled", err)
	}
}

func TestKernelStampFollowsTheModule(t *testing.T) {
	ctx := context.Background()
	stamp := func(mod string) string {
		s, err := kernelStamp(ctx, write(t, "go.mod", mod))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := stamp(someMod)
	if again := stamp(someMod); again != first {
		t.Errorf("equal modules have stamps %s and %s", first, again)
	}
	if other := stamp(strings.Replace(someMod, "v0.11.4", "v0.11.5", 1)); other == first {
		t.Error("the stamp does not change with a version")
	}
}

func TestCleanEnv(t *testing.T) {
	got := cleanEnv([]string{"HOME=/h", "GOWORK=off", "GOFLAGS=-mod=mod", "GOOS=windows", "GONB_PIPE=x", "GOPROXY=off", "TMPDIR=/t"})
	if want := []string{"HOME=/h", "GOPROXY=off"}; !slices.Equal(got, want) {
		t.Errorf("environment %q, want %q", got, want)
	}
}

func TestWorkspaceFlags(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"-mod=mod":                 "-mod=readonly",
		"-v --mod=vendor -tags=a":  "-v -mod=readonly -tags=a",
		" -buildvcs=false ":        "-buildvcs=false",
		"-modcacherw -modfile=a.m": "-modcacherw -modfile=a.m",
	} {
		if got := workspaceFlags(in); got != want {
			t.Errorf("workspaceFlags(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestInstallKernelspec(t *testing.T) {
	bin := fakeBin(t, "run")
	prefix := t.TempDir()
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	file, err := InstallKernelspec(context.Background(), bin, prefix)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(prefix, "share", "jupyter", "kernels", KernelName, "kernel.json"); file != want {
		t.Errorf("file %s, want %s", file, want)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var spec kernelspec
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	if want := []string{filepath.Join(bin, "gonb"), "--kernel", "{connection_file}"}; !slices.Equal(spec.Argv, want) {
		t.Errorf("argv %q, want %q", spec.Argv, want)
	}
	if spec.DisplayName != KernelDisplayName || spec.InterruptMode != "message" || spec.Language != "go" {
		t.Errorf("kernelspec %+v", spec)
	}
	if !strings.HasPrefix(spec.Env["PATH"], bin+":") || spec.Env["GOFLAGS"] != "-mod=readonly" || spec.Env["GOWORK"] != "" {
		t.Errorf("environment %q", spec.Env)
	}
	if _, err := InstallKernelspec(context.Background(), bin, prefix); err != nil {
		t.Errorf("ours is not replaced: %v", err)
	}
}

func TestInstallKernelspecSparesOthers(t *testing.T) {
	bin := fakeBin(t, "run")
	prefix := t.TempDir()
	file := filepath.Join(prefix, "share", "jupyter", "kernels", KernelName, "kernel.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	foreign := []byte(`{"argv": ["other"], "metadata": {"debugger": true}}`)
	if err := os.WriteFile(file, foreign, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := InstallKernelspec(context.Background(), bin, prefix)
	if err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v", err)
	}
	if data, _ := os.ReadFile(file); string(data) != string(foreign) {
		t.Error("the foreign kernelspec was overwritten")
	}
}

func TestDataFolder(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("JUPYTER_DATA_DIR", "")
	t.Setenv("XDG_DATA_HOME", "")
	check := func(prefix, want string) {
		t.Helper()
		if got, err := dataFolder(prefix); err != nil || got != want {
			t.Errorf("folder %q, %v; want %q", got, err, want)
		}
	}
	if runtime.GOOS == "darwin" {
		check("", filepath.Join(home, "Library", "Jupyter"))
	} else {
		check("", filepath.Join(home, ".local", "share", "jupyter"))
		t.Setenv("XDG_DATA_HOME", "/xdg")
		check("", filepath.Join("/xdg", "jupyter"))
	}
	t.Setenv("JUPYTER_DATA_DIR", "/data")
	check("", "/data")
	check("/venv", filepath.Join("/venv", "share", "jupyter"))
}
