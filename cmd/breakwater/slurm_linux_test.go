package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"breakwater/sim/longtest"
)

// slurmNodes are the nodes of a cluster, all on this machine.
var slurmNodes = []string{"n1", "n2", "n3"}

// cluster is a real Slurm in a folder of its own.
type cluster struct {
	*testing.T
	dir string
}

// startCluster starts Slurm with three nodes, and ends it with the test.
func startCluster(t *testing.T) *cluster {
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("no %s here: farms are not tested on a real Slurm; install slurmctld, slurmd, slurm-client and munge", name)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("a Slurm of several nodes on one machine needs root")
	}
	dir, err := os.MkdirTemp("/tmp", "slurm") // paths of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := &cluster{t, dir}
	for _, folder := range []string{"munge", "state", "log"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c.write("munge/key", strings.Repeat("a key of this test, not a secret", 32))
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	conf := fmt.Sprintf(`ClusterName=test
SlurmctldHost=%s(127.0.0.1)
SlurmctldPort=%d
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=DIR/munge/socket
CredType=cred/munge
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool-%%n
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/%%n.pid
SlurmctldLogFile=DIR/log/slurmctld
SlurmdLogFile=DIR/log/%%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SlurmdTimeout=10
KillWait=5
MpiDefault=none
SwitchType=switch/none
SlurmdParameters=config_overrides
PartitionName=farm Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`, host, freePort(t))
	for _, node := range slurmNodes {
		conf += fmt.Sprintf("NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=2 RealMemory=4000 State=UNKNOWN\n", node, host, freePort(t))
	}
	c.write("slurm.conf", strings.ReplaceAll(conf, "DIR", dir))
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	munge := filepath.Join(dir, "munge")
	t.Cleanup(func() {
		for _, name := range append([]string{"slurmctld.pid", "munge/pid"}, "n1.pid", "n2.pid", "n3.pid") {
			if pid := c.pid(name); pid > 0 {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	c.run("munged", "--key-file="+munge+"/key", "--socket="+munge+"/socket", "--pid-file="+munge+"/pid", "--log-file="+munge+"/log", "--seed-file="+munge+"/seed", "--force")
	c.run("slurmctld", "-c")
	for _, node := range slurmNodes {
		c.run("slurmd", "-N", node)
	}
	c.wait("all nodes are idle", func() bool { return strings.Contains(c.run("sinfo", "--noheader"), "3   idle") })
	return c
}

// freePort returns a port on which nobody listens.
func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func (c *cluster) write(name, text string) {
	c.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
		c.Fatal(err)
	}
}

// pid returns the process of a daemon, 0 if it has none.
func (c *cluster) pid(name string) int {
	text, _ := os.ReadFile(filepath.Join(c.dir, name))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}

// run runs a command of Slurm and returns its output.
func (c *cluster) run(name string, args ...string) string {
	c.Helper()
	text, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		c.Fatalf("%s %v: %v\n%s", name, args, err, text)
	}
	return string(text)
}

// wait waits until something holds.
func (c *cluster) wait(what string, holds func() bool) {
	c.Helper()
	for end := time.Now().Add(3 * time.Minute); !holds(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			c.Fatalf("waited in vain until %s:\n%s", what, c.run("squeue", "--all"))
		}
	}
}

// job returns the job of a task that is in the queue, with its state, reason and node, ""
// without one.
func (c *cluster) job(task string) (id, state, reason, node string) {
	c.Helper()
	for line := range strings.Lines(c.run("squeue", "--noheader", "--array", "--format=%A|%T|%r|%N|%j")) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if strings.HasSuffix(f[4], "-"+task) {
			return f[0], f[1], f[2], f[3]
		}
	}
	return "", "", "", ""
}

// runs waits until a task has made some files.
func (c *cluster) runs(task, out, files string) (id, node string) {
	c.Helper()
	c.wait(task+" has made "+files, func() bool {
		made, _ := filepath.Glob(filepath.Join(out, files))
		state := ""
		id, state, _, node = c.job(task)
		return state == "RUNNING" && len(made) > 0
	})
	return id, node
}

// ends waits until the queue is empty. A job that was queued again would wait for minutes.
func (c *cluster) ends() {
	c.Helper()
	c.wait("all jobs have ended", func() bool {
		queue := strings.TrimSpace(c.run("squeue", "--noheader", "--format=%A|%r"))
		for line := range strings.Lines(queue) {
			if id, reason, _ := strings.Cut(strings.TrimSpace(line), "|"); reason == "BeginTime" {
				_ = exec.Command("scontrol", "update", "jobid="+id, "StartTime=now").Run() // it may have begun
			}
		}
		return queue == ""
	})
}

// status returns what farm status says.
func (c *cluster) status(out string) string {
	c.Helper()
	code, stdout, stderr := call(c.T, "farm", "status", out)
	if code != exitDone {
		c.Fatalf("farm status: exit %d: %s", code, stderr)
	}
	return stdout
}

// submit submits a plan.
func (c *cluster) submit(out string) {
	c.Helper()
	if code, _, stderr := call(c.T, "farm", "submit", out, "--", "--partition=farm"); code != exitDone {
		c.Fatalf("exit %d: %s", code, stderr)
	}
}

