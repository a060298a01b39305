package film

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"strings"

	"breakwater/out/pngfile"
	"breakwater/out/store"
)

func init() {
	Formats.Add("apng", "lossless films, some 50 times the size, for browsers and a few players: animated PNG, written without ffmpeg",
		"PNG Specification, third edition, W3C 2025", func() Format { return &apng{} })
}

type apng struct{}

func (m *apng) Ext() string { return "png" }

// moreEnds returns how such a film may be called where a person names it.
func (m *apng) moreEnds() []string { return []string{".apng"} }

func (m *apng) Encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	err := info.check()
	if err == nil {
		err = m.encode(ctx, f, info, picture)
	}
	if err != nil {
		return fmt.Errorf("apng: %w", err)
	}
	return nil
}

func (m *apng) encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	w := apngWriter{w: f, delay: info.frameDelay()}
	all := image.Rect(0, 0, info.Width, info.Height)
	head := append([]byte(pngfile.Signature), pngfile.AppendChunk(nil, "IHDR", append(be32(uint32(info.Width), uint32(info.Height)), 8, pngTrueColour, 0, 0, 0))...)
	head = pngfile.AppendChunk(head, "sRGB", []byte{0})
	head = pngfile.AppendChunk(head, "acTL", be32(uint32(info.Frames), 0)) // 0: for ever
	head = pngfile.AppendChunk(head, "tEXt", []byte("Software\x00breakwater"))
	head = pngfile.AppendChunk(head, "tEXt", []byte(store.FingerprintKey+"\x00"+info.Fingerprint))
	if _, err := f.Write(head); err != nil {
		return err
	}
	err := inPairs(ctx, info.Frames, func(i int) (*image.RGBA, error) {
		img, err := info.picture(picture, i)
		if err != nil {
			return nil, err
		}
		return rgba(img), nil
	}, func(i int, before, now *image.RGBA) (change, error) {
		r := all
		if i > 0 {
			r = changed(before, now)
		}
		data, err := compressed(now.SubImage(r).(*image.RGBA))
		return change{r, data}, err
	}, w.put)
	if err != nil {
		return err
	}
	_, err = f.Write(pngfile.AppendChunk(nil, "IEND", nil))
	return err
}

// pngTrueColour is the colour type of three channels.
const pngTrueColour = 2

// change is the part of a frame that differs from the previous one.
type change struct {
	at   image.Rectangle
	data []byte // of its IDAT chunks
}

type apngWriter struct {
	w      io.Writer
	delay  [2]uint16 // of a frame, seconds as a fraction
	number uint32    // of the chunks of the animation so far
}

func (w *apngWriter) put(i int, c change) error {
	control := be32(w.number, uint32(c.at.Dx()), uint32(c.at.Dy()), uint32(c.at.Min.X), uint32(c.at.Min.Y))
	control = append(append(control, be16(w.delay[0], w.delay[1])...), 0, 0) // the frame stays and replaces
	b := pngfile.AppendChunk(nil, "fcTL", control)
	w.number++
	// A chunk holds 2 GB at most, and readers ask for memory for all of it.
	const most = 1 << 20
	for at := 0; at < len(c.data); at += most {
		piece := c.data[at:min(at+most, len(c.data))]
		if i == 0 {
			b = pngfile.AppendChunk(b, "IDAT", piece)
			continue
		}
		b = pngfile.AppendChunk(b, "fdAT", append(be32(w.number), piece...))
		w.number++
	}
	_, err := w.w.Write(b)
	return err
}

// compressed returns the data of the IDAT chunks of img, which is opaque.
func compressed(img *image.RGBA) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, img); err != nil {
		return nil, err
	}
	file := b.Bytes()
	data := file[:0]
	for at := len(pngfile.Signature); at < len(file); {
		n := int(binary.BigEndian.Uint32(file[at:]))
		if string(file[at+4:at+8]) == "IDAT" {
			data = append(data, file[at+8:at+8+n]...)
		}
		at += pngfile.Overhead + n
	}
	return data, nil
}

// changed returns the smallest rectangle outside of which two pictures of one
// size are the same; it has a pixel at least.
func changed(a, b *image.RGBA) image.Rectangle {
	r := image.Rectangle{}
	width := b.Rect.Dx()
	for y := range b.Rect.Dy() {
		p, q := a.Pix[y*a.Stride:][:4*width], b.Pix[y*b.Stride:][:4*width]
		if bytes.Equal(p, q) {
			continue
		}
		lo, hi := 0, width
		for bytes.Equal(p[4*lo:4*lo+4], q[4*lo:4*lo+4]) {
			lo++
		}
		for bytes.Equal(p[4*hi-4:4*hi], q[4*hi-4:4*hi]) {
			hi--
		}
		r = r.Union(image.Rect(lo, y, hi, y+1))
	}
	if r.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return r
}

func (m *apng) Check(r io.ReaderAt, size int64) (string, error) {
	fingerprint, animated := "", false
	err := pngfile.EachChunk(r, size, func(typ string, data []byte) error {
		switch typ {
		case "acTL":
			animated = true
		case "tEXt":
			if mark, ours := strings.CutPrefix(string(data), store.FingerprintKey+"\x00"); ours {
				fingerprint = mark
			}
		}
		return nil
	})
	if err == nil && !animated {
		err = errors.New("png: a picture, not a film")
	}
	return fingerprint, err
}
