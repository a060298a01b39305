// Package pngfile has the chunks of PNG files, and pictures of a limited size.
package pngfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
)

// A PNG file is a signature and chunks, each of its length, type, data and
// checksum; the first chunk, IHDR, has 13 bytes of data.
const (
	Signature = "\x89PNG\r\n\x1a\n"
	Overhead  = 4 + 4 + 4 // bytes of a chunk beside its data
	HeadSize  = len(Signature) + Overhead + 13
)

// AppendChunk appends a chunk to b.
func AppendChunk(b []byte, typ string, data []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	b = append(append(b, typ...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[len(b)-len(data)-len(typ):]))
}

// EachChunk calls do for the small chunks of a whole file, with their data.
func EachChunk(r io.ReaderAt, size int64, do func(typ string, data []byte) error) error {
	var b [8]byte
	if _, err := r.ReadAt(b[:], 0); err != nil || string(b[:]) != Signature {
		return errors.New("png: not a PNG file")
	}
	for at := int64(len(Signature)); ; {
		if _, err := r.ReadAt(b[:], at); err != nil {
			return fmt.Errorf("png: cut short at byte %d: no IEND chunk", size)
		}
		n, typ := int64(binary.BigEndian.Uint32(b[:4])), string(b[4:])
		next := at + Overhead + n
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

// maxPixels is how many pixels a picture of another program may have, whatever
// is done with it: 8192×8192.
const maxPixels = 1 << 26

// CheckSize returns an error if a picture is so large that it is not read.
func CheckSize(width, height int) error {
	if width < 1 || height < 1 || width > maxPixels/height {
		return fmt.Errorf("%d × %d pixels; expected at most %d", width, height, maxPixels)
	}
	return nil
}

// Decode decodes a picture, if its head says that it is not too large: the
// pixels take memory before any of them is read.
func Decode(data []byte) (image.Image, error) {
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err == nil {
		err = CheckSize(head.Width, head.Height)
	}
	if err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(data))
}
