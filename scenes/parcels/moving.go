package parcels

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/scenes/mesher"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// movingWall is a wall of which there is a mesh for each particle file. It moves as a rigid
// body.
type movingWall struct {
	*body.Body
	poses []particle.Body // by the frames
}

// addMoving reads the meshes of a wall that moves, one per particle file with the same number,
// or in the same order if either have none.
func (r *runner) addMoving(pattern string, x []vec.Vec3) error {
	files, _, err := mesher.Find([]string{pattern})
	if err != nil {
		return UsageError{err}
	}
	byNumber := map[int]string{}
	for _, f := range files {
		byNumber[f.Number] = f.Path
	}
	numbered := len(byNumber) == len(files)
	for _, in := range r.inputs {
		numbered = numbered && in.Number >= 0
	}
	if !numbered && len(files) != len(r.inputs) {
		return usage("%s: %d meshes for %d particle files: a wall that moves needs one for each", pattern, len(files), len(r.inputs))
	}
	var first *mesh.Mesh
	var fit rigidFit
	var sum [sha256.Size]byte
	w := &movingWall{}
	for i, in := range r.inputs {
		path := files[min(i, len(files)-1)].Path
		if numbered {
			if path = byNumber[in.Number]; path == "" {
				return usage("%s: no mesh has the number %d of %s", pattern, in.Number, in.Path)
			}
		}
		m, data, err := r.readWall(path)
		if err != nil {
			return err
		}
		if first == nil {
			first, fit, sum = m, newRigidFit(m.Pos), sha256.Sum256(data)
		}
		if len(m.Pos) != len(first.Pos) || len(m.Tri) != len(first.Tri) {
			return usage("%s has %d vertices and %d triangles, and the first mesh has %d and %d: a wall that moves keeps its mesh", path, len(m.Pos), len(m.Tri), len(first.Pos), len(first.Tri))
		}
		pose, off := fit.pose(m.Pos)
		if most := mostBent * r.set.Spacing; off > most {
			return usage("%s: a vertex is %.3g m from its place in the first mesh, turned and moved: walls that bend are not supported", path, off)
		}
		w.poses = append(w.poses, pose)
	}
	setMotion(w.poses, r.times)
	kind := "solid"
	for _, inside := range []bool{false, true} {
		shape := &boundary.Mesh{Scale: 1, Inside: inside}
		if err := shape.SetMesh(first); err != nil {
			return usage("%s: %w", pattern, err)
		}
		w.Body = body.New(shape, body.Motion{Center: fit.center}, 0)
		w.Posed = true
		w.Put(w.poses[r.like])
		if inside || !holds(w, x) {
			break
		}
		kind = "tank"
	}
	r.say("%s: a %s that moves, by the particles of %s", pattern, kind, r.inputs[r.like].Path)
	r.made.Line("moving", hex.EncodeToString(sum[:])+" "+kind)
	r.moving = append(r.moving, w)
	r.addWall(w.Body, true)
	return nil
}

// mostBent is how far a vertex of a moving wall may be from a rigid motion, in spacings.
const mostBent = 0.1

// readWall reads a mesh in Breakwater's own axes, and its bytes.
func (r *runner) readWall(path string) (*mesh.Mesh, []byte, error) {
	data, err := store.ReadFile(path)
	if err != nil {
		return nil, nil, usage("%s: %w", path, store.Bare(err))
	}
	m, err := out.ReadMesh(path, bytes.NewReader(data))
	if err != nil {
		return nil, nil, usage("%s: %w", path, err)
	}
	return (&out.Frame{Mesh: m, Axes: r.opt.Axes}).Ours().Mesh, data, nil
}

// bodies returns the poses of the moving walls at frame i.
func (r *runner) bodies(i int) (list []particle.Body) {
	for _, w := range r.moving {
		list = append(list, w.poses[i])
	}
	return list
}

// place puts the moving walls where list says.
func (r *runner) place(_ float64, list []particle.Body) error {
	if len(list) != len(r.moving) {
		return fmt.Errorf("%d poses for %d walls that move", len(list), len(r.moving))
	}
	for k, w := range r.moving {
		w.Put(list[k])
	}
	return nil
}

