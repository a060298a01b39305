package film

import (
	"bufio"
	"bytes"
	"compress/lzw"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strings"

	"breakwater/out/store"
	"breakwater/sim/par"
)

func init() {
	Formats.Add("gif", "films for any program that shows pictures: animated GIF with one palette of 255 colours and a fixed dither pattern, written without ffmpeg; no player exceeds 50 frames per second, so faster films keep every second frame or fewer",
		"CompuServe GIF89a", func() Format { return &gifMovie{} })
}

type gifMovie struct{}

func (m *gifMovie) Ext() string { return "gif" }

// gifMax is the largest width and height that a GIF's header can hold.
const gifMax = 1<<16 - 1

// gifFastest is the highest frame rate that players honour. A GIF counts in hundredths
// of a second, and players treat 1 as slow.
const gifFastest = 50

// paletteFrames is how many frames of a film its colours are chosen from.
const paletteFrames = 16

func (m *gifMovie) Encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	err := info.check()
	if err == nil && (info.Width > gifMax || info.Height > gifMax) {
		err = fmt.Errorf("a film of %d×%d pixels: at most %d each way", info.Width, info.Height, gifMax)
	}
	if err == nil {
		err = m.encode(ctx, f, info, picture)
	}
	if err != nil {
		return fmt.Errorf("gif: %w", err)
	}
	return nil
}

func (m *gifMovie) encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	step := int(math.Ceil(info.FPS / gifFastest))
	frames := (info.Frames + step - 1) / step
	shown := func(i int) (*image.RGBA, error) {
		img, err := info.picture(picture, i*step)
		if err != nil {
			return nil, err
		}
		return rgba(img), nil
	}
	var seen histogram
	looks := min(frames, paletteFrames)
	err := par.Ordered(ctx, looks, func(k int) (*histogram, error) {
		img, err := shown(k * (frames - 1) / max(1, looks-1))
		if err != nil {
			return nil, err
		}
		h := &histogram{}
		h.count(img)
		return h, nil
	}, func(_ int, h *histogram) error {
		seen.add(h)
		return nil
	})
	if err != nil {
		return err
	}
	colours := seen.palette(gifColours)
	mix := newMixer(colours)

	if _, err := f.Write(gifHead(info, colours)); err != nil {
		return err
	}
	err = inPairs(ctx, frames, func(i int) (*image.Paletted, error) {
		img, err := shown(i)
		if err != nil {
			return nil, err
		}
		return mix.picture(img), nil
	}, func(i int, before, now *image.Paletted) ([]byte, error) {
		from, to := info.centis(i*step), info.centis(min(info.Frames, (i+1)*step))
		return gifFrame(before, now, to-from)
	}, func(_ int, frame []byte) error {
		_, err := f.Write(frame)
		return err
	})
	if err != nil {
		return err
	}
	_, err = f.Write([]byte{gifTrailer})
	return err
}

// centis returns when frame n starts, in hundredths of a second. Every time is
// rounded from the exact one.
func (i Info) centis(n int) int { return int(math.Round(float64(n) * 100 / i.FPS)) }

const (
	gifExtension = 0x21
	gifControl   = 0xf9
	gifComment   = 0xfe
	gifSpecial   = 0xff // of a program
	gifImage     = 0x2c
	gifTrailer   = 0x3b

	gifColours = 255 // besides the transparent one for unchanged pixels
	gifStays   = 0   // index of the colour that lets the frame before show
)

func gifHead(info Info, colours []rgb) []byte {
	b := append([]byte("GIF89a"), le16(uint16(info.Width), uint16(info.Height))...)
	const table256 = 0xf7 // of 8 bits per channel
	b = append(b, table256, 0, 0)
	table := make([]byte, 3*256)
	for i, c := range colours {
		copy(table[3*(i+1):], c[:])
	}
	b = append(b, table...)
	b = append(b, gifExtension, gifSpecial, 11)
	b = append(append(b, "NETSCAPE2.0"...), 3, 1, 0, 0, 0) // again and again, for ever
	note := store.FingerprintKey + " " + info.Fingerprint
	b = append(b, gifExtension, gifComment)
	return append(b, subBlocks([]byte(note))...)
}

