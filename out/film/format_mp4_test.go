package film

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/store"
)

// Our films have the structure of ISO/IEC 14496-12: the tables at the front
// lead to every frame.
func TestMP4Structure(t *testing.T) {
	d := outtest.Dir(t, store.OpenDir)
	info := testFilm
	info.Encoder, info.FPS, info.Frames = "own", 12.5, 90 // key frames at 0, 37 and 74
	if err := writeFilm(t.Context(), d, "film.mp4", &mp4{}, info); err != nil {
		t.Fatal(err)
	}
	whole := outtest.Contents(t, d, "film.mp4")
	r, size := strings.NewReader(whole), int64(len(whole))
	var order []string
	if err := boxes(r, 0, size, func(typ string, _, _ int64) { order = append(order, typ) }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, " "); got != "ftyp moov free mdat" {
		t.Errorf("boxes %s", got)
	}
	data := func(path ...string) []byte {
		lo, hi, ok := findBox(r, 0, size, path...)
		if !ok {
			t.Fatalf("no box %v", path)
		}
		return []byte(whole[lo:hi])
	}
	trak := []string{"moov", "trak"}
	words := func(path ...string) (v []uint32) {
		b := data(append(trak, path...)...)
		for ; len(b) >= 4; b = b[4:] {
			v = append(v, binary.BigEndian.Uint32(b))
		}
		return v
	}
	if v := words("tkhd"); v[len(v)-2] != uint32(info.Width)<<16 || v[len(v)-1] != uint32(info.Height)<<16 {
		t.Errorf("size %v", v[len(v)-2:])
	}
	if v := words("mdia", "mdhd"); float64(v[4])/float64(v[3]) != 90/12.5 {
		t.Errorf("%d/%d seconds, want %g", v[4], v[3], 90/12.5)
	}
	stbl := func(typ string) []uint32 { return words("mdia", "minf", "stbl", typ) }
	if v := stbl("stts"); v[2] != 90 || v[3] != 2 {
		t.Errorf("times %v", v)
	}
	sizes, keys := stbl("stsz")[3:], stbl("stss")[2:]
	if len(sizes) != info.Frames || len(keys) != 3 || keys[0] != 1 || keys[1] != 38 || keys[2] != 75 {
		t.Errorf("%d frames, key frames %v", len(sizes), keys)
	}
	lo, hi, _ := findBox(r, 0, size, "mdat")
	at := int64(stbl("stco")[2])
	if at != lo {
		t.Errorf("the frames start at %d, the file says %d", lo, at)
	}
	for i, n := range sizes {
		frame := whole[at : at+int64(n)]
		if unit := binary.BigEndian.Uint32([]byte(frame)); unit != n-4 {
			t.Errorf("frame %d of %d bytes: a unit of %d", i, n, unit)
		}
		key := frame[4]&31 == 5
		if want := i == 0 || i == 37 || i == 74; key != want {
			t.Errorf("frame %d: key %v, want %v", i, key, want)
		}
		at += int64(n)
	}
	if at != hi {
		t.Errorf("the frames end at %d, want %d", at, hi)
	}
}

func TestRatio(t *testing.T) {
	for _, c := range []struct {
		fps       float64
		frames    int
		rate, per uint32
	}{
		{30, 1, 30, 1}, {12.5, 1, 25, 2}, {29.97, 1, 2997, 100}, {30000.0 / 1001, 1, 30000, 1001}, {1000, 1, 1000, 1},
		{0.1, 1, 1, 10}, {23.976, 1000, 2997, 125}, {29.97, math.MaxUint32 / 40, 989, 33}, {1e-12, 100, 1, math.MaxUint32 / 100},
	} {
		i := Info{FPS: c.fps, Frames: c.frames}
		if rate, per := i.ratio(); rate != c.rate || per != c.per {
			t.Errorf("%g: %d/%d, want %d/%d", c.fps, rate, per, c.rate, c.per)
		}
	}
}
