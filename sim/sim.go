// Package sim moves liquid particles by smoothed particle hydrodynamics.
//
// A World holds the state, and a Solver advances it. Boundaries are walls that the
// liquid cannot cross. Forces act besides pressure, viscosity and gravity. Units are SI
// throughout: m, kg, s, Pa.
//
// The files, by subject:
//
//   - the state and its steps: sim.go, liquid.go, advance.go, move.go, fill.go,
//     packing.go, stats.go, energy.go, alarm.go, memory.go
//   - neighbours and pair sums: pairs.go, gradient_correction.go, shift.go
//   - solvers: solver.go, solver_*.go, incompressible.go, pressure.go, wall_along.go,
//     compressible.go; of isph surroundings.go, poisson.go, multilevel.go,
//     consistent_gradient.go, confined.go, arrangement.go, leapfrog.go, stretch.go, unsupported.go
//   - forces: force.go, viscosity.go, viscosity_*.go, tension.go
//   - walls and free bodies: walls.go, friction.go, rigid_*.go
//   - inflows and outflows: sources.go
//
// Other packages hold parts of it: boundary the walls, body moving walls and rigid bodies,
// inflow the openings of inflows, outflow the regions of outflows, force the forces that a
// scene adds, period the worlds that repeat, shape the fluid blocks, and lattice the places
// of particles in them. The package gauge measures, and quantity computes attributes of
// particles.
//
// A run makes a World by New, adds Walls and Forces, calls FillFor with its Solver, fills
// Shapes with liquid, calls Init and Pack once, and then Advance for each frame.
//
// In this project h is the support radius of a kernel: W(r) = 0 for r ≥ h.
package sim

import (
	"fmt"
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/force"
	"breakwater/sim/inflow"
	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/outflow"
	"breakwater/sim/particle"
	"breakwater/sim/period"
	"breakwater/sim/vec"
)

// World is the whole state of a simulation. Only Set, Time, Dt and Surplus change from step
// to step. An identically built world with the same values of these continues bit by bit
// like the other. Its velocities belong to the time that VelocityTime returns.
type World struct {
	particle.Set
	Liquid
	Gravity vec.Vec3 // m/s²

	// ViscosityError is the relative tolerance of the implicit viscosity solve, for a
	// step that is too long for an explicit sum.
	ViscosityError float64

	Finder neighbor.Finder // finds pairs closer than Kernel's h
	Walls  []boundary.Boundary
	Forces []force.Force

	Observers []Observer // called as time passes

	Period period.Period

	// Closed says that the liquid fills the domain and has no surface. Its pressure may
	// have any sign, and is known up to a constant.
	Closed bool

	Inflows  []inflow.Inflow
	Outflows []outflow.Outflow

	Time float64 // s
	Dt   float64 // length of the last step, s; 0 before the first

	// Surplus is the energy that the liquid has gained from no known source since its
	// energy was lowest, J. See alarm.go.
	Surplus float64

	// Speed is the highest speed to expect, m/s. Init sets it from the state
	// at the start.
	Speed float64

	longestDt         float64 // the longest step from here, s; 0 if it is not known
	packs             bool    // whether Fill places particles closer than half a spacing to walls; see FillFor
	unpacked          bool    // whether it did, until Pack
	volume            float64 // see kernelVolume; set by Init
	cells             neighbor.Cells
	tmp               particle.Scratch
	pairs             Pairs
	implicitViscosity implicitViscosity
	tension           tension
	rigid             rigidBodies
	buffers           inflow.Buffers // of the inflows
	corrected         bool           // whether pressure gradients are corrected
	along             bool           // whether the solver corrects the pressure along walls
	placed            bool           // whether isph solves: the pressure of a particle beside a wall belongs to its place, and walls are limited
	energy            account
}

// New returns an empty world for particles of the given spacing in metres and
// rest density in kg/m³, without gravity. The kernel is the cubic spline with
// h = 2d, whose sum over particles at rest is 1.
func New(spacing, rho0 float64) *World { return newWorld(3, spacing, rho0) }

// New2D is New in two dimensions: all particles lie in the plane z = 0, and each
// represents an area d². Energies and masses are for a sheet one metre deep.
func New2D(spacing, rho0 float64) *World { return newWorld(2, spacing, rho0) }

