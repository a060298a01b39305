package h264

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"breakwater/out/programs"
	"breakwater/sim/longtest"
)

// scenes make frame i of a test film, as RGB.
var testScenes = map[string]func(i, x, y int, rng *rand.Rand) (r, g, b byte){
	"noise": func(_, _, _ int, rng *rand.Rand) (r, g, b byte) {
		v := rng.Uint32()
		return byte(v), byte(v >> 8), byte(v >> 16)
	},
	"gradient": func(i, x, y int, _ *rand.Rand) (r, g, b byte) { return byte(3*x + i), byte(2*y + x), byte(x + y - 2*i) },
	"motion": func(i, x, y int, _ *rand.Rand) (r, g, b byte) {
		fx, fy := float64(x)-1.3*float64(i), float64(y)+0.8*float64(i)
		v := 128 + 60*math.Sin(fx/3)*math.Cos(fy/5)
		if math.Hypot(fx-20, fy-16) < 11 { // goes another way
			v = 128 + 100*math.Sin(float64(x+3*i)/2)
		}
		return byte(v), byte(255 - v), byte(0.4*v + 60)
	},
	"still": func(_, x, y int, _ *rand.Rand) (r, g, b byte) { return byte(x * y), byte(4 * x), 200 },
	"extremes": func(i, x, y int, _ *rand.Rand) (r, g, b byte) {
		v := byte(255 * ((x/3 + y/5 + i) & 1))
		return v, v, ^v
	},
}

func testPicture(scene string, i, width, height int) *Picture {
	rng := rand.New(rand.NewPCG(uint64(i), 1))
	rgb := make([]byte, 0, 3*width*height)
	for y := range height {
		for x := range width {
			r, g, b := testScenes[scene](i, x, y, rng)
			rgb = append(rgb, r, g, b)
		}
	}
	p := NewPicture(width, height)
	p.SetRGB(rgb)
	return p
}

// encoding is a film and the pictures that a decoder should return, by the encoder.
type encoding struct {
	stream  []byte // with start codes, Annex B
	rebuilt []byte // planes of the pictures as shown
	source  []byte
	units   []Unit
	kinds   [4]int
}

func encodeFilm(t testing.TB, s Settings, pictures []*Picture) (f encoding) {
	t.Helper()
	e, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	unit := func(b []byte) { f.stream = append(append(f.stream, 0, 0, 0, 1), b...) }
	unit(e.Sequence)
	unit(e.Parameters)
	add := func(u Unit) {
		f.units = append(f.units, u)
		for b := u.Data; len(b) > 0; {
			n := 4 + binary.BigEndian.Uint32(b)
			unit(b[4:n])
			b = b[n:]
		}
		for _, m := range e.macros {
			f.kinds[m.kind]++
		}
		f.rebuilt = appendShown(f.rebuilt, s.Width, s.Height, &e.ref.luma[0], &e.ref.chroma[0], &e.ref.chroma[1])
	}
	for _, p := range pictures {
		f.source = appendShown(f.source, s.Width, s.Height, &p.luma, &p.cb, &p.cr)
		for _, u := range e.Add(p) {
			add(u)
		}
	}
	for len(e.queue) > 0 { // as Flush does
		add(e.first())
	}
	return f
}

// appendShown appends the visible part of the planes. Cropping goes by samples of chroma,
// so that an odd column or row more is in the stream.
func appendShown(b []byte, width, height int, luma, cb, cr *plane) []byte {
	w, h := (width+1)/2, (height+1)/2
	for y := range 2 * h {
		b = append(b, luma.pix[luma.at(0, y):][:2*w]...)
	}
	for _, p := range []*plane{cb, cr} {
		for y := range h {
			b = append(b, p.pix[p.at(0, y):][:w]...)
		}
	}
	return b
}

func (f *encoding) psnr() float64 {
	sum := 0.0
	for i, v := range f.source {
		d := float64(v) - float64(f.rebuilt[i])
		sum += d * d
	}
	return 10 * math.Log10(255*255*float64(len(f.source))/sum)
}

// decoded returns ffmpeg's pictures of a stream.
func decoded(t testing.TB, stream []byte) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "film.264")
	if err := os.WriteFile(path, stream, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("ffmpeg", "-v", "error", "-threads", "1", "-f", "h264", "-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-")
	var said bytes.Buffer
	cmd.Stderr = &said
	raw, err := cmd.Output()
	if err != nil || said.Len() > 0 {
		t.Fatalf("%v: %s", err, &said)
	}
	return raw
}

