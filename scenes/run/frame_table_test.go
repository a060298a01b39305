package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/out/store"
	"breakwater/sim/longtest"
)

// TestFrameTable writes rows, goes on, and drops the rows of a file that was
// changed by hand.
func TestFrameTable(t *testing.T) {
	folder := t.TempDir()
	dir, err := store.OpenRun(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	open := func() *frameTable {
		l, err := openFrameTable(dir, "stats.csv", "time_s", "count")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	add := func(l *frameTable, n int, key string, values ...any) {
		if err := l.add(l.row(n, key, values...)); err != nil {
			t.Fatal(err)
		}
	}
	want := func(text string) {
		t.Helper()
		got, err := os.ReadFile(filepath.Join(folder, "stats.csv"))
		if err != nil || string(got) != text {
			t.Errorf("got %v\n%swant\n%s", err, got, text)
		}
	}
	const a, b = "aaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb"
	const head = "frame,time_s,count,fingerprint\n"

	l := open()
	add(l, 2, a, 1.0/3, 7)
	add(l, 10, a, 2.0, 8)
	add(l, 1, a, 0.0, 9)
	add(l, 2, a, 1.0/3, 70) // made again
	add(l, 2, b, 0.5, 5)    // with other settings
	want(head + "1,0,9,aaaaaaaaaaaaaaaa\n2,0.333333,70,aaaaaaaaaaaaaaaa\n2,0.5,5,bbbbbbbbbbbbbbbb\n10,2,8,aaaaaaaaaaaaaaaa\n")
	if x, ok := l.value(2, a, "count"); x != 70 || !ok {
		t.Errorf("frame 2 counts %g, %v", x, ok)
	}
	if _, ok := l.value(3, a, "count"); ok {
		t.Error("frame 3 has a row")
	}

	l = open()
	if !l.intact || !l.has(10, a) {
		t.Error("the rows are not read back")
	}
	other := open() // of another process
	add(other, 3, a, 0.7, 4)
	if err := l.prune([]string{"", a, b, a}); err != nil {
		t.Fatal(err)
	}
	want(head + "1,0,9,aaaaaaaaaaaaaaaa\n2,0.5,5,bbbbbbbbbbbbbbbb\n3,0.7,4,aaaaaaaaaaaaaaaa\n")

	for _, changed := range []string{
		head + "1,0,9,aaaaaaaaaaaaaaaa\n2,0.4,5,bbbbbbbbbbbbbbbb\n3,0.7,4,aaaaaaaaaaaaaaaa\n", head + "1,0,9,aaaa", "frame,other\n1,2\n", "",
	} {
		if err := os.WriteFile(filepath.Join(folder, "stats.csv"), []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		if l = open(); l.intact || len(l.rows) > 0 {
			t.Errorf("of a file that was changed to %q %d rows are taken", changed, len(l.rows))
		}
	}
	add(l, 1, a, 0.0, 3)
	want(head + "1,0,3,aaaaaaaaaaaaaaaa\n")
}

// TestFrameTableCut cuts a table off at every byte of its last rows, as a crash may, and
// adds the rows that are missing: the file has the same bytes.
func TestFrameTableCut(t *testing.T) {
	longtest.NotShort(t)
	const key, rows = "aaaaaaaaaaaaaaaaaaaa", 6
	var path string
	open := func() *frameTable {
		dir, err := store.OpenRun(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dir.Close() })
		table, err := openFrameTable(dir, "stats.csv", "time_s")
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	complete := func(table *frameTable) string {
		for n := 1; n <= rows; n++ {
			if !table.has(n, key) {
				if err := table.add(table.row(n, key, float64(n)/24)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := table.prune([]string{"", key, key, key, key, key, key}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	path = filepath.Join(t.TempDir(), "stats.csv")
	want := complete(open())
	step := 4
	if longtest.On() {
		step = 1
	}
	for size := len(want) - 1; size > len(want)-60; size -= step {
		path = filepath.Join(t.TempDir(), "stats.csv")
		complete(open())
		if err := os.Truncate(path, int64(size)); err != nil {
			t.Fatal(err)
		}
		table := open()
		for n, count := 1, strings.Count(want[:size], "\n")-1; n <= rows; n++ {
			if table.has(n, key) != (n <= count) {
				t.Fatalf("%d bytes: frame %d of %d has a row: %t", size, n, count, table.has(n, key))
			}
		}
		if got := complete(table); got != want {
			t.Fatalf("%d bytes: got\n%swant\n%s", size, got, want)
		}
	}
}
