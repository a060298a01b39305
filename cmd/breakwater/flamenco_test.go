package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/programs"
	"breakwater/scenes/farm/flamencotest"
	"breakwater/sim/longtest"
)

// TestFarmFlamenco has the script of a plan submit a job to a stand-in for a manager, which
// compiles it and runs its tasks, each once those that it depends on are completed.
func TestFarmFlamenco(t *testing.T) {
	longtest.Only(t)
	programs.Find(t, "bash")
	programs.Find(t, "curl")
	out, _ := planned(t, tiny, "flamenco", "--segments=2", "--chunk=2")
	const id = "0d06bcb2-d27e-4b40-ae91-a1f8a35b5f30"
	var said []string
	status, submitted := "failed", 0
	manager := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		said = append(said, r.Method+" "+r.URL.Path)
		if strings.HasSuffix(r.URL.Path, "/setstatus") {
			said = append(said, string(body))
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"activity": "", "id": %q, "settings": {"tasks": "[{\"status\": 1}]"}, "status": %q}`, id, status)
			return
		}
		submitted++
		script, err := os.ReadFile(filepath.Join(out, "farm", "flamenco", "breakwater.js"))
		if err != nil {
			t.Error(err)
		}
		tasks, err := flamencotest.Compile(script, body)
		if err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%v: %v", r.Header, err)
		}
		if r.Header.Get("X-Film") != "yes" {
			http.Error(w, "refused", http.StatusBadRequest)
			return
		}
		completed := map[string]bool{}
		for _, task := range slices.Backward(tasks) { // the order is the dependencies'
			var run func(task *flamencotest.Task)
			run = func(task *flamencotest.Task) {
				for _, d := range task.Dependencies {
					run(d)
				}
				if completed[task.Name] || slices.ContainsFunc(task.Dependencies, func(d *flamencotest.Task) bool { return !completed[d.Name] }) {
					return
				}
				var args []string
				for _, a := range task.Commands[0].Parameters["args"].([]any) {
					args = append(args, a.(string))
				}
				stdout, err := exec.Command(task.Commands[0].Parameters["exe"].(string), args...).Output()
				completed[task.Name] = err == nil
				if !strings.HasPrefix(string(stdout), "{") {
					t.Errorf("%s prints %q", task.Name, stdout)
				}
			}
			run(task)
		}
		fmt.Fprintf(w, `{"name": "x", "id": %q, "status": "queued"}`, id)
	}))
	defer manager.Close()
	t.Setenv("FLAMENCO", manager.URL)
	alone := t.TempDir()
	do(t, "render", tiny, "--out", alone)

	if code, _, stderr := call(t, "farm", "submit", out, "--", "--header", "X-Film: no"); code == exitDone || !strings.Contains(stderr, "400") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	scene := frozen(out)
	text, err := os.ReadFile(scene)
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range [][]byte{text[:len(text)/2], text} {
		if err := os.WriteFile(scene, content, 0o666); err != nil {
			t.Fatal(err)
		}
		if code, stdout, stderr := call(t, "farm", "submit", out, "--", "--header", "X-Film: yes"); code != exitDone || stdout != "job "+id+"\n" {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
	}
	outcome(t, out, digests(t, alone))

	// Tasks that are queued are not submitted again.
	if err := os.Remove(filepath.Join(out, "frames", "tiny_0002.png")); err != nil {
		t.Fatal(err)
	}
	before := submitted
	for _, status = range []string{"queued", "active", "paused", "requeueing", "under-construction", "cancel-requested"} {
		if code, stdout, stderr := call(t, "farm", "retry", out, "--", "--header", "X-Film: yes"); code != exitAgain || submitted != before || !strings.Contains(stderr, id+" is queued or running; nothing was submitted") {
			t.Errorf("%s: exit %d: %s%s", status, code, stdout, stderr)
		}
	}
	status = "canceled"
	if code, _, stderr := call(t, "farm", "retry", out, "--", "--header", "X-Film: yes"); code != exitDone || submitted != before+1 {
		t.Errorf("exit %d: %s", code, stderr)
	}
	outcome(t, out, digests(t, alone))
	said = nil
	if code, _, stderr := call(t, "farm", "cancel", out); code != exitDone || len(said) != 2 || said[0] != "POST /api/v3/jobs/"+id+"/setstatus" || !strings.Contains(said[1], `"status": "cancel-requested"`) {
		t.Errorf("exit %d: %s, %q", code, stderr, said)
	}
}
