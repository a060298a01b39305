package out

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"strings"

	"breakwater/out/pngfile"
)

func init() {
	Formats.Add("png", "pictures, 8 bits per channel, sRGB", "ISO/IEC 15948:2004", func() PerFrame { return &pngFormat{Compression: "fast"} })
}

type pngFormat struct {
	Compression string `toml:"compression" oneof:"fast default best" doc:"Trade-off between size and time: best makes files a third smaller and takes many times as long."`
}

var pngLevels = map[string]png.CompressionLevel{"fast": png.BestSpeed, "default": png.DefaultCompression, "best": png.BestCompression}

func (p *pngFormat) Needs() Part { return NeedsImage }

func (p *pngFormat) Ext() string { return "png" }

func (p *pngFormat) Encode(w io.Writer, f *Frame) error {
	if f.Image == nil {
		return errors.New("png: the frame has no picture")
	}
	notes, err := f.notes()
	if err != nil {
		return fmt.Errorf("png: %w", err)
	}
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: pngLevels[p.Compression]}
	if err := e.Encode(&b, eightBit(f.Image)); err != nil {
		return err
	}
	// Colour and text come after IHDR. Rendering intent 0 is perceptual; the gamma is
	// 1/2.2, as the standard requires besides sRGB (11.3.3.5).
	head := bytes.Clone(b.Next(pngfile.HeadSize))
	head = pngfile.AppendChunk(head, "sRGB", []byte{0})
	head = pngfile.AppendChunk(head, "gAMA", binary.BigEndian.AppendUint32(nil, 45455))
	head = pngfile.AppendChunk(head, "tEXt", []byte("Software\x00breakwater"))
	for _, n := range notes {
		head = pngfile.AppendChunk(head, "tEXt", []byte(n.key+"\x00"+n.value))
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err = b.WriteTo(w)
	return err
}

// eightBit returns img with 8 bits per channel.
func eightBit(img image.Image) image.Image {
	switch img.(type) {
	case *image.RGBA, *image.NRGBA, *image.Gray, *image.Paletted:
		return img
	}
	n := image.NewNRGBA(img.Bounds())
	draw.Draw(n, n.Rect, img, n.Rect.Min, draw.Src)
	return n
}

func (p *pngFormat) Decode(r io.Reader) (*Frame, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	f := &Frame{}
	if err := pngChunks(bytes.NewReader(data), int64(len(data)), f); err != nil {
		return nil, err
	}
	f.Image, err = pngfile.Decode(data)
	return f, err
}

func (p *pngFormat) Verify(r io.Reader) error { return verify(p, r) }

func (p *pngFormat) Check(r io.ReaderAt, size int64) (string, error) {
	var f Frame
	err := pngChunks(r, size, &f)
	return f.Fingerprint, err
}

// pngChunks walks over the chunks of a whole picture and reads the notes.
func pngChunks(r io.ReaderAt, size int64, f *Frame) error {
	return pngfile.EachChunk(r, size, func(typ string, data []byte) error {
		switch typ {
		case "acTL":
			return errors.New("a film, not a picture")
		case "tEXt":
			return f.readNote(strings.Replace(string(data), "\x00", " ", 1))
		}
		return nil
	})
}
