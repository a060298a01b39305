package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/programs"
	"breakwater/sim/longtest"
)

// kubectl does what the script of a plan asks of kubectl. A Job runs within create, one pod
// after the other, as its indices, its limit of tries and its policy for failures say.
func kubectl(cluster string, args []string) int {
	log, err := os.OpenFile(filepath.Join(cluster, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(log, strings.Join(args, " "))
	log.Close()
	if args[0] != "--namespace=film" {
		return 1
	}
	switch args = args[1:]; {
	case args[0] == "get" && args[1] == "persistentvolumeclaim":
		if args[2] == "disk" && args[3] == "--ignore-not-found" {
			fmt.Println("persistentvolumeclaim/disk")
		}
		return 0
	case args[0] == "get" && args[1] == "jobs" && strings.Contains(args[4], "{range .items[*]}{.metadata.name} {.status"):
		jobs, _ := filepath.Glob(filepath.Join(cluster, "bw-"+strings.TrimPrefix(args[2], "--selector=breakwater-run=")+"-*"))
		for _, j := range jobs {
			state, _ := os.ReadFile(j)
			fmt.Printf("%s %s\n", filepath.Base(j), state)
		}
		return 0
	case args[0] == "get" && args[1] == "job" && strings.HasPrefix(args[5], "jsonpath=Active {"):
		if state, err := os.ReadFile(filepath.Join(cluster, args[2])); err == nil {
			fmt.Printf("Active %s", state)
		}
		return 0
	case args[0] == "delete" && args[1] == "jobs":
		run, ok := strings.CutPrefix(args[2], "--selector=breakwater-run=")
		jobs, err := filepath.Glob(filepath.Join(cluster, "bw-"+run+"-*"))
		if !ok || run == "" || err != nil {
			return 1
		}
		for _, j := range jobs {
			os.Remove(j)
		}
		return 0
	case args[0] == "delete" && args[1] == "job":
		if os.Remove(filepath.Join(cluster, args[2])) != nil {
			return 1
		}
		return 0
	case args[0] == "create" && args[2] == "-":
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			panic(err)
		}
		var job struct {
			Metadata struct{ Name string }
			Spec     struct {
				CompletionMode       string
				Completions          int
				Parallelism          int
				BackoffLimitPerIndex int
				PodFailurePolicy     struct {
					Rules []struct {
						Action      string
						OnExitCodes struct{ Values []int }
					}
				}
				Template struct {
					Spec struct {
						SecurityContext struct{ RunAsUser int }
						Containers      []struct {
							Image        string
							Args         []string
							VolumeMounts []struct{ MountPath string }
						}
						Volumes []struct {
							PersistentVolumeClaim struct{ ClaimName string }
						}
					}
				}
			}
		}
		if err := json.Unmarshal(text, &job); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		spec, pod := job.Spec, job.Spec.Template.Spec
		container := pod.Containers[0]
		if spec.CompletionMode != "Indexed" || pod.SecurityContext.RunAsUser != os.Getuid() || container.Image != "registry.local/breakwater:1" ||
			!strings.HasPrefix(container.Args[2], container.VolumeMounts[0].MountPath+"/") || pod.Volumes[0].PersistentVolumeClaim.ClaimName != "disk" {
			fmt.Fprintf(os.Stderr, "the Job is %s", text)
			return 1
		}
		end := "SuccessCriteriaMet Complete"
	indices:
		for i := range spec.Completions {
			for try := 0; ; try++ {
				cmd := exec.Command(os.Getenv("BREAKWATER"), container.Args...)
				cmd.Env = append(os.Environ(), fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i))
				cmd.Dir = "/"
				if cmd.Run() == nil {
					break
				}
				code := cmd.ProcessState.ExitCode()
				fails := slices.ContainsFunc(spec.PodFailurePolicy.Rules, func(r struct {
					Action      string
					OnExitCodes struct{ Values []int }
				}) bool {
					return r.Action == "FailJob" && slices.Contains(r.OnExitCodes.Values, code)
				})
				if fails || try == spec.BackoffLimitPerIndex {
					end = "FailureTarget Failed"
					break indices
				}
			}
		}
		if err := os.WriteFile(filepath.Join(cluster, job.Metadata.Name), []byte(end), 0o666); err != nil {
			panic(err)
		}
		return 0
	}
	return 1
}

