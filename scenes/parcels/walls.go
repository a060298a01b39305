package parcels

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"breakwater/scenes/mesher"
	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/vec"
	"breakwater/sim/whitewater"
)

// addWalls reads the walls: the box and the meshes. A mesh is a tank if most of the
// particles x are in it, and otherwise a solid.
func (r *runner) addWalls(x []vec.Vec3) error {
	if b := r.opt.Box; b != nil {
		box := vec.Empty().Include(r.opt.Axes.Back(b.Min)).Include(r.opt.Axes.Back(b.Max))
		r.addWall(&boundary.Box{Min: box.Min, Max: box.Max, Inside: true}, false)
		r.made.Add("box", []vec.Vec3{box.Min, box.Max})
	}
	for _, path := range r.opt.Walls {
		if mesher.Pattern(path) {
			if err := r.addMoving(path, x); err != nil {
				return err
			}
			continue
		}
		m, data, err := r.readWall(path)
		if err != nil {
			return err
		}
		wall := &boundary.Mesh{Scale: 1}
		if err := wall.SetMesh(m); err != nil {
			return usage("%s: %w", path, err)
		}
		kind := "a solid"
		if holds(wall, x) {
			kind = "a tank"
			wall = &boundary.Mesh{Scale: 1, Inside: true}
			if err := wall.SetMesh(m); err != nil {
				return usage("%s: %w", path, err)
			}
		}
		r.say("%s: %s, by the particles of %s", path, kind, r.inputs[r.like].Path)
		r.addWall(wall, false)
		sum := sha256.Sum256(data)
		r.made.Line("wall", hex.EncodeToString(sum[:])+" "+kind)
	}
	if len(r.moving) > 0 {
		r.scene.Place = r.place
	}
	return nil
}

// holds reports whether most of the particles x are in a solid, which is a tank then.
func holds(wall whitewater.Wall, x []vec.Vec3) bool {
	within, step := 0, 1+len(x)/sampled
	for i := 0; i < len(x); i += step {
		if d, _ := wall.Dist(x[i]); d < 0 {
			within += step
		}
	}
	return 2*within > len(x)
}

// sampled is the number of particles that show on which side of a mesh the liquid is.
const sampled = 1000

// addWall adds a wall, which may move. A wall too thin for densities next to it still stops the parcels.
func (r *runner) addWall(wall boundary.Boundary, moves bool) {
	if moves {
		r.scene.Bodies = append(r.scene.Bodies, wall)
	} else {
		r.scene.Walls = append(r.scene.Walls, wall)
	}
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
