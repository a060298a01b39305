package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"breakwater/out/outtest"
)

// TestFrameOf finds frames in the names of files.
func TestFrameOf(t *testing.T) {
	for name, want := range map[string]int{
		"frames/" + FrameName("dam", 12, 90, "png"): 12, "mesh/dam_break_0007.obj.gz": 7, "particles/dam_12345.ply": 12345, RangeName("stats", 17, 32): 17,
		"dam_0012.png": 0, "mesh/dam.mtl": 0, "details/dam_0001_3_4_20x30.png": 0, "gauges/level.csv": 0, "stats.csv": 0,
	} {
		if got := FrameOf(name); got != want {
			t.Errorf("%s is of frame %d, want %d", name, got, want)
		}
	}
}

// TestRecordsApart has the records of frames in files of their own. Those that an older version
// left in one file move there, and no file is read for them.
func TestRecordsApart(t *testing.T) {
	path, last := t.TempDir(), 5*spanFrames
	frame := func(n int) string { return "frames/" + FrameName("dam", n, last, "png") }
	older, err := OpenRun(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= last; n++ {
		if err := older.Write(frame(n), outtest.Text(fmt.Sprintf("aaaa%d", n))); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(older.Write("film", outtest.Text("aaaa")), older.Close()); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(path, SumsName))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"film"}
	for n := 1; n <= last; n++ {
		names = append(names, frame(n))
	}
	// In the second round an interrupted move is completed: the old file is there again.
	for round := range 3 {
		d, err := OpenFrames(path)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := os.Stat(filepath.Join(path, SumsName))
		if err != nil || whole.Size() > 250 {
			t.Errorf("round %d: the records of all frames stay in one file of %d bytes, %v", round, whole.Size(), err)
		}
		for _, name := range names {
			if err := d.Fresh(name, plain{}, "aaaa"); err != nil || !d.Recorded(name) {
				t.Errorf("round %d: %s: %v", round, name, err)
			}
		}
		if n := d.Adopted(); n > 0 {
			t.Errorf("round %d: %d files were read for their records", round, n)
		}
		if got, err := d.Names(); !slices.Equal(got, names) || err != nil {
			t.Errorf("round %d: records of %v, %v", round, got, err)
		}
		for n := spanFrames; n <= spanFrames+1; n++ { // of two files of records
			if err := errors.Join(d.Remove(frame(n)), d.Write(frame(n), outtest.Text("aaaa, again"))); err != nil {
				t.Error(err)
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			if err := os.WriteFile(filepath.Join(path, SumsName), before, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if files, _ := filepath.Glob(filepath.Join(path, RecordFolder, "*")); len(files) != 5 {
		t.Errorf("the files of records are %v", files)
	}
	if list, err := filepath.Glob(filepath.Join(path, RecordFolder, ".*")); len(list) > 0 || err != nil {
		t.Errorf("left: %v, %v", list, err)
	}
}

// TestRecordsApartOfTwo has two processes write to one folder: each knows the files of frames that
// the other has written, and one that checks a frame reads the records of few others.
func TestRecordsApartOfTwo(t *testing.T) {
	path := t.TempDir()
	var dirs [2]*Dir
	for i := range dirs {
		d, err := OpenFrames(path)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		dirs[i] = d
	}
	a, b := dirs[0], dirs[1]
	for n := 1; n <= 3*spanFrames; n += 5 {
		name := "frames/" + FrameName("dam", n, 100, "png")
		for _, text := range []string{"aaaa", "aaaa, longer"} {
			if err := errors.Join(a.Write(name, outtest.Text(text)), b.Fresh(name, plain{}, "aaaa")); err != nil {
				t.Error(err)
			}
			a, b = b, a
		}
	}
	if a.Adopted()+b.Adopted() > 0 {
		t.Error("the other's record is not seen")
	}
	one, err := OpenFrames(path)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	if err := one.Fresh("frames/dam_0021.png", plain{}, "aaaa"); err != nil || len(one.sums.files) != 2 {
		t.Errorf("%d files of records are read, %v", len(one.sums.files), err)
	}
}
