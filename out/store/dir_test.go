package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"breakwater/out/outtest"
)

func TestWriteReplaces(t *testing.T) {
	d := outtest.Dir(t, OpenDir)
	for _, s := range []string{"first and longer", "second"} {
		if err := d.Write("a/b/c.txt", outtest.Text(s)); err != nil {
			t.Fatal(err)
		}
		if got := outtest.Contents(t, d, "a/b/c.txt"); got != s {
			t.Errorf("got %q, want %q", got, s)
		}
	}
	if err := fstest.TestFS(d.root.FS(), "a/b/c.txt"); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := d.Remove("a/b/c.txt"); err != nil {
			t.Error(err)
		}
	}
	if got := outtest.Files(t, d); len(got) != 0 {
		t.Errorf("%v left", got)
	}
}

// A write that fails in the middle leaves the previous file, and nothing else.
func TestWriteFailureLeavesNothing(t *testing.T) {
	d := outtest.Dir(t, OpenDir)
	if err := d.Write("old", outtest.Text("whole")); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	for _, name := range []string{"old", "new", "sub/new"} {
		err := d.Write(name, func(w io.Writer) error {
			w.Write(make([]byte, 1<<20))
			return boom
		})
		if !errors.Is(err, boom) || !strings.Contains(err.Error(), filepath.Join(d.Path(), filepath.FromSlash(name))) {
			t.Errorf("%s: %v", name, err)
		}
		func() {
			defer func() { recover() }()
			d.Write(name, func(io.Writer) error { panic("boom") })
			t.Errorf("%s: the panic did not come through", name)
		}()
	}
	if got := outtest.Files(t, d); !slices.Equal(got, []string{"old"}) || outtest.Contents(t, d, "old") != "whole" {
		t.Errorf("files %v, old %q", got, outtest.Contents(t, d, "old"))
	}
}

// No name leads out of the folder, whatever a scene is called.
func TestNamesStayInside(t *testing.T) {
	d := outtest.Dir(t, OpenDir)
	outside := filepath.Join(filepath.Dir(d.Path()), "outside")
	if err := os.Mkdir(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "file"), []byte("theirs"), 0o666); err != nil {
		t.Fatal(err)
	}
	names := []string{"../outside/file", "a/../../outside/file", filepath.ToSlash(outside) + "/file", "..", ".", ""}
	if err := os.Symlink(outside, filepath.Join(d.Path(), "link")); err == nil {
		names = append(names, "link/file", "link/new")
	} else if runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := d.Write(name, outtest.Text("ours")); err == nil {
			t.Errorf("wrote %q", name)
		}
		if err := d.Read(name, func(r io.Reader) error { _, err := io.ReadAll(r); return err }); err == nil {
			t.Errorf("read %q", name)
		}
		d.Remove(name) // which may be no error, but must do nothing
	}
	b, err := os.ReadFile(filepath.Join(outside, "file"))
	if string(b) != "theirs" || err != nil {
		t.Errorf("the file outside holds %q, %v", b, err)
	}
	if e, err := os.ReadDir(outside); len(e) != 1 || err != nil {
		t.Errorf("outside there are %v, %v", e, err)
	}
	// A link under the name itself is replaced, not followed.
	if err := os.Symlink(filepath.Join(outside, "file"), filepath.Join(d.Path(), "name")); err == nil {
		if err := d.Write("name", outtest.Text("ours")); err != nil {
			t.Error(err)
		}
		if b, _ := os.ReadFile(filepath.Join(outside, "file")); string(b) != "theirs" || outtest.Contents(t, d, "name") != "ours" {
			t.Errorf("a link was followed: %q", b)
		}
	}
}

// partOf returns the name of a part of another process of this host or of another host.
func partOf(base, host string) string {
	return fmt.Sprintf(".%s.%s.1.00c0ffee%s", base, host, partSuffix)
}

