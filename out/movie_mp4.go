package out

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"breakwater/sim/plug"
)

func init() {
	Movies.Register(plug.Entry[Movie]{
		Name: "mp4",
		Doc:  "films that play everywhere: MP4 with H.264, by the ffmpeg on the PATH",
		Cite: "ITU-T H.264, ISO/IEC 14496-14",
		New: func(d plug.Decode) (Movie, error) {
			m := &mp4{CRF: 16}
			return m, d(m)
		},
	})
}

type mp4 struct {
	CRF int `toml:"crf" range:"[1, 51]" doc:"Constant rate factor of x264: 16 looks like the frames, 23 makes a much smaller film."`
}

// Auto returns the film format that suits this machine: mp4 if there is an
// ffmpeg that can make it, webm elsewhere.
func Auto() string {
	if _, err := ffmpeg(context.Background()); err != nil {
		return "webm"
	}
	return "mp4"
}

// ffmpeg returns the path of an ffmpeg that has x264. Builds under the LGPL
// lack it; their other encoders make films that browsers do not play.
func ffmpeg(ctx context.Context) (string, error) {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return "", errors.New("there is no ffmpeg on the PATH: install it, or make a webm, which needs none")
	}
	list, err := exec.CommandContext(ctx, path, "-hide_banner", "-loglevel", "error", "-encoders").Output()
	if err != nil {
		return "", fmt.Errorf("%s does not start: %w", path, err)
	}
	if !bytes.Contains(list, []byte(" libx264 ")) {
		return "", fmt.Errorf("%s has no encoder libx264: install a full ffmpeg, or make a webm, which needs none", path)
	}
	return path, nil
}

func (m *mp4) Ext() string { return "mp4" }

func (m *mp4) Encode(ctx context.Context, f *File, info MovieInfo, picture func(i int) (image.Image, error)) error {
	if err := info.check(); err != nil {
		return fmt.Errorf("mp4: %w", err)
	}
	path, err := ffmpeg(ctx)
	if err != nil {
		return fmt.Errorf("mp4: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, m.args(f, info)...)
	cmd.SysProcAttr = ownGroup() // an interrupt at the terminal is for us alone
	var said tail
	cmd.Stderr = &said
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("mp4: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("mp4: start ffmpeg: %w", err)
	}
	// What goes wrong in ffmpeg shows here as a broken pipe, and is told by its
	// end; what goes wrong on our side must end it.
	var broken error
	err = inOrder(ctx, info.Frames, func(i int) ([]byte, error) {
		img, err := picture(i)
		if err == nil {
			err = info.checkSize(img)
		}
		if err != nil {
			return nil, err
		}
		return rgb24(img), nil
	}, func(_ int, rgb []byte) error {
		_, broken = pipe.Write(rgb)
		return broken
	})
	if err != nil && broken == nil {
		cancel()
	}
	pipe.Close() // ffmpeg's own end tells whether it got all
	end := cmd.Wait()
	switch {
	case err != nil && broken == nil:
		return fmt.Errorf("mp4: %w", err)
	case ctx.Err() != nil:
		return fmt.Errorf("mp4: %w", ctx.Err())
	case strings.Contains(said.text(), "No space left"): // which may not be an error to ffmpeg
		return fmt.Errorf("mp4: ffmpeg: %w", syscall.ENOSPC)
	case end != nil:
		return fmt.Errorf("mp4: ffmpeg: %w: %s", end, said.text())
	case broken != nil:
		return fmt.Errorf("mp4: ffmpeg took no more pictures: %s", said.text())
	}
	if err := f.check(m); err != nil {
		return fmt.Errorf("%w; ffmpeg: %s", err, said.text())
	}
	return nil
}

// args returns what ffmpeg is called with. Without the scale filter's matrix
// and the tags for it players show other colours; the pad filter gives H.264
// the even size that it wants.
func (m *mp4) args(f *File, info MovieInfo) []string {
	return []string{
		"-hide_banner", "-loglevel", "error", "-nostdin", "-y",
		"-f", "rawvideo", "-pixel_format", "rgb24",
		"-video_size", fmt.Sprintf("%dx%d", info.Width, info.Height),
		"-framerate", strconv.FormatFloat(info.FPS, 'f', -1, 64),
		"-i", "pipe:0", "-an",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=yuv420p",
		"-c:v", "libx264", "-preset", "slow", "-crf", strconv.Itoa(m.CRF), "-profile:v", "high",
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
		"-metadata", "comment=" + noteFingerprint + " " + info.Fingerprint,
		"-movflags", "+faststart", "-f", "mp4", "file:" + f.Path(),
	}
}

// tail keeps the end of what a program says.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	const most = 2 << 10
	t.b = append(t.b, p...)
	t.b = t.b[max(0, len(t.b)-most):]
	return len(p), nil
}

func (t *tail) text() string {
	if s := strings.TrimSpace(string(t.b)); s != "" {
		return s
	}
	return "it said nothing"
}

func (m *mp4) Check(r io.ReaderAt, size int64) (string, error) {
	var b [8]byte
	if _, err := r.ReadAt(b[:], 0); err != nil || string(b[4:]) != "ftyp" {
		return "", errors.New("mp4: not an MP4 file, or cut short")
	}
	moov, data := false, false
	err := boxes(r, 0, size, func(typ string, lo, hi int64) {
		moov, data = moov || typ == "moov", data || typ == "mdat"
	})
	if err != nil || !moov || !data {
		return "", fmt.Errorf("mp4: cut short at byte %d", size)
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
	return strings.TrimPrefix(string(text), noteFingerprint+" "), nil
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
