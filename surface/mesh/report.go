package mesh

import (
	"math"
	"slices"

	"breakwater/sim/vec"
)

// Report describes the contents of a mesh and the quality of its triangles.
type Report struct {
	Vertices     int     `json:"vertices"`
	Triangles    int     `json:"triangles"`
	Components   int     `json:"components"`         // connected pieces, cavities included
	Cavities     int     `json:"cavities"`           // pieces that enclose a negative volume
	OpenEdges    int     `json:"open_edges"`         // directed edges without a partner; 0 in a closed mesh
	Volume       float64 `json:"volume_m3"`          // m³
	Area         float64 `json:"area_m2"`            // m²
	Bounds       vec.Box `json:"bounds_m"`           // m
	MinAngleMean float64 `json:"min_angle_mean_deg"` // smallest angle of a triangle, mean over all; 60 is best
	MinAngleP1   float64 `json:"min_angle_p1_deg"`   // the same, first percentile
	Slivers      float64 `json:"share_below_20_deg"` // of the triangles, those with an angle below 20°
	DihedralMean float64 `json:"dihedral_mean_deg"`  // angle between the normals across an edge; 0 is flat
	DihedralP95  float64 `json:"dihedral_p95_deg"`   // the same, 95th percentile
}

// Report measures m, whose indices must be in range.
func (m *Mesh) Report() Report {
	r := Report{Vertices: len(m.Pos), Triangles: len(m.Tri), Bounds: m.Bounds()}
	_, pieces := m.Components()
	r.Components = len(pieces)
	for _, c := range pieces {
		r.Volume += c.Volume
		r.Area += c.Area
		if c.Volume < 0 {
			r.Cavities++
		}
	}
	angles := make([]float64, 0, len(m.Tri))
	for _, t := range m.Tri {
		a := m.minAngle(t)
		angles = append(angles, a)
		if a < 20 {
			r.Slivers += 1 / float64(len(m.Tri))
		}
	}
	dihedrals := make([]float64, 0, len(m.Tri)*3/2)
	rings := NewRings(m)
	for v := range int32(len(m.Pos)) {
		next, prev := rings.Of(v), rings.Prev[rings.Start[v]:rings.Start[v+1]]
		for k, u := range next {
			// The triangle across the edge v→u has u→v, so u precedes v in it.
			j := slices.Index(prev, u)
			if j < 0 {
				r.OpenEdges++
			} else if v < u {
				n1 := m.normal(v, u, prev[k])
				n2 := m.normal(v, next[j], u)
				dihedrals = append(dihedrals, degrees(math.Atan2(n1.Cross(n2).Len(), n1.Dot(n2))))
			}
		}
	}
	r.MinAngleMean, r.MinAngleP1 = mean(angles), percentile(angles, 0.01)
	r.DihedralMean, r.DihedralP95 = mean(dihedrals), percentile(dihedrals, 0.95)
	return r
}

// normal returns the normal of a triangle, twice its area long.
func (m *Mesh) normal(a, b, c int32) vec.Vec3 {
	p := m.Pos[a]
	return m.Pos[b].Sub(p).Cross(m.Pos[c].Sub(p))
}

// minAngle returns the smallest angle of t in degrees.
func (m *Mesh) minAngle(t [3]int32) float64 {
	least := math.Inf(1)
	for k := range t {
		p := m.Pos[t[k]]
		u, v := m.Pos[t[(k+1)%3]].Sub(p), m.Pos[t[(k+2)%3]].Sub(p)
		least = min(least, math.Atan2(u.Cross(v).Len(), u.Dot(v)))
	}
	return degrees(least)
}

func degrees(rad float64) float64 { return rad * 180 / math.Pi }

func mean(x []float64) float64 {
	var s float64
	for _, v := range x {
		s += v
	}
	return s / float64(max(1, len(x)))
}

// percentile sorts x and returns the value with the share p of x below it; 0
// if x is empty.
func percentile(x []float64, p float64) float64 {
	if len(x) == 0 {
		return 0
	}
	slices.Sort(x)
	return x[int(p*float64(len(x)-1))]
}