// checkDecoded compares ffmpeg's decoded pictures with the encoder's reconstruction, bit
// by bit.
func checkDecoded(t testing.TB, what string, f encoding) {
	t.Helper()
	got := decoded(t, f.stream)
	if bytes.Equal(got, f.rebuilt) {
		return
	}
	if len(got) != len(f.rebuilt) {
		t.Errorf("%s: %d bytes decoded, want %d", what, len(got), len(f.rebuilt))
		return
	}
	for i := range got {
		if got[i] != f.rebuilt[i] {
			t.Errorf("%s: byte %d of picture %d is %d, want %d", what, i%(len(got)/len(f.units)), i*len(f.units)/len(got), got[i], f.rebuilt[i])
			return
		}
	}
}

// mixed is a film of all test scenes, with cuts.
func mixed(width, height int) (pictures []*Picture) {
	for i, scene := range []string{"motion", "motion", "motion", "gradient", "gradient", "noise", "noise", "still", "still", "extremes", "motion"} {
		pictures = append(pictures, testPicture(scene, i, width, height))
	}
	return pictures
}

func TestDecodedSizes(t *testing.T) {
	programs.Find(t, "ffmpeg")
	for n := 16; n <= 64; n++ {
		if !longtest.On() && n%7 != 0 {
			continue
		}
		w, h := n, 80-n
		s := Settings{Width: w, Height: h, Rate: 30, Per: 1, QP: LowestQP + n%(52-LowestQP), KeyEvery: 5}
		checkDecoded(t, fmt.Sprintf("%d×%d, QP %d", w, h, s.QP), encodeFilm(t, s, mixed(w, h)))
	}
	for _, size := range [][2]int{{1, 1}, {2, 3}, {15, 200}, {300, 9}, {333, 181}} {
		s := Settings{Width: size[0], Height: size[1], Rate: 30, Per: 1, QP: 26, KeyEvery: 5}
		checkDecoded(t, fmt.Sprint(size), encodeFilm(t, s, mixed(size[0], size[1])))
	}
}

func TestDecodedQualities(t *testing.T) {
	programs.Find(t, "ffmpeg")
	var all encoding // streams one after the other are a stream
	for qp := LowestQP; qp <= 51; qp++ {
		for _, scene := range []string{"noise", "gradient", "motion", "still", "extremes"} {
			if !longtest.On() && qp%5 != 0 {
				continue
			}
			var film []*Picture
			for i := range 4 {
				film = append(film, testPicture(scene, i, 112, 80))
			}
			f := encodeFilm(t, Settings{Width: 112, Height: 80, Rate: 25, Per: 1, QP: qp, KeyEvery: 100}, film)
			all.stream, all.rebuilt, all.units = append(all.stream, f.stream...), append(all.rebuilt, f.rebuilt...), append(all.units, f.units...)
		}
	}
	checkDecoded(t, "QP 10 to 51", all)
}

// More than 256 pictures make frame_num start again.
func TestDecodedLong(t *testing.T) {
	programs.Find(t, "ffmpeg")
	var film []*Picture
	for i := range 270 {
		film = append(film, testPicture("motion", i%40, 40, 24))
	}
	checkDecoded(t, "270 pictures", encodeFilm(t, Settings{Width: 40, Height: 24, Rate: 30, Per: 1, QP: 30, KeyEvery: 1000}, film))
}

// FuzzDecoded tries sizes, qualities and pictures.
func FuzzDecoded(f *testing.F) {
	f.Add(uint8(16), uint8(16), uint8(20), uint64(1))
	f.Add(uint8(63), uint8(33), uint8(10), uint64(2))
	f.Add(uint8(1), uint8(90), uint8(51), uint64(3))
	f.Fuzz(func(t *testing.T, w, h, qp uint8, seed uint64) {
		programs.Find(t, "ffmpeg")
		s := Settings{Width: 1 + int(w)%100, Height: 1 + int(h)%100, Rate: 30, Per: 1, QP: LowestQP + int(qp)%(52-LowestQP), KeyEvery: 1 + int(seed%5)}
		rng := rand.New(rand.NewPCG(seed, 2))
		names := []string{"noise", "gradient", "motion", "still", "extremes"}
		var film []*Picture
		for i := range 5 {
			film = append(film, testPicture(names[rng.IntN(len(names))], i*rng.IntN(9), s.Width, s.Height))
		}
		checkDecoded(t, fmt.Sprintf("%+v, seed %d", s, seed), encodeFilm(t, s, film))
	})
}

func TestSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	s := Settings{Width: 150, Height: 130, Rate: 30, Per: 1, QP: 22, KeyEvery: 5}
	var want encoding
	for i, threads := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(threads)
		got := encodeFilm(t, s, mixed(150, 130))
		if i == 0 {
			want = got
		} else if !bytes.Equal(got.stream, want.stream) || !bytes.Equal(got.rebuilt, want.rebuilt) {
			t.Errorf("%d threads: other bytes than 1", threads)
		}
	}
}

