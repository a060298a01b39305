package march

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Light is the light on a medium, and how it scatters that.
type Light struct {
	ToSun      vec.Vec3                  // unit
	Sun        vec.Vec3                  // irradiance of a surface that faces the sun
	Shade      func(p vec.Vec3) float64  // share of the sun's light that reaches p without the medium; nil for all
	Around     func(d vec.Vec3) vec.Vec3 // radiance from the unit direction d, without the sun
	Albedo     vec.Vec3                  // share of the light that is scattered and not absorbed
	Anisotropy float64                   // mean cosine of scattering, from -1 to 1 exclusive
	Effort     Effort
}

// Effort is the work for light that is scattered many times.
type Effort struct {
	Order   int // of the directions: 2, 4 or 6
	Cells   int // of the coarse grid, at the most
	Sweeps  int // at the most
	Samples int // in the length of a voxel, along the rays from the voxels to the sun

	Planes bool // whether these rays end at the next plane between bricks, whose depths are known
}

// Efforts for pictures of growing quality.
var (
	Least = Effort{Order: 2, Cells: 3e4, Sweeps: 8, Samples: 1, Planes: true}
	Usual = Effort{Order: 4, Cells: 3e5, Sweeps: 16, Samples: 1, Planes: true}
	Most  = Effort{Order: 6, Cells: 2e6, Sweeps: 50, Samples: 2}
)

// Illuminate works out the light at all voxels.
func (c *Cloud) Illuminate(l Light) {
	if c.Empty() {
		return
	}
	c.light, c.phase, c.toSun, c.albedo = l, Phase{l.Anisotropy}, l.ToSun, l.Albedo
	c.sunColor = vec.New(float64(l.Sun.X*l.Albedo.X), float64(l.Sun.Y*l.Albedo.Y), float64(l.Sun.Z*l.Albedo.Z))
	sun := c.sunlight(l)
	c.coarse = c.newCoarse(sun)
	c.coarse.solve(ordinates(l.Effort.Order, l.Around), l.Effort.Sweeps)
	c.lit = make([][brickNodes][4]float32, len(c.at))
	par.Each(len(c.at), func(i int) {
		for x := range Side {
			for y := range Side {
				for z := range Side {
					n, m := (x*brickSide+y)*brickSide+z, x*64+y*8+z
					sigma := c.sigma[i][n]
					if sigma == 0 && c.glow[i] == nil {
						continue
					}
					j := c.coarse.mean(float64(int(c.at[i][0])+x), float64(int(c.at[i][1])+y), float64(int(c.at[i][2])+z))
					out := [4]float32{float32(sigma * sun[i][m]), float32(sigma * float32(l.Albedo.X) * j[0]), float32(sigma * float32(l.Albedo.Y) * j[1]), float32(sigma * float32(l.Albedo.Z) * j[2])}
					if c.glow[i] != nil {
						for k, g := range c.glow[i][m] {
							out[1+k] += g
						}
					}
					c.lit[i][n] = out
				}
			}
		}
	})
	par.Each(len(c.at), func(i int) { c.copyBorder(i) })
}

// copyBorder copies the light of the neighbours' first voxels into brick i.
func (c *Cloud) copyBorder(i int) {
	at := c.at[i]
	p := [3]int{int(at[0])/Side - c.lo[0], int(at[1])/Side - c.lo[1], int(at[2])/Side - c.lo[2]}
	for k := 1; k < 8; k++ {
		dx, dy, dz := k>>2, k>>1&1, k&1
		if p[0]+dx >= c.n[0] || p[1]+dy >= c.n[1] || p[2]+dz >= c.n[2] {
			continue
		}
		o := c.index[c.place(p[0]+dx, p[1]+dy, p[2]+dz)]
		if o < 0 {
			continue
		}
		for u := range Side - (Side-1)*dx {
			for v := range Side - (Side-1)*dy {
				for w := range Side - (Side-1)*dz {
					c.lit[i][((u+Side*dx)*brickSide+v+Side*dy)*brickSide+w+Side*dz] = c.lit[o][(u*brickSide+v)*brickSide+w]
				}
			}
		}
	}
}

// similar is the extinction, over the true one, of a medium that scatters evenly in all
// directions and spreads light as this one does (van de Hulst 1980, Multiple light
// scattering, chapter 14).
func (l *Light) similar() float64 {
	return 1 - l.Anisotropy*(l.Albedo.X+l.Albedo.Y+l.Albedo.Z)/3
}
