package film

import "syscall"

// ownGroup puts a process into a group of its own.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// holdThread does nothing: processes outlive their parents here.
func holdThread() (release func()) { return func() {} }
