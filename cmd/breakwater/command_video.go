package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"breakwater/out/film"
	"breakwater/scenes/mesher"
	"breakwater/scenes/stage"
)

// videoCommand makes the film of a scene's frames, or of pictures.
type videoCommand struct {
	Inputs []string `arg:"" name:"scene|pictures" help:"A shipped scene or a scene file, whose frames are filmed; or PNG pictures of any program, all of one size: names, and patterns such as 'frames/shot_*.png', shot_{}.png or shot_%04d.png. They are ordered by name, with 9 before 10. An argument is a picture if it ends in .png or has a *, {} or %04d."`
	changes

	Encoder string     `group:"pictures" placeholder:"E" help:"Encoder of mp4: ffmpeg, own, or auto, which uses ffmpeg if it is found (default: auto)."`
	CRF     rateFactor `name:"crf" group:"pictures" placeholder:"N" help:"Compression of mp4, mov and mkv, from 1 (finest) to 51 (default: 16)."`

	Out    string `short:"o" group:"run" placeholder:"DIR" help:"Folder for the output (default: renders/SCENE); or the film's file, required for pictures, whose ending sets the format: .mp4, .webm, .avi, .png or .apng, .gif, .mov, .prores.mov or .mkv."`
	Frames string `group:"run" placeholder:"A-B" help:"Use only these frames, or the pictures with these numbers in their names: 10-20, 7, 10- or -20 (default: all)."`
	commonFlags
}

// pictures reports whether arg names pictures, not a scene.
func pictures(arg string) bool {
	return mesher.Pattern(arg) || strings.EqualFold(filepath.Ext(arg), ".png")
}

func (c *videoCommand) Run(con *console) error {
	for _, in := range c.Inputs {
		if !pictures(in) && len(c.Inputs) > 1 {
			return usageError{fmt.Errorf("%s is not a PNG picture; a scene must be the only argument", in)}
		}
	}
	if pictures(c.Inputs[0]) {
		return c.join(con)
	}
	if flag := firstGiven(map[string]bool{"--encoder": c.Encoder != "", "--crf": c.CRF != 0}); flag != "" {
		return usageError{fmt.Errorf("%s applies to pictures; the film of a scene is set in its file", flag)}
	}
	flags := stageFlags{sceneArg: sceneArg{c.Inputs[0]}, changes: c.changes, runFlags: runFlags{Out: c.Out, commonFlags: c.commonFlags}}
	if c.Frames != "" {
		if err := flags.Frames.UnmarshalText([]byte(c.Frames)); err != nil {
			return usageError{fmt.Errorf("--frames: %w", err)}
		}
	}
	return flags.make(con, "video", stage.Film)
}

// join makes a film of pictures.
func (c *videoCommand) join(con *console) error {
	j, err := c.joining()
	if err != nil {
		return usageError{err}
	}
	setThreads(c.Threads)
	found, notices, err := mesher.Find(c.Inputs)
	if err != nil {
		return usageError{err}
	}
	if c.Frames != "" {
		first, last, err := parseRange(c.Frames, 0)
		if err != nil {
			return usageError{fmt.Errorf("--frames: %w", err)}
		}
		if found, err = mesher.InRange(found, first, last); err != nil {
			return usageError{err}
		}
	}
	for _, f := range found {
		j.Pictures = append(j.Pictures, f.Path)
	}

	show := newReporter(c.Quiet, c.JSON, con.stdout, con.stderr)
	for _, s := range notices {
		show.report(stage.Event{Stage: stage.Film, Message: s + "; the film continues without them"})
	}
	err = j.Run(con.ctx, func(e film.JoinEvent) {
		event := stage.Event{
			Stage: stage.Film, What: filepath.Base(j.Film), File: e.Picture, Frame: e.In, Frames: len(j.Pictures), Made: e.In,
			Seconds: e.Seconds, ETA: e.ETA, Done: e.Done,
		}
		if e.Kept {
			event.Kept, event.Made = event.Made, 0
		}
		show.report(event)
	})
	show.stop()
	switch {
	case err != nil && con.ctx.Err() != nil:
		return errors.New("video: interrupted; nothing was written")
	case err != nil:
		return fmt.Errorf("video: %w", err)
	case !c.Quiet && !c.JSON:
		fmt.Fprintf(con.stderr, "All in %s\n", filepath.Clean(j.Film))
	}
	return nil
}

// joining reads the flags of a film of pictures.
func (c *videoCommand) joining() (*film.Join, error) {
	if flag := firstGiven(map[string]bool{"--size": c.Size != "", "--quality": c.Quality != "", "--spacing": c.Spacing != ""}); flag != "" {
		return nil, fmt.Errorf("%s applies to scenes; pictures are filmed as they are", flag)
	}
	j := &film.Join{Film: c.Out, FPS: 30, Encoder: "auto", CRF: 16, Force: c.Force} // as where a scene says nothing
	if film.FormatOf(c.Out) == "" {
		return nil, fmt.Errorf("--out %q: name the film, such as clip.mp4, with one of the endings %s", c.Out, strings.Join(film.Ends(), ", "))
	}
	if c.FPS != "" {
		var err error
		if j.FPS, err = strconv.ParseFloat(c.FPS, 64); err != nil || !(j.FPS >= film.MinFPS && j.FPS <= film.MaxFPS) {
			return nil, fmt.Errorf("--fps %s: expected a number, %g to %d", c.FPS, film.MinFPS, film.MaxFPS)
		}
	}
	if c.Encoder != "" {
		if j.Encoder = c.Encoder; !slices.Contains(film.Encoders, j.Encoder) {
			return nil, fmt.Errorf("--encoder %s: expected one of %s", j.Encoder, strings.Join(film.Encoders, ", "))
		}
	}
	if c.CRF != 0 {
		j.CRF = int(c.CRF)
	}
	return j, nil
}
