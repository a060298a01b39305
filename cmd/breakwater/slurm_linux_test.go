package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"breakwater/out/programs"
	"breakwater/out/store"
	"breakwater/scenes/farm"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

// slurmScene has frames that take long enough for a task to be stopped among them.
var slurmScene = []string{"--fps=60", "--size=192x108", "--set", "liquid.spacing=0.02"}

// slurmRun is a run that a cluster works on.
type slurmRun struct {
	*cluster
	out  string
	want map[string]string // the files of an undisturbed run
}

// TestFarmSlurm has a real Slurm of three nodes run plans side by side, while nodes die and are cut off,
// tasks are stopped and run twice, disks are full, and jobs are cancelled. The files have the
// bytes of an undisturbed run.
func TestFarmSlurm(t *testing.T) {
	longtest.Only(t)
	begun := time.Now()
	c := startCluster(t)
	alone := filepath.Join(c.dir, "alone")
	do(t, append([]string{"render", moving, "--out", alone}, slurmScene...)...)
	want := digests(t, alone)
	t.Logf("Slurm runs after %.0f s", time.Since(begun).Seconds())
	var all sync.WaitGroup
	for _, test := range []struct {
		name string
		run  func(r *slurmRun)
	}{
		{"whole", slurmWhole}, {"time limit", slurmTimeLimit}, {"dies", slurmDies}, {"cut off", slurmCutOff}, {"twice", slurmTwice},
		{"disk", slurmDisk}, {"unstable", slurmUnstable}, {"other bits", slurmOtherBits}, {"version", slurmVersion}, {"changed", slurmChanged}, {"cancelled", slurmCancelled}, {"long", slurmLong},
	} {
		all.Go(func() { // not by t.Parallel, which runs as many as there are processors
			t.Run(test.name, func(t *testing.T) {
				begun := time.Now()
				at := *c
				at.T = t
				test.run(&slurmRun{&at, filepath.Join(c.dir, strings.ReplaceAll(test.name, " ", "-")), want})
				t.Logf("%.0f s", time.Since(begun).Seconds())
			})
		})
	}
	all.Wait()
	t.Logf("%.0f s in all", time.Since(begun).Seconds())
}

// plan plans the run of a scene.
func (r *slurmRun) plan(scene string, flags ...string) {
	r.Helper()
	args := append([]string{"farm", "plan", scene, "--out", r.out, "--engine=slurm", "--trial=0", "--cpus=1"}, flags...)
	if code, says := r.breakwater(args...); code != exitDone {
		r.Fatalf("exit %d: %s", code, says)
	}
}

// planMoving plans the scene that want is of, in two segments.
func (r *slurmRun) planMoving(chunk int) {
	r.Helper()
	r.plan(moving, append(slurmScene, "--segments=2", "--chunk="+strconv.Itoa(chunk))...)
}

// submit submits the plan.
func (r *slurmRun) submit(options ...string) {
	r.Helper()
	if code, says := r.breakwater(append([]string{"farm", "submit", r.out, "--"}, options...)...); code != exitDone {
		r.Fatalf("exit %d: %s", code, says)
	}
}

// status returns what farm status says.
func (r *slurmRun) status() string {
	r.Helper()
	code, says := r.breakwater("farm", "status", r.out)
	if code != exitDone {
		r.Fatalf("farm status: exit %d: %s", code, says)
	}
	return says
}

// slurmJob is a job of Slurm.
type slurmJob struct{ id, state, reason, node, name string }

// jobs returns the jobs of this run that are in the queue.
func (r *slurmRun) jobs() (list []slurmJob) {
	r.Helper()
	for line := range strings.Lines(r.run("squeue", "--noheader", "--array", "--format=%A|%T|%r|%N|%j|%Z")) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) == 6 && f[5] == r.out { // a busy controller may answer with a message
			list = append(list, slurmJob{f[0], f[1], f[2], f[3], f[4]})
		}
	}
	return list
}

