package film

import (
	"bytes"
	"encoding/binary"
	"image/jpeg"
	"os/exec"
	"strings"
	"testing"

	"breakwater/out/film/h264"
	"breakwater/out/outtest"
)

// probed returns how many frames ffprobe reads of a film, "" without it.
func probed(t *testing.T, path string) string {
	t.Helper()
	probe, err := exec.LookPath("ffprobe")
	if err != nil {
		return ""
	}
	said, err := exec.Command(probe, "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", path).CombinedOutput()
	if err != nil {
		t.Errorf("ffprobe: %v: %s", err, said)
	}
	return strings.TrimSpace(string(said))
}

// An AVI of 6 GB has OpenDML's indices, by which every frame is found.
func TestAVILarge(t *testing.T) {
	f := outtest.NewSparse(t, "film.avi")
	const frames = 12
	info := testFilm
	info.Frames = frames
	w := aviWriter{w: f, info: info, riff: outtest.Gigabyte}
	if err := w.start(); err != nil {
		t.Fatal(err)
	}
	for i := range frames {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, outtest.Picture(i, info.Width, info.Height), nil); err != nil {
			t.Fatal(err)
		}
		if err := w.put(i, b.Bytes()); err != nil {
			t.Fatal(err)
		}
		const hole = 500 << 20
		if err := w.write(append([]byte("JUNK"), le32(hole)...)); err != nil {
			t.Fatal(err)
		}
		f.Skip(t, hole)
		w.at += hole
	}
	if err := w.finish(); err != nil {
		t.Fatal(err)
	}
	size := f.Size(t)
	if got, err := (&avi{}).Check(f, size); got != info.Fingerprint || err != nil {
		t.Errorf("fingerprint %q, %v", got, err)
	}
	for i, c := range w.chunks {
		for k, frame := range c.frames {
			if b := f.At(t, frame.at, 2); b[0] != 0xff || b[1] != 0xd8 {
				t.Errorf("frame %d of chunk %d is not at %d", k, i, frame.at)
			}
			if b := f.At(t, c.index+32+8*int64(k), 4); c.movi+int64(binary.LittleEndian.Uint32(b)) != frame.at {
				t.Errorf("the index of chunk %d has frame %d elsewhere", i, k)
			}
		}
	}
	if got := probed(t, f.Name()); got != "" && got != "12" {
		t.Errorf("ffprobe reads %s frames", got)
	}
}

// An AVI has room for a limited number of chunks; the error names a format without the
// limit.
func TestAVIFull(t *testing.T) {
	w := aviWriter{w: outtest.NewSparse(t, "film.avi"), info: testFilm, riff: 1}
	if err := w.start(); err != nil {
		t.Fatal(err)
	}
	var err error
	n := 0
	for ; err == nil && n < 2*aviMost; n++ {
		err = w.put(n, []byte("a frame"))
	}
	if err == nil || n != aviMost+1 || !strings.Contains(err.Error(), "make an mp4 or webm") {
		t.Errorf("after %d chunks: %v", n, err)
	}
}