// gifFrame returns a frame with the given duration in hundredths of a second: the pixels
// of now that differ from before, which is nil for the first frame.
func gifFrame(before, now *image.Paletted, centis int) ([]byte, error) {
	r, flags := now.Rect, byte(1<<2) // the frame stays
	if before != nil {
		r, flags = changedIndices(before, now), flags|1 // gifStays is seen through
	}
	b := append([]byte{gifExtension, gifControl, 4, flags}, le16(uint16(min(centis, math.MaxUint16)))...)
	b = append(b, gifStays, 0, gifImage)
	b = append(b, le16(uint16(r.Min.X), uint16(r.Min.Y), uint16(r.Dx()), uint16(r.Dy()))...)
	const literals = 8 // bits
	b = append(b, 0, literals)
	var packed bytes.Buffer
	w := lzw.NewWriter(&packed, lzw.LSB, literals)
	row := make([]byte, r.Dx())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		copy(row, now.Pix[y*now.Stride+r.Min.X:])
		if before != nil {
			for x, c := range before.Pix[y*now.Stride+r.Min.X:][:len(row)] {
				if row[x] == c {
					row[x] = gifStays
				}
			}
		}
		if _, err := w.Write(row); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return append(b, subBlocks(packed.Bytes())...), nil
}

// changedIndices is changed for indices of colours.
func changedIndices(a, b *image.Paletted) image.Rectangle {
	r := image.Rectangle{}
	for y := range b.Rect.Dy() {
		p, q := a.Pix[y*a.Stride:][:a.Stride], b.Pix[y*b.Stride:][:b.Stride]
		if bytes.Equal(p, q) {
			continue
		}
		lo, hi := 0, len(q)
		for p[lo] == q[lo] {
			lo++
		}
		for p[hi-1] == q[hi-1] {
			hi--
		}
		r = r.Union(image.Rect(lo, y, hi, y+1))
	}
	if r.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return r
}

// subBlocks returns data in blocks of a length and as many bytes, and the
// empty one that ends them.
func subBlocks(data []byte) []byte {
	const most = 255
	b := make([]byte, 0, len(data)+len(data)/most+2)
	for len(data) > 0 {
		n := min(most, len(data))
		b = append(append(b, byte(n)), data[:n]...)
		data = data[n:]
	}
	return append(b, 0)
}

func (m *gifMovie) Check(r io.ReaderAt, size int64) (fingerprint string, err error) {
	in := bufio.NewReaderSize(io.NewSectionReader(r, 0, size), 1<<16)
	head := make([]byte, 13)
	if _, err := io.ReadFull(in, head); err != nil || string(head[:6]) != "GIF89a" && string(head[:6]) != "GIF87a" {
		return "", errors.New("gif: not a GIF file")
	}
	cut := fmt.Errorf("gif: cut short at byte %d", size)
	table := func(flags byte) error { // skips a table of colours
		if flags&0x80 == 0 {
			return nil
		}
		_, err := in.Discard(3 << (flags&7 + 1))
		return err
	}
	blocks := func() (data []byte, err error) {
		for {
			n, err := in.ReadByte()
			if n == 0 || err != nil {
				return data, err
			}
			if len(data) < 1<<10 {
				block, err := in.Peek(int(n))
				if err != nil {
					return nil, err
				}
				data = append(data, block...)
			}
			if _, err := in.Discard(int(n)); err != nil {
				return nil, err
			}
		}
	}
	if table(head[10]) != nil {
		return "", cut
	}
	for {
		kind, err := in.ReadByte()
		if err != nil {
			return "", cut
		}
		switch kind {
		case gifTrailer:
			if _, err := in.ReadByte(); err != io.EOF {
				return "", errors.New("gif: bytes after its end")
			}
			return fingerprint, nil
		case gifExtension:
			label, _ := in.ReadByte()
			data, err := blocks()
			if err != nil {
				return "", cut
			}
			if mark, ours := strings.CutPrefix(string(data), store.FingerprintKey+" "); ours && label == gifComment {
				fingerprint = mark
			}
		case gifImage:
			var d [9]byte
			if _, err := io.ReadFull(in, d[:]); err != nil || table(d[8]) != nil {
				return "", cut
			}
			if _, err := in.ReadByte(); err != nil { // bits of a literal
				return "", cut
			}
			if _, err := blocks(); err != nil {
				return "", cut
			}
		default:
			return "", fmt.Errorf("gif: a block of unknown kind %#x", kind)
		}
	}
}