// job returns the job of a segment, or of the end.
func (r *slurmRun) job(task string) slurmJob {
	r.Helper()
	for _, j := range r.jobs() {
		if strings.HasSuffix(j.name, "-"+task) {
			return j
		}
	}
	return slurmJob{}
}

// ends waits until the run has no jobs in the queue.
func (r *slurmRun) ends() {
	r.Helper()
	r.wait("all jobs have ended", func() bool { return len(r.jobs()) == 0 })
}

// right waits until the run has ended, and compares its files.
func (r *slurmRun) right() {
	r.Helper()
	r.ends()
	outcome(r.T, r.out, r.want)
	if s := r.status(); !strings.Contains(s, "0 run, 0 failed, 0 wait") || !strings.Contains(s, "12 of 12 frames") {
		r.Error(s)
	}
	if code, says := r.breakwater("farm", "retry", r.out); code != exitDone || !strings.Contains(says, "Nothing is missing") {
		r.Errorf("retry: exit %d: %s", code, says)
	}
}

// process returns the processes that run a task of this run.
func (r *slurmRun) process(task string) (pids []int) {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		line, _ := os.ReadFile(name)
		args := strings.Split(string(line), "\x00")
		if len(args) <= 4 || args[1] != "farm" || args[2] != "task" || args[4] != task {
			continue
		}
		if pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name))); r.isOf(pid, "SLURM_SUBMIT_DIR="+r.out) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// made reports whether a file of the run is there.
func (r *slurmRun) made(pattern string) bool {
	files, _ := filepath.Glob(filepath.Join(r.out, pattern))
	return len(files) > 0
}

// hold stops a task once it has made a file. The task goes on for some milliseconds at a
// time, so that it cannot end before the file is seen. but is a process that is held already.
func (r *slurmRun) hold(task, file string, but ...int) (pid int, node string) {
	r.Helper()
	held := func() bool {
		for _, pid = range r.process(task) {
			if slices.Contains(but, pid) {
				continue
			}
			for syscall.Kill(pid, syscall.SIGSTOP) == nil {
				for stat := procStatus(pid); stat != "" && !strings.Contains(stat, "State:\tT"); stat = procStatus(pid) {
					time.Sleep(time.Millisecond)
				}
				if r.made(file) {
					return procStatus(pid) != ""
				}
				syscall.Kill(pid, syscall.SIGCONT)
				time.Sleep(3 * time.Millisecond)
			}
		}
		return false
	}
	r.wait(task+" has made "+file, func() bool {
		for range 25 { // a task takes less than half a second
			if held() {
				return true
			}
			time.Sleep(20 * time.Millisecond)
		}
		return false
	})
	environ, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	_, rest, _ := strings.Cut("\x00"+string(environ), "\x00SLURMD_NODENAME=")
	node, _, _ = strings.Cut(rest, "\x00")
	return pid, node
}

// submitAndHold submits the plan and holds its first task, which may end before the last one is
// submitted.
func (r *slurmRun) submitAndHold(task, file string, options ...string) (pid int, node string) {
	r.Helper()
	fault := make(chan string, 1)
	go func() {
		code, says := r.breakwater(append([]string{"farm", "submit", r.out, "--"}, options...)...)
		if says = fmt.Sprintf("exit %d: %s", code, says); code == exitDone {
			says = ""
		}
		fault <- says
	}()
	pid, node = r.hold(task, file)
	if says := <-fault; says != "" {
		r.Fatal(says)
	}
	return pid, node
}

// goOn lets a held process go on. It may have been killed meanwhile.
func (r *slurmRun) goOn(pid int) { _ = syscall.Kill(pid, syscall.SIGCONT) }

