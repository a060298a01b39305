package scenes

import (
	"context"
	"math"

	"breakwater/scenes/host"
	"breakwater/sim/vortex"
)

// The costs of a gas, measured on the shipped scenes.
const (
	gasParticle     = 600 // in memory: a vorton or a tracer, with the points of the grid
	drawnTracer     = 900 // in memory: a tracer that is drawn as some grains, with their light
	gasFileParticle = 54  // in a file: a tracer; a vorton has three numbers more
)

// gasTrial is a gas that was moved for some steps.
type gasTrial struct {
	particle float64 // s of processor time for a particle in a step
	reached  float64 // share of the film, from 0 to 1
	failed   error
}

// rehearseGas moves a gas until the effort is spent or the film ends.
func (s *Scene) rehearseGas(ctx context.Context, effort Effort) (*Rehearsal, error) {
	b, err := s.Build()
	if err != nil {
		return nil, err
	}
	t := &gasTrial{}
	budget := effort.Seconds
	if budget == 0 {
		budget = math.Inf(1)
	}
	begun, end := host.ProcessorTime(), s.Time.At(s.Time.Frames())
	spent, moved := 0., 0.
	late := context.DeadlineExceeded
	if end > 0 {
		err = b.Flow.Advance(b.GasSolver, &s.Gas.Gas, end, func(vortex.StepInfo) error {
			moved += float64(b.Flow.Vortons.Len() + len(b.Flow.Tracers.X))
			if spent = host.ProcessorTime() - begun; spent > budget {
				return late
			}
			return ctx.Err()
		})
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && err != late:
		t.failed = err
	}
	if moved > 0 {
		t.particle = spent / moved
	}
	t.reached = 1
	if end > 0 {
		t.reached = b.Flow.Time / end
	}
	return &Rehearsal{gas: t}, nil
}

// estimateGas returns the needs of a gas. The time of a step is taken to follow the number
// of particles.
func (s *Scene) estimateGas(b *Built, r *Rehearsal) Estimate {
	e := Estimate{Particles: b.Start, Incoming: b.Most - b.Start, Spacing: s.Gas.Cell, Frames: s.Time.Frames()}
	e.Vortons, e.Time = b.Flow.Vortons.Len(), s.Time.At(e.Frames)
	eye := b.Camera.Target.Sub(b.Camera.Eye).Len()
	const sensor = 36 // mm
	e.PixelsPerParticle = s.Gas.Cell / eye * b.Camera.Focal / sensor * float64(s.Picture.Size[0])
	if dt := b.GasSolver.MaxDt(b.Flow); dt > 0 {
		each := s.Time.At(2)
		e.Steps = (e.Frames - 1) * max(1, int(math.Ceil(each/dt-1e-9)))
	}
	vortons, tracers := s.gasCount(b.parts, s.Gas.Cell)
	most := max(float64(b.Start), min(vortons+tracers, float64(b.Most)))
	mean := (float64(b.Start) + most) / 2
	pixels := float64(s.Picture.Size[0]) * float64(s.Picture.Size[1])
	frames := float64(e.Frames)
	e.Memory = int64(baseBytes + most*gasParticle + max(0, PictureNeed(pixels)+most*drawnTracer-most*gasParticle))
	e.MemoryFree = e.Memory
	e.memoryFor = func(d float64) float64 { return float64(e.Memory) * math.Pow(e.Spacing/d, 3) }
	e.Particle = int64(frames * mean * gasFileParticle)
	e.Formats = s.formatSizes(b, load{particles: mean, particlesMost: most})
	for _, f := range e.Formats {
		e.Export += f.Bytes // there are no meshes
	}
	e.Picture = int64(frames * pixels * pngPixel * math.Pow(1280*720/pixels, largerPNG))
	e.Film = int64(frames * pixels * filmPixel)
	if r != nil && r.gas != nil {
		e.Rehearsed = true
		e.SimTime = r.gas.particle * mean * float64(e.Steps)
	}
	return e
}
