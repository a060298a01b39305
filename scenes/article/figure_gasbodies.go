package article

import (
	"fmt"
	"image"
	"math"
	"sync"

	"breakwater/raster"
	"breakwater/raster/camera"
	"breakwater/raster/figure"
	"breakwater/scenes"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("plate-flames", "a plate above flames, from four sides, and its wake over time", "Gourlay 2012, figures 1 and 6", measured(plateFlames))
	register("plate-wake", "the wake of a plate at 0.2 rad to the wind, with its lift and drag", "Gourlay 2012, figure 7", measured(func() (*figure.Plot, error) {
		return wakeFigure("article-plate-wake", "a plate, 0.6 m long and wide, at 0.2 rad to a wind of 1 m/s", plateSize)
	}))
	register("airfoil-wake", "the wake of an airfoil over a grid, with its lift and drag", "Gourlay 2012, figure 8", measured(func() (*figure.Plot, error) {
		return wakeFigure("article-airfoil-wake", "an airfoil with a chord of 0.7 m, 0.6 m wide and 20 % thick, at 0.2 rad to a wind of 1 m/s", airfoilSize)
	}))
}

// Chord, thickness and span of the solids in the wind, m.
var plateSize, airfoilSize = vec.New(0.6, 0.06, 0.6), vec.New(0.7, 0.14, 0.6)

// gasRun is a shipped scene of a gas as it runs.
type gasRun struct {
	scene *scenes.Scene
	built *scenes.Built
	hits  int      // particles in contact with solids in the last step
	push  vec.Vec3 // N s, that a wall has had from the gas
}

// runGas returns a shipped scene with some settings changed, at its start.
func runGas(name string, set ...string) (*gasRun, error) {
	s, err := scenes.Load(name)
	if err != nil {
		return nil, err
	}
	if err := s.Override(scenes.Overrides{Set: set}); err != nil {
		return nil, err
	}
	b, err := s.Build()
	return &gasRun{scene: s, built: b}, err
}

// to runs the gas to a time in s. wall is the number of the solid whose impulses count.
func (r *gasRun) to(t float64, wall int) error {
	f := r.built.Flow
	return f.Advance(r.built.GasSolver, &r.scene.Gas.Gas, t, func(i vortex.StepInfo) error {
		r.hits, r.push = i.Hits, r.push.Add(f.Bodies[wall].Impulse)
		return nil
	})
}

// inside returns how many tracers have their middle in a solid.
func (r *gasRun) inside() (n int) {
	for _, x := range r.built.Flow.Tracers.X {
		for _, b := range r.built.Flow.Bodies {
			if b.Embedded(x) {
				n++
			}
		}
	}
	return n
}

// picture draws the gas as the scene does, from a camera. Tracers farther than sheet from the
// plane z = 0 are left out, as if light came from a slit.
func (r *gasRun) picture(eye, target vec.Vec3, focal, sheet float64) (image.Image, error) {
	s, b := r.scene, r.built
	state := b.Flow.State(&s.Gas.Gas)
	var dark []int32
	for i, x := range state.Tracers.X {
		if math.Abs(x.Z) > sheet {
			dark = append(dark, int32(i))
		}
	}
	state.Tracers.Remove(dark)
	view := s.View(b)
	view.Camera = camera.Camera{Eye: eye, Target: target, Focal: focal}
	view.Particles = &raster.Particles{
		Set: state.Tracers, Vortons: state.Vortons, Spacing: s.Spacing(), Density: s.RestDensity(), Fastest: b.Fastest, Most: b.Most,
		Time: b.Flow.Time, Apart: s.TracerSpacing(), Ambient: s.Gas.Temperature,
	}
	view.Tank, view.Vessels, view.Solids = b.During(b.Flow.Time, view.Shutter)
	return b.Look.Draw(&view)
}

// startFlames returns the flames below a plate at their start. The package's tests check the
// flames that the figure draws.
var startFlames = func() (*gasRun, error) { return runGas("article-plate-flames", "picture.size=[300, 300]") }

// flamesEnd is when the flames are drawn from four sides, s.
const flamesEnd = 9.

