package film

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"

	"github.com/deepteams/webp"

	"breakwater/out/store"
)

func init() {
	Formats.Add("webm", "films for browsers and most players: WebM with VP8, in which every frame is complete; written without ffmpeg",
		"RFC 6386 (VP8), RFC 9559 (Matroska)", func() Format { return &webm{Quality: 90} })
}

type webm struct {
	Quality float64 `toml:"quality" range:"[0, 100]" doc:"Quality of the pictures: at 75 artefacts are visible on close inspection, at 90 they are not."`
}

func (m *webm) Ext() string { return "webm" }

// vp8Max is the largest width and height that a VP8 frame's header can hold
// (RFC 6386, 9.1).
const vp8Max = 1<<14 - 1

// vp8Method is how hard the encoder tries, of 0 to 6. It must be the same all
// through a process: version 1.1.0 keeps encoders for reuse, and one that
// worked by another method before can write a broken picture.
//
// From 3 on it works on rows in parallel if it may, and then always writes the same
// bytes. Its other path, for one core or at most 48 rows of pixels, does not: it starts
// from the state that the picture before has left.
const vp8Method = 4

// vp8Tables makes the encoder fill its tables, which its first call does, and
// which calls at the same time would find half filled.
var vp8Tables = sync.OnceValue(func() error {
	o := webp.DefaultOptions()
	o.Method = vp8Method
	return webp.Encode(io.Discard, opaque(image.NewRGBA(image.Rect(0, 0, 64, 64))), o)
})

func (m *webm) Encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	if err := info.check(); err != nil {
		return fmt.Errorf("webm: %w", err)
	}
	if info.Width > vp8Max || info.Height > vp8Max {
		return fmt.Errorf("webm: a film of %d×%d pixels: at most %d each way", info.Width, info.Height, vp8Max)
	}
	if runtime.GOMAXPROCS(0) == 1 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // see vp8Method
	}
	w := webmWriter{w: f, info: info, clusters: make([]int64, (info.Frames+info.perCluster()-1)/info.perCluster())}
	if err := w.start(); err != nil {
		return fmt.Errorf("webm: %w", err)
	}
	err := encode(ctx, info, picture, m.keyFrame, w.put)
	if err == nil {
		err = w.finish()
	}
	if err != nil {
		return fmt.Errorf("webm: %w", err)
	}
	return nil
}

// keyFrame returns img as a key frame of VP8, like the "VP8 " chunk of a lossy WebP file
// (RFC 9649, 2.5).
func (m *webm) keyFrame(img image.Image) ([]byte, error) {
	if err := vp8Tables(); err != nil {
		return nil, err
	}
	o := webp.DefaultOptions()
	o.Quality = float32(m.Quality)
	o.Method = vp8Method
	var b bytes.Buffer
	if err := webp.Encode(&b, opaque(img), o); err != nil {
		return nil, err
	}
	const riff, chunk = 12, 8 // bytes of the heads of the file and of a chunk
	data := b.Bytes()
	if len(data) < riff+chunk || string(data[riff:riff+4]) != "VP8 " {
		return nil, errors.New("the encoder did not make a plain VP8 frame")
	}
	n := int(binary.LittleEndian.Uint32(data[riff+4:]))
	if n > len(data)-riff-chunk {
		return nil, errors.New("the encoder made a VP8 frame that is cut short")
	}
	return data[riff+chunk:][:n], nil
}

// perCluster is the number of frames in a cluster, about one second. Players seek to the
// starts of clusters.
func (i Info) perCluster() int { return max(1, int(i.FPS)) }

// millis returns when frame n starts, in ms, the unit of time that WebM
// players expect. Every time is rounded from the exact one.
func (i Info) millis(n int) int64 { return int64(math.Round(float64(n) * 1000 / i.FPS)) }

// webmWriter lays the frames into a file: a head of fixed length, then the
// clusters. Once they are written, and it is known where they lie, the head
// is written again.
type webmWriter struct {
	w        io.WriteSeeker
	info     Info
	clusters []int64 // where each lies in the file
	blocks   []byte  // of the cluster that is being filled
	at       int64   // length of the file
}

func (w *webmWriter) start() error { return w.write(w.head()) }

func (w *webmWriter) write(b []byte) error {
	n, err := w.w.Write(b)
	w.at += int64(n)
	return err
}

