package vortex

import (
	"fmt"
	"math"

	"breakwater/sim/fft"
	"breakwater/sim/par"
	"breakwater/sim/remesh"
	"breakwater/sim/vec"
)

// PeriodNodes returns the number of cells in a length that repeats itself, both in m, and the closest
// number of cells that can repeat, 0 for too many: a multiple of fft.Lanes without other prime factors than 2, 3 and 5.
func PeriodNodes(length, cell float64) (cells float64, can int) {
	cells = length / cell
	if !(cells < mostPeriod) {
		return cells, 0
	}
	up := fft.Smooth(int(math.Ceil(cells-1e-6)), fft.Lanes)
	down := up
	for n := up - fft.Lanes; n > 0; n -= fft.Lanes {
		if fft.Smooth(n, fft.Lanes) == n {
			down = n
			break
		}
	}
	if cells-float64(down) < float64(up)-cells {
		return cells, down
	}
	return cells, up
}

// mostPeriod is the largest number of cells that repeat.
const mostPeriod = 1e5

// checkPeriod checks the range that repeats.
func (s *Mesh) checkPeriod() error {
	for a, on := range s.Repeats {
		if !on {
			continue
		}
		length := s.Period.Size().Array()[a]
		cells, can := PeriodNodes(length, s.Cell)
		if can == 0 {
			return &SettingError{"cell", fmt.Sprintf("a range of %.4g m that repeats has %.5g cells; expected at most %g: make the cell larger", length, cells, mostPeriod)}
		}
		if math.Abs(cells-float64(can)) > 1e-4*cells {
			return &SettingError{"cell", fmt.Sprintf("a range of %.4g m that repeats has %.5g cells; expected a multiple of %d without other prime factors than 2, 3 and 5, such as %d: make the cell %.6g m", length, cells, fft.Lanes, can, length/float64(can))}
		}
	}
	if s.Expansion && s.Repeats == [3]bool{true, true, true} {
		return &SettingError{"expansion", "gas that repeats along all axes has no room to expand; leave it out, or let fewer axes repeat"}
	}
	return nil
}

// fit sets the lattice for all in a box.
func (s *Mesh) fit(box vec.Box) {
	s.lattice = remesh.Fit(box, s.Cell, latticeMargin, func(a, n int) int { return fft.Smooth(n, latticeGrowth[a]) })
	if box.IsEmpty() {
		return
	}
	for a, on := range s.Repeats {
		if on {
			_, n := PeriodNodes(s.Period.Size().Array()[a], s.Cell)
			s.lattice.Repeat(a, s.Period.Min.Array()[a], n)
		}
	}
}

// box returns the box outside of which the gas is removed.
func (s *Mesh) box() vec.Box {
	lo, hi := s.Low.Array(), s.High.Array()
	for a, on := range s.Repeats {
		if on || s.Low == s.High {
			lo[a], hi[a] = math.Inf(-1), math.Inf(1)
		}
	}
	return vec.Box{Min: vec.New(lo[0], lo[1], lo[2]), Max: vec.New(hi[0], hi[1], hi[2])}
}

// latticeVelocity returns the velocity at x of the vorticity at the nodes of a lattice.
func (s *Mesh) latticeVelocity(f *Flow, gas *Gas, x vec.Vec3) vec.Vec3 {
	s.ambient, s.grows = gas.Temperature, false
	s.load(&f.Vortons, gas)
	s.fit(s.extent(f).Include(x))
	s.toNodes(s.x, s.now[:heatExcess])
	s.velocity()
	at := []vec.Vec3{x}
	s.lattice.Home(at)
	var u [3][]float32
	for a := range u {
		u[a] = par.Resize(u[a], 1)
	}
	s.lattice.Fetch(u[:], at, s.u[:])
	return vec.New(float64(u[0][0]), float64(u[1][0]), float64(u[2][0])).Add(gas.Wind)
}
