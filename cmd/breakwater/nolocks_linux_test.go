package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"breakwater/sim/longtest"
)

func init() { standIns["unlocked"] = unlocked }

// unlocked runs a program as on a file system without locks, such as Lustre without its mount
// option flock: a filter of the system's calls has flock fail.
func unlocked(_ string, args []string) int {
	runtime.LockOSThread()
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_FLOCK, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 120
	}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0); err != nil {
		return 121
	}
	if syscall.Flock(0, syscall.LOCK_SH) != syscall.ENOSYS {
		return 122
	}
	_ = syscall.Exec(args[0], args, os.Environ())
	return 123
}

// TestShareUnlocked is TestShareStages on a file system without locks.
func TestShareUnlocked(t *testing.T) {
	longtest.Only(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	shareStages(t, func(cmd *exec.Cmd) {
		cmd.Args = append([]string{"unlocked", cmd.Path}, cmd.Args[1:]...)
		cmd.Path = self
		cmd.Env = append(os.Environ(), standInVariable+"="+filepath.Dir(self))
	})
}