func newWorld(dim int, spacing, rho0 float64) *World {
	return &World{
		Liquid: Liquid{Spacing: spacing, Rho0: rho0, Kernel: kernel.NewCubicSpline(dim, kernel.Support(spacing))},
		Finder: new(neighbor.Grid),

		ViscosityError: 1e-2,
	}
}

// Init prepares the walls and estimates Speed. It is called once, on the state at time 0
// and before the first step. A run that resumes from a later state fills and inits its
// world as at the start, then calls Resume.
func (w *World) Init() error {
	if !(w.Spacing > 0) || !(w.Rho0 > 0) || !(w.Viscosity >= 0) || !(w.SurfaceTension >= 0) || !w.Gravity.Finite() {
		return fmt.Errorf("sim: invalid spacing %g m, density %g kg/m³, viscosity %g m²/s, surface tension %g N/m or gravity %v m/s²",
			w.Spacing, w.Rho0, w.Viscosity, w.SurfaceTension, w.Gravity)
	}
	if err := w.openInflows(); err != nil {
		return err
	}
	if err := w.buffers.Fill(&w.Set, w.Rho0); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	for i, x := range w.X {
		if !x.Finite() || !w.V[i].Finite() {
			return fmt.Errorf("sim: particle %d at %v m with velocity %v m/s: both must be finite", w.ID[i], x, w.V[i])
		}
	}
	if err := checkFlat(w); err != nil {
		return err
	}
	if err := w.Period.Check(w.Walls, w.Kernel.H(), w.Dim()); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	for i, x := range w.X {
		w.X[i] = w.Period.Wrap(x)
	}
	for i, wall := range w.Walls {
		if err := wall.Init(w.Kernel); err != nil {
			return fmt.Errorf("sim: wall %d: %w", i+1, err)
		}
	}
	if err := w.InitBodies(); err != nil {
		return err
	}
	w.volume = w.kernelVolume()
	w.Speed = expectedSpeed(w)
	return nil
}

// expectedSpeed returns the highest speed at the start, plus √(2gH), the speed of a fall
// from the liquid's top to the ground, plus the speed of the walls' motion. It is at
// least ten spacings per second.
func expectedSpeed(w *World) float64 {
	speed := 0.
	box := vec.Empty()
	for i, x := range w.X {
		box = box.Include(x)
		speed = max(speed, w.V[i].Len())
	}
	for _, n := range w.buffers.Nozzles {
		box = box.Include(n.At)
		speed = max(speed, n.Speed())
	}
	for _, b := range w.rigid.Bodies {
		box = box.Union(b.MovedBox(b.Boundary.(boundary.Bounded).Extent()))
		speed = max(speed, b.MaxSpeed())
	}
	g := w.Gravity.Len()
	if g > 0 && !box.IsEmpty() {
		down := w.Gravity.Mul(1 / g)
		top, ground := box.Span(down)
		for _, wall := range w.Walls {
			if s, ok := wall.(interface{ Bounds() vec.Box }); ok {
				if b := s.Bounds(); !b.IsEmpty() { // a container: its ground
					_, low := b.Span(down)
					ground = max(ground, low)
				}
			} else if d, n := wall.Dist(box.Min); n.Dot(down) < 0 {
				ground = max(ground, box.Min.Dot(down)+d)
			}
		}
		speed += math.Sqrt(2 * g * (ground - top))
	}
	// The speed that surface tension gives to the smallest drops.
	speed += math.Sqrt(2 * w.SurfaceTension / (w.Rho0 * w.Spacing))
	// Liquid that a wall hits is thrown ahead of it at up to twice the wall's speed.
	speed += float64(2 * wallSpeed(w, math.Inf(1)))
	return max(speed, 10*w.Spacing)
}

// checkFlat reports parts of a two-dimensional world off its plane.
func checkFlat(w *World) error {
	if w.Dim() == 3 {
		return nil
	}
	for i, wall := range w.Walls {
		if err := boundary.CheckFlat(wall); err != nil {
			return fmt.Errorf("sim: wall %d: %w", i+1, err)
		}
	}
	if w.Gravity.Z != 0 {
		return fmt.Errorf("sim: gravity %v m/s² leaves the plane z = 0 of two dimensions", w.Gravity)
	}
	for i, x := range w.X {
		if x.Z != 0 || w.V[i].Z != 0 {
			return fmt.Errorf("sim: particle %d at %v m with velocity %v m/s leaves the plane z = 0 of two dimensions", w.ID[i], x, w.V[i])
		}
	}
	return nil
}
