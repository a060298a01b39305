package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/out/programs"
	"breakwater/sim/longtest"
)

// grey returns a PNG picture of one grey, of 8 or 16 bits.
func grey(t *testing.T, w, h int, y uint8, deep bool) []byte {
	t.Helper()
	img := image.Image(image.NewGray(image.Rect(0, 0, w, h)))
	if deep {
		img = image.NewGray16(img.Bounds())
	}
	for i := range w * h {
		switch m := img.(type) {
		case *image.Gray:
			m.SetGray(i%w, i/w, color.Gray{Y: y})
		case *image.Gray16:
			m.SetGray16(i%w, i/w, color.Gray16{Y: 257 * uint16(y)})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// huge returns a picture of one pixel whose head says that it has 10^10.
func huge(t *testing.T) []byte {
	t.Helper()
	file := grey(t, 1, 1, 100, false)
	head := file[8+4:][:4+13] // IHDR: its type and data
	copy(head[4:], "\x00\x01\x86\xa0\x00\x01\x86\xa0")
	for i, sum := 0, crc32.ChecksumIEEE(head); i < 4; i++ {
		file[8+4+len(head)+i] = byte(sum >> (24 - 8*i))
	}
	return file
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestVideoOfPictures joins pictures whose names do not sort as their numbers
// do, and has ffprobe count them and ffmpeg say which is where.
func TestVideoOfPictures(t *testing.T) {
	dir := t.TempDir()
	for i, n := range []int{8, 9, 10, 11, 12} {
		put(t, filepath.Join(dir, fmt.Sprintf("shot_%d.png", n)), grey(t, 64, 36, uint8(50*i+20), i == 2))
	}
	pattern := filepath.Join(dir, "shot_*.png")
	for _, end := range []string{"mp4", "webm", "avi", "png"} {
		t.Run(end, func(t *testing.T) {
			film := filepath.Join(dir, "films", "clip."+end)
			events := do(t, "video", pattern, "--out", film, "--fps", "24", "--encoder", "own", "--force")
			if last := events[len(events)-1]; !last.Done || last.Made != 5 || last.Frames != 5 {
				t.Errorf("at the end: %+v", last)
			}
			probed, err := exec.Command(programs.Find(t, "ffprobe"), "-v", "error", "-count_frames", "-select_streams", "v:0",
				"-show_entries", "stream=width,height,r_frame_rate,nb_read_frames", "-of", "csv=p=0", film).CombinedOutput()
			if got := strings.TrimSpace(string(probed)); err != nil || got != "64,36,24/1,5" {
				t.Errorf("ffprobe says %q, %v", got, err)
			}
			pixels, err := exec.Command(programs.Find(t, "ffmpeg"), "-v", "error", "-i", film, "-f", "rawvideo", "-pix_fmt", "rgb24", "-").Output()
			if err != nil || len(pixels) != 5*64*36*3 {
				t.Fatalf("ffmpeg reads %d bytes, %v", len(pixels), err)
			}
			for i := range 5 {
				if got, want := int(pixels[(64*36*i+64*18+32)*3]), 50*i+20; got < want-6 || got > want+6 {
					t.Errorf("picture %d is of grey %d, want %d", i, got, want)
				}
			}
		})
	}

	film := filepath.Join(dir, "films", "clip.webm")
	again := []string{"video", pattern, "--out", film, "--fps", "24", "--encoder", "own"}
	if last := do(t, again...); last[len(last)-1].Kept != 5 {
		t.Errorf("of the same pictures again: %+v", last)
	}
	put(t, filepath.Join(dir, "shot_9.png"), grey(t, 64, 36, 3, false))
	if last := do(t, again...); last[len(last)-1].Made != 5 {
		t.Errorf("of another picture: %+v", last)
	}
}

// TestVideoFaults passes pictures that do not make a film, and pictures that make one
// with a warning. A failed film leaves no files, and existing files stay.
func TestVideoFaults(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	good := grey(t, 64, 36, 100, false)
	spoiled := bytes.Clone(good)
	spoiled[len(spoiled)-20] ^= 0xff // in the end of the pixels, whose checksum is wrong then
	for name, data := range map[string][]byte{
		"gap_1.png": good, "gap_2.png": good, "gap_4.png": good,
		"size_1.png": good, "size_2.png": grey(t, 32, 36, 1, false), "size_3.png": good,
		"cut_1.png": good, "cut_2.png": good[:len(good)-30],
		"sum_1.png": good, "sum_2.png": spoiled,
		"huge_1.png": huge(t),
		"none_1.png": good, "none_2.png": nil, "none_3.png": []byte("no picture"),
	} {
		put(t, filepath.Join(dir, name), data)
	}
	t.Chdir(dir)
	old := []byte("an older film")
	const badSum = "video: sum_2.png: png: invalid format: zlib: invalid checksum; no film is made"
	mov := badSum
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		mov = "video: mov: there is no ffmpeg on the PATH"
	}
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"gap_*.png --out F.webm", exitDone, "gap_*.png: 1 of the files 1-4 are missing: 3; the film continues without them"},
		{"gap_4.png gap_2.png gap_1.png --out F.webm", exitDone, "gap_{}.png: 1 of the files 1-4 are missing: 3"},
		{"gap_{}.png --frames 1-2 --out F.webm", exitDone, "made 2 frames"},
		{"size_*.png --out F.webm", exitFailed, "size_2.png: 32×36 pixels, but size_1.png has 64×36; no film is made"},
		{"cut_*.png --out F.webm", exitFailed, "cut_2.png: png: cut short at byte"},
		{"sum_*.png --out F.webm", exitFailed, badSum},
		{"sum_*.png --out F.mov", exitFailed, mov},
		{"huge_*.png --out F.webm", exitFailed, "huge_1.png: 100000 × 100000 pixels; expected at most 67108864; no film is made"},
		{"huge_*.png --out F.mp4", exitFailed, "huge_1.png: 100000 × 100000 pixels"},
		{"huge_*.png --out F.mp4 --encoder own", exitFailed, "huge_1.png: 100000 × 100000 pixels"},
		{"none_*.png --out F.webm", exitFailed, "2 of 3 pictures are unusable, so no film is made:\n\tnone_2.png: png: not a PNG file\n\tnone_3.png: png: not a PNG file"},
		{"gap_*.png --out gap_2.png", exitFailed, "the film gap_2.png would overwrite a picture of it"},
		{"no_*.png --out F.webm", exitUsage, "no_*.png: no file matches"},
		{"gap_3.png --out F.webm", exitUsage, "gap_3.png: there is no such file"},
		{"gap_*.png", exitUsage, "--out \"\": name the film, such as clip.mp4, with one of the endings "},
		{"gap_*.png --out F.doc", exitUsage, "--out \"F.doc\": name the film"},
		{"gap_*.png --out F.webm --fps 0", exitUsage, "--fps 0: expected a number, 0.01 to 1000"},
		{"gap_*.png --out F.mp4 --crf 52", exitUsage, "--crf: \"52\": expected a whole number, 1 to 51"},
		{"gap_*.png --out F.mp4 --encoder x", exitUsage, "--encoder x: expected one of auto, ffmpeg, own"},
		{"gap_*.png --out F.webm --size 64x36", exitUsage, "--size applies to scenes"},
		{"gap_*.png --out F.webm --frames 7-9", exitUsage, "the files have 1-4"},
		{"gap_*.png dam-break --out F.webm", exitUsage, "dam-break is not a PNG picture; a scene must be the only argument"},
		{"dam-break --crf 20", exitUsage, "--crf applies to pictures"},
		{"dam-break --frames 0-2", exitUsage, "--frames"},
	} {
		films := t.TempDir()
		line := strings.Replace(c.line, "F.", films+string(filepath.Separator)+"F.", 1)
		film := filepath.Join(films, "F.webm")
		if c.code != exitDone {
			put(t, film, old)
		}
		code, stdout, stderr := call(t, append([]string{"video"}, strings.Fields(line)...)...)
		if said := strings.ReplaceAll(stdout+stderr, films+string(filepath.Separator), ""); code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("%s: exit %d, want %d and %q:\n%s", c.line, code, c.code, c.says, said)
		}
		left, err := os.ReadDir(films)
		if err != nil || len(left) != 1 {
			t.Errorf("%s: %v are left, %v", c.line, left, err)
		}
		if now, err := os.ReadFile(film); c.code != exitDone && (err != nil || !bytes.Equal(now, old)) {
			t.Errorf("%s: the older film is gone: %v", c.line, err)
		}
	}
	if now, err := os.ReadFile("gap_2.png"); err != nil || !bytes.Equal(now, good) {
		t.Errorf("a picture is overwritten: %v", err)
	}
}
