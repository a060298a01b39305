package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"breakwater/out/programs"
)

// slurmNodes are the nodes of a cluster, all on this machine. Only the first is in the
// partition calm, where no node dies.
var slurmNodes = []string{"n1", "n2", "n3"}

// slurmConf configures a cluster in the folder DIR. A job that is queued again waits for
// cred_expire seconds, at least 5. Nodes have more processors than this machine, as most tasks wait.
const slurmConf = `ClusterName=test
SlurmctldHost=HOST(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=DIR/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool-%n
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/%n.pid
SlurmctldLogFile=DIR/log/slurmctld
SlurmdLogFile=DIR/log/%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=DIR/log/jobs
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SlurmdTimeout=8
MessageTimeout=5
KillWait=5
MpiDefault=none
SwitchType=switch/none
SlurmdParameters=config_overrides
PartitionName=farm Nodes=n2,n3 Default=YES MaxTime=INFINITE State=UP
PartitionName=calm Nodes=n1 MaxTime=INFINITE State=UP
PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP
`

// slurmGuard is a script that waits for the end of its input, which a test holds open, and
// then ends all processes of the cluster in a folder, and removes the folder. So nothing is
// left of a test that was killed.
const slurmGuard = `cat
cd /
for again in 1 2 3; do
	for p in /proc/[0-9]*; do
		if tr '\0' '\n' <"$p/environ" 2>/dev/null | grep -q "^SLURM_CONF=$0/"; then kill -9 "${p#/proc/}"; fi
	done
	sleep 0.1
done 2>/dev/null
while read -r _ folder _; do
	case $folder in "$0"/*) umount -l "$folder" ;; esac
done </proc/mounts
rm -rf "$0"
`

// cluster is a real Slurm in a folder of its own.
type cluster struct {
	*testing.T
	dir     string
	program string
	env     []string
	dying   *sync.Mutex // held by the test in which nodes die
}

// startCluster starts Slurm with three nodes, and ends it with the test.
func startCluster(t *testing.T) *cluster {
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch", "bash"} {
		programs.Find(t, name)
	}
	if os.Geteuid() != 0 {
		t.Skip("a Slurm of several nodes on one machine needs root")
	}
	program := binary(t)
	dir, err := os.MkdirTemp("/tmp", "slurm") // paths of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	guard := exec.Command("bash", "-c", slurmGuard, dir)
	guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is for the test
	open, err := guard.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := guard.Start(); err != nil {
		t.Fatal(err)
	}
	c := &cluster{T: t, dir: dir, program: program, dying: &sync.Mutex{}}
	t.Cleanup(func() {
		if t.Failed() {
			for _, name := range append([]string{"slurmctld"}, slurmNodes...) {
				text, _ := os.ReadFile(filepath.Join(dir, "log", name))
				t.Logf("%s:\n%s", name, text[max(0, len(text)-4000):])
			}
		}
		open.Close()
		guard.Wait()
		if left := c.processes(); len(left) > 0 {
			t.Errorf("processes of Slurm are left: %v", left)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is left", dir)
		}
	})
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
	conf := strings.NewReplacer("DIR", dir, "HOST", host).Replace(slurmConf) + fmt.Sprintf("SlurmctldPort=%d\n", freePort(t))
	for _, node := range slurmNodes {
		conf += fmt.Sprintf("NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=64 RealMemory=64000 State=UNKNOWN\n", node, host, freePort(t))
	}
	c.write("slurm.conf", conf)
	c.write("log/jobs", "")
	c.env = append(os.Environ(), "SLURM_CONF="+filepath.Join(dir, "slurm.conf"), "BREAKWATER="+program)
	munge := filepath.Join(dir, "munge")
	c.run("munged", "--key-file="+munge+"/key", "--socket="+munge+"/socket", "--pid-file="+munge+"/pid", "--log-file="+munge+"/log", "--seed-file="+munge+"/seed", "--force")
	c.run("slurmctld", "-c")
	for _, node := range slurmNodes {
		c.run("slurmd", "-N", node)
	}
	for _, node := range slurmNodes {
		c.ready(node)
	}
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

// command returns a command of Slurm, or of this program.
func (c *cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = c.env
	return cmd
}

// run runs a command and returns its output.
func (c *cluster) run(name string, args ...string) string {
	c.Helper()
	text, err := c.command(name, args...).CombinedOutput()
	if err != nil {
		c.Fatalf("%s %v: %v\n%s", name, args, err, text)
	}
	return string(text)
}

// breakwater runs this program, and returns its exit status and what it says.
func (c *cluster) breakwater(args ...string) (code int, says string) {
	cmd := c.command(c.program, args...)
	text, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(text)
}

// wait waits until something holds.
func (c *cluster) wait(what string, holds func() bool) {
	c.Helper()
	for end := time.Now().Add(3 * time.Minute); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			c.Fatalf("waited in vain until %s:\n%s%s", what, c.run("squeue", "--all"), c.run("sinfo", "--all"))
		}
	}
}

// nodeIs waits until a node has one of some states.
func (c *cluster) nodeIs(node string, states ...string) {
	c.Helper()
	c.wait(node+" is "+states[0], func() bool {
		is := strings.Fields(c.run("sinfo", "--noheader", "--nodes="+node, "--partition=all", "--format=%T"))
		for _, s := range states {
			if len(is) > 0 && is[0] == s {
				return true
			}
		}
		return false
	})
}

// ready waits until a node runs jobs.
func (c *cluster) ready(node string) { c.nodeIs(node, "idle", "mixed", "allocated") }

// processes lists the processes of the cluster, whose environments have some variables.
func (c *cluster) processes(variables ...string) (pids []int) {
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		if pid, _ := strconv.Atoi(filepath.Base(name)); c.isOf(pid, variables...) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// isOf reports whether a process is of the cluster, and its environment has some variables.
func (c *cluster) isOf(pid int, variables ...string) bool {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	has := "\x00" + string(text)
	return strings.Contains(has, "\x00SLURM_CONF="+c.dir+"/") &&
		!slices.ContainsFunc(variables, func(v string) bool { return !strings.Contains(has, "\x00"+v+"\x00") })
}

// cutOff kills the daemon of a node, as if its network failed. What runs there goes on.
func (c *cluster) cutOff(node string) {
	c.Helper()
	text, _ := os.ReadFile(filepath.Join(c.dir, node+".pid"))
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err != nil || syscall.Kill(pid, syscall.SIGKILL) != nil {
		c.Fatalf("%s has no daemon: %q", node, text)
	}
}

// die kills all processes of a node, the daemons first, so that none sees another die.
func (c *cluster) die(node string) {
	c.Helper()
	c.cutOff(node)
	var daemons []int
	tasks := c.processes("SLURMD_NODENAME=" + node)
	for _, pid := range tasks {
		if of := parent(pid); strings.HasPrefix(procStatus(of), "Name:\tslurmstepd\n") {
			daemons = append(daemons, of)
		}
	}
	for _, pid := range append(daemons, tasks...) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// procStatus returns what the kernel tells of a process, "" if it is gone.
func procStatus(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return string(text)
}

// parent returns the process that has started another.
func parent(pid int) int {
	_, rest, _ := strings.Cut(procStatus(pid), "\nPPid:\t")
	text, _, _ := strings.Cut(rest, "\n")
	n, _ := strconv.Atoi(text)
	return n
}
