package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"breakwater/scenes"
)

type checkCommand struct {
	sceneArg
	changes
}

// Run ends as soon as the context is done, whatever is under way: nothing is
// made that could be left half done.
func (c *checkCommand) Run(con *console) error {
	var text bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- c.check(&text) }()
	select {
	case err := <-done:
		if err != nil {
			return err
		}
		_, err = con.stdout.Write(text.Bytes())
		return err
	case <-con.ctx.Done():
		return errors.New("interrupted; nothing was made")
	}
}

// check writes what c.Scene needs.
func (c *checkCommand) check(to io.Writer) error {
	s, err := c.load(c.Scene)
	if err != nil {
		return err
	}
	b, err := s.Plan()
	if err != nil {
		return err
	}
	e := s.Estimate(b)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	row(w, s.Name, "no faults")
	row(w, "liquid", "%.4g m³ as %d particles, %g m apart%s", e.Volume, e.Particles, e.Spacing, incoming(e))
	row(w, "film", "%d frames, %.4g s of the liquid, in about %d steps%s", e.Frames, e.Time, e.Steps, shortened(e))
	row(w, "picture", "%d × %d pixels, %.2g to a particle%s", s.Picture.Size[0], s.Picture.Size[1], e.PixelsPerParticle, advice(e))
	for _, text := range b.Unseen {
		row(w, "", "%s", text)
	}
	row(w, "memory", "about %s%s", size(e.Memory), available())
	row(w, "disk", "about %s: particles %s, meshes %s, frames %s, film %s%s",
		size(e.Disk()), size(e.Particle), size(e.Mesh), size(e.Picture), size(e.Film), exports(e))
	if e.MeshKept < e.Mesh {
		row(w, "", "%s of meshes stay once all is drawn, %s in all; up to %s of them are there at a time", size(e.MeshKept), size(e.Disk()-e.Mesh+e.MeshKept), size(e.MeshMost))
	}
	if len(e.Formats) > 1 { // more than the meshes that frames are drawn from
		row(w, "", "%s", formats(e))
	}
	return w.Flush()
}

// exports says what files for other programs take, if there are any.
func exports(e scenes.Estimate) string {
	if e.Export == 0 {
		return ""
	}
	return ", for other programs " + size(e.Export)
}

// formats says what each format takes.
func formats(e scenes.Estimate) string {
	var list []string
	for _, f := range e.Formats {
		list = append(list, fmt.Sprintf("%s as %s %s", f.What, f.Format, size(f.Bytes)))
	}
	return strings.Join(list, ", ")
}

// incoming says what inflows bring, if there are any.
func incoming(e scenes.Estimate) string {
	if e.Incoming == 0 {
		return ""
	}
	return fmt.Sprintf("; %d more flow in", e.Incoming)
}

// advice says what to do about particles that are too large or too small for
// the picture; see scenes.Estimate.
func advice(e scenes.Estimate) string {
	switch px := e.PixelsPerParticle; {
	case px > 6:
		return fmt.Sprintf(", so single drops show as balls: a spacing of %.2g m or less hides that", e.Spacing*6/px)
	case px < 2:
		return fmt.Sprintf(", so detail is lost: a spacing of %.2g m shows as much", e.Spacing*2/px)
	}
	return ""
}

// shortened names the setting that makes the steps short, if there is one.
func shortened(e scenes.Estimate) string {
	if e.Shortened == "" {
		return ""
	}
	return ", as short as " + e.Shortened + " asks for"
}

// available says how much memory there is, where that is known.
func available() string {
	have, who := scenes.Memory()
	if have == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %s", who, size(have))
}
