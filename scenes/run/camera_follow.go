package run

import (
	"breakwater/raster/camera"
	"breakwater/scenes/stage"
	"breakwater/sim/vec"
)

// follower computes how far the camera's target has moved, smoothed over time. The result
// for a frame depends only on the frames before it, which exist whatever part of a film
// is made. It does not depend on memory of a run.
type follower struct {
	runner *runner
	steady []vec.Vec3 // of the frames so far, from the first on
	halves [2]vec.Vec3
	begun  bool     // whether there was anything to follow yet
	first  vec.Vec3 // where it was then
}

// camera returns the camera of frame n.
func (f *follower) camera(n int) (camera.Camera, error) {
	r := f.runner
	c := r.built.CameraAt(r.scene.Time.Film(n))
	if r.scene.Camera == nil || r.scene.Camera.Follow == "" {
		return c, nil
	}
	if r.scene.Camera.Follow != "wall" && len(f.steady) < n {
		var frames []int
		for i := len(f.steady) + 1; i <= n; i++ {
			frames = append(frames, i)
		}
		if err := r.need(work{from: r.particleFiles, fromWhat: stage.Sim}, frames); err != nil {
			return c, err
		}
	}
	for len(f.steady) < n {
		x, there, err := f.middle(len(f.steady) + 1)
		if err != nil {
			return c, err
		}
		f.next(x, there)
	}
	by := f.steady[n-1]
	c.Target = c.Target.Add(by)
	if !r.scene.Camera.Pan {
		c.Eye = c.Eye.Add(vec.New(by.X, 0, by.Z))
	}
	return c, nil
}

// next adds the position of the target in the next frame. Two low passes one after the
// other let the camera set off and stop gently.
func (f *follower) next(x vec.Vec3, there bool) {
	if there {
		if !f.begun {
			f.begun, f.first, f.halves = true, x, [2]vec.Vec3{x, x}
		}
		share := 1 / (1 + float64(f.runner.scene.Camera.Lag/2*f.runner.scene.Time.FPS)) // each is half the lag behind a steadily moving target
		f.halves[0] = f.halves[0].Lerp(x, share)
		f.halves[1] = f.halves[1].Lerp(f.halves[0], share)
	}
	f.steady = append(f.steady, f.halves[1].Sub(f.first))
}

// middle returns the position of the target in frame n; there is false if the frame lacks
// it.
func (f *follower) middle(n int) (x vec.Vec3, there bool, err error) {
	r := f.runner
	cam, t := r.scene.Camera, r.scene.Time.At(n)
	if cam.Follow == "wall" {
		return r.built.WallAt(cam.Wall-1, t), true, nil
	}
	frame, err := r.readFrame(r.particleFiles(n)[0])
	if err != nil {
		return x, false, err
	}
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
		return x, false, nil
	}
	return x.Mul(1 / sum), true, nil
}
