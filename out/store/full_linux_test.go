package store

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/sim/longtest"
)

// /dev/full takes nothing.
func TestDeviceFull(t *testing.T) {
	d := outtest.Dir(t, OpenDir)
	if err := d.Write("old", outtest.Text("whole")); err != nil {
		t.Fatal(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	err = d.WriteFile("old", func(*File) error {
		_, err := (&File{f: full}).Write([]byte("x"))
		return err
	})
	outtest.WantFull(t, err, filepath.Join(d.Path(), "old"))
	if got := outtest.Files(t, d); len(got) != 1 || outtest.Contents(t, d, "old") != "whole" {
		t.Errorf("left %v", got)
	}
}

// On a real file system that fills up, whole files stay and no part is left.
func TestFileSystemFull(t *testing.T) {
	longtest.Only(t)
	d, err := OpenDir(outtest.SmallDisk(t))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	write := func(name string, n int) error {
		return d.Write(name, func(w io.Writer) error {
			_, err := w.Write(make([]byte, n))
			return err
		})
	}
	if err := write("a", 200<<10); err != nil {
		t.Fatal(err)
	}
	outtest.WantFull(t, write("b", 200<<10), filepath.Join(d.Path(), "b"))
	outtest.WantFull(t, write("a", 200<<10), filepath.Join(d.Path(), "a"))
	if n := len(outtest.Contents(t, d, "a")); n != 200<<10 {
		t.Errorf("the file written before has %d bytes", n)
	}
	if got := outtest.Files(t, d); len(got) != 1 {
		t.Errorf("left %v", got)
	}
	if free, ok := Free(d.Path()); !ok || free > 56<<10 {
		t.Errorf("%d bytes free, known %v: want less than 56 KiB", free, ok)
	}
	if err := write("b", 10<<10); err != nil {
		t.Errorf("a small file, for which there is room: %v", err)
	}
}

// TestLogFull appends to a log until the disk is full: the log keeps its contents, and
// goes on when there is room.
func TestLogFull(t *testing.T) {
	longtest.Only(t)
	d, err := OpenRun(outtest.SmallDisk(t))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	l, line := d.Log("log.csv"), bytes.Repeat([]byte("0123456789abcde\n"), 512)
	if err := errors.Join(d.Write("room", outtest.Text(strings.Repeat("x", 64<<10))), l.Write(line)); err != nil {
		t.Fatal(err)
	}
	for n := 1; ; n++ {
		ok, err := l.Append(line)
		if ok {
			continue
		}
		outtest.WantFull(t, err, filepath.Join(d.Path(), "log.csv"))
		text, whole, err := l.Read()
		if want := bytes.Repeat(line, n); !bytes.Equal(text, want) || !whole || err != nil {
			t.Errorf("%d bytes of %d are left, whole %t: %v", len(text), len(want), whole, err)
		}
		break
	}
	if err := errors.Join(d.Remove("room"), d.Intact("log.csv")); err != nil {
		t.Error(err)
	}
	if ok, err := l.Append(line); !ok || err != nil {
		t.Errorf("with room again: %t, %v", ok, err)
	}
}
