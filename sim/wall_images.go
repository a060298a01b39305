package sim

import (
	"math"
	"slices"

	"breakwater/sim/vec"
)

// wallImage is what the image of particle j in a wall adds to the sum of particle i
// along the wall: g = V∇W, 1/m, with ∇ along the wall.
//
// A wall's share λ knows how far off the wall a particle is, and nothing else. Its
// image of the liquid is the same all along the wall, as if the pressure there were
// that of the particle. Beside an upright wall the pressure grows downward, and what
// the image would bear of the weight of the first layer is missing: a quarter. The
// layer sank, by a spacing within a second, the rest of the liquid rose in its place,
// and water at rest was never level.
//
// So particles near a wall see the images of each other in it. A particle's image is
// as far behind the wall, moves along the wall with the particle, and has its pressure:
//
//	C_i = … + Σ_j (v_i − v_j)·g_ij,  a_i = … − Σ_j (k_i + k_j) g_ij.
//
// In a lattice that is all that is missing. The forces of two particles on each other's
// images are equal and opposite, so that a wall does not hold the liquid along it.
// Along an edge the images in one wall have images in the
// other, of which wallEdge has no more than keeps a constant pressure in balance. Free
// bodies, and the pipes of inflows, have no images. A thick liquid has
// none either: its corrected gradients make up for them, see affine.
//
// Where a flow presses the layer together along the wall, the images crowd as it does,
// and push it off the wall by more than λ. With the images' forces along the wall, but
// without that push, the layer stood in single file, like a pile, and hung back from a
// column that fell beside it. So where Σ_j V W of the images is more than λ, the
// density that is solved for has that in its place, and ∇λ grows by the same factor.
// It is never less, so that λ holds drops off a wall. A closed liquid has no need of
// it: shift spreads its particles.
type wallImage struct {
	i, j int32
	g    [3]float32
}

// wallEdge balances the images that a particle near two walls sees, which all lie on
// one side of it: with g = −2 Σ (n·∇) n, n the normals of the walls, it is as the
// gradient of a share.
//
//	C_i = … + v_i·g_i,  a_i = … − k_i g_i.
type wallEdge struct {
	i int32
	g [3]float32
}

// wallFace is a wall that a particle is near.
type wallFace struct {
	i int32 // of the particle, in its block
	side
}

// sameWall is the least cosine between the normals at two particles for them to see
// each other's images: beyond it the wall bends away between them.
const sameWall = 0.8

// mostCrowd bounds how many times its share a wall pushes at particles that crowd
// along it.
const mostCrowd = 2

// findWallImages readies p for the images of particles near walls, if they are not
// there: what they see, and what that makes of Stiff, Open and the walls' gradients. Only solvers that find the
// pressure by the rate of the density call it. Where the pressure follows from the
// density, forces that do not would not conserve energy.
func (w *World) findWallImages(p *Pairs) {
	if p.imaged || p.affine.on {
		return
	}
	p.imaged = true
	near := w.Kernel.H() / 2 // farther off, λ is 0
	p.faceAt = slices.Grow(p.faceAt[:0], p.n)[:p.n]
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		var sides []side
		for i := lo; i < hi; i++ {
			p.faceAt[i] = -1
			if len(blk.touch) == 0 || !blk.touch[i-lo] {
				continue
			}
			sides = sides[:0]
			for _, s := range blk.solids {
				sides = facesOf(sides, s, w.X[i], near)
			}
			if w.Dim() == 2 { // where a box has four sides
				sides = slices.DeleteFunc(sides, func(s side) bool { return s.n.Z != 0 })
			}
			if len(sides) > 0 {
				p.faceAt[i] = int32(len(blk.faces))
			}
			for _, s := range sides {
				blk.faces = append(blk.faces, wallFace{int32(i - lo), s})
			}
		}
	})
	h, volume := w.Kernel.H(), w.particleVolume()
	flat := newLayers(w.Kernel)
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		var pressed [blockLen]bool // by free bodies, which have no images
		for k := range blk.presses {
			pressed[blk.presses[k].i] = true
		}
		last := int32(-1)
		for k := range blk.faces {
			if blk.faces[k].i == last {
				continue
			}
			last = blk.faces[k].i
			i := lo + int(last)
			mine, at := p.facesAt(int32(i)), &p.At[i]
			var all vec.Vec3 // Σ of the images' V∇W
			change := 0.     // of Σ |V∇W|²
			images, share := 0., 0.
			for _, m := range mine {
				own, _ := flat.mirror(m.d)
				share += own
				images += volume * w.Kernel.W(2*max(0, m.d))
			}
			for j, f := range blk.Of(int(last)) {
				theirs := p.faceAt[p.owner(j)]
				if theirs < 0 {
					continue
				}
				o := &p.At[j]
				way := vec.Vec3{X: h * float64(o.X-at.X), Y: h * float64(o.Y-at.Y), Z: h * float64(o.Z-at.Z)}
				g, part := w.imageOf(mine, p.facesAt(p.owner(j)), way)
				images += part
				if g != (vec.Vec3{}) {
					all = all.Add(g)
					change += g.Dot(g) + 2*g.Dot(way)*float64(f)/(h*h)
					blk.wallImages = append(blk.wallImages, wallImage{int32(i), j, [3]float32{float32(g.X), float32(g.Y), float32(g.Z)}})
				}
			}
			if len(mine) > 1 && all != (vec.Vec3{}) {
				var edge vec.Vec3
				for _, m := range mine {
					edge = edge.Sub(m.n.Mul(2 * m.n.Dot(all)))
				}
				blk.wallEdges = append(blk.wallEdges, wallEdge{int32(i), [3]float32{float32(edge.X), float32(edge.Y), float32(edge.Z)}})
				all = all.Add(edge)
			}
			wall := &blk.walls[last]
			before := vec3(*wall)
			if images > share && share > 0 && !p.closed && !pressed[last] {
				crowd := min(mostCrowd, images/share)
				p.Open[i] += float32((crowd - 1) * share)
				c := float32(crowd)
				*wall = Vec4{X: c * wall.X, Y: c * wall.Y, Z: c * wall.Z, S: c * wall.S}
				all = all.Add(vec3(*wall).Sub(before))
			}
			if p.Stiff[i] > 0 { // no inflow moves it
				if all.Dot(all) > 0.01*change { // not far from a surface, where images cancel
					own := before // Σ V∇W without images
					for j, f := range blk.Of(int(last)) {
						o := &p.At[j]
						own = own.Add(vec.Vec3{X: float64(o.X - at.X), Y: float64(o.Y - at.Y), Z: float64(o.Z - at.Z)}.Mul(float64(f) / h))
					}
					change += all.Dot(all) + 2*all.Dot(own)
				}
				p.Stiff[i] += float32(change)
			}
		}
	})
}