// tells checks that farm status tells how many frames each task lacks, as the files have it. It
// is called after each kill.
func (r *slurmRun) tells() {
	r.Helper()
	code, text := r.breakwater("farm", "status", r.out, "--json")
	var list []farm.Status
	if err := json.Unmarshal([]byte(text), &list); code != exitDone || err != nil {
		r.Fatalf("farm status: exit %d, %v: %s", code, err, text)
	}
	for _, s := range list {
		folder := "frames/*_%04d.png"
		switch {
		case slices.Contains(s.Stages, stage.Sim):
			folder = "particles/*_%04d.ply"
		case len(s.Stages) == 0:
			continue
		}
		lacks := 0
		for n := s.First; n <= s.Last; n++ {
			if !r.made(fmt.Sprintf(folder, n)) {
				lacks++
			}
		}
		// Tasks go on meanwhile: by now fewer files may be missing.
		if s.Lacks < lacks || s.Condition != farm.Running && s.Lacks != lacks && len(r.process(s.ID)) == 0 || s.Condition == farm.Done && lacks > 0 {
			r.Errorf("%s is %s and lacks %d frames, says the status; %d are missing", s.ID, s.Condition, s.Lacks, lacks)
		}
	}
}

// accounted returns the times at which the jobs of this run began and ended, as Slurm has
// written them down.
func (r *slurmRun) accounted() (begun, ended map[string]time.Time) {
	r.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, "log", "jobs"))
	if err != nil {
		r.Fatal(err)
	}
	begun, ended = map[string]time.Time{}, map[string]time.Time{}
	for line := range strings.Lines(string(text)) {
		is := map[string]string{}
		for _, word := range strings.Fields(line) {
			key, value, _ := strings.Cut(word, "=")
			is[key] = value
		}
		if is["WorkDir"] != r.out {
			continue
		}
		for key, times := range map[string]map[string]time.Time{"StartTime": begun, "EndTime": ended} {
			if at, err := time.Parse("2006-01-02T15:04:05", is[key]); err == nil {
				if old, ok := times[is["Name"]]; !ok || key == "StartTime" && at.Before(old) || key == "EndTime" && at.After(old) {
					times[is["Name"]] = at
				}
			}
		}
	}
	return begun, ended
}

// slurmWhole plans and submits a scene by one command. A whole pipeline runs on all nodes, with
// archives, and with processors that lack an instruction. The scene is another one by then.
// Resources that Slurm does not have are refused, and nothing is submitted. Slurm's accounts say that
// frames were drawn before the simulation had ended.
func slurmWhole(r *slurmRun) {
	r.env = append(slices.Clip(r.env), "GODEBUG=cpu.fma=off")
	text, err := os.ReadFile(moving)
	if err != nil {
		r.Fatal(err)
	}
	scene := filepath.Join(r.dir, filepath.Base(moving))
	if err := os.WriteFile(scene, append(text, "\n[mesh]\nformats = [\"obj\", \"abc\"]\n"...), 0o666); err != nil {
		r.Fatal(err)
	}
	alone := filepath.Join(r.dir, "whole-alone")
	if code, says := r.breakwater(append([]string{"render", scene, "--out", alone, "--quiet"}, slurmScene...)...); code != exitDone {
		r.Fatalf("exit %d: %s", code, says)
	}
	r.want = digests(r.T, alone)
	submit := func(options ...string) (code int, says string) {
		args := append([]string{"farm", "submit", scene, "--out", r.out, "--engine=slurm", "--trial=0", "--cpus=1", "--segments=2", "--chunk=3"}, slurmScene...)
		return r.breakwater(append(append(args, "--"), options...)...)
	}
	for _, option := range []string{"--partition=unknown", "--mem=900G", "--gres=gpu:1", "--constraint=fast"} {
		if code, says := submit("--partition=all", option); code != exitFailed || len(r.jobs()) > 0 {
			r.Errorf("%s: exit %d: %s%v", option, code, says, r.jobs())
		}
	}
	if code, says := submit("--partition=all"); code != exitDone {
		r.Fatalf("exit %d: %s", code, says)
	}
	if err := os.WriteFile(scene, []byte("extends = \"dam-break\"\n"), 0o666); err != nil {
		r.Fatal(err)
	}
	if code, says := r.breakwater("farm", "submit", r.out); code != exitAgain || !strings.Contains(says, "queued or running") {
		r.Errorf("submitted twice: exit %d, %s", code, says)
	}
	pid, _ := r.hold("sim-2", "particles/*_0008.ply")
	r.wait("the first segment is drawn", func() bool { return r.made("frames/*_0003.png") && r.made("frames/*_0006.png") })
	if r.made("particles/*_0012.ply") {
		r.Error("the simulation has ended before the first picture")
	}
	r.tells()
	time.Sleep(time.Second) // the accounts have whole seconds
	r.goOn(pid)
	r.right()
	if s := r.status(); !strings.Contains(s, "7 are done") {
		r.Error(s)
	}
	begun, ended := r.accounted()
	draws, simulated := begun["moving-frames-1-3"], ended["moving-sim-2"]
	if draws.IsZero() || !draws.Before(simulated) {
		r.Errorf("the first frames are drawn from %v on, and the simulation ends at %v: %v, %v", draws, simulated, begun, ended)
	}
}

