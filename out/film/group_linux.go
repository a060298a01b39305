package film

import (
	"runtime"
	"syscall"
)

// ownGroup puts a process into a group of its own. It ends when this process
// does, even by a kill: else it would leave a film half written.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// holdThread keeps the caller on its thread until release is called. Linux
// takes the end of the thread that started a process for the parent's.
func holdThread() (release func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
