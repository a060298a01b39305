package article

import "breakwater/raster/figure"

func init() {
	const cite = "van Kooten 2010"
	register("sph-algorithms", "SPH in three passes, collapsed naively, and collapsed with two buffers", cite+", algorithms 1 to 3", drawing(sphAlgorithms))
	register("hash-queries", "a particle stored in one cell and searched in nine, or the other way round", cite+", figures 6.1 and 6.2", drawing(hashQueries))
}

func sphAlgorithms() (*figure.Plot, error) {
	three := listing(figure.Mono, 6.5,
		"hash from x0",
		"for all i",
		"  for j near x0[i]",
		"    rho0[i] += x0[j]",
		"for all i",
		"  for j near x0[i]",
		"    f[i] += x0, v0, rho0[j]",
		"for all i",
		"  v1[i] = v0[i] + dt f/m",
		"  x1[i] = x0[i] + dt v1[i]",
	)
	naive := listing(figure.Mono, 6.5,
		"hash from x0",
		"for all i in turn",
		"  for j near x0[i]",
		"    rho[i] += x[j]",
		"    f      += x, v, rho[j]",
		"  v[i] += dt f/m",
		"  x[i] += dt v[i]",
		"",
		"x, v, rho of j: old if j",
		"comes later, else new",
	)
	collapsed := listing(figure.Mono, 6.5,
		"hash from x0",
		"for all i",
		"  for j near x0[i]",
		"    rho0[i] += x0[j]",
		"    f += x0, v0, rho-1[j]",
		"  v1[i] = v0[i] + dt f/m",
		"  x1[i] = x0[i] + dt v1[i]",
		"",
		"rho-1: of the step before;",
		"rho0 is for the next step",
	)
	return &figure.Plot{Columns: 3, Row: 125, Panels: []figure.Panel{
		{Name: "1", Title: "1: three passes", Sketch: three}, {Name: "2", Title: "2: collapsed naively", Sketch: naive}, {Name: "3", Title: "3: collapsed", Sketch: collapsed},
	}, Caption: "Algorithm 1 visits all neighbours twice, for densities and for forces. Algorithm 2 does both at once, but some of the particles that it reads have already moved. Algorithm 3 reads only the old state and the densities of the previous step, and writes a new state. Its result does not depend on the order, but the density in the forces lags one step."}, nil
}

func hashQueries() (*figure.Plot, error) {
	draw := func(insertMany bool) func(s *figure.Sketch) {
		return func(s *figure.Sketch) {
			s.Window(-0.3, -0.6, 5.3, 5.1)
			const px, py, qx, qy = 2.55, 2.35, 3.3, 2.8
			style := figure.Style{Fill: figure.Pale(blue, 0.2)}
			if insertMany {
				s.Area(style, 1, 1, 4, 1, 4, 4, 1, 4)
				s.Area(figure.Style{Fill: figure.Pale(red, 0.3)}, 3, 2, 4, 2, 4, 3, 3, 3)
			} else {
				s.Area(figure.Style{Fill: figure.Pale(red, 0.3)}, 2, 1, 5, 1, 5, 4, 2, 4)
				s.Area(style, 2, 2, 3, 2, 3, 3, 2, 3)
			}
			for k := range 6 {
				v := float64(k)
				s.Stroke(muted, v, 0, v, 5)
				s.Stroke(muted, 0, v, 5, v)
			}
			s.Ball(figure.Style{Stroke: red, Width: 0.9}, qx, qy, 1)
			s.Dot(blue, "particle", px, py)
			s.Dot(red, "query", qx, qy)
			s.Label("j", px, py, -4, -4, italic)
			s.Label("i", qx, qy, 4, 4, italic)
		}
	}
	return &figure.Plot{Columns: 2, Row: 230, Panels: []figure.Panel{
		{Name: "query", Title: "insert in 1, query 27 (9 here): preferred", Sketch: draw(false)},
		{Name: "insert", Title: "insert in 27 (9 here), query 1", Sketch: draw(true)},
	}, Caption: "Two ways to find a neighbour j of i within the distance h (circle), with a hash table of cells of edge h, in two dimensions. Particle j is stored in the blue cells, and the search for i visits the red cells. The table stays small if each particle is stored in one cell."}, nil
}
