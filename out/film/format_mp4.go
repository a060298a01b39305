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
	Formats.Add("mp4", "films that play everywhere: MP4 with H.264, encoded by the x264 of an installed ffmpeg, or else by Breakwater",
		"ITU-T H.264, ISO/IEC 14496-14", func() Format { return &mp4{} })
}

type mp4 struct{}

func (m *mp4) Ext() string { return "mp4" }

var byX264 = preset{name: "mp4", codec: x264, pixels: "yuv420p", args: []string{"-movflags", "+faststart", "-f", "mp4"}}

func (m *mp4) Ready(ctx context.Context, encoder string) error {
	if encoder != "ffmpeg" {
		return nil
	}
	return byX264.ready(ctx)
}

func (m *mp4) Encode(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	if err := info.check(); err != nil {
		return fmt.Errorf("mp4: %w", err)
	}
	if info.Encoder != "own" {
		path, err := byX264.find(ctx)
		if err == nil {
			return byX264.encode(ctx, path, f, m, info, picture)
		}
		if info.Encoder == "ffmpeg" || ctx.Err() != nil {
			return fmt.Errorf("mp4: %w", err)
		}
	}
	if err := m.byUs(ctx, f, info, picture); err != nil {
		return fmt.Errorf("mp4: %w", err)
	}
	return nil
}

func (m *mp4) Check(r io.ReaderAt, size int64) (string, error) {
	var b [8]byte
	if _, err := r.ReadAt(b[:], 0); err != nil || string(b[4:]) != "ftyp" {
		return "", errors.New("mp4: not an MP4 file, or cut short")
	}
	if err := checkBoxes(r, size); err != nil {
		return "", fmt.Errorf("mp4: %w", err)
	}
	// The comment is the string of 8 bytes' head in moov/udta/meta/ilst/©cmt/data.
	lo, hi, ok := findBox(r, 0, size, "moov", "udta", "meta", "ilst", "\xa9cmt", "data")
	if !ok || hi-lo < 8 || hi-lo > 1<<10 {
		return "", nil
	}
	text := make([]byte, hi-lo-8)
	if _, err := r.ReadAt(text, lo+8); err != nil {
		return "", err
	}
	return strings.TrimPrefix(string(text), store.FingerprintKey+" "), nil
}

// checkBoxes returns an error if a file of boxes is cut short.
func checkBoxes(r io.ReaderAt, size int64) error {
	moov, data := false, false
	err := boxes(r, 0, size, func(typ string, lo, hi int64) {
		moov, data = moov || typ == "moov", data || typ == "mdat"
	})
	if err != nil || !moov || !data {
		return fmt.Errorf("cut short at byte %d", size)
	}
	return nil
}

// boxes calls f for each box of ISO/IEC 14496-12 at bytes [lo, hi) of r, with
// its type and where its data lies. They must end at hi.
func boxes(r io.ReaderAt, lo, hi int64, f func(typ string, lo, hi int64)) error {
	for lo < hi {
		var b [16]byte
		head := int64(8)
		if n, err := r.ReadAt(b[:], lo); n < 8 {
			return err
		}
		size := int64(binary.BigEndian.Uint32(b[:4]))
		if size == 1 { // the size stands behind the type, in 8 bytes
			head, size = 16, int64(binary.BigEndian.Uint64(b[8:]))
		}
		if size < head || size > hi-lo {
			return fmt.Errorf("a box of %d bytes at byte %d", size, lo)
		}
		f(string(b[4:8]), lo+head, lo+size)
		lo += size
	}
	return nil
}

// findBox returns where the data of the box with the given path of types
// lies, among the boxes at bytes [lo, hi) of r.
func findBox(r io.ReaderAt, lo, hi int64, path ...string) (from, to int64, ok bool) {
	err := boxes(r, lo, hi, func(typ string, lo, hi int64) {
		if typ == path[0] && !ok {
			from, to, ok = lo, hi, true
		}
	})
	if err != nil || !ok || len(path) == 1 {
		return from, to, ok && err == nil
	}
	if path[0] == "meta" { // a version and flags come before its boxes
		from += 4
	}
	return findBox(r, from, to, path[1:]...)
}
