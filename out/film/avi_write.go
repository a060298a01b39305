package film

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"breakwater/out/store"
)

// aviWriter writes JPEG pictures to an AVI file: a header of fixed length, which is
// rewritten at the end, then RIFF chunks of frames. Each chunk has an index of its own
// (OpenDML), and the header refers to the indices. The first chunk also has the index of
// plain AVI. A film may therefore exceed 4 GB; programs without OpenDML play its first
// chunk.
type aviWriter struct {
	w    io.WriteSeeker
	info Info
	riff int64 // most bytes of frames in a RIFF chunk

	at      int64 // length of the file
	frames  int   // in the file
	largest int   // frame, bytes
	chunks  []aviChunk
}

// aviChunk is a RIFF chunk.
type aviChunk struct {
	at     int64 // in the file
	movi   int64 // where its list of frames starts
	frames []aviFrame
	index  int64 // where its index lies
	end    int64
}

type aviFrame struct {
	at   int64 // of its data in the file
	size uint32
}

const (
	aviHasIndex  = 0x10
	aviKeyFrame  = 0x10
	aviMost      = 256 // RIFF chunks, for which there is room in the head
	aviFrameName = "00dc"
)

func (w *aviWriter) start() error {
	w.chunks = append(w.chunks, aviChunk{})
	return w.write(w.head())
}

func (w *aviWriter) write(b []byte) error {
	n, err := w.w.Write(b)
	w.at += int64(n)
	return err
}

// put adds frame i.
func (w *aviWriter) put(i int, frame []byte) error {
	c := &w.chunks[len(w.chunks)-1]
	if len(c.frames) > 0 && w.at+int64(len(frame))-c.at > w.riff {
		if err := w.endChunk(); err != nil {
			return err
		}
		if len(w.chunks) == aviMost {
			return fmt.Errorf("frame %d is past the %d GB that an AVI can hold: make an mp4 or webm", i+1, w.at>>30)
		}
		w.chunks = append(w.chunks, aviChunk{at: w.at, movi: w.at + 12})
		c = &w.chunks[len(w.chunks)-1]
		if err := w.write(riffHead(0, "AVIX", 0)); err != nil {
			return err
		}
	}
	c.frames = append(c.frames, aviFrame{w.at + 8, uint32(len(frame))})
	w.largest = max(w.largest, len(frame))
	w.frames++
	return w.write(chunk(aviFrameName, frame))
}

// endChunk writes the indices of the last chunk.
func (w *aviWriter) endChunk() error {
	c := &w.chunks[len(w.chunks)-1]
	c.index = w.at
	const ofChunks = 1 // AVI_INDEX_OF_CHUNKS
	b := append(le16(2), 0, ofChunks)
	b = append(b, le32(uint32(len(c.frames)))...)
	b = append(b, aviFrameName...)
	b = binary.LittleEndian.AppendUint64(b, uint64(c.movi))
	b = append(b, le32(0)...)
	for _, f := range c.frames {
		b = append(b, le32(uint32(f.at-c.movi), f.size)...)
	}
	if err := w.write(chunk("ix00", b)); err != nil {
		return err
	}
	moviEnd := w.at
	if len(w.chunks) == 1 {
		b = b[:0]
		for _, f := range c.frames { // counted from the list's name on, to the frame's
			b = append(b, aviFrameName...)
			b = append(b, le32(aviKeyFrame, uint32(f.at-8-(c.movi+8)), f.size)...)
		}
		if err := w.write(chunk("idx1", b)); err != nil {
			return err
		}
	}
	c.end = w.at
	movi := uint32(moviEnd - c.movi - 8)
	if len(w.chunks) == 1 { // the rest of its head is written at the end
		return w.patch(c.movi+4, le32(movi))
	}
	return w.patch(c.at, riffHead(uint32(c.end-c.at-8), "AVIX", movi))
}

// patch writes b at a place before the file's end, and goes back to it.
func (w *aviWriter) patch(at int64, b []byte) error {
	if _, err := w.w.Seek(at, io.SeekStart); err != nil {
		return err
	}
	if _, err := w.w.Write(b); err != nil {
		return err
	}
	_, err := w.w.Seek(w.at, io.SeekStart)
	return err
}

