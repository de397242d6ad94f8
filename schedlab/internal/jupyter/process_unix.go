//go:build unix

package jupyter

import (
	"os/exec"
	"syscall"
	"time"
)

// kernelRuns tells whether the GoNB kernel exists for this operating system.
const kernelRuns = true

// ownGroup makes the command the leader of a new process group. A cell's program and the commands it starts stay in that
// group, so that all of them can be ended even when the kernel is gone; and the terminal's Ctrl-C does not reach them behind
// our back.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killGroup kills every process of the group led by pid and waits until they are gone. It does not wait
// long: a process that nobody collects stays in the group as a zombie and cannot do anything any more.
func killGroup(pid int) {
	for range 30 {
		if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
