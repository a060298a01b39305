package run

import (
	"strconv"
	"strings"

	"breakwater/out"
	"breakwater/raster/camera"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// trackName is the table of the places that a camera follows, one for each frame. The sim
// stage writes it, so that whoever draws a frame need not read the particles of all before.
const trackName = "camera.csv"

// tracks reports whether the camera follows the particles.
func (r *runner) tracks() bool { return r.scene.Tracks() }

// trackColumns are the columns of the track.
var trackColumns = []string{"x_m", "y_m", "z_m"}

// readTrack reads the track, with the rows that tasks have made.
func (r *runner) readTrack() (*frameTable, error) { return view(r.dir, trackName, trackColumns...) }

// trackKeys returns the fingerprints of the rows of all frames; the first belongs to none.
func (r *runner) trackKeys() []string {
	keys := []string{""}
	for _, k := range r.keys.Particles[1:] {
		keys = append(keys, stage.After(k, "follow", r.scene.Camera.Follow+" "+registry.Number(r.built.Fastest)))
	}
	return keys
}

// completeTrack adds the rows of kept frames, from the first that this run looks at, that the track
// lacks.
func (r *runner) completeTrack(first int, todo []int) (*frameTable, error) {
	t, err := r.frameTable(trackName, trackColumns...)
	if err != nil {
		return nil, err
	}
	made := map[int]bool{}
	for _, n := range todo {
		made[n] = true
	}
	keys, rows, known := r.trackKeys(), []string(nil), t
	for n := first; n <= r.last; n++ {
		if made[n] || known.has(n, keys[n]) {
			continue
		}
		if r.apart() && known == t { // other runs may have added it
			if known, err = r.readTrack(); err != nil {
				return nil, err
			}
			if known.has(n, keys[n]) {
				continue
			}
		}
		f, err := r.readFrame(r.particleFiles(n)[0])
		if err != nil {
			return nil, err
		}
		rows = append(rows, r.trackRow(t, n, keys[n], f))
	}
	if len(rows) == 0 {
		return t, nil
	}
	return t, t.add(rows...)
}

// trackRow returns the row of a frame: the place with all its digits, or nothing if there is
// no place.
func (r *runner) trackRow(t *frameTable, n int, key string, f *out.Frame) string {
	cells := []any{"", "", ""}
	if x, there := r.middle(f, r.scene.Time.At(n)); there {
		for i, v := range []float64{x.X, x.Y, x.Z} {
			cells[i] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return t.row(n, key, cells...)
}

// place returns the place in the row of a frame; ok is false without such a row.
func (t *frameTable) place(n int, key string) (x vec.Vec3, there, ok bool) {
	rows := t.rows[rowKey{n, mark(key)}]
	if len(rows) == 0 {
		return x, false, false
	}
	cells := strings.Split(rows[0], ",")
	if cells[1] == "" {
		return x, false, true
	}
	for i, to := range []*float64{&x.X, &x.Y, &x.Z} {
		v, err := strconv.ParseFloat(cells[1+i], 64)
		if err != nil {
			return x, false, false
		}
		*to = v
	}
	return x, true, true
}

// follower computes how far the camera's target has moved, smoothed over time. The result
// for a frame depends only on the frames before it, which exist whatever part of a film
// is made. It does not depend on memory of a run.
type follower struct {
	runner *runner
	steady []vec.Vec3 // of the frames so far, from the first on
	state  followed   // at the last of them
	track  *frameTable
	keys   []string // of its rows
	paths  pathRows
}

// followed is all that the next frame of a follower needs of the frames before.
type followed struct {
	begun  bool     // whether there was anything to follow yet
	first  vec.Vec3 // where it was then
	halves [2]vec.Vec3
}

// moved returns how far the target has moved.
func (s *followed) moved() vec.Vec3 { return s.halves[1].Sub(s.first) }

// camera returns the camera of frame n.
func (f *follower) camera(n int) (camera.Camera, error) {
	r := f.runner
	c := r.built.CameraAt(r.scene.Time.Film(n))
	if r.scene.Camera == nil || r.scene.Camera.Follow == "" {
		return c, nil
	}
	by, err := f.moved(n)
	if err != nil {
		return c, err
	}
	c.Target = c.Target.Add(by)
	if !r.scene.Camera.Pan {
		c.Eye = c.Eye.Add(vec.New(by.X, 0, by.Z))
	}
	return c, nil
}

// moved returns how far the target has moved up to frame n.
func (f *follower) moved(n int) (by vec.Vec3, err error) {
	r := f.runner
	if r.tracks() && r.apart() {
		if s, ok, err := f.paths.at(r, n); ok || err != nil {
			return s.moved(), err
		}
	}
	if r.tracks() && len(f.steady) < n {
		frames, err := f.lacks(n)
		if err != nil {
			return by, err
		}
		if err := r.need(work{from: r.particleFiles, fromWhat: stage.Sim}, frames); err != nil {
			return by, err
		}
	}
	for len(f.steady) < n {
		x, there, err := f.target(len(f.steady) + 1)
		if err != nil {
			return by, err
		}
		f.next(x, there)
	}
	return f.steady[n-1], nil
}

// next adds the position of the target in the next frame.
func (f *follower) next(x vec.Vec3, there bool) {
	if there {
		f.state.next(x, f.runner.scene)
	}
	f.steady = append(f.steady, f.state.moved())
}

// next goes on to the next frame, in which the target is at x. Two low passes one after the
// other let the camera set off and stop gently.
func (s *followed) next(x vec.Vec3, scene *scenes.Scene) {
	if !s.begun {
		s.begun, s.first, s.halves = true, x, [2]vec.Vec3{x, x}
	}
	share := 1 / (1 + float64(scene.Camera.Lag/2*scene.Time.FPS)) // each is half the lag behind a steadily moving target
	s.halves[0] = s.halves[0].Lerp(x, share)
	s.halves[1] = s.halves[1].Lerp(s.halves[0], share)
}

// lacks returns the frames up to n whose places are needed and not in the track. It reads the track
// if there are any, because another process may have added rows since.
func (f *follower) lacks(n int) (frames []int, err error) {
	for again := f.track == nil; ; again = true {
		if again {
			f.keys = f.runner.trackKeys()
			if f.track, err = f.runner.readTrack(); err != nil {
				return nil, err
			}
		}
		frames = nil
		for i := len(f.steady) + 1; i <= n; i++ {
			if _, _, ok := f.track.place(i, f.keys[i]); !ok {
				frames = append(frames, i)
			}
		}
		if again || len(frames) == 0 {
			return frames, nil
		}
	}
}

// target returns the position of the target in frame n, from the track or else from the
// particles; there is false if the frame lacks it.
func (f *follower) target(n int) (x vec.Vec3, there bool, err error) {
	r := f.runner
	t := r.scene.Time.At(n)
	if !r.tracks() {
		return r.built.WallAt(r.scene.Camera.Wall-1, t), true, nil
	}
	if x, there, ok := f.track.place(n, f.keys[n]); ok {
		return x, there, nil
	}
	frame, err := r.readFrame(r.particleFiles(n)[0])
	if err != nil {
		return x, false, err
	}
	x, there = r.middle(frame, t)
	return x, there, nil
}

// middle returns the middle of the liquid at time t, or of its moving parts; there is false
// without them.
func (r *runner) middle(frame *out.Frame, t float64) (x vec.Vec3, there bool) {
	cam := r.scene.Camera
	// Liquid at rest counts a little; otherwise the first moving drop would decide alone.
	rest := 0.0
	if cam.Follow == "splash" {
		rest = 0.05 * r.built.Fastest
	}
	sum := 0.0
	for i, p := range frame.Particles.X {
		if r.built.World.InBuffer(frame.Particles.ID[i], t) {
			continue
		}
		weight := 1.0
		if cam.Follow == "splash" {
			v := frame.Particles.V[i]
			weight = v.Dot(v) + float64(rest*rest)
		}
		x, sum = x.Add(p.Mul(weight)), sum+weight
	}
	if !(sum > 0) {
		return x, false
	}
	return x.Mul(1 / sum), true
}