// plateFlames draws flames below the plate from four sides, and its wake at four times in a
// strip below.
func plateFlames() (*figure.Plot, error) {
	plot := &figure.Plot{Columns: 4, Rows: []float64{140, 140}, Row: 80, Wide: true}
	table := [][]string{{"time", "vortons", "tracers", "hits in a step", "tracers in the solids"}}
	r, err := startFlames()
	if err != nil {
		return nil, err
	}
	add := func(name string, eye, target vec.Vec3, focal float64) error {
		img, err := r.picture(eye, target, focal, math.Inf(1))
		plot.Panels = append(plot.Panels, figure.Panel{Name: name, Title: name, Image: img})
		return err
	}
	count := func() {
		table = append(table, []string{
			num.Decimals(r.built.Flow.Time, 1) + " s", fmt.Sprint(r.built.Flow.Vortons.Len()), fmt.Sprint(len(r.built.Flow.Tracers.X)),
			fmt.Sprint(r.hits), fmt.Sprint(r.inside()),
		})
	}
	middle := vec.New(0, 0.75, 0)
	var strip []figure.Panel
	for _, t := range []float64{3, 5, 7, flamesEnd} {
		if err := r.to(t, 1); err != nil {
			return nil, err
		}
		count()
		if t == flamesEnd {
			for _, v := range []struct {
				name string
				eye  vec.Vec3
			}{{"from the front", vec.New(0.4, 0.9, 4.6)}, {"from the side", vec.New(4.6, 0.9, 0.3)}, {"from above", vec.New(1.7, 4.2, 2.2)}, {"from the corner", vec.New(3.2, 0.85, 3.2)}} {
				if err := add(v.name, v.eye, middle, 45); err != nil {
					return nil, err
				}
			}
		}
		img, err := r.picture(vec.New(0.3, 1.5, 4.4), vec.New(0, 1.25, 0), 52, math.Inf(1))
		if err != nil {
			return nil, err
		}
		strip = append(strip, figure.Panel{Name: fmt.Sprintf("wake at %g s", t), Title: num.Decimals(t, 1) + " s", Image: img})
	}
	plot.Panels = append(append(plot.Panels, strip...), figure.Panel{Name: "counts", Table: table})
	plot.Caption = "Flames below a plate at rest. Gas and smoke part at it and pass its edges. Upper row: the flames after 9 s, from four sides. Lower row: the wake above the plate at four times."
	return plot, nil
}

// wake is how a solid stood in a wind along x.
type wake struct {
	*gasRun
	lift, drag figure.Curve // coefficients over time
	mean       vec.Vec3     // coefficients of the force, from a second after the start on
	scrolls    func() int   // countScrolls, once
}

// wakeOf runs a scene whose first wall, of the given size, stands in a wind of 1 m/s along x,
// with some settings changed. The package's tests check the wakes that the figures draw.
var wakeOf = runWake

func runWake(name string, size vec.Vec3, set ...string) (*wake, error) {
	const start, end, every = 1., 5., 0.25 // s; the smoke meets the wall soon after its start
	r, err := runGas(name, append(set, "picture.size=[900, 330]", "tracers.mass=0")...)
	if err != nil {
		return nil, err
	}
	w := &wake{gasRun: r, lift: figure.Curve{Name: "lift"}, drag: figure.Curve{Name: "drag"}}
	// The pressure of the wind on the plan of the wall.
	gas := r.scene.Gas
	scale := float64(0.5 * gas.Density * gas.Wind.Dot(gas.Wind) * size.X * size.Z)
	for t := every; t <= end; t += every {
		r.push = vec.Vec3{}
		if err := r.to(t, 0); err != nil {
			return nil, err
		}
		c := r.push.Mul(1 / (every * scale))
		w.lift.X, w.lift.Y = append(w.lift.X, t-every/2), append(w.lift.Y, c.Y)
		w.drag.X, w.drag.Y = append(w.drag.X, t-every/2), append(w.drag.Y, c.X)
		if t > start {
			w.mean = w.mean.Add(c.Mul(every / (end - start)))
		}
	}
	w.scrolls = sync.OnceValue(w.countScrolls)
	return w, nil
}

