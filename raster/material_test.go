package raster

import (
	"math"
	"testing"

	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/ground"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestGlassSlab looks down through a plate of tinted glass over the floor.
func TestGlassSlab(t *testing.T) {
	plate := vec.Box{Min: vec.Vec3{X: -2, Y: 1, Z: -2}, Max: vec.Vec3{X: 2, Y: 1.5, Z: 2}}
	v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 5, Z: 4}, Focal: 40}, Light: sky.DefaultLight(), Width: 64, Height: 36, Quality: Good,
		Solids: []Solid{{Mesh: boxMesh(plate), Material: Material{Glass, vec.Vec3{X: 0.5, Y: 0.9, Z: 0.7}}}}}
	tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
	tr.liquidLight = tr.clear
	eye, down := vec.Vec3{X: 0.21, Y: 4, Z: 0.13}, vec.Vec3{Y: -1}
	got := tr.trace(ray{o: eye, d: down, weight: 1})
	f, _ := optics.Fresnel(1, 1/optics.GlassIndex)
	left := color.New(0.5, 0.9, 0.7).Each(func(x float64) float64 { return math.Pow(x, 0.5/4) })
	floor := tr.floor.Radiance(vec.Vec3{X: eye.X, Z: eye.Z}, down, 4*tr.lens.PixelAngle())
	// Internal reflections are too faint to follow, and leave with the rest.
	want := tr.backdrop(vec.Vec3{Y: 1e-3}, vec.Vec3{Y: 1}).Scale(f).Add(floor.Mul(left).Scale(1 - f))
	if d := got.Add(want.Scale(-1)); max(math.Abs(d.R), math.Abs(d.G), math.Abs(d.B)) > 2e-3 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestGlassInLiquid puts a block of colourless glass into a liquid of the same
// index, which all but touches it: it must not be seen. In one of another index
// it must.
func TestGlassInLiquid(t *testing.T) {
	look := func(index float64, block bool) color.RGB {
		liquid := slab(1)
		inner := vec.Box{Min: vec.Vec3{X: -0.5, Y: 1.2, Z: -0.5}, Max: vec.Vec3{X: 0.5, Y: 1.7, Z: 0.5}}
		v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 5, Z: 4}, Focal: 40}, Light: sky.DefaultLight(), Width: 64, Height: 36, Quality: Final, Liquid: liquid}
		if block {
			add(liquid, insideOut(boxMesh(inner.Grow(0.002))))
			v.Solids = []Solid{{Mesh: boxMesh(inner), Material: Material{Glass, vec.Vec3{X: 1, Y: 1, Z: 1}}}}
		}
		tr := newTracer(newScene(v, optics.Medium{Index: index}))
		tr.liquidLight = tr.clear
		return tr.trace(ray{o: vec.Vec3{X: -1.2, Y: 3, Z: 0.1}, d: vec.Vec3{X: 1, Y: -1.5, Z: 0.05}.Unit(), weight: 1})
	}
	for _, c := range []struct {
		index float64
		same  bool
	}{{optics.GlassIndex, true}, {1.2, false}} {
		with, without := look(c.index, true), look(c.index, false)
		if apart := math.Abs(with.G - without.G); (apart < 2e-3) != c.same {
			t.Errorf("in a liquid of index %g: %v with the glass, %v without", c.index, with, without)
		}
	}
}