func (w *aviWriter) finish() error {
	if err := w.endChunk(); err != nil {
		return err
	}
	head := w.head()
	return w.patch(0, head[:len(head)-12]) // the list of frames has its length
}

// riffHead returns the start of a RIFF chunk and of the list of its frames.
func riffHead(size uint32, kind string, movi uint32) []byte {
	b := append([]byte("RIFF"), le32(size)...)
	b = append(b, kind...)
	b = append(b, "LIST"...)
	return append(append(b, le32(movi)...), "movi"...)
}

// head returns all that comes before the frames of the first chunk, as far as
// it is known. Its length depends on the film's settings alone.
func (w *aviWriter) head() []byte {
	i := w.info
	rate, per := i.ratio()
	first := &w.chunks[0]
	buffer := uint32(w.largest)
	avih := le32(uint32(math.Round(1e6/i.FPS)), uint32(min(float64(w.largest)*i.FPS, math.MaxUint32)), 0, aviHasIndex,
		uint32(len(first.frames)), 0, 1, buffer, uint32(i.Width), uint32(i.Height), 0, 0, 0, 0)
	strh := append([]byte("vidsMJPG"), le32(0, 0, 0, per, rate, 0, uint32(i.Frames), buffer, math.MaxUint32, 0)...)
	strh = append(strh, le16(0, 0, uint16(min(i.Width, math.MaxInt16)), uint16(min(i.Height, math.MaxInt16)))...)
	strf := append(le32(40, uint32(i.Width), uint32(i.Height)), le16(1, 24)...)
	strf = append(append(strf, "MJPG"...), le32(uint32(min(3*i.Width*i.Height, math.MaxInt32)), 0, 0, 0, 0)...)

	const perEntry = 4 // words
	indx := append(le16(perEntry), 0, 0)
	known := w.chunks
	if first.end == 0 {
		known = nil
	}
	indx = append(append(indx, le32(uint32(len(known)))...), aviFrameName...)
	indx = append(indx, le32(0, 0, 0)...)
	for _, c := range known {
		indx = binary.LittleEndian.AppendUint64(indx, uint64(c.index))
		indx = append(indx, le32(uint32(8+24+8*len(c.frames)), uint32(len(c.frames)))...)
	}
	indx = append(indx, make([]byte, 4*perEntry*(aviMost-len(known)))...)

	odml := list("odml", chunk("dmlh", append(le32(uint32(w.frames)), make([]byte, 244)...)))
	hdrl := list("hdrl", chunk("avih", avih), list("strl", chunk("strh", strh), chunk("strf", strf), chunk("indx", indx)), odml)
	about := list("INFO", chunk("ISFT", []byte("breakwater\x00")), chunk("ICMT", []byte(store.FingerprintKey+" "+i.Fingerprint+"\x00")))
	first.movi = int64(12 + len(hdrl) + len(about))
	b := append([]byte("RIFF"), le32(uint32(max(0, first.end-8)))...)
	b = append(append(append(b, "AVI "...), hdrl...), about...)
	return append(append(b, "LIST"...), append(le32(0), "movi"...)...)
}

// chunk returns a chunk of RIFF: name, size, data, and a byte more if it is odd.
func chunk(name string, data []byte) []byte {
	b := append([]byte(name), le32(uint32(len(data)))...)
	return append(append(b, data...), make([]byte, len(data)&1)...)
}

// list returns a chunk of chunks.
func list(name string, chunks ...[]byte) []byte {
	b := []byte(name)
	for _, c := range chunks {
		b = append(b, c...)
	}
	return chunk("LIST", b)
}

func le32(v ...uint32) []byte { return numbers(binary.LittleEndian, v) }
func le16(v ...uint16) []byte { return numbers(binary.LittleEndian, v) }
func be32(v ...uint32) []byte { return numbers(binary.BigEndian, v) }
func be16(v ...uint16) []byte { return numbers(binary.BigEndian, v) }

// numbers returns v in the given byte order.
func numbers[T uint16 | uint32](order binary.ByteOrder, v []T) []byte {
	b, _ := binary.Append(nil, order, v) // which fails for types without a fixed size
	return b
}
