package estimate

import (
	"math"
	"runtime"
	"slices"

	"breakwater/scenes"
	"breakwater/scenes/memory"
	"breakwater/sim/num"
)

// finest returns the most informative trial, or nil without trials.
func (r *Rehearsal) finest() *trial {
	if r == nil || len(r.trials) == 0 {
		return nil
	}
	return r.trials[len(r.trials)-1]
}

// Share returns how much of the film the rehearsal got to, from 0 to 1: the rest
// was guessed from that.
func (r *Rehearsal) Share() float64 {
	if r != nil && r.gas != nil {
		if r.gas.coarse != nil {
			return 1
		}
		return r.gas.reached
	}
	if t := r.finest(); t != nil {
		return t.reached
	}
	return 0
}

// Failed returns what ended the rehearsal before the film's end, as a run may be
// too; nil if nothing has.
func (r *Rehearsal) Failed() error {
	if r != nil && r.gas != nil {
		return r.gas.failed
	}
	if t := r.finest(); t != nil {
		return t.failed
	}
	return nil
}

// stepsFactor returns the number of steps that a film at spacing d takes, over the number at
// the expected step length dt, s. A rehearsal of less than a fifth of the film counts for less,
// in proportion.
func (r *Rehearsal) stepsFactor(d, dt float64) float64 {
	fine := r.finest()
	if fine == nil {
		return 1
	}
	factor, known := fine.stepsFactor()
	if !known {
		return 1
	}
	if finer := fine.scene.Liquid.Spacing / d; finer > 1 {
		// The speeds bound the steps of a splash in proportion to the spacing, and gravity the
		// steps of calm liquid with its root; finer splashes are faster. How much of a film
		// either takes is seen in the trials. Trials of similar spacings would give a
		// power by chance.
		const apart, mostPower = 1.3, 1.1
		expected := fine.dt / dt
		growth := expected
		coarse := r.trials[0]
		if ratio := coarse.scene.Liquid.Spacing / fine.scene.Liquid.Spacing; ratio >= apart && coarse.reached == 1 && fine.reached == 1 {
			if few, known := coarse.stepsFactor(); known {
				power := math.Log(factor/few) / math.Log(ratio)
				growth *= num.Pow(finer, power)
			}
		}
		growth = max(min(expected, math.Sqrt(finer)), min(growth, max(expected, num.Pow(finer, mostPower))))
		factor *= growth / expected
	}
	const enough = 0.2
	return 1 + float64(min(1, fine.reached/enough)*(factor-1))
}

// stepsFactor returns the steps that t took over those expected, and whether there were enough
// to know.
func (t *trial) stepsFactor() (factor float64, known bool) {
	expected := t.reached * t.scene.Time.At(t.scene.Time.Frames()) / t.dt
	const enough = 20
	if expected < enough {
		return 1, false
	}
	return (t.steps - float64(0.5*float64(len(t.frames)-1))) / expected, true
}

// times sets how long the stages of a film take on this machine.
func (r *Rehearsal) times(b *scenes.Built, e *Estimate, film memory.Load, pixels float64) {
	fine, frames := r.finest(), float64(e.Frames)
	const leastSteps = 5 // the first ready what the others use
	if e.Frames > 1 && fine.steps < leastSteps {
		return // nothing is known of most of it
	}
	threads := float64(runtime.GOMAXPROCS(0))
	reading := float64(fine.coding.each() * float64(e.Particle)) // of the particle files, about as long as writing
	if fine.steps > 0 {
		finer := fine.scene.Liquid.Spacing / e.Spacing
		ready := float64((fine.ready + max(0, fine.readied.seconds-float64(fine.readied.things*fine.stepCost()))) * finer * finer)
		// The processors wait for each other equally often in each step, however many
		// particles they share.
		idle := float64(fine.sim.idle(r.unused) * fine.stepCost())
		first := r.first(func(t *trial) rate { return t.sim })
		e.SimTime = (float64(float64(e.Steps)*(r.step(film.Particles)+idle)) + first + ready + reading) / threads
	}
	if w := fine.water; w != nil && w.moving.things > 0 && e.Frames > 1 {
		e.WhitewaterTime = (float64(frames*r.whitewaterTime(film.Particles, film.Parcels, e.Spacing, e.Time/(frames-1))*(1+w.moving.idle(r.unused))) + reading) / threads
	}
	if of := fine.meshing; len(fine.frames) > 0 {
		idle := of.idle(r.unused) * of.seconds / float64(len(fine.frames))
		first := r.first(func(t *trial) rate { return t.meshing })
		e.MeshTime = (float64(frames*(float64(film.Vertices*of.each())+idle)) + first + reading) / threads
	}
	if x := r.shot; x != nil {
		things := float64(2 * film.Vertices)
		if b.DrawsParticles() {
			things = film.Particles
		}
		files := 0.
		if w := fine.water; w != nil {
			files = float64(frames * film.Parcels * w.fileCost)
		}
		e.DrawTime = (float64(frames*x.time(pixels, things, film.Grains)) + x.first + files) / threads
		e.FilmTime = x.start + float64(frames*x.film*pixels)
	}
}

