package film

import (
	"bytes"
	"encoding/binary"
	"io"

	"breakwater/out/film/h264"
	"breakwater/out/store"
)

// mp4Writer lays a stream of H.264 into a file of ISO/IEC 14496-12, -14 and -15. The
// film's description comes first, so that a browser plays it while it loads. It has a
// fixed size, and is rewritten at the end.
type mp4Writer struct {
	w         io.WriteSeeker
	info      Info
	rate, per uint32 // rate frames in per seconds

	sequence, parameters []byte // NAL units

	sizes []uint32 // of the frames, bytes
	keys  []uint32 // numbers of the key frames, from 1
	data  uint64   // bytes of all frames
}

func (w *mp4Writer) start() error {
	_, err := w.w.Write(w.head())
	return err
}

// put adds frames.
func (w *mp4Writer) put(units []h264.Unit) error {
	for _, u := range units {
		w.sizes = append(w.sizes, uint32(len(u.Data)))
		if u.Key {
			w.keys = append(w.keys, uint32(len(w.sizes)))
		}
		w.data += uint64(len(u.Data))
		if _, err := w.w.Write(u.Data); err != nil {
			return err
		}
	}
	return nil
}

func (w *mp4Writer) finish() error {
	if _, err := w.w.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := w.w.Write(w.head())
	return err
}

// head returns all that comes before the frames. Its length depends on their
// number alone.
func (w *mp4Writer) head() []byte {
	ftyp := box("ftyp", []byte("isom"), be32(512), []byte("isomiso2avc1mp41"))
	moov := w.moov(0)
	room := box("free", make([]byte, 4*(w.info.Frames-len(w.keys))))
	const mdatHead = 16 // with a size of 8 bytes: films may be longer than 4 GB
	start := len(ftyp) + len(moov) + len(room) + mdatHead
	mdat := append(be32(1), "mdat"...)
	mdat = binary.BigEndian.AppendUint64(mdat, mdatHead+w.data)
	return bytes.Join([][]byte{ftyp, w.moov(uint32(start)), room, mdat}, nil)
}

// moov returns the box that describes the film, whose frames start at the given byte.
func (w *mp4Writer) moov(start uint32) []byte {
	width, height := uint32(w.info.Width), uint32(w.info.Height)
	n := uint32(w.info.Frames)
	length := n * w.per // in units of 1/rate s
	sizes := make([]uint32, n)
	copy(sizes, w.sizes)

	const one = 1 << 16 // of numbers with 16 bits after the point
	matrix := be32(one, 0, 0, 0, one, 0, 0, 0, 1<<30)
	s, p := w.sequence, w.parameters
	avcC := box("avcC", // ISO/IEC 14496-15, 5.3.3.1
		[]byte{1, s[1], s[2], s[3], 0xfc | 3, 0xe0 | 1}, be16(uint16(len(s))), s, // lengths of units are 3 + 1 bytes
		[]byte{1}, be16(uint16(len(p))), p)
	colr := box("colr", []byte("nclx"), be16(1, 1, 1), []byte{0}) // ITU-R BT.709, limited range
	pasp := box("pasp", be32(1, 1))
	const dpi72 = 72 << 16
	avc1 := box("avc1", make([]byte, 6), be16(1), make([]byte, 16), be16(uint16(width), uint16(height)),
		be32(dpi72, dpi72, 0), be16(1), make([]byte, 32), be16(24, 0xffff), avcC, colr, pasp)
	stbl := box("stbl",
		box("stsd", be32(0, 1), avc1),
		box("stts", be32(0, 1, n, w.per)),
		box("stss", be32(0, uint32(len(w.keys))), be32(w.keys...)),
		box("stsc", be32(0, 1, 1, n, 1)), // one chunk of all frames
		box("stsz", be32(0, 0, n), be32(sizes...)),
		box("stco", be32(0, 1, start)))
	minf := box("minf", box("vmhd", be32(1, 0, 0)), box("dinf", box("dref", be32(0, 1), box("url ", be32(1)))), stbl)
	mdia := box("mdia",
		box("mdhd", be32(0, 0, 0, w.rate, length), be16(0x55c4, 0)), // language: undetermined
		box("hdlr", be32(0, 0), []byte("vide"), be32(0, 0, 0), []byte("breakwater\x00")),
		minf)
	const enabledInMovie = 3
	trak := box("trak",
		box("tkhd", be32(enabledInMovie, 0, 0, 1, 0, length, 0, 0), be16(0, 0, 0, 0), matrix, be32(width<<16, height<<16)),
		mdia)
	const utf8 = 1
	comment := box("\xa9cmt", box("data", be32(utf8, 0), []byte(store.FingerprintKey+" "+w.info.Fingerprint)))
	udta := box("udta", box("meta", be32(0), box("hdlr", be32(0, 0), []byte("mdirappl"), be32(0, 0), []byte{0}), box("ilst", comment)))
	mvhd := box("mvhd", be32(0, 0, 0, w.rate, length, one), be16(1<<8, 0), be32(0, 0), matrix, make([]byte, 24), be32(2))
	return box("moov", mvhd, trak, udta)
}

// box returns a box of ISO/IEC 14496-12 of the given parts.
func box(typ string, parts ...[]byte) []byte {
	n := 8
	for _, p := range parts {
		n += len(p)
	}
	b := append(be32(uint32(n)), typ...)
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}
