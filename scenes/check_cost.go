package scenes

import (
	"errors"
	"math"
	"strconv"

	"breakwater/scenes/host"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/num"
	"breakwater/sim/registry"
)

// room checks that the machine has memory for particles d apart, and that they
// are no more than a run can have.
func (c *checker) room(d float64) {
	volume, come, area := c.parts.initial(c.scene).volume, c.parts.incoming(c.scene), c.parts.area()
	particles := func(d float64) float64 { return (volume + come) / c.scene.particleVolume(d) }
	needs := func(d float64) need {
		w := c.scene.world(c.parts)
		w.Spacing = d
		return c.scene.need(w, c.solver, c.look, c.scene.guess(volume/c.scene.particleVolume(d), come/c.scene.particleVolume(d), area, d), usualLive)
	}
	have, who := c.memory()
	if have == 0 {
		have = math.MaxInt64
	}
	bytes := float64(have)
	if PictureNeed(c.scene.pixels()) > bytes {
		return // which is said of the picture
	}
	n := c.scene.root.Find("liquid", "spacing")
	enough := func(d float64) bool { return particles(d) <= maxParticles && needs(d).likely <= bytes }
	switch {
	case needs(d).least > bytes:
		c.Report.Value(n, "%s m makes about %.2g particles, which need about %.3g GB of memory, but %s %.3g GB: %s",
			registry.Number(d), particles(d), needs(d).likely/1e9, who, bytes/1e9, c.coarser(d, enough))
	case particles(d) > maxParticles:
		c.Report.Value(n, "%s m makes about %.2g particles; expected at most %.2g, which need about %.0f GB of memory: %s",
			registry.Number(d), particles(d), float64(maxParticles), maxParticles*bytesPerParticle/1e9, c.coarser(d, enough))
	}
}

// Fits returns Faults if a run of s, with the needs e, needs more memory than the machine
// has.
func (s *Scene) Fits(e *Estimate) error {
	have, who := memory()
	if have == 0 || e.Memory <= have {
		return nil
	}
	advice := "no spacing is large enough: make the liquid smaller"
	if s.Gas != nil {
		advice = "no cell is large enough: lower the rates of sources, or the size of the picture"
	}
	if d, ok := e.SpacingFor(have); ok {
		advice = "make it " + measured(d, "m") + " or more"
	} else if e.Parcels > 0 {
		advice += ", or lower whitewater.most"
	}
	var f toml.Report
	f.Value(s.root.Find("liquid", "spacing").Or(s.root.Find("gas", "cell")), "%s m makes about %.2g particles, which need about %.3g GB of memory, but %s %.3g GB: %s",
		registry.Number(e.Spacing), float64(e.Particles+e.Incoming), float64(e.Memory)/1e9, who, float64(have)/1e9, advice)
	return stage.Elsewhere{Err: f.Err()}
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
	return nearestEnough(d, 1, func(x float64) bool { return x <= most && enough(x) })
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

// nearestEnough returns the number of two digits nearest to x for which holds
// is true, above x for a direction of 1 and below for −1.
func nearestEnough(x, direction float64, holds func(float64) bool) (float64, bool) {
	in, out := x, x
	for tries := 0; !(x > 0) || !holds(in); tries++ {
		const most = 400 // 50 doublings
		if !(x > 0) || tries == most {
			return 0, false
		}
		out, in = in, in*math.Exp2(direction/8)
	}
	for range 20 {
		if mid := math.Sqrt(in * out); holds(mid) {
			in = mid
		} else {
			out = mid
		}
	}
	ten := num.Pow(10, math.Floor(math.Log10(in))-1)
	for k := range 3 {
		two, err := strconv.ParseFloat(strconv.FormatFloat((math.Round(in/ten)+float64(float64(k)*direction))*ten, 'g', 2, 64), 64)
		if err == nil && (two-in)*direction >= 0 && holds(two) {
			return two, true
		}
	}
	return 0, false
}

// memory returns the memory that a run may use. Tests put a machine of their own in
// its place.
var memory = host.Memory
