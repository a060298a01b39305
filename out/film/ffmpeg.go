package film

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

	"breakwater/out/store"
)

// A preset says how ffmpeg encodes films of one format.
type preset struct {
	name   string   // of the format
	codec  string   // the encoder of ffmpeg's that must be there
	pixels string   // the pixel format that it is given, and filters after it
	args   []string // all that follows the colours: codec, container
}

// find returns the path of an ffmpeg that has the preset's encoder. Builds
// under the LGPL lack x264; their other encoders make films that browsers do
// not play.
func (k *preset) find(ctx context.Context) (string, error) {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return "", errors.New("there is no ffmpeg on the PATH: install it, or choose an mp4, webm, avi, png or gif, which Breakwater makes itself")
	}
	list, err := exec.CommandContext(ctx, path, "-hide_banner", "-loglevel", "error", "-encoders").Output()
	if err != nil {
		return "", fmt.Errorf("%s did not start: %w", path, err)
	}
	if !bytes.Contains(list, []byte(" "+k.codec+" ")) {
		return "", fmt.Errorf("%s has no encoder %s: install a full ffmpeg, or choose an mp4, webm, avi, png or gif, which Breakwater makes itself", path, k.codec)
	}
	return path, nil
}

// ready returns an error without an ffmpeg for the preset.
func (k *preset) ready(ctx context.Context) error {
	if _, err := k.find(ctx); err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	return nil
}

// film makes a film by ffmpeg alone.
func (k *preset) film(ctx context.Context, f *store.File, c store.Checker, info Info, picture func(i int) (image.Image, error)) error {
	if err := info.check(); err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	path, err := k.find(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	return k.encode(ctx, path, f, c, info, picture)
}

// encode makes a film by the ffmpeg at path.
func (k *preset) encode(ctx context.Context, path string, f *store.File, c store.Checker, info Info, picture func(i int) (image.Image, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, k.arguments(f, info)...)
	cmd.SysProcAttr = ownGroup() // an interrupt at the terminal is for us alone
	defer holdThread()()
	var said tail
	cmd.Stderr = &said
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: start ffmpeg: %w", k.name, err)
	}
	// A failure in ffmpeg appears here as a broken pipe, and its output gives the cause.
	// A failure on our side must end ffmpeg.
	var broken error
	err = encode(ctx, info, picture, func(img image.Image) ([]byte, error) {
		return rgb24(img), nil
	}, func(_ int, rgb []byte) error {
		_, broken = pipe.Write(rgb)
		return broken
	})
	if err != nil && broken == nil {
		cancel()
	}
	pipe.Close() // ffmpeg's exit status shows whether it got all
	end := cmd.Wait()
	switch {
	case err != nil && broken == nil:
		return fmt.Errorf("%s: %w", k.name, err)
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", k.name, ctx.Err())
	case strings.Contains(said.text(), "No space left"): // which may not be an error to ffmpeg
		return fmt.Errorf("%s: ffmpeg: %w", k.name, syscall.ENOSPC)
	case end != nil:
		return fmt.Errorf("%s: ffmpeg: %w: %s", k.name, end, said.text())
	case broken != nil:
		return fmt.Errorf("%s: ffmpeg stopped accepting pictures: %s", k.name, said.text())
	}
	if err := f.Check(c); err != nil {
		return fmt.Errorf("%w; ffmpeg: %s", err, said.text())
	}
	return nil
}

// arguments returns the arguments of ffmpeg. Without the scale filter's matrix and the
// tags for it players show other colours; the pad filter gives the codecs the even size
// that they need.
func (k *preset) arguments(f *store.File, info Info) []string {
	args := []string{
		"-hide_banner", "-loglevel", "error", "-nostdin", "-y",
		"-f", "rawvideo", "-pixel_format", "rgb24",
		"-video_size", fmt.Sprintf("%dx%d", info.Width, info.Height),
		"-framerate", strconv.FormatFloat(info.FPS, 'f', -1, 64),
		"-i", "pipe:0", "-an",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=" + k.pixels,
		"-c:v", k.codec,
	}
	if k.codec == x264 {
		args = append(args, "-preset", "slow", "-crf", strconv.Itoa(info.CRF), "-profile:v", "high")
	}
	args = append(args,
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
		"-metadata", "comment="+store.FingerprintKey+" "+info.Fingerprint)
	args = append(args, k.args...)
	return append(args, "file:"+f.Path())
}

const x264 = "libx264"

// tail keeps the end of a program's output.
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
	return "it printed no message"
}
