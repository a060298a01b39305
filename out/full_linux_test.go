package out

import (
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"breakwater/sim/longtest"
)

// wantFull checks what a user is told when the disk is full.
func wantFull(t *testing.T, err error, path string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error on a full disk")
	}
	for _, want := range []string{path, "the disk is full", "free some space"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message does not say %q: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), partSuffix) {
		t.Errorf("the message names the file by its name for the time being: %v", err)
	}
}

// /dev/full takes nothing.
func TestDeviceFull(t *testing.T) {
	d := newDir(t)
	if err := d.Write("old", text("whole")); err != nil {
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
	wantFull(t, err, filepath.Join(d.Path(), "old"))
	if got := files(t, d); len(got) != 1 || contents(t, d, "old") != "whole" {
		t.Errorf("left %v", got)
	}
}

// On a real file system that fills up, whole files stay and no part is left.
func TestFileSystemFull(t *testing.T) {
	longtest.Only(t)
	where := t.TempDir()
	if err := syscall.Mount("tmpfs", where, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no tmpfs of our own here (%v); TestDeviceFull covers the messages", err)
	}
	defer syscall.Unmount(where, syscall.MNT_DETACH)
	d, err := OpenDir(filepath.Join(where, "run"))
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
	wantFull(t, write("b", 200<<10), filepath.Join(d.Path(), "b"))
	wantFull(t, write("a", 200<<10), filepath.Join(d.Path(), "a"))
	if n := len(contents(t, d, "a")); n != 200<<10 {
		t.Errorf("the file written before has %d bytes", n)
	}
	if got := files(t, d); len(got) != 1 {
		t.Errorf("left %v", got)
	}
	if free, ok := Free(d.Path()); !ok || free > 56<<10 {
		t.Errorf("%d bytes free, known %v: want less than 56 KiB", free, ok)
	}
	for name, m := range movies(t) {
		info := testFilm
		info.Width, info.Height, info.Frames = 640, 360, 12
		err := d.WriteFile(name, func(f *File) error {
			return m.Encode(t.Context(), f, info, func(i int) (image.Image, error) { return noise(uint32(i), info.Width, info.Height), nil })
		})
		wantFull(t, err, filepath.Join(d.Path(), name))
	}
	if err := write("b", 10<<10); err != nil {
		t.Errorf("a small file, for which there is room: %v", err)
	}
}

// noise returns a picture that no encoder makes small.
func noise(seed uint32, width, height int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		seed = seed*1664525 + 1013904223
		m.Pix[i] = byte(seed >> 24)
	}
	return m
}