// TestGlassDisplacesLiquid puts a block of glass into a liquid. The liquid touches it,
// passes through it, or has its surface a little inside it. All three must look the same,
// from above and to the sun.
func TestGlassDisplacesLiquid(t *testing.T) {
	look := func(overlap float64) (seen [3]color.RGB, left ground.Landing) {
		liquid := slab(1)
		inner := vec.Box{Min: vec.Vec3{X: -0.5, Y: 1.2, Z: -0.5}, Max: vec.Vec3{X: 0.5, Y: 1.7, Z: 0.5}}
		if !math.IsInf(overlap, 1) {
			add(liquid, insideOut(boxMesh(inner.Grow(-overlap))))
		}
		v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 5, Z: 4}, Focal: 40}, Light: sky.DefaultLight(), Width: 64, Height: 36, Quality: Final, Liquid: liquid,
			Solids: []Solid{{Mesh: boxMesh(inner), Material: Material{Glass, vec.Vec3{X: 0.5, Y: 0.9, Z: 0.7}}}}}
		tr := newTracer(newScene(v, optics.Medium{Index: 1.333, Sigma: color.New(1, 0.5, 0.2)}))
		tr.liquidLight = tr.clear
		for i, x := range [3]float64{-1.2, -0.9, -0.5} {
			seen[i] = tr.trace(ray{o: vec.Vec3{X: x, Y: 3, Z: 0.1}, d: vec.Vec3{X: 1, Y: -1.5, Z: 0.05}.Unit(), weight: 1})
		}
		b := &segment{branch: branch{ray{o: vec.Vec3{X: 0.1, Y: 3, Z: 0.1}, d: vec.Vec3{X: 0.1, Y: -1}.Unit()}, color.New(1, 1, 1)}}
		m := tr.newFloorMap()
		for range tr.limits.maxDepth {
			end, ends := tr.sunbeam(m, b, tr.intersect(b.ray, math.Inf(1)))
			if left = end; ends {
				break
			}
		}
		return seen, left
	}
	want, landed := look(-0.002)
	for _, overlap := range []float64{0.002, 0.01, math.Inf(1)} {
		got, end := look(overlap)
		for i, c := range got {
			if d := c.Add(want[i].Scale(-1)); max(math.Abs(d.R), math.Abs(d.G), math.Abs(d.B)) > 5e-3 {
				t.Errorf("overlap of %g m, ray %d: %v, want %v", overlap, i, c, want[i])
			}
		}
		if math.Hypot(end.X-landed.X, end.Z-landed.Z) > 0.1 || math.Abs(end.Light.G-landed.Light.G) > 5e-3 {
			t.Errorf("overlap of %g m: the sun's beam lands as %v, want %v", overlap, end, landed)
		}
	}
}

// add appends the mesh b to a.
func add(a, b *mesh.Mesh) {
	base := int32(len(a.Pos))
	a.Pos = append(a.Pos, b.Pos...)
	for _, t := range b.Tri {
		a.Tri = append(a.Tri, [3]int32{base + t[0], base + t[1], base + t[2]})
	}
}

// insideOut returns m inside out.
func insideOut(m *mesh.Mesh) *mesh.Mesh {
	for i, t := range m.Tri {
		m.Tri[i] = [3]int32{t[0], t[2], t[1]}
	}
	return m
}

// TestGrainGoesAlong checks that wood that has moved shows the grain that it
// had.
func TestGrainGoesAlong(t *testing.T) {
	m := boxMesh(vec.Box{Max: vec.Vec3{X: 1, Y: 1, Z: 1}})
	moved := boxMesh(vec.Box{Min: vec.Vec3{X: 5, Y: 3}, Max: vec.Vec3{X: 6, Y: 4, Z: 1}})
	var g [3]*geometry
	for i, s := range []Solid{{Mesh: m}, {Mesh: moved, Rest: m.Pos}, {Mesh: moved}} {
		s.Material = Wood.Material()
		g[i] = newGeometry(&View{Solids: []Solid{s}})
	}
	differs := 0
	for tri := range int32(12) {
		for k := range 20 {
			h := g[0].intersectPlane(vec.Vec3{}, vec.Vec3{X: 0.577, Y: 0.577, Z: 0.577}, tri)
			h.U, h.V = float64(k)/40, 0.4
			a := g[0].albedo(h, 0.001)
			if b := g[1].albedo(h, 0.001); a != b {
				t.Fatalf("triangle %d: %v at rest, %v when moved", tri, a, b)
			}
			if c := g[2].albedo(h, 0.001); a != c {
				differs++
			}
		}
	}
	if differs == 0 {
		t.Error("wood is the same elsewhere: the grain does not show")
	}
}
