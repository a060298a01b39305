package raster

import (
	"fmt"
	"image"
	"math"

	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/overlay"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// ParticleLook is a Look that draws a View's particles and not its mesh.
type ParticleLook interface {
	Look
	DrawsParticles()
}

// Particles draws the simulated particles. The scales of its colours are values of the
// scene, so that they are the same in all frames.
type Particles struct {
	*particle.Set
	Vortons *particle.Set // of a gas, whose tracers are Set; nil for a liquid
	Apart   float64       // distance of the tracers of a gas at the start, m
	Ambient float64       // temperature of a gas with the density Density, K
	Before  []Particles   // earlier frames, the newest first, for a PathLook
	Spacing float64       // at rest, m
	Density float64       // at rest, kg/m³
	Fastest float64       // highest speed to expect, m/s
	Most    int           // number of particles that there ever are
	Time    float64       // simulated, s
}

func (p *Particles) check() error {
	if n := p.Len(); len(p.V) != n || len(p.Rho) != n || len(p.ID) != n {
		return fmt.Errorf("%d positions, %d velocities, %d densities and %d ids", n, len(p.V), len(p.Rho), len(p.ID))
	}
	for i, x := range p.X {
		if !x.Finite() {
			return fmt.Errorf("particle %d is at %v", p.ID[i], x)
		}
	}
	return nil
}

func init() {
	Looks.Register(registry.Entry[Look]{
		Name: "particles", Doc: "the particles as balls, coloured by a quantity, with a scale", Cite: "Smith and van der Walt 2015",
		New: func(d registry.Decode) (Look, error) {
			b := &balls{By: "speed"}
			if err := d(b); err != nil {
				return nil, err
			}
			if (b.Min != 0 || b.Max != 0) && b.Min >= b.Max {
				return nil, fmt.Errorf("the colours range from min = %g to max = %g; expected min below max, or neither for the range of the scene", b.Min, b.Max)
			}
			return b, nil
		},
	})
}

// balls shows each particle as a ball.
type balls struct {
	By     string  `toml:"by" oneof:"speed pressure density id" doc:"Quantity shown as colour: speed in m/s, pressure in Pa, excess density over rest density in percent, or the particle's number, which shows mixing."`
	Min    float64 `toml:"min" unit:"1" doc:"Value of the darkest colour, in the unit of the scale."`
	Max    float64 `toml:"max" unit:"1" doc:"Value of the brightest colour. If neither min nor max is given, all frames share one range: 0 to the highest expected speed v, 0 to ρv²/2, -2 to 2 %, or 0 to the number of particles."`
	Radius float64 `toml:"radius" unit:"m" range:"[0, inf)" doc:"Radius of the balls; 0 uses half the spacing."`
}

func (*balls) DrawsParticles() {}

func (*balls) sharp() {}

func (l *balls) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	p := v.Particles
	if p == nil {
		p = &Particles{Set: &particle.Set{}, Spacing: 1, Density: 1, Fastest: 1, Most: 1}
	}
	value, s, err := l.values(p)
	if err != nil {
		return nil, err
	}
	radius := l.Radius
	if radius == 0 {
		radius = p.Spacing / 2
	}
	return drawBalls(v, p.X, radius, value, s)
}

// drawBalls draws balls whose colours are their values on a scale.
func drawBalls(v *View, centers []vec.Vec3, radius float64, value func(i int) float64, s overlay.Scale) (*image.RGBA, error) {
	around := *v
	around.Liquid = octahedra(centers, radius)
	w := opaqueScene(&around)
	img := w.drawSurroundings(&around)
	around.Liquid = nil
	back := newScene(&around, w.water).samples(v.Quality)
	near, who := back.spheres(w, centers, radius)
	light := back.lens.Back.Mul(0.55).Add(back.lens.Up.Mul(0.7)).Sub(back.lens.Right.Mul(0.45)).Unit()
	back.paint(img, func(x, y int) (color.RGB, float64) {
		i := y*back.w + x
		if who[i] < 0 {
			return color.RGB{}, 0
		}
		d := back.ray(x, y)
		if k := back.tri[i]; k >= 0 && back.intersectPlane(back.lens.Eye, d, k).T < float64(near[i]) {
			return color.RGB{}, 0
		}
		n := back.lens.Eye.Add(d.Mul(float64(near[i]))).Sub(centers[who[i]]).Unit()
		c := color.Viridis((value(int(who[i])) - s.Min) / (s.Max - s.Min))
		return c.Scale(0.42 + float64(0.58*num.Smoothstep(-0.5, 0.9, n.Dot(light)))), 1
	})
	back.inkKinds(img)
	return img, s.Draw(img, v.Frame())
}