// first returns the most that the first things of a trial took beyond the others, s of processor
// time. The first of a process take the longest.
func (r *Rehearsal) first(of func(t *trial) rate) (most float64) {
	for _, t := range r.trials {
		most = max(most, of(t).first())
	}
	return most
}

// stepCost returns the processor time of a step, s, besides the time to ready grids.
func (t *trial) stepCost() float64 {
	const enough = 10
	if t.sim.things < enough && t.readied.things > 0 {
		return (t.sim.seconds + t.readied.seconds) / (t.sim.things + t.readied.things)
	}
	return t.sim.each()
}

// step returns the processor time of a step of n particles, s: some for itself,
// for bodies above all, and some for each particle.
func (r *Rehearsal) step(n float64) float64 {
	fine := r.finest()
	each := fine.moved / fine.steps
	cost := fine.stepCost()
	perParticle := cost / each
	if r.part != nil {
		perParticle = max(0.1*perParticle, min(perParticle, r.part.slope(fine)))
	}
	if coarse := r.trials[0]; coarse != fine && coarse.steps > 0 {
		if few := coarse.moved / coarse.steps; each > 1.5*few {
			perParticle = max(0.1*perParticle, (cost-coarse.stepCost())/(each-few))
			power := math.Log(cost/coarse.stepCost()) / math.Log(each/few)
			if power > 1 { // finer liquid takes more iterations, or has more neighbours
				const most, far = 1.25, 10 // bounds of the extrapolation from the measurement
				power = min(power, most)
				near := min(n, far*each)
				return cost * num.Pow(near/each, power) * n / near
			}
		}
	}
	return cost + float64((n-each)*perParticle)
}

// slope returns the processor time that each particle adds to a step, s: the difference of the steps
// of t and of a coarser trial up to the last frame that both have. It is +Inf if they have no such frame
// after the first.
func (t *trial) slope(coarse *trial) float64 {
	for k := min(len(t.frames), len(coarse.frames)) - 1; k > 0; k-- {
		few, many := coarse.frames[k], t.frames[k]
		if few.at == many.at && few.sim.things > 0 && many.sim.things > 0 && many.each > few.each {
			return (many.sim.each() - few.sim.each()) / (many.each - few.each)
		}
	}
	return math.Inf(1)
}

// film returns the frames of t, and evenly spaced ones after those that it got to. They
// have what flows in besides. Particles leave as they did. The surface goes on growing
// as it did, but less and less, over as long as its growth was seen. Splashes come to
// rest, a jet reaches the liquid below, and a tank runs dry.
func (t *trial) film() []trialFrame {
	list := slices.Clone(t.frames)
	n := len(list)
	if n == 0 || t.reached == 1 {
		return list
	}
	d := t.scene.Liquid.Spacing
	length := t.scene.Time.At(t.scene.Time.Frames())
	come := func(at float64) float64 { return t.scene.Incoming(t.built, at*length) / t.scene.ParticleVolume(d) }
	last, rate, leaving := list[n-1], 0., 0.
	if seen := last.at - list[0].at; seen > 0 {
		rate = (last.vertices - list[0].vertices) / seen
		before := list[n-2]
		leaving = (before.particles + come(last.at) - come(before.at) - last.particles) / (last.at - before.at)
	}
	const more = 2 * trialFrames
	for k := 1; k <= more; k++ {
		at := last.at + (1-last.at)*float64(k)/more
		x := trialFrame{at: at, particles: last.particles + come(at) - come(last.at), vertices: last.vertices}
		later := last.at * -math.Expm1(-(at-last.at)/last.at)
		x.particles = max(0, x.particles-float64(leaving*later))
		if rate > 0 {
			x.vertices += float64(rate * later)
		}
		list = append(list, x)
	}
	return list
}

// mean returns the mean over the given number of images of a film, as far as the trial's
// frames reach, and the largest, of the function of the frames.
func mean(frames []trialFrame, images int, of func(trialFrame) float64) (mean, most float64) {
	if len(frames) == 0 {
		return 0, 0
	}
	for _, f := range frames {
		most = max(most, of(f))
	}
	const enough = 1000 // more change nothing
	images = min(images, enough)
	count, k := 0., 0
	for i := range images {
		at := float64(i) / float64(max(1, images-1))
		for k+1 < len(frames) && frames[k+1].at < at {
			k++
		}
		if k+1 == len(frames) && at > frames[k].at+1e-9 {
			break
		}
		here := of(frames[k])
		if k+1 < len(frames) {
			if long := frames[k+1].at - frames[k].at; long > 0 {
				here += float64((at - frames[k].at) / long * (of(frames[k+1]) - here))
			}
		}
		mean += here
		count++
	}
	return mean / max(1, count), most
}

// beforeMost returns the share of the largest value of the frames that the image before the largest
// has, if that is the last. It is 1 otherwise.
func beforeMost(frames []trialFrame, images int, of func(trialFrame) float64) float64 {
	n := len(frames)
	if n < 2 {
		return 1
	}
	last, before := frames[n-1], frames[n-2]
	_, most := mean(frames, images, of)
	long := last.at - before.at
	if most == 0 || of(last) < most || long <= 0 {
		return 1
	}
	back := min(1, 1/float64(max(1, images-1))/long)
	return 1 + float64(back*(of(before)/most-1))
}

