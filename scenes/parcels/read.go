package parcels

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breakwater/out"
	"breakwater/out/particles"
	"breakwater/out/store"
	"breakwater/scenes/mesher"
	"breakwater/sim"
	"breakwater/sim/num"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/sim/whitewater"
)

// input is a particle file that was read.
type input struct {
	sum  string // of the file
	size int    // of the file, bytes
	data []byte // the file, until it is decoded
	set  *particle.Set
	from int                 // particles in the file, with those that are left out
	at   map[uint32]vec.Vec3 // positions by the numbers, for velocities by difference
}

// has says which quantities the files have.
type has struct{ id, velocity, density bool }

// load reads file i, and forgets the files that are far from frame i.
func (r *runner) load(i int) (*input, error) {
	if in := r.read[i]; in != nil {
		return in, nil
	}
	// The next file to be read has frame i, or the frame after it.
	before, after := r.window()
	for k := range r.read {
		if k < i-before-after || k > i+after {
			delete(r.read, k)
		}
	}
	data, err := store.ReadFile(r.inputs[i].Path)
	if err != nil {
		return nil, r.fault(i, store.Bare(err))
	}
	sum := sha256.Sum256(data)
	in := &input{sum: hex.EncodeToString(sum[:]), size: len(data), data: data}
	r.read[i] = in
	return in, nil
}

// fault returns an error of file i.
func (r *runner) fault(i int, err error) error {
	return fmt.Errorf("%s: %w", r.inputs[i].Path, err)
}

// densityName reports whether a field has the name of a density.
func densityName(name string) bool {
	return slices.Contains([]string{"density", "densities", "rho"}, strings.ToLower(name))
}

// indexName is the field in which decode numbers the particles of a file.
const indexName = "\x00index"

// decode decodes file i, without the particles that cannot be used. The numbers of the
// particles are their places in the file if the files have none. Velocities and densities
// that the file does not have are nil.
func (r *runner) decode(i int) (*input, error) {
	in, err := r.load(i)
	if err != nil || in.set != nil {
		return in, err
	}
	cloud, err := particles.Read(r.inputs[i].Path, in.data, func(name string) bool {
		return particles.VelocityName(name) || mesher.NumberName(name) || densityName(name)
	})
	in.data = nil
	if err != nil {
		return nil, r.fault(i, err)
	}
	in.from = len(cloud.X)
	index := make([]float64, len(cloud.X))
	for k := range index {
		index[k] = float64(k)
	}
	cloud.Fields = append(cloud.Fields, particles.Field{Name: indexName, Scalar: index})
	if s := mesher.Clean(cloud); s != "" {
		r.say("%s: %s", r.inputs[i].Path, s)
	}
	in.set, err = setOf(cloud)
	if err != nil {
		return nil, r.fault(i, err)
	}
	in.set = r.ours(in.set)
	if s := mesher.Mend(in.set.V); s != "" {
		r.say("%s: %s", r.inputs[i].Path, s)
	}
	return in, nil
}

// ours returns particles of a file in Breakwater's own axes.
func (r *runner) ours(s *particle.Set) *particle.Set {
	still := s.V == nil
	s = (&out.Frame{Particles: s, Axes: r.opt.Axes}).Ours().Particles
	if still {
		s.V = nil
	}
	return s
}

// setOf returns the particles of a file. Velocities and densities that it does not have are
// nil.
func setOf(cloud *particles.Cloud) (*particle.Set, error) {
	s := &particle.Set{X: cloud.X}
	var index []float64
	var number string
	for _, f := range cloud.Fields {
		switch {
		case f.Name == indexName:
			if index == nil {
				index = f.Scalar
			}
		case f.Vector != nil && s.V == nil && particles.VelocityName(f.Name):
			s.V = f.Vector
		case f.Scalar != nil && s.Rho == nil && densityName(f.Name):
			s.Rho = f.Scalar
		case f.Scalar != nil && number == "" && mesher.NumberName(f.Name):
			index, number = f.Scalar, f.Name
		}
	}
	s.ID = make([]uint32, len(s.X))
	for k, x := range index {
		if !(x >= 0 && x <= math.MaxUint32) || x != math.Trunc(x) {
			return nil, fmt.Errorf("particle %d has the %s %g; expected a whole number from 0 to %d", k, number, x, uint32(math.MaxUint32))
		}
		s.ID[k] = uint32(x)
	}
	if number != "" {
		sorted := slices.Clone(s.ID)
		slices.Sort(sorted)
		for k := 1; k < len(sorted); k++ {
			if sorted[k] == sorted[k-1] {
				return nil, fmt.Errorf("two particles have the %s %d; each particle needs its own number", number, sorted[k])
			}
		}
	}
	return s, nil
}

