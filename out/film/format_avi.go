package film

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"strings"

	"breakwater/out/store"
)

func init() {
	Formats.Add("avi", "films for editors and old programs, not for browsers: AVI with motion JPEG, in which every frame is complete; written without ffmpeg",
		"OpenDML AVI file format extensions, 1.02", func() Format { return &avi{Quality: 92, riff: 1 << 30} })
}

type avi struct {
	Quality int   `toml:"quality" range:"[1, 100]" doc:"JPEG quality of the pictures: at 80 artefacts are visible on close inspection, at 92 they are not."`
	riff    int64 // most bytes of frames in a RIFF chunk, which old programs read to 2 GB
}

func (m *avi) Ext() string { return "avi" }

// jpegMax is the largest width and height that a JPEG's header can hold.
const jpegMax = 1<<16 - 1

func (m *avi) Encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	if err := info.check(); err != nil {
		return fmt.Errorf("avi: %w", err)
	}
	if info.Width > jpegMax || info.Height > jpegMax {
		return fmt.Errorf("avi: a film of %d×%d pixels: at most %d each way", info.Width, info.Height, jpegMax)
	}
	w := aviWriter{w: f, info: info, riff: m.riff}
	err := w.start()
	if err == nil {
		err = encode(ctx, info, picture, func(img image.Image) ([]byte, error) {
			var b bytes.Buffer
			err := jpeg.Encode(&b, opaque(img), &jpeg.Options{Quality: m.Quality})
			return b.Bytes(), err
		}, w.put)
	}
	if err == nil {
		err = w.finish()
	}
	if err != nil {
		return fmt.Errorf("avi: %w", err)
	}
	return nil
}

func (m *avi) Check(r io.ReaderAt, size int64) (fingerprint string, err error) {
	for at, kind := int64(0), "AVI "; at < size || at == 0; kind = "AVIX" {
		var b [12]byte
		if _, err := r.ReadAt(b[:], at); err != nil || string(b[:4]) != "RIFF" || string(b[8:]) != kind {
			return "", errors.New("avi: not an AVI file, or cut short")
		}
		next := at + 8 + int64(binary.LittleEndian.Uint32(b[4:]))
		if next > size || next < at+12 {
			return "", fmt.Errorf("avi: cut short at byte %d, or unfinished", size)
		}
		if kind == "AVI " {
			fingerprint = aviComment(r, at+12, next)
		}
		at = next
	}
	return fingerprint, nil
}

// aviComment returns the fingerprint that stands in LIST INFO, among the chunks
// at bytes [lo, hi) of r.
func aviComment(r io.ReaderAt, lo, hi int64) string {
	for lo < hi {
		var b [12]byte
		if n, _ := r.ReadAt(b[:], lo); n < len(b) {
			return ""
		}
		n := int64(binary.LittleEndian.Uint32(b[4:8]))
		switch {
		case string(b[:4]) == "LIST" && string(b[8:]) == "INFO":
			return aviComment(r, lo+12, min(hi, lo+8+n))
		case string(b[:4]) == "ICMT" && n < 1<<10:
			text := make([]byte, n)
			if _, err := r.ReadAt(text, lo+8); err != nil {
				return ""
			}
			return strings.TrimPrefix(strings.TrimRight(string(text), "\x00"), store.FingerprintKey+" ")
		}
		lo += 8 + n + n&1
	}
	return ""
}
