package main

import (
	"fmt"
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

func init() {
	standIns["unlocked"] = func(_ string, args []string) int { return withFlock(unix.ENOSYS, args) }
	standIns["local-locks"] = func(_ string, args []string) int {
		if err := unix.Sethostname(fmt.Appendf(nil, "host%d", os.Getpid())); err != nil {
			return 119
		}
		return withFlock(0, args)
	}
}

// withFlock runs a program with a filter of the system's calls that has flock fail with an
// error, or succeed without a lock.
func withFlock(answer syscall.Errno, args []string) int {
	runtime.LockOSThread()
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_FLOCK, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(answer)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 120
	}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0); err != nil {
		return 121
	}
	if err := syscall.Flock(-1, syscall.LOCK_SH); err != nil && err != answer {
		return 122
	}
	_ = syscall.Exec(args[0], args, os.Environ())
	return 123
}

// standInFor has a command run by one of the stand-ins.
func standInFor(t *testing.T, name string) func(*exec.Cmd) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return func(cmd *exec.Cmd) {
		cmd.Args = append([]string{name, cmd.Path}, cmd.Args[1:]...)
		cmd.Path = self
		cmd.Env = append(os.Environ(), standInVariable+"="+filepath.Dir(self))
	}
}

// TestShareUnlocked is TestShareStages on a file system without locks, such as Lustre without
// its mount option flock.
func TestShareUnlocked(t *testing.T) {
	longtest.Only(t)
	shareStages(t, standInFor(t, "unlocked"), false)
}

// TestShareLocalLocks is TestShareStages for processes of several hosts whose locks do not hold
// between them, as on NFS with the mount option nolock. Rows may be lost then, and a run of
// all frames makes them again.
func TestShareLocalLocks(t *testing.T) {
	longtest.Only(t)
	if os.Geteuid() != 0 {
		t.Skip("hosts of other names need root")
	}
	by := standInFor(t, "local-locks")
	shareStages(t, func(cmd *exec.Cmd) {
		by(cmd)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUTS}
	}, true)
}
