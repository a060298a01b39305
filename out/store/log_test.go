package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestLog cuts a log off at every byte of its last three rows and goes on: only whole
// rows are read, and the file ends with the same bytes.
func TestLog(t *testing.T) {
	const start, rows = "head\n1,a\n", 5
	row := func(i int) string { return fmt.Sprintf("%d,row\n", i) }
	want := start
	for i := range rows {
		want += row(i)
	}
	build := func(path string) {
		d, err := OpenRun(path)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		l := d.Log("log.csv")
		if _, err := l.Append([]byte("x")); err != nil || l.Write([]byte(start)) != nil {
			t.Fatal(err)
		}
		first, _ := d.Stat("log.csv")
		for i := range rows {
			if ok, err := l.Append([]byte(row(i))); !ok || err != nil {
				t.Fatalf("row %d: %t, %v", i, ok, err)
			}
		}
		last, _ := d.Stat("log.csv")
		if !os.SameFile(first, last) {
			t.Error("the file was written anew")
		}
		if err := d.Intact("log.csv"); err != nil {
			t.Error(err)
		}
	}
	for _, interrupted := range []bool{false, true} {
		for size := len(want); size >= len(start)+2*len(row(0)); size-- {
			path := t.TempDir()
			build(path)
			sums := filepath.Join(path, SumsName)
			text, err := os.ReadFile(sums)
			if err != nil {
				t.Fatal(err)
			}
			if interrupted { // the last record is the one that Append makes before it writes
				text = text[:len(text)-1]
				for text[len(text)-1] != '\n' {
					text = text[:len(text)-1]
				}
			}
			if err := errors.Join(os.WriteFile(sums, text, 0o666), os.Truncate(filepath.Join(path, "log.csv"), int64(size))); err != nil {
				t.Fatal(err)
			}
			d, err := OpenRun(path)
			if err != nil {
				t.Fatal(err)
			}
			l := d.Log("log.csv")
			got, whole, err := l.Read()
			n := (size - len(start)) / len(row(0)) // rows that are there
			if string(got) != want[:len(start)+n*len(row(0))] {
				t.Errorf("%d bytes: read %q", size, got)
			}
			if want := n == rows || interrupted && n == rows-1; whole != want || err != nil {
				t.Errorf("%d bytes, interrupted %t: whole is %t, want %t; %v", size, interrupted, whole, want, err)
			}
			for i := n; i < rows; i++ {
				got = append(got, row(i)...)
				if ok, err := l.Append([]byte(row(i))); err != nil || ok != l.Extensible() {
					t.Fatalf("%t, %v", ok, err)
				} else if !ok {
					if err := l.Write(got); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := d.Intact("log.csv"); err != nil {
				t.Errorf("%d bytes: %v", size, err)
			}
			d.Close()
			if after, err := os.ReadFile(filepath.Join(path, "log.csv")); err != nil || string(after) != want {
				t.Errorf("%d bytes: ends as %q, %v", size, after, err)
			}
		}
	}
}

// TestLogOfTwo appends to a log that another process has written since.
func TestLogOfTwo(t *testing.T) {
	path := t.TempDir()
	var logs [2]*Log
	for i := range logs {
		d, err := OpenRun(path)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		logs[i] = d.Log("log.csv")
	}
	a, b := logs[0], logs[1]
	if err := a.Write([]byte("1\n")); err != nil || !b.Changed() {
		t.Fatal(err)
	}
	for i := range 6 {
		if text, whole, err := b.Read(); string(text) != "1\n2\n3\n4\n5\n6\n7\n"[:2+2*i] || !whole || err != nil {
			t.Fatalf("%q, %t, %v", text, whole, err)
		}
		if ok, err := b.Append([]byte{byte('2' + i), '\n'}); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if ok, err := a.Append([]byte("x\n")); ok || err != nil || !a.Changed() {
			t.Fatalf("appends to the other's file: %t, %v", ok, err)
		}
		a, b = b, a
	}
}
