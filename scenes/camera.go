package scenes

import (
	"math"

	"breakwater/raster/camera"
	"breakwater/scenes/scenery"
	"breakwater/sim/body"
	"breakwater/sim/vec"
)

// Camera is the scene's [camera] table: where the film is seen from, and how
// that changes. Its times are of the film, not of the liquid: a camera moves
// as fast in slow motion.
type Camera struct {
	camera.Camera
	View   string      `toml:"view" oneof:"whole low hero high top" doc:"Viewpoint of a camera without eye and target. whole shows the whole tank from a little above, and is the default; low stands on the ground; hero is close, with a longer lens, and cuts off the ends of the tank; high looks down at 42 degrees; top looks straight down. Each has a focal length of its own, which the key focal replaces."`
	Orbit  float64     `toml:"orbit" unit:"deg/s" range:"[-3600, 3600]" doc:"Angular speed of the camera about an upright line, per second of film, counter-clockwise seen from above. A camera without eye and target shows the whole tank all the way round."`
	Center vec.Vec3    `toml:"center" unit:"m" absent:"the target" doc:"Point on the line that the camera orbits."`
	Follow string      `toml:"follow" oneof:"liquid splash wall" doc:"What the camera follows: the middle of the liquid, the middle of its moving parts (weighted by the squared speed), or a moving wall. The camera keeps its height; its target also moves up and down."`
	Wall   int         `toml:"follow_wall" range:"[0, inf)" doc:"Number of the wall to follow, 1 for the first [[wall]]."`
	Lag    float64     `toml:"lag" unit:"s" range:"[0, 60]" doc:"Delay of the camera behind what it follows, in seconds of film. A longer delay makes a smoother motion."`
	Pan    bool        `toml:"pan" doc:"Whether the camera stays in place and only turns towards what it follows."`
	File   string      `toml:"keyframes" doc:"File of comma-separated values with positions of the camera at moments of the film, in place of keys; see KEYFRAMES.md. The path is relative to the folder of the scene's file."`
	Keys   []CameraKey `toml:"key" doc:"Positions of the camera at moments of the film. It moves smoothly from each to the next, and rests before the first and after the last."`
}

// Tracks reports whether the camera follows the particles.
func (s *Scene) Tracks() bool {
	return s.Camera != nil && s.Camera.Follow != "" && s.Camera.Follow != "wall"
}

// CameraKey is one [[camera.key]] table. Omitted settings are as in the previous key, or
// for the first as in [camera].
type CameraKey struct {
	Time   float64  `toml:"time" unit:"s" range:"[0, inf)" doc:"Time in the film. The keys must be in order of time."`
	Eye    vec.Vec3 `toml:"eye" unit:"m" absent:"as before" doc:"Position of the camera."`
	Target vec.Vec3 `toml:"target" unit:"m" absent:"as before" doc:"Point that appears in the middle of the picture."`
	Focal  float64  `toml:"focal" unit:"mm" range:"[8, 400]" absent:"as before" doc:"Focal length for a sensor 36 mm wide."`
	Roll   float64  `toml:"roll" unit:"deg" range:"[-3600, 3600]" absent:"as before" doc:"Rotation of the camera about its line of sight, clockwise."`
}

// shot is the position of the camera at any time of the film, without the motion of its
// target.
type shot struct {
	times  []float64       // of the keys, s of film; none for a camera without
	poses  []camera.Camera // one at each key, or one
	orbit  float64         // deg/s of film
	center *vec.Vec3       // of the orbit; nil for the target
}

// moves reports whether the camera is ever elsewhere than at the start.
func (s *shot) moves() bool { return len(s.times) > 0 || s.orbit != 0 }

// At returns the camera at t seconds of film.
func (s *shot) At(t float64) camera.Camera {
	c := s.poses[0]
	if len(s.times) > 0 {
		key := func(get func(c *camera.Camera) float64) float64 {
			x, _ := body.Keyed(s.times, t, func(k int) float64 { return get(&s.poses[k]) })
			return x
		}
		c.Eye = vec.New(
			key(func(c *camera.Camera) float64 { return c.Eye.X }),
			key(func(c *camera.Camera) float64 { return c.Eye.Y }),
			key(func(c *camera.Camera) float64 { return c.Eye.Z }))
		c.Target = vec.New(
			key(func(c *camera.Camera) float64 { return c.Target.X }),
			key(func(c *camera.Camera) float64 { return c.Target.Y }),
			key(func(c *camera.Camera) float64 { return c.Target.Z }))
		c.Focal = key(func(c *camera.Camera) float64 { return c.Focal })
		c.Roll = key(func(c *camera.Camera) float64 { return c.Roll })
	}
	if s.orbit != 0 {
		center := c.Target
		if s.center != nil {
			center = *s.center
		}
		turn := s.orbit * t
		c.Eye, c.Target = aroundUpright(c.Eye, center, turn), aroundUpright(c.Target, center, turn)
	}
	return c
}