// mostRatio is the ratio of the spacing given to the estimated spacing from which one of them
// is likely to be wrong.
const mostRatio = 1.5

// look reads the first file with particles, which shows the quantities that all files have.
// It sets the spacing if it is not given.
func (r *runner) look() (x []vec.Vec3, err error) {
	for i := range r.inputs {
		in, err := r.load(i)
		if err != nil {
			return nil, err
		}
		cloud, err := particles.Read(r.inputs[i].Path, in.data, func(string) bool { return false })
		if err != nil {
			return nil, r.fault(i, err)
		}
		count := len(cloud.X)
		if mesher.Clean(cloud); len(cloud.X) == 0 {
			continue
		}
		cloud.X = r.ours(&particle.Set{X: cloud.X}).X
		r.like, r.count = i, count
		r.has = has{
			id: slices.ContainsFunc(cloud.Names, mesher.NumberName), velocity: slices.ContainsFunc(cloud.Names, particles.VelocityName),
			density: slices.ContainsFunc(cloud.Names, densityName),
		}
		if r.set.Spacing == 0 {
			if r.set.Spacing = num.Rounded(mesher.Spacing(cloud.X, 0), 3); !(r.set.Spacing > 0) {
				return nil, usage("%s: too few particles to estimate the spacing from; give it with --spacing", r.inputs[i].Path)
			}
			r.say("spacing %g m, estimated from %s; --spacing sets it", r.set.Spacing, r.inputs[i].Path)
		} else if seems := mesher.Spacing(cloud.X, r.set.Spacing); seems > 0 && math.Abs(math.Log(r.set.Spacing/seems)) > math.Log(mostRatio) {
			r.say("warning: the particles of %s are about %.3g m apart, not %g m: are --spacing and --unit right?", r.inputs[i].Path, seems, r.set.Spacing)
		}
		if r.has.density {
			if err := r.judge(i); err != nil {
				return nil, err
			}
		}
		return cloud.X, nil
	}
	return nil, errors.New("none of the files has particles")
}

// The densities of a file belong to the liquid if nine tenths are below this range of the
// density at rest.
const (
	leastDensity = 0.5
	mostDensity  = 2
)

// judge decides by file i whether the densities of the files belong to the liquid, in
// kg/m³.
func (r *runner) judge(i int) error {
	in, err := r.decode(i)
	if err != nil {
		return err
	}
	list := slices.Clone(in.set.Rho)
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	if high := list[len(list)*9/10] / r.set.Density; !(high > leastDensity && high < mostDensity) {
		r.has.density = false
		r.say("%s has densities of %.3g, not about %g kg/m³; --set density=VALUE sets the density of the liquid", r.inputs[i].Path, list[len(list)*9/10], r.set.Density)
	}
	return nil
}

// agree reports an error if file i lacks a quantity that the other files have.
func (r *runner) agree(i int, s *particle.Set) error {
	like := r.inputs[r.like].Path
	switch {
	case s.Len() == 0:
		return nil
	case r.has.velocity && s.V == nil:
		return r.fault(i, fmt.Errorf("it has no velocities, but %s has them; every file needs the same quantities", like))
	case r.has.density && s.Rho == nil:
		return r.fault(i, fmt.Errorf("it has no densities, but %s has them; every file needs the same quantities", like))
	}
	return nil
}