// rigidFit finds how points have moved as a rigid body.
type rigidFit struct {
	at     []vec.Vec3
	center vec.Vec3
	a, b   int // points far from the centre, and far from each other
}

func newRigidFit(x []vec.Vec3) rigidFit {
	f := rigidFit{at: x}
	for _, p := range x {
		f.center = f.center.Add(p.Mul(1 / float64(len(x))))
	}
	far := func(of func(p vec.Vec3) float64) (best int) {
		for i := range x {
			if of(x[i]) > of(x[best]) {
				best = i
			}
		}
		return best
	}
	f.a = far(func(p vec.Vec3) float64 { return p.Sub(f.center).Len() })
	along := x[f.a].Sub(f.center)
	f.b = far(func(p vec.Vec3) float64 { return along.Cross(p.Sub(f.center)).Len() })
	return f
}

// pose returns the turn and the move that bring the points to x, and how far the worst is off.
func (f *rigidFit) pose(x []vec.Vec3) (p particle.Body, off float64) {
	for _, y := range x {
		p.X = p.X.Add(y.Mul(1 / float64(len(x))))
	}
	a0, b0 := f.at[f.a].Sub(f.center), f.at[f.b].Sub(f.center)
	a, b := x[f.a].Sub(p.X), x[f.b].Sub(p.X)
	// First a0 to a by the shorter way, then about a.
	axis := a0.Cross(a)
	if axis.Len() <= 1e-14*a0.Dot(a0) {
		axis = a0.Cross(b0) // of half a turn, if a0 and a are opposite
	}
	turn := vec.Turn(axis.Unit().Mul(math.Atan2(a0.Cross(a).Len(), a0.Dot(a))))
	b0 = rotated(turn, b0)
	about := a.Unit()
	angle := math.Atan2(about.Dot(b0.Cross(b)), b0.Dot(b)-float64(about.Dot(b0)*about.Dot(b)))
	p.Turn = vec.Turn(about.Mul(angle)).Mul(turn).Unit()
	columns := p.Turn.Columns()
	for i, y := range x {
		d := f.at[i].Sub(f.center)
		to := p.X.Add(columns[0].Mul(d.X)).Add(columns[1].Mul(d.Y)).Add(columns[2].Mul(d.Z))
		off = max(off, to.Sub(y).Len())
	}
	return p, off
}

func rotated(q vec.Quat, v vec.Vec3) vec.Vec3 {
	c := q.Columns()
	return c[0].Mul(v.X).Add(c[1].Mul(v.Y)).Add(c[2].Mul(v.Z))
}

// setMotion sets the velocities and spins of poses at the given times, by the parabola
// through the poses before and after, and of the line to the only neighbour at the ends.
func setMotion(p []particle.Body, times []float64) {
	rate := func(i, k int) (v, spin vec.Vec3) {
		dt := times[k] - times[i]
		q := p[k].Turn.Mul(vec.Quat{W: p[i].Turn.W, X: -p[i].Turn.X, Y: -p[i].Turn.Y, Z: -p[i].Turn.Z})
		if q.W < 0 {
			q = vec.Quat{W: -q.W, X: -q.X, Y: -q.Y, Z: -q.Z}
		}
		axis := vec.New(q.X, q.Y, q.Z)
		return p[k].X.Sub(p[i].X).Mul(1 / dt), axis.Unit().Mul(2 * math.Atan2(axis.Len(), q.W) / dt)
	}
	for i := range p {
		switch last := len(p) - 1; {
		case i == 0:
			p[i].V, p[i].Spin = rate(0, 1)
		case i == last:
			p[i].V, p[i].Spin = rate(last-1, last)
		default:
			v0, s0 := rate(i-1, i)
			v1, s1 := rate(i, i+1)
			dt0, dt1 := times[i]-times[i-1], times[i+1]-times[i]
			p[i].V, p[i].Spin = v0.Lerp(v1, dt0/(dt0+dt1)), s0.Lerp(s1, dt0/(dt0+dt1))
		}
	}
}
