package out

import (
	"slices"
	"strings"
	"testing"
)

const picturedOBJ = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl oak\nf 1/1 2/2 3/3 4/-1\nf 1 2 3\nusemtl red\nf 1/1 2/2 3/3\n"

// TestReadPlaces reads a square with a picture, a face that has no place for it,
// and one of a colour alone.
func TestReadPlaces(t *testing.T) {
	read := func(obj, mtl string) (*Painted, error) {
		return ReadPainted(strings.NewReader(obj), func(string) ([]byte, error) { return []byte(mtl), nil })
	}
	const mtl = "newmtl oak\nKd 1 0.5 1\nmap_Kd my oak.png\nnewmtl red\nKd 1 0 0\n"
	p, err := read(picturedOBJ, mtl)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Pictures(); !slices.Equal(got, []string{"my oak.png"}) {
		t.Errorf("pictures %q", got)
	}
	for i, want := range []string{"my oak.png", "my oak.png", "", ""} {
		if got := p.Paints[i].Picture; got != want {
			t.Errorf("triangle %d has the picture %q, want %q", i, got, want)
		}
	}
	if p.Paints[2].Color.Y != 0.5 || p.Places[1] != [3][2]float64{{0, 0}, {1, 1}, {0, 1}} {
		t.Errorf("got %+v and %v", p.Paints[2], p.Places[1])
	}
	if p.Named(0) == p.Named(1) {
		t.Errorf("both halves of the square are %s", p.Named(0))
	}
	for _, c := range []struct{ obj, mtl, want string }{
		{picturedOBJ, "map_Kd a.png", "line 1: map_Kd: before the first newmtl"},
		{picturedOBJ, "newmtl oak\nmap_Kd ", "line 2: map_Kd: the name of a picture is missing"},
		{picturedOBJ, "newmtl oak\nmap_Kd -s 2 2 a.png", "give the name alone"},
		{strings.Replace(picturedOBJ, "4/-1", "4/7", 1), mtl, "line 11: place 7 of 4: is the file cut short?"},
		{strings.Replace(picturedOBJ, "4/-1", "4/x", 1), mtl, `line 11: corner "4/x": place: not a whole number`},
		{strings.Replace(picturedOBJ, "vt 1 0", "vt", 1), mtl, "line 7: fewer than 1 number"},
	} {
		if _, err := read(c.obj, c.mtl); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got %v, want ... %s", err, c.want)
		}
	}
}
