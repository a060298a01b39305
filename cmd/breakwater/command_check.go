package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"breakwater/scenes"
	"breakwater/scenes/estimate"
	"breakwater/scenes/host"
	"breakwater/scenes/stage"
	"breakwater/sim/num"
)

type checkCommand struct {
	sceneArg
	changes
	Trial *time.Duration `group:"run" placeholder:"TIME" help:"Processor time for the rehearsal: a run of the film with few particles, from which surface and speed are extrapolated. 0 rehearses the whole film (default: 20s, up to 40s until the film was rehearsed once, and 1.2s from 10 million particles on)."`
}

// Run ends as soon as the context is done, whatever is under way: nothing is
// made that could be left half done.
func (c *checkCommand) Run(con *console) error {
	if c.Trial != nil && *c.Trial < 0 {
		return usageError{fmt.Errorf("--trial %v: expected a time such as 30s, or 0 for the whole film", *c.Trial)}
	}
	var text bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- c.check(con, &text) }()
	const silence = 2 * time.Second
	late := time.After(silence)
	for {
		select {
		case err := <-done:
			if err != nil {
				return err
			}
			_, err = con.stdout.Write(text.Bytes())
			return err
		case <-con.ctx.Done():
			return errors.New("interrupted; nothing was made")
		case <-late:
			fmt.Fprintln(con.stderr, c.rehearsing())
		}
	}
}

// rehearsing says what takes time.
func (c *checkCommand) rehearsing() string {
	const quick = time.Second
	text := "Rehearsing the film with few particles."
	if c.Trial == nil || *c.Trial == 0 || *c.Trial > quick {
		text += fmt.Sprintf(" --trial=%v takes less time and is less precise.", quick)
	}
	return text
}

// check writes what c.Scene needs.
func (c *checkCommand) check(con *console, to io.Writer) error {
	begun := host.ProcessorTime()
	s, err := c.load(c.Scene)
	if err != nil {
		return err
	}
	b, err := s.Plan()
	if err != nil {
		return err
	}
	start := host.ProcessorTime() - begun // on one thread, as at the start of a run
	effort := estimate.EffortFor(b)
	if c.Trial != nil {
		effort = estimate.Effort{Seconds: c.Trial.Seconds()}
	}
	rehearsal, err := estimate.Rehearse(s, con.ctx, effort)
	if err != nil {
		return err
	}
	e := estimate.Of(s, b, rehearsal)
	if err := estimate.Fits(s, &e); err != nil {
		return err
	}
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	row(w, s.Name, "no faults")
	if s.Gas != nil {
		row(w, "gas", "%d vortons in cells of %g m, and %d tracers%s", e.Vortons, e.Spacing, e.Particles-e.Vortons, incoming(e))
	} else {
		unit := "m³"
		if s.Flat() {
			unit = "m²"
		}
		row(w, "liquid", "%.4g %s as %d particles, %g m apart%s", e.Volume, unit, e.Particles, e.Spacing, incoming(e))
	}
	row(w, "film", "%d frames, %.4g s of simulated time, in about %d steps%s", e.Frames, e.Time, e.Steps, shortened(e))
	if s.Gas != nil {
		row(w, "picture", "%d × %d pixels, %.2g per cell", s.Picture.Size[0], s.Picture.Size[1], e.PixelsPerParticle)
	} else {
		row(w, "picture", "%d × %d pixels, %.2g per particle%s", s.Picture.Size[0], s.Picture.Size[1], e.PixelsPerParticle, advice(e))
	}
	for _, text := range b.Warnings {
		row(w, "warning", "%s", text)
	}
	for _, text := range b.Notes {
		row(w, "note", "%s", text)
	}
	if s.Whitewater != nil {
		row(w, "whitewater", "%s", meanParcels(e))
	}
	row(w, "memory", "about %s%s", num.Bytes(float64(e.Memory)), available())
	if e.MemoryFree > e.Memory {
		row(w, "", "without this limit it takes %s and runs faster, since less memory is freed on the way", num.Bytes(float64(e.MemoryFree)))
	}
	row(w, "disk", "about %s: particles %s%s%s, frames %s, film %s%s",
		num.Bytes(float64(e.Disk())), num.Bytes(float64(e.Particle)), whitewaterDisk(e), meshDisk(e), num.Bytes(float64(e.Picture)), num.Bytes(float64(e.Film)), exports(e))
	if s := largest(s, e); s != "" {
		row(w, "", "%s", s)
	}
	if e.MeshKept < e.Mesh {
		row(w, "", "%s of meshes are kept of %s in all; up to %s exist at a time", num.Bytes(float64(e.MeshKept)), num.Bytes(float64(e.Disk()-e.Mesh+e.MeshKept)), num.Bytes(float64(e.MeshMost)))
	}
	if len(e.Formats) > 1 { // more than the meshes that frames are drawn from
		row(w, "", "%s", formats(e))
	}
	if stages := e.Seconds(); stages > 0 {
		row(w, "time", "about %s on this machine with %d threads: %ssim %s%s%s, draw %s, video %s", span(start+stages),
			runtime.GOMAXPROCS(0), startTime(start, stages), span(e.SimTime), whitewaterTime(e), meshTime(e), span(e.DrawTime), span(e.FilmTime))
	}
	switch err := rehearsal.Failed(); {
	case err != nil:
		row(w, "trial", "the rehearsal ended early: %v", err)
	case rehearsal.Share() < 1:
		row(w, "trial", "the rehearsal got to %s of the film, so the figures are rough; --trial=1m gives it more time", percentReached(rehearsal.Share()))
	}
	return w.Flush()
}

