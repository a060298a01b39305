package estimate

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/scenes"
	"breakwater/scenes/convert"
	"breakwater/scenes/host"
	"breakwater/sim/num"
)

// trialShot is a picture of a trial.
type trialShot struct {
	pixel float64 // s of processor time for each pixel
	rest  float64 // s of processor time besides, for the triangles or particles below
	shown float64 // triangles, or particles where these are drawn

	// Likewise, for the grains of whitewater. No grain is drawn narrower than a pixel, so the
	// rays of smaller pixels meet fewer of them: the time grows with the root of the pixels.
	waterRoot, water, grains float64

	first float64 // s of processor time that the first picture took beyond the others
	idle  float64 // s of processor time that a picture leaves unused
	start float64 // s for a film of no frames
	film  float64 // s for each pixel of a film; 0 if it is not known
	bytes float64 // for each pixel, in a file as large as the scene's

	pixelBytes, bare float64 // bytes of memory that a picture without grains allocates, for each pixel and besides
	waterBytes       float64 // likewise, that it allocates for the grains

	power float64 // of the number of things by which rest grows up to shown; 0 for 1
	fills bool    // whether shown are particles of smoke, of which more fill more of the picture
}

// shoot draws a typical frame of t as s would, but smaller, with and without whitewater.
func (t *trial) shoot(ctx context.Context, s *scenes.Scene, spent *spending) (*trialShot, error) {
	b, k := t.built, t.typical()
	still, now := t.stills[k], s.Time.At(s.Time.Frames())*t.frames[k].at
	view := t.scene.View(b)
	view.Camera = b.CameraAt(s.Time.Film(s.Time.Frames()) * t.frames[k].at)
	x := &trialShot{shown: float64(len(still.mesh.Tri)), grains: t.frames[k].grains}
	if b.DrawsParticles() {
		set := &b.World.Set
		view.Particles = &raster.Particles{Set: set, Spacing: t.scene.Liquid.Spacing, Density: s.Liquid.Density, Fastest: b.Fastest, Most: b.Most, Time: now}
		x.shown = float64(set.Len())
	} else {
		view.Liquid = still.mesh
	}
	view.Tank, view.Vessels, view.Solids = b.During(now, view.Shutter)
	if err := b.World.PlaceBodies(still.bodies); err != nil {
		return nil, err
	}
	pixels := spent.pixels(view.Quality)
	c, file, err := shots(b, &view, pixels)
	if err != nil {
		return nil, nil // as by what the solver does not keep; the run will say so
	}
	x.pixel, x.rest = line(c.timed, c.seconds)
	x.first = c.first(x.pixel, x.rest)
	if x.grains > 0 {
		begun := host.ProcessorTime()
		view.Grains = convert.Grains(*still.parcels, s.Liquid.Spacing, s.BreakupTime(), append(b.World.Pipes(), b.World.Walls...), math.Inf(1))
		ready := host.ProcessorTime() - begun
		bare := c
		if c, file, err = shots(b, &view, pixels); err != nil {
			return nil, nil
		}
		var roots, more [2]float64
		for i := range more {
			roots[i], more[i] = math.Sqrt(c.timed[i]), c.seconds[i]-bare.seconds[i]
		}
		x.waterRoot, x.water = line(roots, more)
		x.water += ready
		x.waterBytes = max(0, c.allocated[1]-bare.allocated[1])
		c.allocated = bare.allocated
	}
	return x, x.finish(ctx, s, b, c, file, spent)
}

// pixels returns how many pixels the picture of a rehearsal has.
func (x *spending) pixels(q raster.Quality) float64 {
	pixels := shotPixels
	if x.effort.Seconds >= checkEffort.Seconds {
		pixels *= 4
	}
	if q == raster.Final {
		pixels /= 4 // a pixel takes many times as long
	}
	return pixels
}

// finish sets the costs of all pictures, from the cost of one and its file.
func (x *trialShot) finish(ctx context.Context, s *scenes.Scene, b *scenes.Built, c shotCost, file []byte, spent *spending) (err error) {
	x.pixelBytes, x.bare = line(c.pixels, c.allocated)
	x.bytes, x.idle = c.bytes, c.taken.seconds*c.taken.idle(spent.unused())
	x.start, x.film, err = timeFilms(s, ctx, b.Formats.Movies, file, spent.unused())
	return err
}

// time returns the processor time of a picture of the given number of pixels, s, that shows
// a number of things and of grains.
func (x *trialShot) time(pixels, things, grains float64) float64 {
	more, moreGrains := 1., 1.
	if x.shown > 0 {
		if more = things / x.shown; more < 1 && x.power > 0 { // beyond what was drawn, the power is not known
			more = num.Pow(more, x.power)
		}
	}
	if x.grains > 0 {
		moreGrains = grains / x.grains
	}
	each := x.pixel
	if x.fills {
		more = min(more, mostFuller)
		each *= max(1, num.Pow(more, areaPower))
	}
	return float64(each*pixels) + float64(x.rest*more) + float64((float64(x.waterRoot*math.Sqrt(pixels))+x.water)*moreGrains) + x.idle
}

// areaPower is the power of its volume by which smoke covers more of a picture. With mostFuller times as much,
// the picture is taken to be full.
const (
	areaPower  = 2.0 / 3
	mostFuller = 4
)