// frame returns the particles of file i with all that whitewater needs of them.
func (r *runner) frame(i int) (whitewater.Frame, error) {
	in, err := r.decode(i)
	if err != nil {
		return whitewater.Frame{}, err
	}
	if err := r.agree(i, in.set); err != nil {
		return whitewater.Frame{}, err
	}
	s := &particle.Set{X: in.set.X, V: in.set.V, Rho: in.set.Rho, ID: in.set.ID}
	if !r.has.id {
		if in.from != r.count {
			return whitewater.Frame{}, r.fault(i, fmt.Errorf("it has %d particles and %s has %d, so their order does not identify them; write the files with ids", in.from, r.inputs[r.like].Path, r.count))
		}
	}
	if !r.has.velocity {
		if s.V, err = r.velocities(i, in.set); err != nil {
			return whitewater.Frame{}, err
		}
	}
	if s.V == nil { // of no particles
		s.V = []vec.Vec3{}
	}
	s.Bodies = r.bodies(i)
	if !r.has.density {
		if err := r.place(0, s.Bodies); err != nil {
			return whitewater.Frame{}, err
		}
		r.sumDensities(s)
	}
	return whitewater.Frame{Time: r.times[i], Set: s}, nil
}

// sumDensities sets the densities of the particles to their SPH sums. It may sort the
// particles.
func (r *runner) sumDensities(s *particle.Set) {
	w := sim.New(r.set.Spacing, r.set.Density)
	w.Walls = r.solid
	w.Set = particle.Set{X: slices.Clone(s.X), V: slices.Clone(s.V), Rho: make([]float64, s.Len()), ID: slices.Clone(s.ID)}
	w.SumDensities()
	w.Bodies = s.Bodies
	*s = w.Set
}

// velocities returns the velocities of the particles s of file i by the differences to the
// files before and after it.
func (r *runner) velocities(i int, s *particle.Set) ([]vec.Vec3, error) {
	var before, after map[uint32]vec.Vec3
	for _, k := range []int{i - 1, i + 1} {
		if k < 0 || k >= len(r.inputs) {
			continue
		}
		in, err := r.decode(k)
		if err != nil {
			return nil, err
		}
		if in.at == nil {
			in.at = make(map[uint32]vec.Vec3, in.set.Len())
			for j, id := range in.set.ID {
				in.at[id] = in.set.X[j]
			}
		}
		if k < i {
			before = in.at
		} else {
			after = in.at
		}
	}
	v := make([]vec.Vec3, s.Len())
	for k, id := range s.ID {
		x0, was := before[id]
		x1, will := after[id]
		switch x := s.X[k]; {
		case was && will: // of the parabola through the three places
			dt0, dt1 := r.times[i]-r.times[i-1], r.times[i+1]-r.times[i]
			v[k] = x.Sub(x0).Mul(dt1 / dt0).Add(x1.Sub(x).Mul(dt0 / dt1)).Mul(1 / (dt0 + dt1))
		case was:
			v[k] = x.Sub(x0).Mul(1 / (r.times[i] - r.times[i-1]))
		case will:
			v[k] = x1.Sub(x).Mul(1 / (r.times[i+1] - r.times[i]))
		}
	}
	return v, nil
}

// ordered returns an error if the particles of two frames that are matched by their order
// are where their velocities cannot have moved them.
func (r *runner) ordered(i int, prev, next whitewater.Frame) error {
	if r.has.id || !r.has.velocity {
		return nil
	}
	dt := next.Time - prev.Time
	from := make([]int32, r.count) // index + 1 by number
	for k, id := range prev.ID {
		from[id] = int32(k + 1)
	}
	far, all := 0, 0
	for k, id := range next.ID {
		j := from[id] - 1
		if j < 0 {
			continue
		}
		all++
		way := prev.V[j].Add(next.V[k]).Mul(0.5 * dt)
		most := float64(2*r.set.Spacing) + float64(0.5*dt*(prev.V[j].Len()+next.V[k].Len()))
		if next.X[k].Sub(prev.X[j]).Sub(way).Len() > most {
			far++
		}
	}
	if far > all/4 {
		return r.fault(i, fmt.Errorf("%d of %d particles are not where their velocities lead from %s: either the files have the particles in different orders, then write them with ids, or --fps or --interval is wrong", far, all, r.inputs[i-1].Path))
	}
	return nil
}
