//go:build unix

package jupyter

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// alive tells whether a process runs; one that has ended and that nobody has waited for does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !os.IsNotExist(err) || !procExists()
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

func procExists() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}
