package scenes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/out"
)

// TestLedger writes rows, loses the end of the file, and goes on.
func TestLedger(t *testing.T) {
	folder := t.TempDir()
	dir, err := out.OpenDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	open := func() *ledger {
		l, err := openLedger(dir, "stats.csv", "time_s", "count")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	add := func(l *ledger, n int, key string, values ...any) {
		if err := l.add(n, key, values...); err != nil {
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

	text, _ := os.ReadFile(filepath.Join(folder, "stats.csv"))
	torn := strings.TrimSuffix(string(text), "aaaaaaa\n")
	if err := os.WriteFile(filepath.Join(folder, "stats.csv"), []byte(torn), 0o666); err != nil {
		t.Fatal(err)
	}
	l = open()
	if err := l.prune([]string{"", a, b}); err != nil {
		t.Fatal(err)
	}
	want(head + "1,0,9,aaaaaaaaaaaaaaaa\n2,0.5,5,bbbbbbbbbbbbbbbb\n")

	if err := os.WriteFile(filepath.Join(folder, "stats.csv"), []byte("frame,other\n1,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	l = open()
	add(l, 1, a, 0.0, 3)
	want(head + "1,0,3,aaaaaaaaaaaaaaaa\n")
}
