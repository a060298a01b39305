package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"breakwater/out/outtest"
)

// plain is a format of files that begin with their fingerprint.
type plain struct{}

func (plain) Check(r io.ReaderAt, size int64) (string, error) {
	if size < 4 {
		return "", errors.New("cut short")
	}
	b := make([]byte, 4)
	_, err := r.ReadAt(b, 0)
	return string(b), err
}

// TestRecords writes files and changes them in and out of sight, as seen by the
// same process and by one that opens the folder anew.
func TestRecords(t *testing.T) {
	path := t.TempDir()
	open := func() *Dir {
		d, err := OpenRun(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		return d
	}
	d := open()
	read := func(d *Dir, name string) error {
		return d.Read(name, func(r io.Reader) error { _, err := r.Read(make([]byte, 2)); return err })
	}
	const good = "aaaa, a file"
	written := func(name, s string) time.Time {
		t.Helper()
		if err := os.WriteFile(filepath.Join(path, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(path, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	isDamaged := func(err error) bool { var e *Damaged; return errors.As(err, &e) }
	for i, seek := range []bool{false, true} {
		name := fmt.Sprintf("file%d", i)
		err := d.WriteFile(name, func(f *File) error {
			_, err := f.Write([]byte("xxxx" + good[4:]))
			_, err2 := f.Seek(0, 0)
			_, err3 := f.Write([]byte(good[:4]))
			return errors.Join(err, err2, err3)
		})
		if !seek {
			err = d.Write(name, outtest.Text(good))
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []*Dir{d, open()} {
			if err := errors.Join(d.Fresh(name, plain{}, "aaaa"), d.Intact(name), read(d, name)); err != nil {
				t.Errorf("%s, as written: %v", name, err)
			}
		}
		os.Chtimes(filepath.Join(path, name), time.Time{}, time.Unix(2e9, 0)) // touched, or copied
		if err := errors.Join(d.Fresh(name, plain{}, "aaaa"), read(d, name)); err != nil {
			t.Errorf("%s, touched: %v", name, err)
		}
		for _, bad := range []string{"aaaa, a bile", "aaaa, a fil", "aaaa, a file.", "aaa", ""} {
			written(name, bad)
			if err := d.Fresh(name, plain{}, "aaaa"); !isDamaged(err) {
				t.Errorf("%q is fresh: %v", bad, err)
			}
			if err := d.Intact(name); !isDamaged(err) {
				t.Errorf("%q is intact: %v", bad, err)
			}
			if err := read(d, name); !isDamaged(err) {
				t.Errorf("%q is read: %v", bad, err)
			}
		}
		// In silence: trusted until it is read, and never again.
		if err := d.Write(name, outtest.Text(good)); err != nil {
			t.Fatal(err)
		}
		info, _ := d.Stat(name)
		written(name, "aaaa, a bile")
		os.Chtimes(filepath.Join(path, name), time.Time{}, info.ModTime())
		sum, err := d.Sum(name)
		if err := errors.Join(err, d.Fresh(name, plain{}, "aaaa")); err != nil || sum[0].SHA256 != sumText(good) {
			t.Errorf("in silence: %v, %v", err, sum)
		}
		if err := read(d, name); !isDamaged(err) {
			t.Errorf("in silence it is read: %v", err)
		}
		for _, d := range []*Dir{d, open()} {
			if err := d.Fresh(name, plain{}, "aaaa"); !isDamaged(err) {
				t.Errorf("after that it is fresh: %v", err)
			}
		}
	}
	if names, err := d.Names(); len(names) != 2 || err != nil {
		t.Errorf("records of %v, %v", names, err)
	}
	// Without a record it is adopted.
	written("other", good)
	if err := d.Fresh("other", plain{}, "aaaa"); err != nil || d.Adopted() != 1 || d.Adopted() != 0 || !open().Recorded("other") {
		t.Errorf("not adopted: %v", err)
	}
	if err := d.Remove("other"); err != nil || d.Recorded("other") || open().Recorded("other") {
		t.Errorf("still recorded: %v", err)
	}
	if err := d.Fresh("other", plain{}, "aaaa"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func sumText(s string) string {
	h := newSummer()
	io.WriteString(h, s)
	return h.record(time.Time{}).sha
}

// TestRecordsOfTwo has two processes write to one folder: each knows the files that the
// other has written.
func TestRecordsOfTwo(t *testing.T) {
	path := t.TempDir()
	a, err := OpenRun(path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := OpenRun(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for i := range 5 {
		if err := errors.Join(a.Write("f", outtest.Text(fmt.Sprint("aaaa", i))), b.Fresh("f", plain{}, "aaaa"), b.Write("f", outtest.Text(fmt.Sprint("bbbb", i))), a.Fresh("f", plain{}, "bbbb")); err != nil {
			t.Error(err)
		}
		if a.Adopted()+b.Adopted() > 0 {
			t.Error("the other's record is not seen")
		}
	}
}

// TestRecordsCompact writes one file again and again: its records stay few.
func TestRecordsCompact(t *testing.T) {
	path := t.TempDir()
	d, err := OpenRun(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write("f", outtest.Text("aaaa")); err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		d.note("g", record{size: int64(i), modified: 1, sha: strings.Repeat("0", 64)})
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(path, SumsName))
	if n := strings.Count(string(b), "\n"); err != nil || n != 1+1+8 {
		t.Errorf("%d lines, %v", n, err)
	}
	if d, err = OpenRun(path); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Fresh("f", plain{}, "aaaa"); err != nil || d.Adopted() > 0 {
		t.Error(err)
	}
}

// TestFollowedFolders has a folder that is a link. A name leads into it, and
// not out of it.
func TestFollowedFolders(t *testing.T) {
	work := t.TempDir()
	path, other := filepath.Join(work, "run"), filepath.Join(work, "other", "disk")
	for _, p := range []string{path, other} {
		if err := os.MkdirAll(p, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []string{"frames", "mesh"} {
		outtest.Symlink(t, other, filepath.Join(path, link))
	}
	outtest.Symlink(t, work, filepath.Join(other, "out"))
	d, err := OpenRun(path, "frames", "particles")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Write("frames/a.png", outtest.Text("aaaa")); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(filepath.Join(other, "a.png")); string(b) != "aaaa" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if err := errors.Join(d.Fresh("frames/a.png", plain{}, "aaaa"), d.Clean("frames")); err != nil {
		t.Error(err)
	}
	if list, err := d.ReadDir("frames"); len(list) != 2 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	for _, name := range []string{"mesh/a.obj", "frames/../../x", "frames/out/x", "frames/../../other/x"} {
		if err := d.Write(name, outtest.Text("x")); err == nil {
			t.Errorf("wrote %s", name)
		}
	}
	if err := d.Remove("frames/a.png"); err != nil {
		t.Error(err)
	}
}