// triangleBytes are the bytes of memory that a picture allocates for a triangle. moreGrains is the
// power of the number of grains by which whitewater allocates more. Both were measured in
// frames of the shipped dam break.
const (
	triangleBytes = 330
	moreGrains    = 0.75
)

// allocated returns the bytes of memory that a picture allocates for the given number of pixels, and
// those that it allocates besides, if it shows a number of triangles and of grains.
func (x *trialShot) allocated(pixels, triangles, grains float64) (each, rest float64) {
	rest = max(0, x.bare-float64(triangleBytes*x.shown)) // the coarse mesh of a trial takes more for each
	rest += float64(triangleBytes * triangles)
	if x.grains > 0 {
		rest += float64(x.waterBytes * num.Pow(grains/x.grains, moreGrains))
	}
	return float64(x.pixelBytes * pixels), rest
}

// shotCost is what the pictures of a view cost.
type shotCost struct {
	timed, seconds    [2]float64 // pixels and seconds of processor time, at two sizes
	ready             [2]float64 // pixels and seconds of the picture before, which readied what the others use
	bytes             float64    // for each pixel, in a file as large as the view's
	pixels, allocated [2]float64 // pixels and bytes of memory, at two sizes
	taken             rate       // by the largest picture
}

// first returns the processor time that the first picture took beyond others of pixel s for each
// pixel and of rest s besides.
func (c *shotCost) first(pixel, rest float64) float64 {
	return max(0, c.ready[1]-float64(pixel*c.ready[0])-rest)
}

// line returns the line a x + b through two points, with x above 0. Neither a nor b is below 0:
// otherwise the line passes through the second point alone.
func line(x, y [2]float64) (a, b float64) {
	last := max(0, y[1])
	if x[1] > x[0] {
		a = min(max(0, (y[1]-y[0])/(x[1]-x[0])), last/x[1])
	}
	return a, last - float64(a*x[1])
}

// shots draws the view at some sizes, of which the largest has most pixels and is the file.
func shots(b *scenes.Built, full *raster.View, most float64) (c shotCost, data []byte, err error) {
	for i, part := range [3]float64{0.01, 0.1, 1} { // the first readies what the others use
		view, pixels := resized(full, part*most)
		taken, each, file, err := timedDraw(b, view, i > 0)
		if err != nil {
			return c, nil, err
		}
		if c.taken = taken; i == 0 {
			c.ready = [2]float64{pixels, taken.seconds}
		} else {
			c.pixels[i-1], c.seconds[i-1], c.allocated[i-1] = pixels, taken.seconds, each
		}
		data, c.bytes = file, float64(len(file))/pixels*num.Pow(pixels/(float64(full.Width)*float64(full.Height)), largerPNG)
	}
	c.timed = c.pixels
	return c, data, nil
}

// larger draws the view in full size where the smaller pictures took nearly the same time, whose
// difference does not say what a pixel takes.
func (c *shotCost) larger(b *scenes.Built, full *raster.View) error {
	const nearly = 1.5
	pixels := float64(full.Width) * float64(full.Height)
	if pixels <= c.pixels[1] || c.seconds[1] > nearly*c.seconds[0] {
		return nil
	}
	taken, _, _, err := timedDraw(b, full, true)
	c.timed[1], c.seconds[1], c.taken = pixels, taken.seconds, taken
	return err
}

// resized returns the view with at most the given number of pixels, and how many these are.
func resized(full *raster.View, most float64) (*raster.View, float64) {
	view := *full
	width, height := float64(view.Width), float64(view.Height)
	scale := min(1, math.Sqrt(most/(width*height)))
	view.Width, view.Height = max(16, int(width*scale)), max(16, int(height*scale))
	return &view, float64(view.Width) * float64(view.Height)
}

// timedDraw draws the view, and again if that takes little time and several times count. It returns the
// median of their times, the bytes of memory that a picture allocates, and the file.
func timedDraw(b *scenes.Built, view *raster.View, several bool) (median rate, each float64, data []byte, err error) {
	var file bytes.Buffer
	var taken []rate
	before := allocated()
	for again := true; again; again = several && len(taken) < timedShots && taken[0].seconds < longShot {
		begun := startWatch()
		picture, err := view.Look.Draw(view)
		if err != nil {
			return median, 0, nil, err
		}
		file.Reset()
		if err := b.Formats.Picture.Encode(&file, &out.Frame{Image: picture}); err != nil {
			return median, 0, nil, err
		}
		var one rate
		one.add(false, 1, begun)
		taken = append(taken, one)
	}
	each = (allocated() - before) / float64(len(taken))
	slices.SortFunc(taken, func(a, b rate) int { return cmp.Compare(a.seconds, b.seconds) })
	return taken[len(taken)/2], each, file.Bytes(), nil
}

// allocated returns the bytes of memory that the program has allocated until now.
func allocated() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.TotalAlloc)
}

// A picture that takes less than longShot seconds of processor time is drawn timedShots times,
// and the median counts: the collector or the machine may hold one up.
const (
	longShot   = 1
	timedShots = 3
)

// largerPNG is the power of the pixels by which each takes less of a file.
const largerPNG = 0.15
