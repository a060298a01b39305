package parcels

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// addWalls reads the walls: the box and the meshes. A mesh is a tank if most of the
// particles x are in it, and otherwise a solid.
func (r *runner) addWalls(x []vec.Vec3) error {
	if b := r.opt.Box; b != nil {
		box := vec.Empty().Include(r.opt.Axes.Back(b.Min)).Include(r.opt.Axes.Back(b.Max))
		r.addWall(&boundary.Box{Min: box.Min, Max: box.Max, Inside: true})
		r.made.Add("box", []vec.Vec3{box.Min, box.Max})
	}
	for _, path := range r.opt.Walls {
		data, err := store.ReadFile(path)
		if err != nil {
			return usage("%s: %w", path, store.Bare(err))
		}
		m, err := out.ReadMesh(path, bytes.NewReader(data))
		if err != nil {
			return usage("%s: %w", path, err)
		}
		m = (&out.Frame{Mesh: m, Axes: r.opt.Axes}).Ours().Mesh
		wall := &boundary.Mesh{Scale: 1}
		if err := wall.SetMesh(m); err != nil {
			return usage("%s: %w", path, err)
		}
		within, step := 0, 1+len(x)/sampled
		for i := 0; i < len(x); i += step {
			if d, _ := wall.Dist(x[i]); d < 0 {
				within += step
			}
		}
		kind := "a solid"
		if 2*within > len(x) {
			kind = "a tank"
			wall = &boundary.Mesh{Scale: 1, Inside: true}
			if err := wall.SetMesh(m); err != nil {
				return usage("%s: %w", path, err)
			}
		}
		r.say("%s: %s, by the particles of %s", path, kind, r.inputs[r.like].Path)
		r.addWall(wall)
		sum := sha256.Sum256(data)
		r.made.Line("wall", hex.EncodeToString(sum[:])+" "+kind)
	}
	return nil
}

// sampled is the number of particles that show on which side of a mesh the liquid is.
const sampled = 1000

// addWall adds a wall. A wall too thin for densities next to it still stops the parcels.
func (r *runner) addWall(wall boundary.Boundary) {
	r.scene.Walls = append(r.scene.Walls, wall)
	if err := wall.Init(kernel.NewCubicSpline(3, kernel.Support(r.set.Spacing))); err != nil {
		if !r.has.density {
			r.say("warning: densities are summed without a wall: %v", err)
		}
		return
	}
	r.solid = append(r.solid, wall)
}

// usage returns a fault of the options.
func usage(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }
