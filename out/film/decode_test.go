package film

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/deepteams/webp"

	"breakwater/out/outtest"
	"breakwater/out/programs"
	"breakwater/out/store"
	"breakwater/sim/longtest"
)

// node is an element of EBML, read by a reader that shares no code with the writer.
type node struct {
	id   uint64
	at   int // of its identifier
	data []byte
	sub  []node
}

// masters are the elements that hold others.
var masters = []uint64{idEBML, idSegment, idSeekHead, idSeek, idInfo, idTracks, idTrackEntry, idVideo, idColour,
	idTags, idTag, idTargets, idSimpleTag, idCues, idCuePoint, idCueTrackPositions, idCluster}

func parseEBML(t *testing.T, b []byte, at int) []node {
	var nodes []node
	vint := func(keep bool) uint64 {
		n, mask := 1, byte(0x80)
		for b[0]&mask == 0 {
			n, mask = n+1, mask>>1
		}
		v := uint64(b[0])
		if !keep {
			v = uint64(b[0] &^ mask)
		}
		for _, c := range b[1:n] {
			v = v<<8 | uint64(c)
		}
		b, at = b[n:], at+n
		return v
	}
	for len(b) > 0 {
		n := node{at: at}
		n.id = vint(true)
		size := int(vint(false))
		if size > len(b) {
			t.Fatalf("element %x of %d bytes at %d: only %d are there", n.id, size, n.at, len(b))
		}
		n.data = b[:size]
		if slices.Contains(masters, n.id) {
			n.sub = parseEBML(t, n.data, at)
		}
		b, at = b[size:], at+size
		nodes = append(nodes, n)
	}
	return nodes
}

func (n node) all(id uint64) (found []node) {
	for _, s := range n.sub {
		if s.id == id {
			found = append(found, s)
		}
	}
	return found
}

func (n node) one(t *testing.T, path ...uint64) node {
	t.Helper()
	for _, id := range path {
		f := n.all(id)
		if len(f) != 1 {
			t.Fatalf("%d elements %x in %x, want 1", len(f), id, n.id)
		}
		n = f[0]
	}
	return n
}

func (n node) uint() (v uint64) {
	for _, c := range n.data {
		v = v<<8 | uint64(c)
	}
	return v
}

// The structure follows RFC 9559, and every place that the file names is where it says.
func TestWebMStructure(t *testing.T) {
	d := outtest.Dir(t, store.OpenDir)
	info := testFilm
	info.FPS, info.Frames = 12.5, 31 // clusters of 12, 12 and 7
	if err := writeFilm(t.Context(), d, "film.webm", &webm{Quality: 90}, info); err != nil {
		t.Fatal(err)
	}
	top := node{sub: parseEBML(t, []byte(outtest.Contents(t, d, "film.webm")), 0)}
	if len(top.sub) != 2 || string(top.one(t, idEBML, idDocType).data) != "webm" {
		t.Fatalf("%d elements, document type %q", len(top.sub), top.one(t, idEBML, idDocType).data)
	}
	segment := top.one(t, idSegment)
	start := segment.sub[0].at

	video := segment.one(t, idTracks, idTrackEntry, idVideo)
	for _, c := range []struct {
		what      string
		got, want uint64
	}{
		{"width", video.one(t, idPixelWidth).uint(), uint64(testFilm.Width)},
		{"height", video.one(t, idPixelHeight).uint(), uint64(testFilm.Height)},
		{"matrix", video.one(t, idColour, idMatrixCoefficients).uint(), 6},
		{"range", video.one(t, idColour, idRange).uint(), 1},
		{"frame, ns", segment.one(t, idTracks, idTrackEntry, idDefaultDuration).uint(), 80_000_000},
		{"tick, ns", segment.one(t, idInfo, idTimestampScale).uint(), 1_000_000},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.what, c.got, c.want)
		}
	}
	if got := math.Float64frombits(segment.one(t, idInfo, idDuration).uint()); got != 31*80 {
		t.Errorf("duration %g ms, want %d", got, 31*80)
	}

	// The index at the front and the cues point at elements.
	at := map[uint64]uint64{}
	for _, s := range segment.sub {
		at[uint64(s.at-start)] = s.id
	}
	for _, s := range segment.one(t, idSeekHead).all(idSeek) {
		if got := at[s.one(t, idSeekPosition).uint()]; got != s.one(t, idSeekID).uint() {
			t.Errorf("the index leads to element %x for %x", got, s.one(t, idSeekID).uint())
		}
	}
	clusters, cues := segment.all(idCluster), segment.one(t, idCues).all(idCuePoint)
	if len(clusters) != 3 || len(cues) != 3 {
		t.Fatalf("%d clusters, %d cues", len(clusters), len(cues))
	}
	frame := 0
	for c, cluster := range clusters {
		time := cluster.one(t, idTimestamp).uint()
		if pos := cues[c].one(t, idCueTrackPositions, idCueClusterPosition).uint(); pos != uint64(cluster.at-start) || cues[c].one(t, idCueTime).uint() != time {
			t.Errorf("cue %d leads to %d, cluster %d is at %d", c, pos, c, cluster.at-start)
		}
		for _, b := range cluster.all(idSimpleBlock) {
			if b.data[0] != 0x81 || b.data[3] != 0x80 {
				t.Errorf("frame %d: track %x, flags %x", frame, b.data[0], b.data[3])
			}
			if got := time + uint64(binary.BigEndian.Uint16(b.data[1:])); got != uint64(80*frame) {
				t.Errorf("frame %d is at %d ms, want %d", frame, got, 80*frame)
			}
			img := decodeVP8(t, b.data[4:])
			comparePictures(t, fmt.Sprint("frame ", frame), img, outtest.Picture(frame, testFilm.Width, testFilm.Height), 4)
			frame++
		}
	}
	if frame != info.Frames {
		t.Errorf("%d frames, want %d", frame, info.Frames)
	}
}