// The finer the quantisation, the nearer the pictures and the longer the
// stream; all ways of coding a macroblock are used.
func TestQuality(t *testing.T) {
	var film []*Picture
	for i := range 8 {
		film = append(film, testPicture("motion", i, 160, 128))
	}
	kinds := [4]int{}
	psnr, size := 100.0, 1<<30
	for qp := 12; qp <= 48; qp += 6 {
		f := encodeFilm(t, Settings{Width: 160, Height: 128, Rate: 30, Per: 1, QP: qp, KeyEvery: 100}, film)
		got := f.psnr()
		// A step of 2^((QP−4)/6) leaves at most an error of step²/12.
		if least := 20*math.Log10(255) - 20*math.Log10(math.Exp2(float64(qp-4)/6)) + 10*math.Log10(12) - 4; got < least {
			t.Errorf("QP %d: %.1f dB, want at least %.1f", qp, got, least)
		}
		if got >= psnr || len(f.stream) >= size {
			t.Errorf("QP %d: %.2f dB in %d bytes, finer %.2f in %d", qp, got, len(f.stream), psnr, size)
		}
		psnr, size = got, len(f.stream)
		for k, n := range f.kinds {
			kinds[k] += n
		}
	}
	for k, n := range kinds {
		if n == 0 {
			t.Errorf("no macroblock of kind %d", k)
		}
	}
}

// Pictures without motion cost next to nothing.
func TestStill(t *testing.T) {
	var film []*Picture
	for range 5 {
		film = append(film, testPicture("still", 0, 320, 240))
	}
	f := encodeFilm(t, Settings{Width: 320, Height: 240, Rate: 30, Per: 1, QP: 24, KeyEvery: 100}, film)
	for i, u := range f.units[1:] {
		if len(u.Data) > 16 {
			t.Errorf("picture %d, as the one before, takes %d bytes", i+1, len(u.Data))
		}
	}
}

// Key pictures are the first, those at cuts, and one in KeyEvery at least.
func TestKeys(t *testing.T) {
	var film []*Picture
	for i := range 9 {
		film = append(film, testPicture("motion", i, 64, 48))
	}
	for range 12 {
		film = append(film, testPicture("noise", 7, 64, 48))
	}
	f := encodeFilm(t, Settings{Width: 64, Height: 48, Rate: 30, Per: 1, QP: 24, KeyEvery: 4}, film)
	var keys []int
	for i, u := range f.units {
		if u.Key != (u.Data[4]&31 == 5) {
			t.Errorf("picture %d: key %v, unit %x", i, u.Key, u.Data[4])
		}
		if u.Key {
			keys = append(keys, i)
		}
	}
	if want := []int{0, 4, 8, 9, 13, 17}; fmt.Sprint(keys) != fmt.Sprint(want) {
		t.Errorf("key pictures %v, want %v", keys, want)
	}
}

func TestSettings(t *testing.T) {
	good := Settings{Width: 1280, Height: 720, Rate: 30, Per: 1, QP: 20, KeyEvery: 90}
	for _, c := range []struct {
		level  byte
		change func(*Settings)
	}{
		{31, func(*Settings) {}},
		{32, func(s *Settings) { s.Rate = 60 }},
		{40, func(s *Settings) { s.Width, s.Height = 1920, 1080 }},
		{51, func(s *Settings) { s.Width, s.Height = 3840, 2160 }},
		{10, func(s *Settings) { s.Width, s.Height, s.Rate = 176, 144, 15 }},
		{62, func(s *Settings) { s.Rate = 1e6 }},
		{0, func(s *Settings) { s.Width, s.Height = 16384, 16384 }},
		{0, func(s *Settings) { s.Width, s.Height = 17000, 16 }},
		{0, func(s *Settings) { s.Width = 0 }},
		{0, func(s *Settings) { s.QP = LowestQP - 1 }},
		{0, func(s *Settings) { s.QP = 52 }},
		{0, func(s *Settings) { s.Rate = 0 }},
		{0, func(s *Settings) { s.KeyEvery = 0 }},
	} {
		s := good
		c.change(&s)
		if level, err := s.level(); c.level > 0 && (err != nil || level != uint32(c.level)) {
			t.Errorf("%+v: level %d, %v; want %d", s, level, err, c.level)
		}
		if c.level == 0 {
			if _, err := New(s); err == nil {
				t.Errorf("%+v: no error", s)
			}
		}
	}
}
