package film

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"

	"breakwater/out/store"
)

func init() {
	Formats.Add("mov", "films for Apple's programs: QuickTime with H.264; needs an ffmpeg with x264",
		"QuickTime File Format Specification", func() Format {
			return &mov{ext: "mov", by: preset{name: "mov", codec: x264, pixels: "yuv420p", args: []string{"-fflags", "+bitexact", "-movflags", "+faststart", "-f", "mov"}}}
		})
	Formats.Add("prores", "films for editing, almost lossless, some 50 times the size: QuickTime with ProRes 422 HQ, named NAME.prores.mov; needs ffmpeg",
		"SMPTE RDD 36", func() Format {
			// Editors look for Apple's mark; profile 3 is HQ. The encoder takes
			// its tags of colour from the pictures.
			const pixels = "yuv422p10le,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709"
			return &mov{ext: "prores.mov", by: preset{name: "prores", codec: "prores_ks", pixels: pixels, args: []string{
				"-profile:v", "3", "-vendor", "apl0", "-fflags", "+bitexact", "-movflags", "+faststart", "-f", "mov"}}}
		})
}

// mov makes films in files of QuickTime.
type mov struct {
	ext string
	by  preset
}

func (m *mov) Ext() string { return m.ext }

func (m *mov) Ready(ctx context.Context, _ string) error { return m.by.ready(ctx) }

func (m *mov) Encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	return m.by.film(ctx, f, m, info, picture)
}

func (m *mov) Check(r io.ReaderAt, size int64) (string, error) {
	var b [12]byte
	if _, err := r.ReadAt(b[:], 0); err != nil || string(b[4:]) != "ftypqt  " {
		return "", fmt.Errorf("%s: not a QuickTime file, or cut short", m.by.name)
	}
	if err := checkBoxes(r, size); err != nil {
		return "", fmt.Errorf("%s: %w", m.by.name, err)
	}
	// A text's length and language stand before it.
	lo, hi, ok := findBox(r, 0, size, "moov", "udta", "\xa9cmt")
	if !ok || hi-lo < 4 || hi-lo > 1<<10 {
		return "", nil
	}
	text := make([]byte, hi-lo)
	if _, err := r.ReadAt(text, lo); err != nil {
		return "", err
	}
	if n := int(binary.BigEndian.Uint16(text)); n != len(text)-4 {
		return "", errors.New("mov: a comment of the wrong length")
	}
	return strings.TrimPrefix(string(text[4:]), store.FingerprintKey+" "), nil
}
