package mesher

import (
	"errors"
	"fmt"
	"math"

	"breakwater/out/particles"
	"breakwater/scenes/host"
	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// The memory of meshing, in bytes. The surface's share is measured on splashes of 30,000
// to 5,000,000 particles; see TestMemory.
const (
	bytesProgram  = 40e6 // whatever the particles, the Go runtime's own included
	bytesParticle = 150  // per particle, sorted, with its sums
	bytesBlock    = 20e3 // of a block of the grid
	bytesVertex   = 420  // of a vertex, with two triangles and all that smoothing keeps
	bytesCoarse   = 150  // of a vertex, if the mesh is coarsened
	bytesWritten  = 96   // of a vertex while it is written: position, normal, velocity and triangles
	// The collector needs room to work in: with less it would take most of the
	// time.
	collector = 1.15
	// From here on it is said how much is needed, since it takes a while.
	muchMemory = 2e9
)

// extent is the size of a liquid, in the quantities that take memory.
type extent struct {
	particles int
	read      int // of the particles' input: file, positions and fields
	fields    int // numbers for a vertex beside position, normal and velocity
	cubes     map[[3]int64]struct{}
	faces     int     // of the cubes, to where no particles are
	spacing   float64 // m
	coarse    float64 // additional bytes for a vertex if the mesh is coarsened
}

// mostCubes is the most cubes along an axis that can be distinguished, more than the
// grid of a surface has blocks.
const mostCubes = 1 << 40

// measure finds out how far the particles x reach, in cubes of two spacings.
func (e *extent) measure(x []vec.Vec3, spacing float64) {
	e.spacing, e.cubes = spacing, map[[3]int64]struct{}{}
	inv := 1 / kernel.Support(spacing)
	from := neighbor.Bounds(x).Min
	var last [3]int64
	for i, p := range x {
		p = p.Sub(from).Mul(inv)
		at := [3]int64{int64(min(p.X, mostCubes)), int64(min(p.Y, mostCubes)), int64(min(p.Z, mostCubes))}
		if i == 0 || at != last { // particles that follow each other are near, mostly
			e.cubes[at] = struct{}{}
			last = at
		}
	}
	for at := range e.cubes {
		for a := range at {
			for _, step := range []int64{-1, 1} {
				next := at
				next[a] += step
				if _, there := e.cubes[next]; !there {
					e.faces++
				}
			}
		}
	}
}

// vertices returns about how many vertices the surface has with cells of the given size
// in radii. A face of a cube has 16/cell² cells, and the liquid's surface is smaller by
// about the ratio of vertices to cells.
func (e *extent) vertices(cell float64) float64 { return 16 * float64(e.faces) / (cell * cell) }

// blocks returns how many blocks of 16³ cells, of the given size in radii, the particles
// reach into.
func (e *extent) blocks(cell float64) float64 {
	width := float64(4 * cell) // cubes
	reach := 1 + float64(cell/4)
	all := map[[3]int64]struct{}{}
	for at := range e.cubes {
		var lo, hi [3]int64
		for a, k := range at {
			lo[a] = int64(math.Floor((float64(k) - reach) / width))
			hi[a] = int64(math.Floor((float64(k) + 1 + reach) / width))
		}
		for x := lo[0]; x <= hi[0]; x++ {
			for y := lo[1]; y <= hi[1]; y++ {
				for z := lo[2]; z <= hi[2]; z++ {
					all[[3]int64{x, y, z}] = struct{}{}
				}
			}
		}
	}
	return float64(len(all))
}

// need returns the memory that meshing takes, in bytes, with cells of the given size in
// radii. If both is set it includes the next file, which is read, and the previous one,
// which is written.
func (e *extent) need(cell float64, both bool) float64 {
	return e.needOf(e.vertices(cell), e.blocks(cell), both)
}

// needOf is need for a surface of the given number of vertices on the given blocks.
func (e *extent) needOf(vertices, blocks float64, both bool) float64 {
	live := float64(e.read) + float64(bytesParticle*float64(e.particles)) + float64(bytesBlock*blocks) + float64((bytesVertex+e.coarse+float64(8*float64(e.fields)))*vertices)
	if both {
		live += float64(e.read) + float64((bytesWritten+float64(8*float64(e.fields)))*vertices)
	}
	return bytesProgram + float64(collector*live)
}

// most returns more than need does, from the bounding box of the particles x
// alone: as if each cube of it, or each particle, stood alone.
func (e *extent) most(x []vec.Vec3, spacing, cell float64, both bool) float64 {
	if len(x) == 0 {
		return e.needOf(0, 0, both)
	}
	size := neighbor.Bounds(x).Size()
	width, reach := float64(4*cell), 1+float64(cell/4)
	cubes, blocks := 1.0, 1.0
	for _, s := range [3]float64{size.X, size.Y, size.Z} {
		n := s/kernel.Support(spacing) + 1
		cubes *= n
		blocks *= (n+float64(2*reach))/width + 2
	}
	cubes = min(cubes, float64(len(x)))
	blocks = min(blocks, float64(cubes*num.Pow((1+float64(2*reach))/width+2, 3)))
	return e.needOf(16*6*cubes/(cell*cell), blocks, both)
}

// MemoryError says that a file would need more memory than there is.
type MemoryError struct {
	Need, Have float64 // bytes
	Cell       float64 // radii, with which it would fit; 0 for none
	Single     bool    // most particles stand alone
	Machine    bool    // the memory is all that the machine has, nobody has set it
}

func (e *MemoryError) Error() string {
	s := fmt.Sprintf("about %s of memory are needed, but %s are allowed: ", num.Bytes(e.Need), num.Bytes(e.Have))
	if e.Cell > 0 {
		s += fmt.Sprintf("a cell of %g radii would fit", e.Cell)
	} else {
		s += "no cell is large enough"
	}
	if e.Single {
		s += "; most particles are isolated, so the radius may be too small: --radius sets it"
	}
	if e.Machine {
		s += "; --memory allows more"
	}
	return s
}

// fits returns the memory that a file needs. It returns a *MemoryError if that is more
// than the run may have.
func (r *runner) fits(e *extent, both bool) (need float64, err error) {
	cell := r.method.Common().Cell
	need = e.need(cell, both)
	if have, machine := host.Allowed(r.opt.Memory); have > 0 && need > have {
		err := &MemoryError{Need: need, Have: have, Machine: machine, Single: 4*len(e.cubes) > e.particles}
		for c := math.Ceil(cell*20) / 20; c <= largestCell; c += 0.05 {
			if c > cell && e.need(c, both) <= have {
				err.Cell = math.Round(c*100) / 100
				break
			}
		}
		return need, err
	}
	return need, nil
}

// largestCell is the largest edge of a cell that methods accept, in radii.
const largestCell = 1.2

// room finds out whether the particles of j can be meshed in the memory that
// the run may have: beside the next file, or at least alone. It says so before
// the first.
func (r *runner) room(j *job) error {
	have, machine := host.Allowed(r.opt.Memory)
	if have == 0 {
		return nil
	}
	e := &extent{particles: len(j.p.X), read: j.bytes + 24*len(j.p.X)}
	common := r.method.Common()
	if common.Adaptive > 0 || common.Triangles > 0 {
		e.coarse = bytesCoarse
	}
	for _, f := range j.p.Fields {
		e.read += 8*len(f.Scalar) + 24*len(f.Vector)
		if !particles.VelocityName(f.Name) {
			e.fields += min(1, len(f.Scalar)) + 3*min(1, len(f.Vector))
		}
	}
	if machine && e.most(j.p.X, 2*r.radius, common.Cell, len(r.inputs) > 1) < min(have, muchMemory) {
		return nil
	}
	e.measure(j.p.X, 2*r.radius)
	need, err := r.fits(e, len(r.inputs) > 1)
	if short := new(MemoryError); errors.As(err, &short) && len(r.inputs) > 1 {
		if need, err = r.fits(e, false); err == nil {
			r.alone = true
		}
	}
	if err == nil && !r.memoryReported && (r.opt.Memory > 0 || need > muchMemory) {
		r.memoryReported = true
		how := ""
		if r.alone {
			how = ", one file at a time"
		}
		r.say("memory: about %s of %s for %s%s", num.Bytes(need), num.Bytes(have), j.in.Path, how)
	}
	return err
}
