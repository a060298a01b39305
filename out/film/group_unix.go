//go:build !windows && !linux

package film

import "syscall"

// ownGroup puts a process into a group of its own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// holdThread does nothing: processes outlive their parents here.
func holdThread() (release func()) { return func() {} }
