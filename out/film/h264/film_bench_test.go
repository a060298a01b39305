//go:build unix

package h264

import (
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// BenchmarkFilm measures the same as BenchmarkEncode, and the time of all processors, for
// a rendered film: the PNG pictures in the folder BREAKWATER_FRAMES, in the order of
// their names.
//
//	breakwater render dam-break --size 640x360 --out /somewhere
//	BREAKWATER_FRAMES=/somewhere/frames go test ./out/film/h264 -run '^$' -bench Film -benchtime 1x
func BenchmarkFilm(b *testing.B) {
	folder := os.Getenv("BREAKWATER_FRAMES")
	if folder == "" {
		b.Skip("BREAKWATER_FRAMES names no folder of pictures")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil || len(names) == 0 {
		b.Fatalf("no pictures in %s: %v", folder, err)
	}
	slices.Sort(names)
	var film []*Picture
	for _, name := range names {
		film = append(film, readPicture(b, name))
	}
	width, height := film[0].width, film[0].height
	for _, qp := range []int{18, 20, 24, 30} {
		b.Run(fmt.Sprintf("QP%d", qp), func(b *testing.B) {
			s := Settings{Width: width, Height: height, Rate: 30, Per: 1, QP: qp, KeyEvery: 250}
			before := processorTime()
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
			spent := processorTime() - before
			b.ReportMetric(float64(spent.Microseconds())/1000/float64(len(film)*b.N), "CPU-ms/picture")
			f := encodeFilm(b, s, film)
			b.ReportMetric(float64(len(f.stream))/float64(len(film)), "bytes/picture")
			b.ReportMetric(f.psnr(), "dB")
			if _, err := exec.LookPath("ffmpeg"); err == nil {
				b.ReportMetric(float64(len(f.stream))/bytesByX264(b, f, s), "x264-bits")
			}
		})
	}
}

func readPicture(b *testing.B, name string) *Picture {
	b.Helper()
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		b.Fatal(err)
	}
	box := img.Bounds()
	rgb := make([]byte, 0, 3*box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			rgb = append(rgb, byte(r>>8), byte(g>>8), byte(bl>>8))
		}
	}
	p := NewPicture(box.Dx(), box.Dy())
	p.SetRGB(rgb)
	return p
}

// processorTime returns this program's time on all cores so far.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
