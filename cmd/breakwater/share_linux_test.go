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

// TestOpens counts the files that tasks of the last frames open, and their bytes, in a film and in one
// of four times as many frames. They are the same in both: the files of the task's own frames, and
// the records and rows of these and a few others. A camera that follows the liquid changes nothing.
// The same holds for tasks of a farm, which read the plan as well.
func TestOpens(t *testing.T) {
	longtest.Only(t)
	type opened struct {
		files   int
		records int64 // bytes of all opened tables and records
		bytes   int64 // that are read
	}
	count := func(t *testing.T, folder string, run func()) (n opened) {
		t.Helper()
		before := bytesRead(t)
		names := opens(t, folder, run)
		n.files, n.bytes = len(names), bytesRead(t)-before
		for name := range names {
			if info, err := os.Stat(name); err == nil && filepath.Ext(name) == ".csv" {
				n.records += info.Size()
			}
		}
		return n
	}
	var first map[string]opened
	for _, frames := range []int{32, 128} {
		out := t.TempDir()
		of := []string{tiny, "--out", out, "--fps", fmt.Sprint(frames * 5), "--set=camera.follow=liquid"} // of 0.2 s
		do(t, append([]string{"render"}, of...)...)
		of = append(of, "--per-frame")
		do(t, append([]string{"render", "--stages=sim", fmt.Sprintf("--frames=-%d", frames-2)}, of...)...)
		got := map[string]opened{}
		for _, stages := range []string{"sim", "mesh", "export", "draw", "mesh,export,draw"} {
			for _, force := range []string{"--force", "--force=false"} {
				args := append([]string{"render", "--stages", stages, fmt.Sprintf("--frames=%d-", frames-1), force}, of...)
				task := stages + " " + force
				got[task] = count(t, out, func() { do(t, args...) })
				t.Logf("%d frames, %s: %+v", frames, task, got[task])
			}
		}
		plan := append([]string{"farm", "plan"}, append(of[:len(of)-1:len(of)-1], "--engine=shell", "--trial=0", "--cpus=1", "--chunk=2", fmt.Sprintf("--segments=%d", frames/2))...)
		if code, _, stderr := call(t, plan...); code != exitDone {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		for _, task := range []string{fmt.Sprintf("sim-%d", frames/2), fmt.Sprintf("frames-%d-%d", frames-1, frames)} {
			kind, _, _ := strings.Cut(task, "-")
			for _, made := range []string{"made", "kept"} {
				if made == "made" {
					for _, folder := range []string{"particles", "surface", "mesh", "frames"} {
						if kind == "sim" != (folder == "particles") {
							continue
						}
						files, err := filepath.Glob(filepath.Join(out, folder, fmt.Sprintf("*%d.*", frames)))
						if err != nil || len(files) == 0 {
							t.Fatalf("%s has %q: %v", folder, files, err)
						}
						for _, file := range files {
							if err := os.Remove(file); err != nil {
								t.Fatal(err)
							}
						}
					}
				}
				got["farm task "+kind+" "+made] = count(t, out, func() { do(t, "farm", "task", out, task) })
				t.Logf("%d frames, %s %s: %+v", frames, task, made, got["farm task "+kind+" "+made])
			}
		}
		if first == nil {
			first = got
			continue
		}
		for task, was := range first {
			is := got[task]
			if is.files != was.files || float64(is.records) > 1.05*float64(was.records) || float64(is.bytes) > 1.05*float64(was.bytes) {
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