// vertices returns the mean number of vertices of the film at spacing d, and the
// largest. A mean frame has the given number of particles. The vertices per particle
// fall with a power of the spacing: 1 for the surface of a body of liquid, less if
// finer liquid splashes into smaller drops. The two finest trials determine the power.
// A sum of a surface and of drops, a/d² + b/d³, fits the trials as well. But coarse
// liquid that spreads is one particle deep and cannot have more surface. The sum
// takes that for drops, and extrapolates them to any number of particles.
func (r *Rehearsal) vertices(d, particles float64) (average, most float64) {
	fine := r.finest()
	frames, images := fine.film(), fine.scene.Time.Frames()
	average, most = mean(frames, images, verticesOf)
	few, _ := mean(frames, images, particlesOf)
	if average == 0 || few == 0 {
		return 0, 0
	}
	d2 := fine.scene.Liquid.Spacing
	if x := fine.reached; x < 1 { // the less is known, the more is a guess
		few, end := 1/fine.scene.ParticleVolume(d2), fine.scene.Time.At(images)
		by := memory.Guess(float64(fine.start), fine.scene.Incoming(fine.built, end)*few, fine.built.Area(), d2, fine.scene.Flat())
		factor := num.Pow(max(1, by.Vertices/average), num.Pow(1-x, 4))
		average, most = factor*average, factor*most
	}
	// Coarse liquid may have less volume, since particles stay half a spacing off round
	// walls. A surface is as large then, but there are fewer drops.
	power, finer := r.surfacePower(), fine.scene.ParticleVolume(d2)/fine.scene.ParticleVolume(d)
	volume := particles / (few * finer)
	scale := finer * num.Pow(d/d2, power) * num.Pow(volume, 2*(1-power))
	return average * scale, most * scale
}

func verticesOf(f trialFrame) float64  { return f.vertices }
func particlesOf(f trialFrame) float64 { return f.particles }
func parcelsOf(f trialFrame) float64   { return f.parcels }

// The powers of the spacing with which the vertices per particle may fall. The
// cube of bench-cube had 4.98, 2.27 and 1.48 in a mean frame with 8000, 64,000 and
// 216,000 particles, which is a power of 1.1. The shipped dam break had 2.59, 1.82
// and 1.46 with 7200, 63,550 and 232,848, which is a power of 0.5. The same holds
// for a wave that crosses a tank of 20 m, with 4.57 and 3.22 for 7581 and 62,244.
const (
	leastSurfacePower = 0.5
	mostSurfacePower  = 1
)

// surfacePower returns the power of the spacing with which the vertices per
// particle fall. In a single trial, half of the surface added after the start counts
// as drops.
func (r *Rehearsal) surfacePower() float64 {
	fine, power := r.finest(), math.NaN()
	if n := len(r.trials); n > 1 {
		power = r.trials[n-2].powerTo(fine)
	}
	if math.IsNaN(power) {
		average, _ := mean(fine.frames, fine.scene.Time.Frames(), verticesOf)
		power = 1 - float64(0.5*max(0, 1-fine.frames[0].vertices/average))
	}
	return max(leastSurfacePower, min(mostSurfacePower, power))
}

// powerTo returns the power of the spacing with which the vertices per particle fall from t
// to a finer trial.
func (t *trial) powerTo(fine *trial) float64 {
	n := min(len(t.frames), len(fine.frames))
	images := fine.scene.Time.Frames()
	share := func(t *trial) float64 {
		v, _ := mean(t.frames[:n], images, verticesOf)
		p, _ := mean(t.frames[:n], images, particlesOf)
		return v / p
	}
	return math.Log(share(t)/share(fine)) / math.Log(t.scene.Liquid.Spacing/fine.scene.Liquid.Spacing)
}

// unsettled reports whether the power with which the vertices fall is still rising. Liquid that
// spreads thin is one particle deep in coarse trials and has nearly the surface of separate
// drops, whatever the spacing: the cube of bench-cube has powers of 0.4 and 0.6 with 500 to
// 8000 particles, and 1.1 from there to 118,000.
func (r *Rehearsal) unsettled() bool {
	const rise = 0.05
	n := len(r.trials)
	if n < 3 {
		return false
	}
	before, last := r.trials[n-3].powerTo(r.trials[n-2]), r.trials[n-2].powerTo(r.trials[n-1])
	return last > max(before+rise, leastSurfacePower) && last < mostSurfacePower
}

// particles returns the mean number of particles of the film at spacing d, with start
// particles at the start, and the largest.
func (r *Rehearsal) particles(d float64, start int) (average, most float64) {
	fine := r.finest()
	average, most = mean(fine.film(), fine.scene.Time.Frames(), particlesOf)
	x := fine.scene.ParticleVolume(fine.scene.Liquid.Spacing) / fine.scene.ParticleVolume(d)
	more := func(n float64) float64 { return max(0, float64(start)+float64((n-float64(fine.start))*x)) }
	return more(average), max(float64(start), more(most))
}