// slurmTimeLimit has Slurm ask a task to stop some time before its limit. The task goes
// back to the queue, and those that need it wait.
func slurmTimeLimit(r *slurmRun) {
	r.planMoving(6)
	pid, _ := r.submitAndHold("sim-1", "particles/*_0003.ply", "--partition=calm", "--time=1", "--signal=B:TERM@20")
	id := r.job("sim-1").id
	r.wait("Slurm asks sim-1 to stop", func() bool {
		_, rest, _ := strings.Cut(procStatus(pid), "\nShdPnd:\t")
		pending, _, _ := strings.Cut(rest, "\n")
		mask, _ := strconv.ParseUint(pending, 16, 64)
		return mask&(1<<(syscall.SIGTERM-1)) != 0
	})
	r.goOn(pid)
	r.wait("sim-1 is queued again", func() bool { return strings.Contains(r.run("scontrol", "show", "job", id), "Restarts=1 ") })
	r.tells()
	if j := r.job("sim-2"); j.state != "PENDING" {
		r.Errorf("sim-2 does not wait for the second try of sim-1: %+v", j)
	}
	r.right()
}

// slurmDies has a node die in the midst of a simulation, of meshes and of pictures.
func slurmDies(r *slurmRun) {
	r.dying.Lock()
	defer r.dying.Unlock()
	r.planMoving(6)
	cases := []struct{ task, made string }{{"sim-1", "particles/*_0003.ply"}, {"frames-1-6", "surface/*_0002.ply"}, {"frames-7-12", "frames/*_0008.png"}}
	next, nextNode := r.submitAndHold(cases[0].task, cases[0].made, "--partition=farm")
	for k, at := range cases {
		pid, node := next, nextNode
		r.die(node)
		r.wait("the status says that "+at.task+" does not run", func() bool {
			s := strings.Join(strings.Fields(r.status()), " ")
			return !strings.Contains(s, at.task+" runs") && !strings.Contains(s, "5 are done") && !strings.Contains(s, "failed on")
		})
		r.tells()
		// The next task may start, and end, before Slurm finds that the node is down.
		if k+1 < len(cases) {
			next, nextNode = r.hold(cases[k+1].task, cases[k+1].made)
		}
		begun := time.Now()
		r.nodeIs(node, "down*", "down")
		r.Logf("%s is down after %.0f s", node, time.Since(begun).Seconds())
		r.run("slurmd", "-N", node)
		r.ready(node)
		if procStatus(pid) != "" {
			r.Errorf("%s goes on", at.task)
		}
	}
	r.right()
}

