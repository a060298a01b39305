package film

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"

	"breakwater/out/store"
)

func init() {
	Formats.Add("mkv", "films for most players: Matroska with H.264; needs an ffmpeg with x264", "RFC 9559", func() Format { return &mkv{} })
}

type mkv struct{}

// Without +bitexact the file's identifier is by chance.
var toMatroska = preset{name: "mkv", codec: x264, pixels: "yuv420p", args: []string{"-fflags", "+bitexact", "-f", "matroska"}}

func (m *mkv) Ext() string { return "mkv" }

func (m *mkv) Ready(ctx context.Context, _ string) error { return toMatroska.ready(ctx) }

func (m *mkv) Encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	return toMatroska.film(ctx, f, m, info, picture)
}

func (m *mkv) Check(r io.ReaderAt, size int64) (fingerprint string, err error) {
	lo, hi, ok := findElement(r, 0, size, idEBML, idDocType)
	doctype := make([]byte, min(max(0, hi-lo), 16))
	if ok {
		_, err = r.ReadAt(doctype, lo)
	}
	if !ok || err != nil || strings.TrimRight(string(doctype), "\x00") != "matroska" {
		return "", errors.New("mkv: not a Matroska file, or cut short")
	}
	lo, hi, ok = findElement(r, 0, size, idSegment)
	if !ok || hi != size {
		return "", fmt.Errorf("mkv: cut short at byte %d, or unfinished", size)
	}
	eachElement(r, lo, hi, func(lo, hi int64) {
		if hi-lo > 1<<10 || fingerprint != "" {
			return
		}
		text := make([]byte, hi-lo)
		if _, e := r.ReadAt(text, lo); e != nil {
			err = e
		}
		if mark, ours := strings.CutPrefix(strings.TrimRight(string(text), "\x00"), store.FingerprintKey+" "); ours {
			fingerprint = mark
		}
	}, idTags, idTag, idSimpleTag, idTagString)
	return fingerprint, err
}
