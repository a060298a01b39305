package raster

import (
	"math"
	"testing"

	"breakwater/raster/camera"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestLiquidSlidesAlongSolids has a shell of liquid around a moving ball, which is slower
// than the shell. The inside of the shell must stay on the ball and slide along it at its
// ends. The outside goes straight on.
func TestLiquidSlidesAlongSolids(t *testing.T) {
	carried, speed := vec.Vec3{Y: 1}, vec.Vec3{X: 2, Y: 1}
	solid, shell, outer := &mesh.Mesh{}, &mesh.Mesh{}, &mesh.Mesh{}
	one := func(vec.Vec3) float64 { return 1 }
	ball(solid, vec.Vec3{Y: 3}, 1, 64, one)
	ball(shell, vec.Vec3{Y: 3}, 1, 64, one)
	insideOut(shell)
	inside := len(shell.Pos)
	ball(outer, vec.Vec3{Y: 3}, 1.3, 64, one)
	add(shell, outer)
	shell.Nrm = nil
	for range solid.Pos {
		solid.Vel = append(solid.Vel, carried)
	}
	for range shell.Pos {
		shell.Vel = append(shell.Vel, speed)
	}
	v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 3, Z: 9}, Target: vec.Vec3{Y: 3}, Focal: 40}, Light: sky.DefaultLight(), Width: 64, Height: 36, Quality: Final,
		Shutter: 0.4, Liquid: shell, Solids: []Solid{{Mesh: solid, Material: Glass.Material()}}}
	tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
	used := make([]bool, len(shell.Pos)) // by a triangle that is not just a line, as at the ball's poles
	for _, tri := range shell.Tri {
		p, q, r := shell.Pos[tri[0]], shell.Pos[tri[1]], shell.Pos[tri[2]]
		for _, v := range tri {
			used[v] = used[v] || q.Sub(p).Cross(r.Sub(p)).Len() > 1e-9
		}
	}
	most := 0.0
	for slab := range timeSlabs {
		from, to := (float64(slab)/timeSlabs-0.5)*v.Shutter, (float64(slab+1)/timeSlabs-0.5)*v.Shutter
		tr.moveOver(from, to)
		for i, p := range tr.motion.middle[:tr.liquidVertices] {
			if !used[i] {
				continue
			}
			for end, q := range [2]vec.Vec3{tr.pos[i], tr.motion.end[i]} {
				dt := [2]float64{from, to}[end]
				if i >= inside {
					if d := q.Sub(p).Sub(speed.Mul(dt)).Len(); d > 1e-12 {
						t.Fatalf("at %g s: the outside is %g m beside its way", dt, d)
					}
					continue
				}
				center := vec.Vec3{Y: 3}.Add(carried.Mul(dt))
				if off := math.Abs(q.Sub(center).Len() - 1); off > 2e-3 { // between two hops it cuts the corner by 1.3 mm
					t.Fatalf("at %g s: vertex %d is %g m off the ball", dt, i, off)
				}
				most = max(most, q.Sub(p).Sub(carried.Mul(dt)).Len())
			}
		}
	}
	if want := 0.2 * speed.X; math.Abs(most/want-1) > 0.05 {
		t.Errorf("the liquid slides %g m along the ball at most, want about %g", most, want)
	}
}