// slurmCutOff cuts a node off in the midst of a simulation. Its task is stopped, and goes on
// while its second try runs elsewhere: two processes write the same files. The first stops
// by itself.
func slurmCutOff(r *slurmRun) {
	r.dying.Lock()
	defer r.dying.Unlock()
	r.planMoving(6)
	first, node := r.submitAndHold("sim-1", "particles/*_0002.ply", "--partition=farm")
	r.cutOff(node)
	r.tells()
	second, elsewhere := r.hold("sim-1", "particles/*_0003.ply", first)
	if elsewhere == node || procStatus(first) == "" {
		r.Errorf("the second try runs on %s, as the first, which is %q", elsewhere, procStatus(first))
	}
	r.goOn(first)
	r.goOn(second)
	r.wait("the first try has stopped by itself", func() bool { return procStatus(first) == "" })
	r.tells()
	r.right()
	r.run("slurmd", "-N", node)
	r.ready(node)
}

// slurmTwice runs a task a second time while Slurm runs it.
func slurmTwice(r *slurmRun) {
	r.planMoving(6)
	again := func(task string, pid int) {
		twice := r.command(r.program, "farm", "task", r.out, task, "--quiet")
		if err := twice.Start(); err != nil {
			r.Fatal(err)
		}
		r.goOn(pid)
		if err := twice.Wait(); err != nil {
			r.Errorf("%s: %v", task, err)
		}
	}
	pid, _ := r.submitAndHold("sim-1", "particles/*_0002.ply", "--partition=calm")
	again("sim-1", pid)
	pid, _ = r.hold("frames-7-12", "surface/*_0008.ply")
	again("frames-7-12", pid)
	r.right()
}

// slurmDisk has a disk too small for the files of each kind in turn. The task is held until
// there is room, and somebody tries again.
func slurmDisk(r *slurmRun) {
	mount := func(folder, size string, flags uintptr) {
		r.Helper()
		folder = filepath.Join(r.out, folder)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			r.Fatal(err)
		}
		if err := syscall.Mount("tmpfs", folder, "tmpfs", flags, "size="+size); err != nil {
			programs.Lacking(r.T, "file systems cannot be mounted here: %v", err)
		}
	}
	mount("", "32m", 0)
	r.planMoving(3)
	sizes := map[string]string{store.RecordFolder: "8k", "gauges": "1m", "particles": "700k", "surface": "700k", "frames": "12k"}
	for folder, size := range sizes {
		mount(folder, size, 0)
	}
	r.submit("--partition=calm")
	r.run("scontrol", "hold", r.job("finish").id)
	held := func(task, file string) {
		r.Helper()
		r.wait("the disk is full, and nothing else can go on", func() bool {
			jobs, full, busy := r.jobs(), false, false
			if len(jobs) == 0 {
				r.Fatalf("no task is held with %s too small: %s", file, r.status())
			}
			for _, j := range jobs {
				again := j.state == "PENDING" && strings.Contains(j.reason, "requeued in held state")
				full = full || again
				busy = busy || !again && (j.state != "PENDING" || j.reason != "Dependency" && j.reason != "JobHeldUser" && j.reason != "JobHeldAdmin")
			}
			return full && !busy
		})
		if s := r.status(); !strings.Contains(s, "\n"+task) || !strings.Contains(s, "with exit status 5") || !strings.Contains(s, file) || !strings.Contains(s, "the disk is full") {
			r.Errorf("%s: %s", file, s)
		}
		r.tells()
		if code, says := r.breakwater("verify", r.out); code != exitAgain {
			r.Errorf("verify, with %s too small: exit %d: %s", file, code, says)
		}
	}
	retry := func() {
		r.Helper()
		if code, says := r.breakwater("farm", "retry", r.out, "--", "--partition=calm"); code != exitDone || !strings.Contains(says, "held go on") {
			r.Errorf("exit %d: %s", code, says)
		}
	}
	for _, full := range [][2]string{{"sim-1", store.RecordFolder}, {"sim-1", "particles"}, {"frames-", "surface"}, {"frames-", "frames"}} {
		held(full[0], "write "+full[1]+"/")
		mount(full[1], "50m", syscall.MS_REMOUNT)
		retry()
	}
	r.wait("all is drawn", func() bool { return len(r.jobs()) == 1 })
	var disk syscall.Statfs_t
	if err := syscall.Statfs(r.out, &disk); err != nil {
		r.Fatal(err)
	}
	filler := filepath.Join(r.out, "farm", "filler")
	const left = 5 // pages, for what the task says, and for tables and records
	if err := os.WriteFile(filler, make([]byte, (int64(disk.Bavail)-left)*disk.Bsize), 0o666); err != nil {
		r.Fatal(err)
	}
	r.run("scontrol", "release", r.job("finish").id)
	held("finish", "write moving.webm")
	if err := os.Remove(filler); err != nil {
		r.Fatal(err)
	}
	retry()
	r.right()
}