// inside lists the processes that work in a folder: the tasks of a run, and their scripts.
func inside(folder string) (pids []int) {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && to == folder {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(link)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// step returns the daemon of Slurm that has started a process, 0 if none has.
func step(pid int) int {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	f := strings.Fields(rest)
	if len(f) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(f[1])
	if text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", parent)); !strings.HasPrefix(string(text), "slurmstepd") {
		return 0
	}
	return parent
}

// under lists a process and all processes that it has started.
func under(pid int) (pids []int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	pids = []int{pid}
	for _, name := range tasks {
		text, _ := os.ReadFile(name)
		for _, child := range strings.Fields(string(text)) {
			if n, err := strconv.Atoi(child); err == nil {
				pids = append(pids, under(n)...)
			}
		}
	}
	return pids
}

// slurmScene takes some seconds to simulate.
var slurmScene = []string{"--fps=60", "--set", "liquid.spacing=0.01"}

// TestFarmSlurm has a real Slurm run plans while nodes die and disks are full. The files
// have the bytes of an undisturbed run.
func TestFarmSlurm(t *testing.T) {
	longtest.Only(t)
	c := startCluster(t)
	alone := t.TempDir()
	do(t, append([]string{"render", moving, "--out", alone}, slurmScene...)...)
	want := digests(t, alone)
	plan := func(t *testing.T) string {
		out, _ := planned(t, moving, "slurm", append(slurmScene, "--segments=2", "--chunk=3")...)
		return out
	}
	for _, test := range []struct {
		name string
		run  func(c *cluster)
	}{
		{"stopped and run twice", func(c *cluster) {
			out := plan(c.T)
			c.submit(out)
			if code, _, stderr := call(c.T, "farm", "submit", out); code != exitAgain || !strings.Contains(stderr, "queued or running") {
				c.Errorf("submitted twice: exit %d, %s", code, stderr)
			}
			id, _ := c.runs("sim-2", out, "particles/*_0008.ply")
			twice := exec.Command(os.Getenv("BREAKWATER"), "farm", "task", out, "frames-1-3", "--quiet")
			if err := twice.Start(); err != nil {
				c.Fatal(err)
			}
			c.run("scancel", "--batch", "--signal=TERM", id) // as before a time limit
			if err := twice.Wait(); err != nil {
				c.Error(err)
			}
			c.ends()
			outcome(c.T, out, want)
			if s := c.status(out); !strings.Contains(s, "7 are done") {
				c.Error(s)
			}
		}},
		{"a node dies", func(c *cluster) {
			out := plan(c.T)
			c.submit(out)
			_, node := c.runs("sim-1", out, "particles/*_0002.ply")
			tasks := inside(out)
			dead := under(c.pid(node + ".pid")) // first, so that they do not see tasks die
			for _, pid := range tasks {
				if daemon := step(pid); daemon > 0 { // which is no child of the node's
					dead = append(dead, daemon)
				}
			}
			for _, pid := range append(dead, tasks...) {
				syscall.Kill(pid, syscall.SIGKILL)
			}
			c.ends()
			outcome(c.T, out, want)
			c.run("slurmd", "-N", node)
		}},
		{"the disk is full", func(c *cluster) {
			out := plan(c.T)
			particles := filepath.Join(out, "particles")
			if err := os.Mkdir(particles, 0o777); err != nil {
				c.Fatal(err)
			}
			if err := syscall.Mount("tmpfs", particles, "tmpfs", 0, "size=2m"); err != nil {
				c.Skipf("file systems cannot be mounted here: %v", err)
			}
			defer syscall.Unmount(particles, syscall.MNT_DETACH)
			c.submit(out)
			id := ""
			c.wait("the job is held", func() bool {
				_, state, reason := "", "", ""
				id, state, reason, _ = c.job("sim-1")
				return state == "PENDING" && strings.Contains(strings.ToLower(reason), "held")
			})
			if s := c.status(out); !strings.Contains(s, "with exit status 5") || !strings.Contains(s, "disk is full") {
				c.Error(s)
			}
			if err := syscall.Mount("tmpfs", particles, "tmpfs", syscall.MS_REMOUNT, "size=200m"); err != nil {
				c.Fatal(err)
			}
			c.run("scontrol", "release", id)
			c.ends()
			outcome(c.T, out, want)
		}},
		{"cancelled", func(c *cluster) {
			out := plan(c.T)
			c.submit(out)
			c.runs("sim-1", out, "particles/*_0002.ply")
			if code, _, stderr := call(c.T, "farm", "cancel", out); code != exitDone {
				c.Errorf("exit %d: %s", code, stderr)
			}
			c.ends()
			if s := c.status(out); strings.Contains(s, "7 are done") {
				c.Errorf("cancelled jobs came back: %s", s)
			}
			c.wait("no process is left", func() bool { return len(inside(out)) == 0 })
			parts, _ := filepath.Glob(filepath.Join(out, "*", ".*"))
			if len(parts) > 0 {
				c.Errorf("left: %v", parts)
			}
			if code, _, stderr := call(c.T, "farm", "retry", out, "--", "--partition=farm"); code != exitDone {
				c.Errorf("exit %d: %s", code, stderr)
			}
			c.ends()
			outcome(c.T, out, want)
		}},
		{"a scene that was changed", func(c *cluster) {
			out, _ := planned(c.T, tiny, "slurm", "--segments=2", "--chunk=2")
			if err := os.WriteFile(frozen(out), []byte("extends = \"dam-break\"\n"), 0o666); err != nil {
				c.Fatal(err)
			}
			c.submit(out)
			c.ends()
			if made, _ := filepath.Glob(filepath.Join(out, "particles", "*")); len(made) > 0 {
				c.Errorf("it makes %v", made)
			}
			text, err := os.ReadFile(filepath.Join(out, "farm", "log", "tiny-sim-1.txt"))
			if err != nil || strings.Count(string(text), "is not as planned") != 1 {
				c.Errorf("%s, %v", text, err)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			begun := time.Now()
			test.run(&cluster{t, c.dir})
			t.Logf("%.0f s", time.Since(begun).Seconds())
		})
	}
}
