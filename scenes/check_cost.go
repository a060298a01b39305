package scenes

import (
	"errors"
	"math"

	"breakwater/scenes/memory"
	"breakwater/sim"
	"breakwater/sim/num"
	"breakwater/sim/registry"
)

// room checks that the machine has memory for particles d apart, and that they
// are no more than a run can have.
func (c *checker) room(d float64) {
	volume, come, area := c.parts.initial(c.scene).volume, c.parts.incoming(c.scene), c.parts.area()
	particles := func(d float64) float64 { return (volume + come) / c.scene.ParticleVolume(d) }
	needs := func(d float64) memory.Need {
		w := c.scene.world(c.parts)
		w.Spacing = d
		guess := memory.Guess(volume/c.scene.ParticleVolume(d), come/c.scene.ParticleVolume(d), area, d, c.scene.Flat())
		return memory.Of(w, c.solver, c.scene.PictureMemory(c.look), guess, memory.Usual)
	}
	have, who := c.machine()
	if have == 0 {
		have = math.MaxInt64
	}
	bytes := float64(have)
	if memory.LeastPicture(c.scene.Pixels()) > bytes {
		return // which is said of the picture
	}
	n := c.scene.root.Find("liquid", "spacing")
	enough := func(d float64) bool { return particles(d) <= maxParticles && needs(d).Likely <= bytes }
	switch {
	case needs(d).Least > bytes:
		c.Report.Value(n, "%s m makes about %.2g particles, which need about %.3g GB of memory, but %s %.3g GB: %s",
			registry.Number(d), particles(d), needs(d).Likely/1e9, who, bytes/1e9, c.coarser(d, enough))
	case particles(d) > maxParticles:
		c.Report.Value(n, "%s m makes about %.2g particles; expected at most %.2g, which need about %.0f GB of memory: %s",
			registry.Number(d), particles(d), float64(maxParticles), maxParticles*memory.PerParticle/1e9, c.coarser(d, enough))
	}
}

// coarser advises the smallest spacing above d that is enough, to two digits.
func (c *checker) coarser(d float64, enough func(d float64) bool) string {
	if x, ok := c.spacing(d, enough); ok {
		return "make it " + measured(x, "m") + " or more"
	}
	return "no spacing is large enough: make the liquid smaller"
}

// spacing returns the smallest spacing above d that is enough, to two digits,
// if the blocks and openings are not too thin for it.
func (c *checker) spacing(d float64, enough func(d float64) bool) (x float64, ok bool) {
	most := c.scene.coarsest(c.parts)
	return num.Nearest(d, 1, func(x float64) bool { return x <= most && enough(x) })
}

// Bounds on the number of steps of a film. Twenty thousand per frame take some minutes
// even of a small liquid, and ten million take days. A million are acceptable in a film
// of few frames that are far apart.
const (
	maxFrameSteps = 20e3
	leastMaxSteps = 1e6
	mostMaxSteps  = 10e6
)

// maxSteps returns how many steps a film of s may take.
func (s *Scene) maxSteps() float64 {
	return max(leastMaxSteps, min(mostMaxSteps, maxFrameSteps*float64(s.Time.Frames())))
}

// steps checks that the film needs no absurd number of steps. It names the
// setting that shortens them and the number that would do.
func (c *checker) steps() {
	frames := c.scene.Time.Frames()
	t := c.scene.Time.At(frames)
	if t == 0 || frames > maxFrames || c.badValue("time") || c.badValue("liquid") || c.parts.solver == nil {
		return
	}
	most := c.scene.maxSteps()
	fits := func(m motion) bool { return t/m.dt() <= most }
	for _, b := range c.scene.bounds(c.parts) {
		if fits(b.motion) {
			continue
		}
		m := b.motion
		coarser, ok := c.spacing(m.spacing, func(d float64) bool { m.spacing = d; return fits(m) })
		at, value, advice := c.scene.root.Find("liquid", "spacing"), measured(b.motion.spacing, "m"), ""
		if ok {
			advice = "make it " + measured(coarser, "m") + " or more, or "
		}
		for _, l := range b.parameters {
			if x, enough := l.enough(fits); enough {
				at, value, advice = l.at, measured(l.value, l.unit), "make it "+measured(x, l.unit)+" or less, or "
				if x > l.value {
					advice = "make it " + measured(x, l.unit) + " or more, or "
				}
				if ok {
					advice += "liquid.spacing " + measured(coarser, "m") + " or more, or "
				}
				break
			}
		}
		dt := b.motion.dt()
		c.Report.Value(at, "%s allows steps of %.2g s, or %.2g steps for this film; expected at most %.2g: %sshorten the film",
			value, dt, t/dt, most, advice)
		if b.key == "" {
			return // every other bound is as short
		}
	}
}

// suits asks the solver whether its settings suit the liquid.
func (c *checker) suits() {
	solver, ok := c.parts.solver.(sim.Checker)
	if !ok {
		return
	}
	w := c.scene.world(c.parts)
	w.Speed = c.scene.motion(c.parts).fastest
	var bad *sim.SettingError
	if err := solver.Check(w); errors.As(err, &bad) {
		at := c.scene.Solver.Node
		if n := at.Get(bad.Key); n != nil {
			at = n
		}
		c.Report.Value(at, "%s", bad.Text)
	}
}

// measured returns x with its unit.
func measured(x float64, unit string) string {
	if unit == "" || unit == "1" {
		return registry.Number(x)
	}
	return registry.Number(x) + " " + unit
}

// area returns the surface of the blocks' bounds, m².
func (p *parts) area() (a float64) {
	for _, shape := range p.shapes {
		if shape != nil {
			size := shape.Bounds().Size()
			a += float64(2 * (float64(size.X*size.Y) + float64(size.Y*size.Z) + float64(size.Z*size.X)))
		}
	}
	return a
}

// Area returns the surface of the bounds of the blocks of b, m².
func (b *Built) Area() float64 { return b.parts.area() }