// slurmUnstable has a liquid that is crushed at frame 12. The task fails once.
func slurmUnstable(r *slurmRun) {
	r.plan("testdata/crushed.toml", "--segments=4", "--chunk=6")
	r.submit("--partition=calm")
	r.ends()
	if s := r.status(); strings.Count(s, "with exit status 4") != 1 || !strings.Contains(s, "frame 12") || !strings.Contains(s, "particle ") || !strings.Contains(s, "the tank is full") {
		r.Error(s)
	}
	r.tells()
	log, err := os.ReadFile(filepath.Join(r.out, "farm", "log", "crushed-sim-2.txt"))
	if err != nil || strings.Count(string(log), "unstable at") != 1 {
		r.Errorf("%s, %v", log, err)
	}
	for file, want := range map[string]bool{"particles/*_0011.ply": true, "particles/*_0012.ply": false, "frames/*_0006.png": true, "frames/*_0007.png": false, "*.webm": false, "manifest.json": false} {
		if r.made(file) != want {
			r.Errorf("%s is there: %t", file, !want)
		}
	}
	jobs, err := os.ReadFile(filepath.Join(r.dir, "log", "jobs"))
	if err != nil {
		r.Fatal(err)
	}
	states := map[string]int{}
	for line := range strings.Lines(string(jobs)) {
		if strings.Contains(line, " WorkDir="+r.out+" ") {
			_, rest, _ := strings.Cut(line, " JobState=")
			states[strings.Fields(rest)[0]]++
		}
	}
	if states["FAILED"] != 1 || states["CANCELLED"] < 3 {
		r.Errorf("jobs ended as %v", states)
	}
}

// refused checks that a task has ended with status 3, and that nothing was written.
func (r *slurmRun) refused(why string) {
	r.Helper()
	r.submit("--partition=calm")
	r.ends()
	if made, _ := filepath.Glob(filepath.Join(r.out, "*")); len(made) != 1 {
		r.Errorf("it makes %v", made)
	}
	text, err := os.ReadFile(filepath.Join(r.out, "farm", "log", "tiny-sim-1.txt"))
	if err != nil || strings.Count(string(text), why) != 1 {
		r.Errorf("%s, %v", text, err)
	}
	var mark farm.Mark
	text, err = os.ReadFile(filepath.Join(r.out, "farm", "tasks", "sim-1.json"))
	if err != nil || json.Unmarshal(text, &mark) != nil || mark.Exit != exitMachine {
		r.Errorf("%s, %v", text, err)
	}
}

// slurmOtherBits has a plan of a machine with other bits.
func slurmOtherBits(r *slurmRun) {
	r.plan(tiny, "--segments=2", "--chunk=2")
	file := filepath.Join(r.out, "farm", "plan.json")
	p, err := farm.Read(r.out)
	if err != nil {
		r.Fatal(err)
	}
	p.Arithmetic = strings.Repeat("0", len(p.Arithmetic))
	text, err := json.Marshal(p)
	if err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		r.Fatal(err)
	}
	r.refused("computes other bits")
}