// decodeVP8 decodes a key frame as the WebP file that it was.
func decodeVP8(t *testing.T, frame []byte) image.Image {
	t.Helper()
	pad := len(frame) & 1
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+8+len(frame)+pad))
	b = binary.LittleEndian.AppendUint32(append(b, "WEBPVP8 "...), uint32(len(frame)))
	b = append(append(b, frame...), make([]byte, pad)...)
	img, err := webp.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// comparePictures checks for a root mean square difference of at most tol levels, and no
// shift of a whole channel by more than one.
func comparePictures(t *testing.T, what string, got, want image.Image, tol float64) {
	t.Helper()
	if got.Bounds().Size() != want.Bounds().Size() {
		t.Errorf("%s: %v, want %v", what, got.Bounds().Size(), want.Bounds().Size())
		return
	}
	a, b := rgb24(got), rgb24(want)
	var square float64
	var shift [3]float64
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		square += d * d
		shift[i%3] += d
	}
	n := float64(len(a))
	if rms := math.Sqrt(square / n); rms > tol {
		t.Errorf("%s: differs by %.2f levels, at most %.1f wanted", what, rms, tol)
	}
	for c, s := range shift {
		if s /= n / 3; math.Abs(s) > 1 {
			t.Errorf("%s: channel %d is shifted by %.2f levels", what, c, s)
		}
	}
}

// A key frame has the same bytes from a new encoder and from one that worked
// before, on something else.
func TestVP8SameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	m := &webm{Quality: 90}
	rng := rand.New(rand.NewPCG(1, 1))
	noise := image.NewRGBA(image.Rect(0, 0, 640, 360))
	for i := range noise.Pix {
		noise.Pix[i] = byte(100+rng.IntN(30)) | byte(i%4/3*255)
	}
	var want []byte
	for i := range 4 {
		if i < 2 { // empty the encoder's pools
			runtime.GC()
			runtime.GC()
		}
		got, err := m.keyFrame(noise)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && !bytes.Equal(got, want) {
			t.Errorf("encoding %d gives other bytes", i)
		}
		want = got
		if _, err := m.keyFrame(outtest.Picture(i, 640, 360)); err != nil {
			t.Fatal(err)
		}
	}
}