// imageOf returns what a particle near the walls mine makes of the image of one near
// theirs, which is way off, summed over the walls that both are near: V∇W along the
// wall, and VW.
func (w *World) imageOf(mine, theirs []wallFace, way vec.Vec3) (g vec.Vec3, part float64) {
	h, volume := w.Kernel.H(), w.particleVolume()
	for a := range mine {
		m := &mine[a]
		for b := range theirs {
			o := &theirs[b]
			n := m.n
			if o.n != n {
				if n.Dot(o.n) < sameWall {
					continue
				}
				n = n.Add(o.n).Unit()
			}
			along := way.Sub(n.Mul(way.Dot(n)))
			across := max(0, m.d) + max(0, o.d)
			if r2 := along.Dot(along) + across*across; 0 < r2 && r2 < h*h {
				r := math.Sqrt(r2)
				g = g.Sub(along.Mul(volume * w.Kernel.DW(r) / r))
				part += volume * w.Kernel.W(r)
			}
		}
	}
	return g, part
}

// owner returns the particle that j is, or is an image of in a world that repeats.
func (p *Pairs) owner(j int32) int32 {
	if int(j) >= p.n {
		return p.images.of[int(j)-p.n]
	}
	return j
}

// facesAt returns the walls that particle i is near.
func (p *Pairs) facesAt(i int32) []wallFace {
	first := p.faceAt[i]
	if first < 0 {
		return nil
	}
	faces := p.blocks[i/blockLen].faces[first:]
	n := 1
	for n < len(faces) && faces[n].i == faces[0].i {
		n++
	}
	return faces[:n]
}

// facesOf is sidesOf for walls that have images: not for pipes and walls of particles,
// and not where a tank has an opening.
func facesOf(dst []side, wall Boundary, x vec.Vec3, near float64) []side {
	shape, body := Rest(wall)
	if _, ok := shape.(*housing); ok || body != nil && body.Particles {
		return dst
	}
	dst = sidesOf(dst, wall, x, near)
	if tank, ok := shape.(*inlets); ok {
		return slices.DeleteFunc(dst, func(s side) bool {
			return slices.ContainsFunc(tank.list, func(i inlet) bool {
				_, within, _ := i.place(x, tank.d)
				return within < 0 && s.n.Dot(i.Dir) > sameWall
			})
		})
	}
	return dst
}

// addImagePressure adds to the accelerations of block b, from its first particle on,
// those by the images in walls.
func (p *Pairs) addImagePressure(blk *block, a []Vec4) {
	for k := range blk.wallImages {
		m := &blk.wallImages[k]
		f := p.At[m.i].S + p.At[m.j].S
		o := &a[int(m.i)-blk.First]
		o.X -= float32(f * m.g[0])
		o.Y -= float32(f * m.g[1])
		o.Z -= float32(f * m.g[2])
	}
	for k := range blk.wallEdges {
		m := &blk.wallEdges[k]
		f, o := p.At[m.i].S, &a[int(m.i)-blk.First]
		o.X -= float32(f * m.g[0])
		o.Y -= float32(f * m.g[1])
		o.Z -= float32(f * m.g[2])
	}
}

// addImageCompression adds to the rates of block b, from its first particle on, those
// by the images in walls.
func (p *Pairs) addImageCompression(blk *block, c []float32, v []Vec4) {
	for k := range blk.wallImages {
		m := &blk.wallImages[k]
		a, b := &v[m.i], &v[m.j]
		c[int(m.i)-blk.First] += (float32((a.X-b.X)*m.g[0]) + float32((a.Y-b.Y)*m.g[1])) + float32((a.Z-b.Z)*m.g[2])
	}
	for k := range blk.wallEdges {
		m := &blk.wallEdges[k]
		a := &v[m.i]
		c[int(m.i)-blk.First] += (float32(a.X*m.g[0]) + float32(a.Y*m.g[1])) + float32(a.Z*m.g[2])
	}
}
