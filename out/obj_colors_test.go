package out

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"
)

const paintedOBJ = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl red\nf 1 2 3 4\nusemtl none\nf 1 3 4\n"

func TestReadPainted(t *testing.T) {
	read := func(mtl string) (*Painted, error) {
		return ReadPainted(strings.NewReader(paintedOBJ), func(string) ([]byte, error) { return []byte(mtl), nil })
	}
	p, err := read("# of a program\r\nnewmtl red\r\nKd 1 0.25 0\r\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"[1, 0.25, 0]", "[1, 0.25, 0]", "none"} {
		if got := p.Named(i); got != want {
			t.Errorf("triangle %d: got %s, want %s", i, got, want)
		}
	}
	for mtl, want := range map[string]string{
		"Kd 1 1 1":               "line 1: Kd: before the first newmtl",
		"newmtl a\nKd 1 1":       "line 2: Kd: fewer than 3 numbers",
		"newmtl a\nKd 1 1 2":     "line 2: Kd: not from 0 to 1",
		"newmtl a\nKd 1 spec 12": `line 2: Kd: "spec" is not a finite number`,
	} {
		if _, err := read(mtl); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: got %v, want ... %s", mtl, err, want)
		}
	}
	p, err = ReadPainted(strings.NewReader(paintedOBJ), func(string) ([]byte, error) { return nil, fs.ErrNotExist })
	if p != nil || err != nil {
		t.Errorf("without the MTL file: got %v, %v", p, err)
	}
}

func FuzzReadMTL(f *testing.F) {
	f.Add([]byte(paintedOBJ), []byte("newmtl red\nKd 1 0.25 0\n"))
	f.Add([]byte("mtllib\nf 1 1 1\nv 0 0 0"), []byte("newmtl\nKd 0 0 0"))
	f.Fuzz(func(t *testing.T, obj, mtl []byte) {
		p, err := ReadPainted(bytes.NewReader(obj), func(string) ([]byte, error) { return mtl, nil })
		if err != nil || p == nil {
			return
		}
		if len(p.Paints) != len(p.Mesh.Tri) {
			t.Errorf("%d colours for %d triangles", len(p.Paints), len(p.Mesh.Tri))
		}
		for _, tri := range p.Mesh.Tri {
			for _, v := range tri {
				if v < 0 || int(v) >= len(p.Mesh.Pos) {
					t.Fatalf("vertex %d of %d", v, len(p.Mesh.Pos))
				}
			}
		}
	})
}
