package h264

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkEncode measures the speed, and the ratio of the size to x264's, at its preset
// medium and the same quality, if an ffmpeg with x264 is found.
func BenchmarkEncode(b *testing.B) {
	const width, height = 1280, 720
	var film []*Picture
	for i := range 20 {
		film = append(film, testPicture("motion", i, width, height))
	}
	for _, qp := range []int{20, 28} {
		b.Run(fmt.Sprintf("1280x720/QP%d", qp), func(b *testing.B) {
			s := Settings{Width: width, Height: height, Rate: 30, Per: 1, QP: qp, KeyEvery: 90}
			for b.Loop() {
				e, err := New(s)
				if err != nil {
					b.Fatal(err)
				}
				for _, p := range film {
					e.Add(p)
				}
				e.Flush()
			}
			b.ReportMetric(float64(width*height*len(film)*b.N)/1e6/b.Elapsed().Seconds(), "Mpixel/s")
			f := encodeFilm(b, s, film)
			b.ReportMetric(float64(len(f.stream))/float64(len(film)), "bytes/picture")
			b.ReportMetric(f.psnr(), "dB")
			if _, err := exec.LookPath("ffmpeg"); err == nil {
				b.ReportMetric(float64(len(f.stream))/bytesByX264(b, f, s), "x264-bits")
			}
		})
	}
}

// bytesByX264 returns how long x264's stream is at the same error, between the
// two of its rate factors next to it.
func bytesByX264(b *testing.B, f encoding, s Settings) float64 {
	raw := filepath.Join(b.TempDir(), "film.yuv")
	if err := os.WriteFile(raw, f.source, 0o666); err != nil {
		b.Fatal(err)
	}
	want := f.psnr()
	var size, psnr float64
	for crf := 4; crf <= 44; crf += 4 {
		stream, err := exec.Command("ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", fmt.Sprintf("%dx%d", s.Width, s.Height),
			"-r", "30", "-i", raw, "-c:v", "libx264", "-preset", "medium", "-crf", fmt.Sprint(crf), "-f", "h264", "-").Output()
		if err != nil {
			b.Skip("this ffmpeg has no x264")
		}
		theirs := encoding{source: f.source, rebuilt: decoded(b, stream)}
		n, p := float64(len(stream)), theirs.psnr()
		if crf > 4 && p <= want {
			return size * math.Pow(n/size, (psnr-want)/(psnr-p))
		}
		size, psnr = n, p
	}
	b.Fatalf("x264 does not get down to %.1f dB", want)
	return 0
}
