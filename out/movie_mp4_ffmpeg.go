package out

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// ffmpeg returns the path of an ffmpeg that has x264. Builds under the LGPL
// lack it; their other encoders make films that browsers do not play.
func ffmpeg(ctx context.Context) (string, error) {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return "", errors.New("there is no ffmpeg on the PATH: install it, or let Breakwater encode")
	}
	list, err := exec.CommandContext(ctx, path, "-hide_banner", "-loglevel", "error", "-encoders").Output()
	if err != nil {
		return "", fmt.Errorf("%s does not start: %w", path, err)
	}
	if !bytes.Contains(list, []byte(" libx264 ")) {
		return "", fmt.Errorf("%s has no encoder libx264: install a full ffmpeg, or let Breakwater encode", path)
	}
	return path, nil
}

// byFFmpeg encodes by the ffmpeg at path.
func (m *mp4) byFFmpeg(ctx context.Context, path string, f *File, info MovieInfo, picture func(i int) (image.Image, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, ffmpegArgs(f, info)...)
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

// ffmpegArgs returns what ffmpeg is called with. Without the scale filter's matrix
// and the tags for it players show other colours; the pad filter gives H.264
// the even size that it wants.
func ffmpegArgs(f *File, info MovieInfo) []string {
	return []string{
		"-hide_banner", "-loglevel", "error", "-nostdin", "-y",
		"-f", "rawvideo", "-pixel_format", "rgb24",
		"-video_size", fmt.Sprintf("%dx%d", info.Width, info.Height),
		"-framerate", strconv.FormatFloat(info.FPS, 'f', -1, 64),
		"-i", "pipe:0", "-an",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=yuv420p",
		"-c:v", "libx264", "-preset", "slow", "-crf", strconv.Itoa(info.CRF), "-profile:v", "high",
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