// values returns the coloured quantity of particle i, and its scale.
func (l *balls) values(p *Particles) (value func(i int) float64, s overlay.Scale, err error) {
	switch l.By {
	case "speed":
		value = func(i int) float64 { return p.V[i].Len() }
		s = overlay.Scale{Title: "speed", Unit: "m/s", Max: p.Fastest}
	case "pressure":
		var pressure []float64
		for _, a := range p.Attr {
			if a.Name == "pressure" {
				pressure = a.Data
			}
		}
		switch {
		case pressure != nil:
		case p.Time > 0 && p.Len() > 0:
			return nil, s, fmt.Errorf("raster: the particles have no pressure, since the solver does not store it; colour them by speed, density or id, or use isph, iisph or dfsph")
		default: // nothing presses before the first step
			pressure = make([]float64, p.Len())
		}
		value = func(i int) float64 { return pressure[i] }
		s = overlay.Scale{Title: "pressure", Unit: "Pa", Max: p.Density * p.Fastest * p.Fastest / 2}
	case "density":
		value = func(i int) float64 { return 100 * (p.Rho[i]/p.Density - 1) }
		s = overlay.Scale{Title: "density", Unit: "%", Min: -2, Max: 2}
	case "id":
		value = func(i int) float64 { return float64(p.ID[i]) }
		s = overlay.Scale{Title: "particle", Max: float64(p.Most)}
	default:
		return nil, s, fmt.Errorf("raster: particles cannot be coloured by %q", l.By)
	}
	if l.Min != 0 || l.Max != 0 {
		s.Min, s.Max = l.Min, l.Max
	}
	if !(s.Max > s.Min) { // nothing moves
		s.Max = s.Min + 1
	}
	s.Color = color.Viridis
	return value, s, nil
}

// spheres returns for each sample the nearest ball, -1 for none, and how far
// it is, m. fauxgl draws a square before each ball that just hides it; where
// the ball is then follows from the sample's ray.
func (s *samples) spheres(w *scene, centers []vec.Vec3, radius float64) (near []float32, who []int32) {
	near, who = make([]float32, len(s.tri)), make([]int32, len(s.tri))
	for i := range who {
		who[i] = -1
	}
	g := &geometry{pos: make([]vec.Vec3, 4*len(centers)), vertex: make([]vertex, 4*len(centers)), tri: make([][3]int32, 2*len(centers))}
	par.For(len(centers), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to := centers[i].Sub(s.lens.Eye)
			dist := math.Sqrt(to.Dot(to))
			if dist <= 1.01*radius { // the eye is in it
				continue
			}
			back := to.Mul(-1 / dist)
			right := camera.Up(back).Cross(back).Unit()
			up := back.Cross(right)
			half := 1.01 * radius * dist / math.Sqrt(float64(dist*dist)-float64(radius*radius))
			for k, c := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				q := centers[i].Add(right.Mul(c[0] * half)).Add(up.Mul(c[1] * half))
				g.pos[4*i+k], g.vertex[4*i+k] = q, vertex{pos: narrow(q)}
			}
			at := int32(4 * i)
			g.tri[2*i], g.tri[2*i+1] = [3]int32{at, at + 1, at + 2}, [3]int32{at, at + 2, at + 3}
		}
	})
	p := w.cameraPass(s.side)
	p.Layers = true
	p.Draw(len(g.tri), g.corners, func(tri int32, _ bool, x, y int) {
		i := tri / 2
		d := s.ray(x, y)
		o := s.lens.Eye.Sub(centers[i])
		b := o.Dot(d)
		rest := float64(b*b) - o.Dot(o) + float64(radius*radius)
		if rest < 0 {
			return
		}
		t := float32(-b - math.Sqrt(rest))
		at := y*s.w + x
		if t > 0 && (who[at] < 0 || t < near[at]) {
			near[at], who[at] = t, i
		}
	})
	return near, who
}

// octahedra returns a mesh that stands for the balls where they shade the
// floor.
func octahedra(centers []vec.Vec3, radius float64) *mesh.Mesh {
	m := &mesh.Mesh{Pos: make([]vec.Vec3, 6*len(centers)), Tri: make([][3]int32, 8*len(centers))}
	r := 1.2 * radius // of about the ball's shadow
	par.For(len(centers), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for k, d := range [6]vec.Vec3{{X: r}, {X: -r}, {Y: r}, {Y: -r}, {Z: r}, {Z: -r}} {
				m.Pos[6*i+k] = centers[i].Add(d)
			}
			for k := range 8 {
				a, b, c := int32(6*i+k&1), int32(6*i+2+k>>1&1), int32(6*i+4+k>>2&1)
				if (k&1+k>>1&1+k>>2&1)%2 == 1 {
					b, c = c, b
				}
				m.Tri[8*i+k] = [3]int32{a, b, c}
			}
		}
	})
	return m
}