// put adds frame i.
func (w *webmWriter) put(i int, frame []byte) error {
	per := w.info.perCluster()
	first := i - i%per
	after := w.info.millis(i) - w.info.millis(first)
	const track, keyFrame = 0x81, 0x80
	block := []byte{track, byte(after >> 8), byte(after), keyFrame}
	w.blocks = append(w.blocks, element(idSimpleBlock, block, frame)...)
	if i+1-first < per && i+1 < w.info.Frames {
		return nil
	}
	w.clusters[i/per] = w.at
	err := w.write(element(idCluster, uintElement(idTimestamp, uint64(w.info.millis(first))), w.blocks))
	w.blocks = w.blocks[:0]
	return err
}

func (w *webmWriter) finish() error {
	if _, err := w.w.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := w.w.Write(w.head())
	return err
}

// head returns all that comes before the clusters, as far as it is known. Its
// length depends on the film's settings alone.
func (w *webmWriter) head() []byte {
	i := w.info
	ebml := element(idEBML,
		uintElement(idEBMLVersion, 1), uintElement(idEBMLReadVersion, 1),
		uintElement(idEBMLMaxIDLength, 4), uintElement(idEBMLMaxSizeLength, 8),
		stringElement(idDocType, "webm"),
		uintElement(idDocTypeVersion, 4), uintElement(idDocTypeReadVersion, 2))
	segment := int64(len(ebml) + 4 + 8) // where its data starts: positions count from here

	about := element(idInfo,
		uintElement(idTimestampScale, 1e6), // ns
		floatElement(idDuration, float64(i.Frames)*1000/i.FPS),
		stringElement(idMuxingApp, "breakwater"), stringElement(idWritingApp, "breakwater"))
	// WebP converts RGB to limited range (1) by the matrix of BT.601 (6).
	colour := element(idColour, uintElement(idMatrixCoefficients, 6), uintElement(idRange, 1))
	tracks := element(idTracks, element(idTrackEntry,
		uintElement(idTrackNumber, 1), uintElement(idTrackUID, 1),
		uintElement(idTrackType, 1), uintElement(idFlagLacing, 0),
		uintElement(idDefaultDuration, uint64(math.Round(1e9/i.FPS))), // ns
		stringElement(idCodecID, "V_VP8"),
		element(idVideo, uintElement(idPixelWidth, uint64(i.Width)), uintElement(idPixelHeight, uint64(i.Height)), colour)))
	tags := element(idTags, element(idTag, element(idTargets), element(idSimpleTag,
		stringElement(idTagName, "COMMENT"), stringElement(idTagString, store.FingerprintKey+" "+i.Fingerprint))))
	var points []byte
	for c, at := range w.clusters {
		points = append(points, element(idCuePoint, uintElement(idCueTime, uint64(i.millis(c*i.perCluster()))),
			element(idCueTrackPositions, uintElement(idCueTrack, 1), uintElement(idCueClusterPosition, uint64(max(0, at-segment)))))...)
	}
	cues := element(idCues, points)

	seek := func(id uint32, at int) []byte {
		return element(idSeek, element(idSeekID, appendID(nil, id)), uintElement(idSeekPosition, uint64(at)))
	}
	seekHead := func(start int) []byte { // start: its own length
		at := start
		return element(idSeekHead,
			seek(idInfo, at), seek(idTracks, at+len(about)), seek(idTags, at+len(about)+len(tracks)),
			seek(idCues, at+len(about)+len(tracks)+len(tags)))
	}
	index := seekHead(len(seekHead(0)))
	size := size8(int(max(0, w.at-segment)))
	return bytes.Join([][]byte{ebml, appendID(nil, idSegment), size, index, about, tracks, tags, cues}, nil)
}

func (m *webm) Check(r io.ReaderAt, size int64) (string, error) {
	const top = 0
	if lo, hi, ok := findElement(r, top, size, idEBML, idDocType); !ok || hi-lo != 4 {
		return "", errors.New("webm: not a WebM file, or cut short")
	}
	_, hi, ok := findElement(r, top, size, idSegment)
	if !ok || hi != size {
		return "", fmt.Errorf("webm: cut short at byte %d, or unfinished", size)
	}
	lo, hi, ok := findElement(r, top, size, idSegment, idTags, idTag, idSimpleTag, idTagString)
	if !ok || hi-lo > 1<<10 {
		return "", nil
	}
	text := make([]byte, hi-lo)
	if _, err := r.ReadAt(text, lo); err != nil {
		return "", err
	}
	return strings.TrimPrefix(string(text), store.FingerprintKey+" "), nil
}