// An MP4 of 6 GB stores its length in 64 bits, and the table of sizes leads to the last
// frame.
func TestMP4Large(t *testing.T) {
	f := outtest.NewSparse(t, "film.mp4")
	info := testFilm
	info.Frames = 4
	w := mp4Writer{w: f, info: info, rate: 30, per: 1, sequence: []byte{0x67, 66, 0, 30}, parameters: []byte{0x68}}
	if err := w.start(); err != nil {
		t.Fatal(err)
	}
	put := func(s string) {
		if err := w.put([]h264.Unit{{Data: []byte(s), Key: true}}); err != nil {
			t.Fatal(err)
		}
	}
	put("first")
	const hole = 3 * outtest.Gigabyte
	for range 2 { // frames of nothing
		w.sizes, w.keys, w.data = append(w.sizes, hole), append(w.keys, uint32(len(w.sizes)+1)), w.data+hole
		f.Skip(t, hole)
	}
	put("last frame")
	if err := w.finish(); err != nil {
		t.Fatal(err)
	}
	size := f.Size(t)
	if got, err := (&mp4{}).Check(f, size); got != info.Fingerprint || err != nil {
		t.Errorf("fingerprint %q, %v", got, err)
	}
	lo, hi, ok := findBox(f, 0, size, "mdat")
	if !ok || hi != size {
		t.Fatalf("frames at bytes %d to %d of %d", lo, hi, size)
	}
	const stbl = "moov trak mdia minf stbl "
	table := func(name string) []byte {
		from, to, ok := findBox(f, 0, size, strings.Fields(stbl+name)...)
		if !ok {
			t.Fatalf("no %s", name)
		}
		return f.At(t, from, int(to-from))
	}
	at := int64(binary.BigEndian.Uint32(table("stco")[8:]))
	if at != lo {
		t.Errorf("the frames begin at %d, not %d", lo, at)
	}
	sizes := table("stsz")[12:]
	for range 3 {
		at, sizes = at+int64(binary.BigEndian.Uint32(sizes)), sizes[4:]
	}
	if got := f.At(t, at, int(binary.BigEndian.Uint32(sizes))); string(got) != "last frame" {
		t.Errorf("the last frame is %q", got)
	}
}

// A WebM of 6 GB has clusters where its cues say.
func TestWebMLarge(t *testing.T) {
	f := outtest.NewSparse(t, "film.webm")
	const frames = 5
	info := testFilm
	info.Frames, info.FPS = frames, 1 // a cluster each
	w := webmWriter{w: f, info: info, clusters: make([]int64, frames)}
	if err := w.start(); err != nil {
		t.Fatal(err)
	}
	m := &webm{Quality: 80}
	for i := range frames {
		frame, err := m.keyFrame(outtest.Picture(i, info.Width, info.Height))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.put(i, frame); err != nil {
			t.Fatal(err)
		}
		if i+1 == frames {
			break
		}
		const void, hole = 0xEC, 1500 << 20 // an element that says nothing
		if err := w.write(append([]byte{void}, size8(hole)...)); err != nil {
			t.Fatal(err)
		}
		f.Skip(t, hole)
		w.at += hole
	}
	if err := w.finish(); err != nil {
		t.Fatal(err)
	}
	size := f.Size(t)
	if got, err := m.Check(f, size); got != info.Fingerprint || err != nil {
		t.Errorf("fingerprint %q, %v", got, err)
	}
	segment, _, _ := findElement(f, 0, size, idSegment)
	cues := 0
	eachElement(f, 0, size, func(lo, hi int64) {
		cues++
		at := segment + int64(binary.BigEndian.Uint64(f.At(t, lo, 8)))
		if id, _, _, err := readElement(f, at); id != idCluster || err != nil {
			t.Errorf("no cluster at byte %d: %x, %v", at, id, err)
		}
	}, idSegment, idCues, idCuePoint, idCueTrackPositions, idCueClusterPosition)
	if cues != frames {
		t.Errorf("%d cues", cues)
	}
	if got := probed(t, f.Name()); got != "" && got != "5" {
		t.Errorf("ffprobe reads %s frames", got)
	}
}

// A chunk of an animated PNG is short, however large a picture.
func TestAPNGLarge(t *testing.T) {
	var b bytes.Buffer
	w := apngWriter{w: &b}
	data := bytes.Repeat([]byte("breakwater"), 350_000)
	for i := range 2 {
		if err := w.put(i, change{data: data}); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string][]byte{}
	number := uint32(0)
	for file := b.Bytes(); len(file) > 0; {
		n := binary.BigEndian.Uint32(file)
		typ, piece := string(file[4:8]), file[8:8+n]
		if n > 1<<20+4 {
			t.Errorf("a chunk of %d bytes", n)
		}
		if typ != "IDAT" {
			if seq := binary.BigEndian.Uint32(piece); seq != number {
				t.Errorf("%s has the number %d, want %d", typ, seq, number)
			}
			number++
			piece = piece[4:]
		}
		got[typ] = append(got[typ], piece...)
		file = file[12+n:]
	}
	if !bytes.Equal(got["IDAT"], data) || !bytes.Equal(got["fdAT"], data) {
		t.Error("other data than were written")
	}
}