// Leftovers of this host are cleaned away at once, leftovers of other hosts and of older
// versions after an hour by the file system's clock.
func TestClean(t *testing.T) {
	if !locksHold {
		t.Skip("this system has no file locks, so leftovers are recognized by their age")
	}
	d := outtest.Dir(t, OpenDir)
	names := []string{
		"frames/a.png", "frames/.hidden", "frames/" + partOf("a.png", hostName()), partOf("x", hostName()), "mesh/" + partOf("b.obj", hostName()),
		"frames/" + partOf("old.png", "other-12345678"), "frames/" + partOf("new.png", "other-12345678"), "frames/.b.png.17-1" + partSuffix, "frames/.c.png.17-1" + partSuffix,
	}
	for _, name := range names {
		if err := d.Write(name, outtest.Text("x")); err != nil {
			t.Fatal(err)
		}
	}
	for _, old := range []int{5, 7} {
		past := time.Now().Add(-2 * partAge)
		if err := d.root.Chtimes(names[old], past, past); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Clean(".", "frames", "missing"); err != nil {
		t.Fatal(err)
	}
	want := []string{names[8], names[1], names[6], names[0], names[4]}
	slices.Sort(want)
	if got := outtest.Files(t, d); !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
}

// Files that a living process is writing are not cleaned away, and two writers of one
// name do not share a file.
func TestCleanLeavesWhatIsWritten(t *testing.T) {
	if !locksHold {
		t.Skip("this system has no file locks, so leftovers are recognized by their age")
	}
	d := outtest.Dir(t, OpenDir)
	err := d.Write("a/b.txt", func(w io.Writer) error {
		if err := d.Write("a/"+partOf("b.txt", hostName()), outtest.Text("of a process that was killed")); err != nil {
			return err
		}
		if err := d.Clean("a"); err != nil {
			return err
		}
		if got := outtest.Files(t, d); len(got) != 1 {
			t.Errorf("while it is written there are %v", got)
		}
		if err := d.Write("a/b.txt", outtest.Text("the other's")); err != nil {
			return err
		}
		return outtest.Text("this one's")(w)
	})
	if err != nil || outtest.Contents(t, d, "a/b.txt") != "this one's" {
		t.Errorf("%v: %q", err, outtest.Contents(t, d, "a/b.txt"))
	}
	if got := outtest.Files(t, d); len(got) != 1 {
		t.Errorf("left %v", got)
	}
}

// A rename that is done although the file system reports that there is no such file is
// accepted. One that is not done is an error.
func TestRenameAskedForTwice(t *testing.T) {
	defer func() { renameIn = (*os.Root).Rename }()
	d := outtest.Dir(t, OpenDir)
	for _, c := range []struct {
		rename func(root *os.Root, from, to string) error
		ok     bool
	}{
		{func(root *os.Root, from, to string) error {
			return errors.Join(root.Rename(from, to), syscall.ENOENT)
		}, true},
		{func(root *os.Root, from, to string) error { return errors.Join(root.Remove(from), syscall.ENOENT) }, false},
	} {
		if err := d.Write("a.txt", outtest.Text("older")); err != nil {
			t.Fatal(err)
		}
		renameIn = c.rename
		err := d.Write("a.txt", outtest.Text("newer"))
		renameIn = (*os.Root).Rename
		if got := outtest.Contents(t, d, "a.txt"); (err == nil) != c.ok || (got == "newer") != c.ok || len(outtest.Files(t, d)) != 1 {
			t.Errorf("%v: %q, %v", err, got, outtest.Files(t, d))
		}
	}
}

// Names of parts differ, and are short enough for file systems.
func TestPartName(t *testing.T) {
	for _, base := range []string{"a.png", strings.Repeat("ü", 110) + ".png"} {
		a, b := partName(base), partName(base)
		if part, here := isPart(a); a == b || !part || !here || len(a) > 255 || !utf8.ValidString(a) {
			t.Errorf("%q, %q: of this host %t", a, b, here)
		}
	}
}

// A folder that two processes use goes with the last of them, and stays if the
// files in it are still of use.
func TestShare(t *testing.T) {
	if !locksHold {
		t.Skip("no locks here")
	}
	d := outtest.Dir(t, OpenDir)
	for _, gone := range []bool{true, false} {
		var leave [2]func(bool) error
		for i := range leave {
			var err error
			if leave[i], err = d.Share("shared"); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Write("shared/a", outtest.Text("x")); err != nil {
			t.Fatal(err)
		}
		if err := leave[0](true); err != nil || len(outtest.Files(t, d)) != 1 {
			t.Errorf("while another uses it there are %v, %v", outtest.Files(t, d), err)
		}
		if err := leave[1](gone); err != nil || (len(outtest.Files(t, d)) == 0) != gone {
			t.Errorf("gone %v: there are %v, %v", gone, outtest.Files(t, d), err)
		}
	}
}

// Folders that were made for nothing go.
func TestCloseRemovesEmptyFolders(t *testing.T) {
	work := t.TempDir()
	for _, c := range []struct {
		write func(io.Writer) error
		stays bool
	}{{outtest.Text("x"), true}, {func(io.Writer) error { return errors.New("boom") }, false}} {
		d, err := OpenRun(filepath.Join(work, "a", "b"))
		if err != nil {
			t.Fatal(err)
		}
		d.Write("c/d", c.write)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(work, "a")); (err == nil) != c.stays {
			t.Errorf("there is a folder: %v, want %v", err == nil, c.stays)
		}
		os.RemoveAll(filepath.Join(work, "a"))
	}
}

// A fifo, a folder and a device are damaged files, and opening them does not
// wait.
func TestOpenWhatIsNoFile(t *testing.T) {
	d := outtest.Dir(t, OpenDir)
	if err := os.Mkdir(filepath.Join(d.Path(), "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	names := []string{"folder"}
	if exec.Command("mkfifo", filepath.Join(d.Path(), "fifo")).Run() == nil {
		names = append(names, "fifo")
	}
	for _, name := range names {
		var damaged *Damaged
		if _, err := d.Open(name); !errors.As(err, &damaged) || damaged.Name != name {
			t.Errorf("%s: %v", name, err)
		}
		if err := d.Write(name, outtest.Text("ours")); err != nil || outtest.Contents(t, d, name) != "ours" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFrameName(t *testing.T) {
	for _, c := range []struct {
		n, total int
		want     string
	}{
		{1, 90, "dam_0001.ply"}, {9999, 9999, "dam_9999.ply"}, {7, 12345, "dam_00007.ply"}, {12345, 10, "dam_12345.ply"},
	} {
		if got := FrameName("dam", c.n, c.total, "ply"); got != c.want {
			t.Errorf("frame %d of %d: %s, want %s", c.n, c.total, got, c.want)
		}
	}
}

func TestFree(t *testing.T) {
	n, ok := Free(filepath.Join(t.TempDir(), "to", "be", "made"))
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "windows":
		if !ok || n <= 0 {
			t.Errorf("%d bytes, known %v", n, ok)
		}
	default:
		if ok {
			t.Errorf("%d bytes on a system that does not say", n)
		}
	}
}

func TestManifest(t *testing.T) {
	d := outtest.Dir(t, OpenDir)
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("f%d", i))
		if err := d.Write(names[i], outtest.Text("abc")); err != nil {
			t.Fatal(err)
		}
	}
	sums, err := d.Sum(names...)
	if err != nil {
		t.Fatal(err)
	}
	// The sum of "abc" is an example of FIPS 180-4.
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if len(sums) != 20 || sums[0] != (FileSum{"f0", 3, abc}) || sums[2].Name != "f10" {
		t.Errorf("sums %v", sums[:3])
	}
	if _, err := d.Sum("f0", "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	m := Manifest{Scene: "a<b", Version: "1", Stages: map[string]string{"sim": "ff", "mesh": "00"}, Files: sums}
	var texts [2]string
	for i := range texts {
		if err := d.WriteJSON("manifest.json", m); err != nil {
			t.Fatal(err)
		}
		texts[i] = outtest.Contents(t, d, "manifest.json")
	}
	if texts[0] != texts[1] || !strings.Contains(texts[0], `"scene": "a<b"`) {
		t.Errorf("two manifests of one run:\n%s\n%s", texts[0], texts[1])
	}
	var back Manifest
	if err := json.Unmarshal([]byte(texts[0]), &back); err != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("read back %+v, %v", back, err)
	}
}

// A part that takes long to write does not grow old, so that no other host takes it for a
// leftover.
func TestPartStaysYoung(t *testing.T) {
	defer func(every time.Duration) { partBeat = every }(partBeat)
	partBeat = 10 * time.Millisecond
	d := outtest.Dir(t, OpenDir)
	err := d.Write("a.txt", func(io.Writer) error {
		part := outtest.Files(t, d)[0]
		past := time.Now().Add(-2 * partAge)
		if err := d.root.Chtimes(part, past, past); err != nil {
			return err
		}
		for range 1000 {
			if info, err := d.root.Lstat(part); err != nil || time.Since(info.ModTime()) < partAge {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
		return errors.New("the part has grown old")
	})
	if err != nil {
		t.Error(err)
	}
	if got := outtest.Files(t, d); len(got) != 1 {
		t.Errorf("left %v", got)
	}
}
