package out

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLog(t *testing.T) {
	d := newDir(t)
	path := filepath.Join(d.Path(), "stats.csv")
	open := func(from int, columns ...string) *Log {
		t.Helper()
		l, err := OpenLog(d, "stats.csv", from, columns...)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	want := func(s string) {
		t.Helper()
		if got := contents(t, d, "stats.csv"); got != s {
			t.Errorf("got\n%swant\n%s", got, s)
		}
	}
	add := func(l *Log, frame int, values ...float64) {
		t.Helper()
		if err := l.Add(frame, values...); err != nil {
			t.Fatal(err)
		}
	}

	l := open(1, "time", "particles")
	want("frame,time,particles\n")
	add(l, 1, 0, 16_000_000)
	want("frame,time,particles\n1,0,16000000\n") // without Close: as a killed run leaves it
	add(l, 2, 1.0/32, 5)
	add(l, 3, 1e-9, 5)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	// A run killed in the middle of a row, or that goes on from frame 2.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("4,0.1,1")
	f.Close()
	l = open(100, "time", "particles")
	want("frame,time,particles\n1,0,16000000\n2,0.03125,5\n3,1e-09,5\n")
	l.Close()
	l = open(2, "time", "particles")
	add(l, 2, 7, 7)
	want("frame,time,particles\n1,0,16000000\n2,7,7\n")
	l.Close()

	// Other columns: another log.
	l = open(100, "time")
	want("frame,time\n")
	defer func() {
		if recover() == nil {
			t.Error("two values for one column")
		}
		l.Close()
	}()
	l.Add(1, 2, 3)
}
