package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"breakwater/out/programs"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

// openJDJob is the job that deadline submits.
const openJDJob = "job-0123456789abcdef0123456789abcdef"

// deadline does what the script of a plan asks of the command of Deadline Cloud: it runs the
// steps of the job bundle here, and prints what their tasks print. The file "status" in its folder
// says how a job is afterwards.
func deadline(folder string, args []string) int {
	if args[0] == "job" {
		log, err := os.OpenFile(filepath.Join(folder, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(log, strings.Join(args, " "))
		log.Close()
		state, _ := os.ReadFile(filepath.Join(folder, "status"))
		fmt.Printf("jobId: %s\nname: a run\ntaskRunStatus: %s\ntaskRunStatusCounts:\n  READY: 3\n", openJDJob, state)
		return 0
	}
	if !slices.Equal(args[:3], []string{"bundle", "submit", "--yes"}) || args[len(args)-2] != "--queue-id=q" {
		fmt.Fprintln(os.Stderr, args)
		return 1
	}
	values := map[string]string{}
	for i, arg := range args {
		if name, value, ok := strings.Cut(arg, "="); ok && args[i-1] == "-p" {
			values["Param."+name] = value
		}
	}
	text, err := os.ReadFile(filepath.Join(args[len(args)-1], "template.json"))
	if err != nil {
		panic(err)
	}
	var job struct {
		Steps []struct {
			Name           string
			Dependencies   []struct{ DependsOn string }
			ParameterSpace struct {
				TaskParameterDefinitions []struct {
					Name  string
					Range []string
				}
			}
			Script struct {
				Actions struct {
					OnRun struct {
						Command string
						Args    []string
					}
				}
			}
		}
	}
	if err := json.Unmarshal(text, &job); err != nil {
		panic(err)
	}
	fmt.Println("Submitted " + openJDJob + ".")
	failed := map[string]bool{}
	for _, step := range job.Steps {
		for _, d := range step.Dependencies {
			if failed[d.DependsOn] {
				failed[step.Name] = true
			}
		}
		if failed[step.Name] {
			continue
		}
		parameter := step.ParameterSpace.TaskParameterDefinitions[0]
		for _, value := range parameter.Range {
			values["Task.Param."+parameter.Name] = value
			resolve := func(s string) string {
				return regexp.MustCompile(`\{\{[A-Za-z.]*\}\}`).ReplaceAllStringFunc(s, func(s string) string { return values[s[2:len(s)-2]] })
			}
			action := step.Script.Actions.OnRun
			var args []string
			for _, a := range action.Args {
				args = append(args, resolve(a))
			}
			cmd := exec.Command(resolve(action.Command), args...)
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if err := cmd.Run(); err != nil {
				failed[step.Name] = true
			}
		}
	}
	if len(failed) > 0 {
		return 1
	}
	return 0
}

// TestFarmOpenJD has the script of a plan submit its job bundle to a stand-in, which runs it.
func TestFarmOpenJD(t *testing.T) {
	longtest.Only(t)
	programs.Find(t, "bash")
	out, _ := planned(t, tiny, "openjd", "--segments=2", "--chunk=2")
	folder := t.TempDir()
	standIn(t, "deadline", folder)
	status := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, "status"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	alone := t.TempDir()
	do(t, "render", tiny, "--out", alone)

	scene := frozen(out)
	text, err := os.ReadFile(scene)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(scene, text[:len(text)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	code, stdout, _ := call(t, "farm", "submit", out, "--", "--queue-id=q")
	if code != exitFailed || strings.Count(stdout, "openjd_fail: ") != 1 || strings.Contains(stdout, "openjd_progress") {
		t.Errorf("exit %d: %s", code, stdout)
	}
	if err := os.WriteFile(scene, text, 0o666); err != nil {
		t.Fatal(err)
	}
	status("READY")
	if code, stdout, stderr := call(t, "farm", "retry", out, "--", "--queue-id=q"); code != exitAgain || stdout != "" || !strings.Contains(stderr, openJDJob+" is queued or running (READY); nothing was submitted") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	status("FAILED")
	code, stdout, stderr := call(t, "farm", "retry", out, "--", "--queue-id=q")
	if code != exitDone || strings.Count(stdout, "openjd_progress: 100\n") < 10 {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	for line := range strings.Lines(stdout) {
		if line != "Submitted "+openJDJob+".\n" && !strings.HasPrefix(line, "openjd_progress: ") && !strings.HasPrefix(line, "openjd_status: ") {
			t.Errorf("the task prints %q", line)
		}
	}
	outcome(t, out, digests(t, alone))
	if code, _, stderr := call(t, "farm", "cancel", out); code != exitDone {
		t.Errorf("exit %d: %s", code, stderr)
	}
	want := strings.Repeat("job get --queue-id=q --job-id "+openJDJob+"\n", 2) + "job cancel --yes --queue-id=q --job-id " + openJDJob + "\n"
	if log, err := os.ReadFile(filepath.Join(folder, "log")); err != nil || string(log) != want {
		t.Errorf("deadline is asked\n%s, %v", log, err)
	}
}

// TestOpenJDLines follows a task of frames 11 to 20.
func TestOpenJDLines(t *testing.T) {
	var b strings.Builder
	clock := time.Unix(1000, 0)
	o := &openJD{w: &b, first: 11, now: func() time.Time { return clock }}
	o.report(stage.Event{Stage: stage.Mesh, Frames: 20})
	for frame := 11; frame <= 14; frame++ {
		o.report(stage.Event{Stage: stage.Mesh, Frames: 20, Frame: frame})
		clock = clock.Add(3 * time.Second)
	}
	o.report(stage.Event{Stage: stage.Mesh, Frames: 20, Frame: 20, Done: true})
	o.failed(errors.New("a\nb"))
	var progress []string
	for line := range strings.Lines(b.String()) {
		if text, ok := strings.CutPrefix(line, "openjd_progress: "); ok {
			progress = append(progress, strings.TrimSpace(text))
		}
	}
	if !slices.Equal(progress, []string{"10", "30", "100"}) || !strings.HasSuffix(b.String(), "openjd_fail: a; b\n") {
		t.Errorf("%v of\n%s", progress, b.String())
	}
}