// slurmVersion has nodes on which the program has another version.
func slurmVersion(r *slurmRun) {
	source, err := filepath.Abs("../../scenes/run/manifest.go")
	if err != nil {
		r.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		r.Fatal(err)
	}
	newer, list, other := filepath.Join(r.dir, "manifest.go"), filepath.Join(r.dir, "overlay.json"), filepath.Join(r.dir, "newer")
	text = bytes.Replace(text, []byte("Version = "+strconv.Quote(run.Version)), []byte("Version = \"99.0.0\""), 1)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: newer}})
	if err != nil {
		r.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(newer, text, 0o666), os.WriteFile(list, overlay, 0o666)); err != nil {
		r.Fatal(err)
	}
	r.run("go", "build", "-overlay", list, "-o", other, ".")
	r.plan(tiny, "--segments=2", "--chunk=2")
	r.env = append(slices.Clip(r.env), "BREAKWATER="+other)
	r.refused("this program is breakwater 99.0.0")
}

// slurmChanged changes the copy of the scene that a plan has.
func slurmChanged(r *slurmRun) {
	r.plan(tiny, "--segments=2", "--chunk=2")
	if err := os.WriteFile(frozen(r.out), []byte("extends = \"dam-break\"\n"), 0o666); err != nil {
		r.Fatal(err)
	}
	r.refused("is not as planned")
}

// slurmCancelled cancels all jobs while one runs. Neither a process nor a part of a file is
// left.
func slurmCancelled(r *slurmRun) {
	r.planMoving(6)
	pid, _ := r.submitAndHold("sim-1", "particles/*_0002.ply", "--partition=calm")
	r.goOn(pid)
	if code, says := r.breakwater("farm", "cancel", r.out); code != exitDone {
		r.Errorf("exit %d: %s", code, says)
	}
	r.ends()
	r.wait("no process is left", func() bool { return len(r.processes("SLURM_SUBMIT_DIR="+r.out)) == 0 })
	if s := r.status(); strings.Contains(s, "5 are done") {
		r.Errorf("cancelled jobs came back: %s", s)
	}
	r.tells()
	if parts := hidden(r.out); len(parts) > 0 {
		r.Errorf("left: %v", parts)
	}
	// Another try submits what is missing, and nothing while that is queued or runs.
	_, text := r.breakwater("farm", "status", r.out, "--json")
	var list []farm.Status
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		r.Fatalf("%v: %s", err, text)
	}
	missing := farm.Missing(list)
	if code, says := r.breakwater("farm", "retry", r.out, "--", "--partition=calm", "--hold"); code != exitDone || len(r.jobs()) != len(missing) {
		r.Errorf("exit %d: %s%v for %v", code, says, r.jobs(), missing)
	}
	for _, t := range missing {
		if j := r.job(t.ID); j.id == "" && len(t.Stages) != 3 { // chunks are in arrays
			r.Errorf("%s is not submitted: %v", t.ID, r.jobs())
		}
	}
	if code, says := r.breakwater("farm", "retry", r.out, "--", "--partition=calm"); code != exitAgain || len(r.jobs()) != len(missing) {
		r.Errorf("twice: exit %d: %s%v for %v", code, says, r.jobs(), missing)
	}
	for _, j := range r.jobs() {
		r.run("scontrol", "release", j.id)
	}
	r.right()
}

// slurmLong submits a film with more frames than an array of jobs may have.
func slurmLong(r *slurmRun) {
	r.plan(tiny, "--set", "time.duration=50", "--fps=60", "--segments=2", "--chunk=1")
	r.submit("--partition=calm", "--hold")
	if n := len(r.jobs()); n != 2*750+3 { // 3,000 frames in arrays of up to 1,000 jobs
		r.Errorf("%d jobs", n)
	}
	if code, says := r.breakwater("farm", "cancel", r.out); code != exitDone {
		r.Errorf("exit %d: %s", code, says)
	}
	r.ends()
}
