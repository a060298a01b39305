package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"breakwater/sim/longtest"
)

// TestLeftovers has parts of files that a process on another host left long ago: each
// command that writes into their folder removes them, and no newer ones.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(filepath.Join(out, "gauges"), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "a.csv"), particleCSV(3))
	put(t, filepath.Join(dir, "shot_1.png"), grey(t, 16, 16, 9, false))
	for _, c := range []struct {
		left    string
		command []string
	}{
		{".a.obj.17-1.breakwater-part", []string{"mesh", filepath.Join(dir, "a.csv"), "--radius", "0.05", "--out", out}},
		{".clip.webm.17.breakwater-part", []string{"video", filepath.Join(dir, "shot_1.png"), "--out", filepath.Join(out, "clip.webm")}},
		{".stats.csv.17-1.breakwater-part", []string{"sim", tiny, "--frames", "1", "--out", out}},
		{"gauges/.level.csv.17-2.breakwater-part", []string{"sim", tiny, "--frames", "1", "--out", out}},
	} {
		path := filepath.Join(out, c.left)
		put(t, path, []byte("half"))
		long := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
		fresh := filepath.Join(out, strings.Replace(c.left, "17", "18", 1))
		put(t, fresh, []byte("half"))
		do(t, c.command...)
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s leaves %s", c.command[0], c.left)
		}
		if err := os.Remove(fresh); err != nil {
			t.Errorf("%s removes what another host may be writing: %v", c.command[0], err)
		}
	}
}

// TestEncoderEndsToo kills the program while ffmpeg makes its film: ffmpeg, here
// a script that waits, ends with it.
func TestEncoderEndsToo(t *testing.T) {
	longtest.NotShort(t)
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a program with the process that started it")
	}
	dir := t.TempDir()
	pid := filepath.Join(dir, "pid")
	script := "#!/bin/sh\ncase \"$*\" in *-encoders*) echo ' libx264 '; exit;; esac\necho $$ > " + pid + ".new; mv " + pid + ".new " + pid + "\nexec sleep 100\n"
	if err := os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "shot_1.png"), grey(t, 16, 16, 9, false))
	cmd := exec.Command(binary(t), "video", filepath.Join(dir, "shot_1.png"), "--out", filepath.Join(dir, "clip.mp4"))
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var text []byte
	var err error
	for range 1000 {
		if text, err = os.ReadFile(pid); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
	number, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(number) + "/stat"); err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	if p, err := os.FindProcess(number); err == nil {
		p.Kill()
	}
	t.Error("ffmpeg goes on alone")
}