// TestFarmKubernetes has the script of a plan make Jobs in a stand-in for a cluster, which runs
// their containers. No Job is made that needs a failed one; retry makes the missing files.
func TestFarmKubernetes(t *testing.T) {
	longtest.Only(t)
	programs.Find(t, "bash")
	cluster := t.TempDir()
	out, _ := planned(t, tiny, "kubernetes", "--segments=2", "--chunk=2")
	standIn(t, "kubectl", cluster)
	t.Setenv("POLL", "0.01")
	t.Setenv("CLAIM", "disk")
	t.Setenv("IMAGE", "registry.local/breakwater:1")
	alone := t.TempDir()
	do(t, "render", tiny, "--out", alone)
	calls := func(verb string) (n int) {
		text, _ := os.ReadFile(filepath.Join(cluster, "log"))
		return strings.Count(string(text), "--namespace=film "+verb+" ")
	}

	t.Setenv("MOUNT", "/another")
	if code, _, stderr := call(t, "farm", "submit", out, "--", "--namespace=film"); code != exitUsage || !strings.Contains(stderr, "set MOUNT") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	t.Setenv("MOUNT", "")
	t.Setenv("CLAIM", "tape")
	if code, _, stderr := call(t, "farm", "submit", out, "--", "--namespace=film"); code != exitUsage || !strings.Contains(stderr, "no persistent volume claim tape") || calls("create") != 0 {
		t.Errorf("exit %d: %s", code, stderr)
	}
	t.Setenv("CLAIM", "disk")
	scene := frozen(out)
	text, err := os.ReadFile(scene)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(scene, text[:len(text)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := call(t, "farm", "submit", out, "--", "--namespace=film"); code != exitFailed || calls("create") != 1 ||
		!strings.Contains(stderr, "sim-1: Failed") || !strings.Contains(stderr, "finish: not made, because frames-1-2 failed") {
		t.Errorf("exit %d after %d Jobs: %s", code, calls("create"), stderr)
	}
	if err := os.WriteFile(scene, text, 0o666); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := call(t, "farm", "retry", out, "--", "--namespace=film")
	if code != exitDone || calls("delete") != 1 || stdout != "sim-1\nsim-2\nframes-1-2\nframes-4-5\nfinish\n" {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	outcome(t, out, digests(t, alone))

	// Jobs of some tasks are active, as after a script that was stopped: nothing is submitted.
	if err := os.Remove(filepath.Join(out, "frames", "tiny_0004.png")); err != nil {
		t.Fatal(err)
	}
	finish, err := filepath.Glob(filepath.Join(cluster, "bw-*-finish"))
	if err != nil || len(finish) != 1 {
		t.Fatal(finish, err)
	}
	active := strings.Replace(finish[0], "finish", "frames-1-2", 1)
	if err := os.WriteFile(active, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	made := calls("create")
	if code, stdout, stderr := call(t, "farm", "retry", out, "--", "--namespace=film"); code != exitAgain || calls("create") != made || !strings.Contains(stderr, filepath.Base(active)+" is active") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	if err := os.WriteFile(active, []byte("SuccessCriteriaMet Complete"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := call(t, "farm", "retry", out, "--", "--namespace=film"); code != exitDone || stdout != "frames-4-5\n" && stdout != "frames-4-5\nfinish\n" {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	outcome(t, out, digests(t, alone))

	if code, _, stderr := call(t, "farm", "cancel", out); code != exitDone {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(cluster, "bw-*")); len(left) > 0 {
		t.Errorf("cancel leaves %v", left)
	}

	// A variable chooses the task.
	t.Setenv("N", "1")
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"frames-1-2", "sim-2", "--index-from=N"}, exitDone},
		{[]string{"frames-1-2", "--index-from=N"}, exitUsage},
		{[]string{"frames-1-2", "--index-from=POLL"}, exitUsage},
		{[]string{"frames-1-2", "sim-2"}, exitUsage},
	} {
		if code, stdout, stderr := call(t, append([]string{"farm", "task", out, "--quiet"}, c.args...)...); code != c.want {
			t.Errorf("%v: exit %d: %s%s", c.args, code, stdout, stderr)
		}
	}
}