// aroundUpright returns p turned by an angle in degrees, counter-clockwise as
// seen from above, about the upright line through center.
func aroundUpright(p, center vec.Vec3, angle float64) vec.Vec3 {
	sin, cos := math.Sincos(math.Mod(angle, 360) * math.Pi / 180)
	x, z := p.X-center.X, p.Z-center.Z
	return vec.New(center.X+float64(x*cos)+float64(z*sin), p.Y, center.Z+float64(z*cos)-float64(x*sin))
}

// framed reports whether the scene leaves it to the program where the camera
// stands.
func (s *Scene) framed() bool { return !s.cameraHas("eye") && !s.cameraHas("target") }

// cameraHas reports whether the camera has the key at the start of the film.
func (s *Scene) cameraHas(key string) bool {
	n := s.root.Get("camera")
	if n == nil {
		return false
	}
	return n.Get(key) != nil || len(s.Camera.Keys) > 0 && s.keyHas(0, key)
}

// keyHas reports whether keyframe i of the camera has the setting.
func (s *Scene) keyHas(i int, setting string) bool {
	if s.keyed != nil {
		return s.keyed[setting]
	}
	return s.root.Get("camera").Get("key").Items[i].Get(setting) != nil
}

// facingPlane is the viewpoint of a camera that faces the plane of two dimensions. A picture
// of a plane that is parallel to it is true to scale whatever the focal length; with a long
// one the balls are seen from the front too.
var facingPlane = camera.Viewpoint{Fill: 0.86, Focal: 120}

// shot returns the scene's camera. Omitted settings are chosen to show all of l.
func (s *Scene) shot(l scenery.Layout) *shot {
	cam := s.Camera
	if cam == nil && s.Flat() {
		return &shot{poses: []camera.Camera{camera.FrameRound(l.Shown, facingPlane, facingPlane.Focal, 0, 0, s.Picture.Size[0], s.Picture.Size[1])}}
	}
	if cam == nil {
		return &shot{poses: []camera.Camera{camera.FrameRound(l.Shown, camera.Viewpoints[""], 40, 0, l.Azimuth, s.Picture.Size[0], s.Picture.Size[1])}}
	}
	n := s.root.Get("camera")
	x := &shot{orbit: cam.Orbit, poses: []camera.Camera{cam.Camera}}
	if n.Get("center") != nil {
		x.center = &cam.Center
	}
	if s.framed() {
		turn := cam.Orbit * s.Time.Film(s.Time.Frames())
		view := camera.Viewpoints[cam.View]
		if s.Flat() {
			view = facingPlane
		}
		if !s.cameraHas("focal") {
			x.poses[0].Focal = view.Focal
		}
		framed := camera.FrameRound(l.Shown, view, x.poses[0].Focal, turn, l.Azimuth, s.Picture.Size[0], s.Picture.Size[1])
		x.poses[0].Eye, x.poses[0].Target = framed.Eye, framed.Target
		if x.center == nil && cam.Orbit != 0 {
			middle := l.Shown.Center()
			x.center = &middle
		}
	}
	if len(cam.Keys) == 0 {
		return x
	}
	before := x.poses[0]
	x.poses = nil
	for i, k := range cam.Keys {
		if s.keyHas(i, "eye") {
			before.Eye = k.Eye
		}
		if s.keyHas(i, "target") {
			before.Target = k.Target
		}
		if s.keyHas(i, "focal") {
			before.Focal = k.Focal
		}
		if s.keyHas(i, "roll") {
			before.Roll = k.Roll
		}
		x.times, x.poses = append(x.times, k.Time), append(x.poses, before)
	}
	return x
}

// Film returns the time of frame n in the film, in seconds; frame 1 is the
// start.
func (t Time) Film(n int) float64 { return float64(n-1) / t.FPS }

// CameraAt returns the camera at t seconds of film, without the motion of its target.
func (b *Built) CameraAt(t float64) camera.Camera { return b.Shot.At(t) }

// WallAt returns where the middle of wall i, which moves, is at time t.
func (b *Built) WallAt(i int, t float64) vec.Vec3 {
	mover := b.parts.walls[i].(*body.Body)
	middle := mover.Motion.Center
	if x, ok := mover.Boundary.(interface{ Extent() vec.Box }); ok {
		middle = x.Extent().Center()
	}
	mover.Move(t)
	return mover.Place(middle)
}
