// Gallery makes a picture and a clip of each shipped scene, and the page that shows
// them. Run it from the repository's root. It runs the commands that the page names:
//
//	go run ./cmd/gallery             # all
//	go run ./cmd/gallery dam-break   # one scene, or several
//	go run ./cmd/gallery README      # the README's picture
//
// Intermediate files stay in renders/. A stopped run continues from them, and only
// changed files are made again.
package main

import (
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

// folder is where the gallery is, from the repository's root.
const folder = "docs/gallery"

// run makes the named entries, all if none is named, and the page.
func run(ctx context.Context, names []string, out io.Writer) error {
	if _, err := os.Stat(filepath.Join(folder, "README.md")); err != nil {
		return errors.New("run it from the root of the repository, with go run ./cmd/gallery")
	}
	for _, name := range names {
		if name != readme && !slices.ContainsFunc(entries, func(e entry) bool { return e.scene == name }) {
			return fmt.Errorf("there is no scene %q in the gallery", name)
		}
	}
	bin, err := os.MkdirTemp("", "gallery")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	program := filepath.Join(bin, "breakwater.exe") // a name that will do anywhere
	if err := command(ctx, out, "go", "build", "-o", program, "./cmd/breakwater"); err != nil {
		return err
	}
	wanted := func(name string) bool { return len(names) == 0 || slices.Contains(names, name) }
	if wanted(readme) {
		if err := readmePicture(ctx, program, out); err != nil {
			return fmt.Errorf("%s: %w", readme, err)
		}
	}
	for _, e := range entries {
		if !wanted(e.scene) {
			continue
		}
		fmt.Fprintln(out, e.scene)
		if err := e.make(ctx, program, out); err != nil {
			return fmt.Errorf("%s: %w", e.scene, err)
		}
	}
	text, err := page()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "README.md"), []byte(text), 0o644)
}

// readme is the name of the README's picture, which is a frame of the README's
// film. A test in scenes compares its fingerprint with today's.
const (
	readme      = "README"
	readmeScene = "dam-break"
	readmeFrame = "dam-break_0074.png"
)

// readmePicture runs the README's command and copies the frame.
func readmePicture(ctx context.Context, program string, out io.Writer) error {
	if err := command(ctx, out, program, "render", readmeScene); err != nil {
		return err
	}
	picture, err := os.ReadFile(filepath.Join("renders", readmeScene, "frames", readmeFrame))
	if err != nil {
		return err
	}
	return os.WriteFile("docs/dam-break.png", picture, 0o644)
}

// make runs the entry's commands and copies their files.
func (e entry) make(ctx context.Context, program string, out io.Writer) error {
	if err := command(ctx, out, program, e.clipArgs()...); err != nil {
		return err
	}
	film, err := os.ReadFile(filepath.Join("renders", e.scene, e.scene+".mp4"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, e.clip()), film, 0o644); err != nil {
		return err
	}
	if err := command(ctx, out, program, e.pictureArgs()...); err != nil {
		return err
	}
	return toJPEG(filepath.Join("renders", e.scene, "frames", fmt.Sprintf("%s_%04d.png", e.scene, e.frame)), filepath.Join(folder, e.picture()))
}

func command(ctx context.Context, out io.Writer, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // it keeps what it has made
	c.Stdout, c.Stderr = out, out
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return nil
}

// toJPEG writes a picture anew, in a quarter of the space.
func toJPEG(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	img, err := png.Decode(in)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	err = jpeg.Encode(out, img, &jpeg.Options{Quality: 80})
	return errors.Join(err, out.Close())
}
