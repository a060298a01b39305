package out

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/draw"
	"image/png"
	"io"
	"strings"

	"breakwater/sim/registry"
)

func init() {
	Formats.Register(registry.Entry[PerFrame]{
		Name: "png",
		Doc:  "pictures, 8 bits per channel, sRGB",
		Cite: "ISO/IEC 15948:2004",
		New: func(d registry.Decode) (PerFrame, error) {
			f := &pngFormat{Compression: "fast"}
			return f, d(f)
		},
	})
}

type pngFormat struct {
	Compression string `toml:"compression" oneof:"fast default best" doc:"Trade-off between size and time: best makes files a third smaller and takes many times as long."`
}

var pngLevels = map[string]png.CompressionLevel{"fast": png.BestSpeed, "default": png.DefaultCompression, "best": png.BestCompression}

func (p *pngFormat) Needs() Part { return NeedsImage }

func (p *pngFormat) Ext() string { return "png" }

// A PNG file is a signature and chunks, each of its length, type, data and
// checksum; the first chunk, IHDR, has 13 bytes of data.
const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	pngFrame     = 4 + 4 + 4 // bytes of a chunk beside its data
	pngHead      = len(pngSignature) + pngFrame + 13
)

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
	// Colour and text come after IHDR. Rendering intent 0 is perceptual; the
	// gamma is what the standard wants beside sRGB (11.3.3.5), 1/2.2.
	head := bytes.Clone(b.Next(pngHead))
	head = appendChunk(head, "sRGB", []byte{0})
	head = appendChunk(head, "gAMA", binary.BigEndian.AppendUint32(nil, 45455))
	head = appendChunk(head, "tEXt", []byte("Software\x00breakwater"))
	for _, n := range notes {
		head = appendChunk(head, "tEXt", []byte(n.key+"\x00"+n.value))
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err = b.WriteTo(w)
	return err
}

// eightBit returns img with 8 bits a channel.
func eightBit(img image.Image) image.Image {
	switch img.(type) {
	case *image.RGBA, *image.NRGBA, *image.Gray, *image.Paletted:
		return img
	}
	n := image.NewNRGBA(img.Bounds())
	draw.Draw(n, n.Rect, img, n.Rect.Min, draw.Src)
	return n
}

func appendChunk(b []byte, typ string, data []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	b = append(append(b, typ...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[len(b)-len(data)-len(typ):]))
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
	f.Image, err = decodePNG(data)
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
	return eachPNGChunk(r, size, func(typ string, data []byte) error {
		switch typ {
		case "acTL":
			return errors.New("a film, not a picture")
		case "tEXt":
			return f.readNote(strings.Replace(string(data), "\x00", " ", 1))
		}
		return nil
	})
}

// eachPNGChunk calls do for the small chunks of a whole file, with their data.
func eachPNGChunk(r io.ReaderAt, size int64, do func(typ string, data []byte) error) error {
	var b [8]byte
	if _, err := r.ReadAt(b[:], 0); err != nil || string(b[:]) != pngSignature {
		return errors.New("png: not a PNG file")
	}
	for at := int64(len(pngSignature)); ; {
		if _, err := r.ReadAt(b[:], at); err != nil {
			return fmt.Errorf("png: cut short at byte %d: no IEND chunk", size)
		}
		n, typ := int64(binary.BigEndian.Uint32(b[:4])), string(b[4:])
		next := at + pngFrame + n
		if next > size {
			return fmt.Errorf("png: cut short at byte %d: chunk %q should end at %d", size, typ, next)
		}
		switch {
		case typ == "IEND" && next == size:
			return nil
		case typ == "IEND":
			return fmt.Errorf("png: %d bytes after its end", size-next)
		case n < 1<<10 && typ != "IDAT" && typ != "fdAT":
			data := make([]byte, n)
			if _, err := r.ReadAt(data, at+8); err != nil {
				return err
			}
			if err := do(typ, data); err != nil {
				return fmt.Errorf("png: %w", err)
			}
		}
		at = next
	}
}