// countScrolls returns how many vortices the wake has in the plane z = 0, behind the middle of the
// wall: regions where |Γ₂| > 2/π (Graftieaux, Michard and Grosjean, Combining PIV, POD and
// vortex identification algorithms, Meas. Sci. Technol. 12, 2001). Γ₂ is the mean sine of
// the angle between the way to a point nearby and its velocity relative to the mean there.
func (w *wake) countScrolls() (n int) {
	const (
		step          = 0.05
		columns, rows = 80, 40
		reach         = 3
	)
	var u [rows][columns]vec.Vec3
	for j := range rows {
		for i := range columns {
			x := vec.New(step*float64(i), step*(float64(j)-rows/2), 0)
			u[j][i] = w.built.GasSolver.VelocityAt(w.built.Flow, &w.scene.Gas.Gas, x)
		}
	}
	var turns [rows][columns]int // the sign of a vortex
	for j := reach; j < rows-reach; j++ {
		for i := reach; i < columns-reach; i++ {
			var mean vec.Vec3
			for dj := -reach; dj <= reach; dj++ {
				for di := -reach; di <= reach; di++ {
					mean = mean.Add(u[j+dj][i+di])
				}
			}
			const nearby = (2*reach+1)*(2*reach+1) - 1
			mean = mean.Mul(1. / (nearby + 1))
			gamma := 0.
			for dj := -reach; dj <= reach; dj++ {
				for di := -reach; di <= reach; di++ {
					v := u[j+dj][i+di].Sub(mean)
					if cross := float64(float64(di)*v.Y) - float64(float64(dj)*v.X); cross != 0 {
						gamma += cross / math.Hypot(float64(di), float64(dj)) / math.Hypot(v.X, v.Y) / nearby
					}
				}
			}
			if math.Abs(gamma) > 2/math.Pi {
				turns[j][i] = int(math.Copysign(1, gamma))
			}
		}
	}
	var fill func(j, i, sign int)
	fill = func(j, i, sign int) {
		if turns[j][i] == sign {
			turns[j][i] = 0
			for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				fill(j+d[0], i+d[1], sign) // the border of the plane has no vortices
			}
		}
	}
	for j := range rows {
		for i := range columns {
			if turns[j][i] != 0 {
				n++
				fill(j, i, turns[j][i])
			}
		}
	}
	return n
}

// outward lets solids eject vortons as the code of the article does.
const outward = `solver.eject="center"`

// wakeFigure draws the wake of a wall: smoke in a sheet of light, all smoke, and the
// coefficients of lift and drag over time, for both directions in which vortons are ejected.
func wakeFigure(name, what string, size vec.Vec3) (*figure.Plot, error) {
	w, err := wakeOf(name, size)
	if err != nil {
		return nil, err
	}
	out, err := wakeOf(name, size, outward)
	if err != nil {
		return nil, err
	}
	out.lift.Name, out.drag.Name = "lift, away from the center", "drag, away from the center"
	side, err := w.picture(vec.New(1.7, 0.2, 5.2), vec.New(1.7, 0, 0), 40, 0.08)
	if err != nil {
		return nil, err
	}
	whole, err := w.picture(vec.New(3.4, 1.7, 3.6), vec.New(1.5, -0.05, 0), 38, math.Inf(1))
	if err != nil {
		return nil, err
	}
	return &figure.Plot{Columns: 1, Rows: []float64{195, 195}, Panels: []figure.Panel{
		{Name: "sheet", Title: "smoke within 8 cm of the middle plane", Image: side}, {Name: "whole", Title: "all smoke", Image: whole},
		{Name: "forces", X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: "coefficient"}, Curve: []figure.Curve{w.lift, w.drag, out.lift, out.drag}},
	}, Caption: fmt.Sprintf("The wake of %s, after 5 s. The solver of the article sheds no vortons: solids give vorticity to those that meet them. Here they eject vortons along the normal of a face, and the wake rolls up: it has %d vortices in the middle plane. Lift and drag are the impulses that the solid gets from vortons, over the dynamic pressure of the wind and the plan of the solid. From 1 s to 5 s the means are C_L = %s and C_D = %s. With vortons ejected away from the center of the solid, as in the published code, they are %s and %s. %d tracers are inside of the solid.",
		what, w.scrolls(), num.Decimals(w.mean.Y, 3), num.Decimals(w.mean.X, 2), num.Decimals(out.mean.Y, 3), num.Decimals(out.mean.X, 2), w.inside())}, nil
}