// Another program decodes the films: the right number of frames, at the right
// rate, in the right colours, and from the middle on.
func TestFilmsDecode(t *testing.T) {
	longtest.Only(t)
	tool, probe := programs.Find(t, "ffmpeg"), programs.Find(t, "ffprobe")
	tv := func(space string) []string {
		return []string{"color_range=tv", "color_space=" + space, "breakwater-fingerprint beef"}
	}
	for name, m := range movies(t) {
		t.Run(name, func(t *testing.T) {
			about := []string{"r_frame_rate=30/1", "avg_frame_rate=30/1", "nb_read_frames=64", "width=320", "height=180", "duration=2.13"}
			tolerance := 4.0
			switch m.Ext() {
			case "webm":
				about = append(about, append(tv("smpte170m"), "codec_name=vp8")...)
			case "avi":
				about = append(about, "codec_name=mjpeg", "color_range=pc", "color_space=bt470bg", "breakwater-fingerprint beef")
			case "prores.mov":
				about = append(about, append(tv("bt709"), "codec_name=prores", "profile=hq", "pix_fmt=yuv422p10le")...)
				tolerance = 2
			case "png":
				about = append(about[1:5], "codec_name=apng", "pix_fmt=rgb24") // its reader knows of no length, nor comments
				tolerance = 0
			case "gif":
				// Frames last 3 or 4 hundredths.
				about = append(about[2:5], "codec_name=gif", "duration=2.13", "breakwater-fingerprint beef")
				tolerance = 8
			default:
				about = append(about, append(tv("bt709"), "codec_name=h264")...)
			}
			d := outtest.Dir(t, store.OpenDir)
			info := Info{Width: 320, Height: 180, FPS: 30, Frames: 64, Fingerprint: "beef", Encoder: "auto", CRF: 16}
			if err := writeFilm(t.Context(), d, "film."+m.Ext(), m, info); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(d.Path(), "film."+m.Ext())
			said, err := exec.Command(probe, "-v", "error", "-count_frames", "-show_entries",
				"stream=codec_name,profile,pix_fmt,r_frame_rate,avg_frame_rate,nb_read_frames,width,height,color_range,color_space:format=duration:format_tags=comment", "-of", "default", path).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			for _, want := range about {
				if !strings.Contains(strings.ToLower(string(said)), want) {
					t.Errorf("no %s in\n%s", want, said)
				}
			}
			starts := []int{0, 45}
			if m.Ext() == "png" { // whose reader cannot start in the middle
				starts = starts[:1]
			}
			for _, from := range starts {
				raw, err := exec.Command(tool, "-v", "error", "-ss", fmt.Sprint(float64(from)/info.FPS), "-i", path, "-fps_mode", "passthrough",
					"-f", "rawvideo", "-pix_fmt", "rgb24", "-sws_flags", "accurate_rnd+full_chroma_int+full_chroma_inp+bicubic", "-").Output()
				if err != nil {
					t.Fatal(err)
				}
				size := 3 * info.Width * info.Height
				if len(raw) != size*(info.Frames-from) {
					t.Fatalf("from frame %d: %g frames, want %d", from, float64(len(raw))/float64(size), info.Frames-from)
				}
				for i := from; i < info.Frames; i += 9 {
					img := image.NewNRGBA(image.Rect(0, 0, info.Width, info.Height))
					for p, c := range raw[(i-from)*size:][:size] {
						img.Pix[p/3*4+p%3], img.Pix[p/3*4+3] = c, 255
					}
					comparePictures(t, fmt.Sprint("frame ", i), img, outtest.Picture(i, info.Width, info.Height), tolerance)
				}
			}
		})
	}
}

func BenchmarkMovie(b *testing.B) {
	for _, name := range []string{"webm", "avi", "apng", "gif", "mp4-own", "mp4-ffmpeg"} {
		m := map[string]Format{"avi": &avi{Quality: 92, riff: 1 << 30}, "apng": &apng{}, "gif": &gifMovie{}, "webm": &webm{Quality: 90}, "mp4-own": encodedBy{&mp4{}, "own"}, "mp4-ffmpeg": encodedBy{&mp4{}, "ffmpeg"}}[name]
		b.Run(name+"/1280x720", func(b *testing.B) {
			if err := byX264.ready(b.Context()); name == "mp4-ffmpeg" && err != nil {
				b.Skip(err)
			}
			d := outtest.Dir(b, store.OpenDir)
			info := Info{Width: 1280, Height: 720, FPS: 30, Frames: 20, Encoder: "auto", CRF: 16}
			for b.Loop() {
				if err := writeFilm(b.Context(), d, "film", m, info); err != nil {
					b.Fatal(err)
				}
			}
			n := len(outtest.Contents(b, d, "film"))
			b.ReportMetric(float64(info.Frames*b.N)/b.Elapsed().Seconds(), "frames/s")
			b.ReportMetric(float64(info.Width*info.Height*info.Frames*b.N)/1e6/b.Elapsed().Seconds(), "Mpixel/s")
			b.ReportMetric(float64(n)/float64(info.Frames), "bytes/frame")
		})
	}
}
