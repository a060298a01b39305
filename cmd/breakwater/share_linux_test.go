package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"breakwater/out/programs"
	"breakwater/sim/longtest"
)

// TestShareNamespaces is TestShareStages for processes that are all number 1, as in containers.
func TestShareNamespaces(t *testing.T) {
	longtest.Only(t)
	number := exec.Command("sh", "-c", "echo $$")
	number.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	if os.Geteuid() != 0 {
		t.Skip("processes have numbers of their own for root alone")
	}
	if text, err := number.Output(); err != nil || string(text) != "1\n" {
		programs.Lacking(t, "processes cannot have numbers of their own here: %v", err)
	}
	shareStages(t, func(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID} }, false)
}

// TestOpens counts the files that tasks open, and their bytes, in a film and in one of four
// times as many frames. The number of files is the same in both: the files of the task's own
// frames, the tables and the records.
func TestOpens(t *testing.T) {
	longtest.Only(t)
	type opened struct {
		files int
		bytes int64 // read, but for tables and records, which have a line for each file
	}
	count := func(t *testing.T, folder string, run func()) (n opened) {
		t.Helper()
		before := bytesRead(t)
		names := opens(t, folder, run)
		n.files, n.bytes = len(names), bytesRead(t)-before
		for name := range names {
			if info, err := os.Stat(name); err == nil && filepath.Ext(name) == ".csv" {
				n.bytes -= info.Size()
			}
		}
		return n
	}
	var first map[string]opened
	for _, fps := range []string{"30", "120"} {
		out := t.TempDir()
		do(t, "render", tiny, "--out", out, "--fps", fps)
		got := map[string]opened{}
		for _, stages := range []string{"sim", "mesh", "export", "draw", "mesh,export,draw"} {
			for _, force := range []string{"--force", "--force=false"} {
				args := []string{"render", tiny, "--out", out, "--fps", fps, "--stages", stages, "--frames=3-4", "--per-frame", force}
				got[stages+" "+force] = count(t, out, func() { do(t, args...) })
			}
		}
		if first == nil {
			first = got
			continue
		}
		for task, was := range first {
			is := got[task]
			if is.files != was.files || float64(is.bytes) > 1.1*float64(was.bytes) {
				t.Errorf("%s: %+v, and in the longer film %+v", task, was, is)
			}
		}
	}
}

// bytesRead returns how many bytes this process has read.
func bytesRead(t *testing.T) (n int64) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skipf("the system does not count what is read: %v", err)
	}
	if _, err := fmt.Sscanf(string(text), "rchar: %d", &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// opens returns the files below a folder that are opened while f runs.
func opens(t *testing.T, folder string, f func()) map[string]bool {
	t.Helper()
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Skipf("opened files cannot be counted here: %v", err)
	}
	defer unix.Close(watch)
	of := map[int32]string{}
	err = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		id, err := unix.InotifyAddWatch(watch, path, unix.IN_OPEN)
		of[int32(id)] = path
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f()
	names := map[string]bool{}
	buffer := make([]byte, 1<<20)
	for {
		n, err := unix.Read(watch, buffer)
		if err != nil || n == 0 {
			break
		}
		for rest := buffer[:n]; len(rest) >= unix.SizeofInotifyEvent; {
			e := (*unix.InotifyEvent)(unsafe.Pointer(&rest[0]))
			name := strings.TrimRight(string(rest[unix.SizeofInotifyEvent:unix.SizeofInotifyEvent+e.Len]), "\x00")
			if e.Mask&unix.IN_Q_OVERFLOW != 0 {
				t.Fatal("too many opened files")
			}
			if e.Mask&unix.IN_ISDIR == 0 && name != "" && !strings.HasPrefix(name, ".") {
				names[filepath.Join(of[e.Wd], name)] = true
			}
			rest = rest[unix.SizeofInotifyEvent+e.Len:]
		}
	}
	return names
}