// meanParcels says how many parcels of whitewater there will be, to two digits.
func meanParcels(e estimate.Estimate) string {
	if !e.Rehearsed {
		return "not rehearsed"
	}
	switch n := e.Parcels; {
	case n == 0:
		return "hardly any parcels"
	case n == 1:
		return "about 1 parcel per frame"
	default:
		unit := 1
		for n/unit > 99 {
			unit *= 10
		}
		return fmt.Sprintf("about %d parcels per frame", (n+unit/2)/unit*unit)
	}
}

// percentReached says how much of a film was rehearsed, in whole per cents rounded down.
func percentReached(share float64) string {
	if share < 0.01 {
		return "less than 1 %"
	}
	return fmt.Sprintf("%.0f %%", math.Floor(100*share))
}

// startTime is the time to read the scene and make it ready, s, "" if that is little beside the
// time of the stages.
func startTime(start, stages float64) string {
	const little = 0.05
	if start < little*stages {
		return ""
	}
	return "start " + span(start) + ", "
}

// meshTime and meshDisk are the shares of meshes, "" for a gas.
func meshTime(e estimate.Estimate) string {
	if e.Mesh == 0 {
		return ""
	}
	return ", mesh " + span(e.MeshTime)
}

func meshDisk(e estimate.Estimate) string {
	if e.Mesh == 0 {
		return ""
	}
	return ", meshes " + num.Bytes(float64(e.Mesh))
}

// whitewaterDisk and whitewaterTime are the shares of whitewater, "" for scenes without.
func whitewaterDisk(e estimate.Estimate) string {
	if e.Whitewater == 0 {
		return ""
	}
	return ", whitewater " + num.Bytes(float64(e.Whitewater))
}

func whitewaterTime(e estimate.Estimate) string {
	if e.WhitewaterTime == 0 {
		return ""
	}
	return ", whitewater " + span(e.WhitewaterTime)
}

// span writes a time that is known to two digits at best, and that is 0 if it is
// not known at all.
func span(s float64) string {
	switch {
	case s == 0:
		return "unknown"
	case s < 10:
		return fmt.Sprintf("%.2g s", s)
	case s < 100:
		return fmt.Sprintf("%.0f s", s)
	}
	return time.Duration(s * float64(time.Second)).Round(time.Second * time.Duration(num.Pow(10, math.Floor(math.Log10(s))-1))).String()
}

// largest names the setting that writes most of the data, and how to reduce it, if it is
// large.
func largest(s *scenes.Scene, e estimate.Estimate) string {
	const much = 1e9 // bytes
	if len(e.Formats) == 0 {
		return ""
	}
	most := slices.MaxFunc(e.Formats, func(a, b estimate.FormatSize) int { return cmp.Compare(a.Bytes, b.Bytes) })
	if most.Bytes < much || most.Bytes < e.Disk()/2 {
		return ""
	}
	advice := fmt.Sprintf("%s.formats without %q leaves it out", most.What, most.Format)
	switch {
	case most.Stage == stage.Mesh && s.Mesh.Keep != "" && s.Mesh.Keep != "all":
		return "" // little of it stays
	case most.What == "surface":
		advice = `mesh.keep = "none" removes it once all is drawn`
	case most.Stage == stage.Mesh && s.Mesh.Gzip:
		advice += `, mesh.keep = "none" removes it once all is drawn`
	case most.Stage == stage.Mesh:
		advice += `, mesh.keep = "none" removes it once all is drawn, mesh.gzip = true reduces it to a third`
	case most.What == "volume":
		advice = "volume.voxel twice as large reduces it to an eighth"
	}
	return fmt.Sprintf("most of it, %s, is %s as %s: %s", num.Bytes(float64(most.Bytes)), most.What, most.Format, advice)
}

// exports says what files for other programs take, if there are any.
func exports(e estimate.Estimate) string {
	if e.Export == 0 {
		return ""
	}
	return ", for other programs " + num.Bytes(float64(e.Export))
}

// formats says what each format takes.
func formats(e estimate.Estimate) string {
	var list []string
	for _, f := range e.Formats {
		list = append(list, fmt.Sprintf("%s as %s %s", f.What, f.Format, num.Bytes(float64(f.Bytes))))
	}
	return strings.Join(list, ", ")
}

// incoming says what inflows bring, if there are any.
func incoming(e estimate.Estimate) string {
	if e.Incoming == 0 {
		return ""
	}
	return fmt.Sprintf("; %d more flow in", e.Incoming)
}

// advice says what to do about particles that are too large or too small for
// the picture; see estimate.Estimate.
func advice(e estimate.Estimate) string {
	switch px := e.PixelsPerParticle; {
	case px > 6:
		return fmt.Sprintf(", so single drops look like balls: a spacing of %.2g m or less avoids that", e.Spacing*6/px)
	case px < 2:
		return fmt.Sprintf(", so detail is lost: a spacing of %.2g m would show as much", e.Spacing*2/px)
	}
	return ""
}

// shortened names the setting that makes the steps short, if there is one.
func shortened(e estimate.Estimate) string {
	if e.Shortened == "" {
		return ""
	}
	return ", as short as " + e.Shortened + " asks for"
}

// available says how much memory there is, where that is known.
func available() string {
	have, who := host.Memory()
	if have == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %s", who, num.Bytes(float64(have)))
}
