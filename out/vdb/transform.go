package vdb

import (
	"encoding/binary"
	"math"
)

// Map is a linear map from the coordinates of voxels to the world of a file. The middle of
// the voxel (i, j, k) is at i·Axes[0] + j·Axes[1] + k·Axes[2] + Origin.
type Map struct {
	Axes   [3][3]float64
	Origin [3]float64
}

// At returns the place of a point given in voxels.
func (m *Map) At(i [3]float64) (x [3]float64) {
	for a := range x {
		x[a] = float64(i[0]*m.Axes[0][a]) + float64(i[1]*m.Axes[1][a]) + float64(i[2]*m.Axes[2][a]) + m.Origin[a]
	}
	return x
}

// Det returns the volume of a voxel, below 0 for a map that mirrors.
func (m *Map) Det() float64 {
	a := &m.Axes
	return float64(a[0][0]*(float64(a[1][1]*a[2][2])-float64(a[1][2]*a[2][1]))) - float64(a[0][1]*(float64(a[1][0]*a[2][2])-float64(a[1][2]*a[2][0]))) + float64(a[0][2]*(float64(a[1][0]*a[2][1])-float64(a[1][1]*a[2][0])))
}

// transform reads a map (openvdb/math/Maps.h).
func (r *reader) transform(version uint32) (m Map) {
	at := r.at
	switch kind := r.text(); {
	case version < versionTransforms && kind == "LinearTransform":
		r.skip(6 * 4) // a box of voxels
		toWorld := r.matrix()
		r.skip(16 * 8)
		toLocal := r.matrix()
		r.skip(16 * 8)
		m = toLocal.then(&toWorld)
	case kind == "UniformScaleMap", kind == "ScaleMap":
		m = scaling(r.vector())
		r.skip(4 * 3 * 8) // what follows from the scale
	case kind == "UniformScaleTranslateMap", kind == "ScaleTranslateMap":
		origin := r.vector()
		m = scaling(r.vector())
		m.Origin = origin
		r.skip(4 * 3 * 8)
	case kind == "TranslationMap":
		m = scaling([3]float64{1, 1, 1})
		m.Origin = r.vector()
	case kind == "AffineMap", kind == "UnitaryMap":
		m = r.matrix()
	default:
		r.at = at
		r.fail("the transform of the grid is a %q; expected a linear one, so resample the grid, as to a box without a frustum", kind)
		return m
	}
	size := 0.0
	for _, v := range m.Axes {
		size = max(size, math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]))
	}
	if d := math.Abs(m.Det()); !(d > 1e-12*size*size*size) || math.IsInf(d, 1) || math.IsNaN(m.Origin[0]+m.Origin[1]+m.Origin[2]) {
		r.fail("the transform of the grid makes voxels without a volume; save it with a voxel size above 0")
	}
	return m
}

func scaling(s [3]float64) (m Map) {
	for a := range s {
		m.Axes[a][a] = s[a]
	}
	return m
}

// then returns the map that applies m and next one after the other.
func (m *Map) then(next *Map) (p Map) {
	p.Origin = next.At(m.Origin)
	for i := range p.Axes {
		p.Axes[i] = next.At(m.Axes[i])
		for a := range p.Axes[i] {
			p.Axes[i][a] -= next.Origin[a]
		}
	}
	return p
}

func (r *reader) f64() float64 { return math.Float64frombits(binary.LittleEndian.Uint64(r.bytes(8))) }

func (r *reader) vector() [3]float64 { return [3]float64{r.f64(), r.f64(), r.f64()} }

// matrix reads a matrix of 4 × 4 numbers by rows, which is applied to rows of coordinates.
func (r *reader) matrix() (m Map) {
	for i := range m.Axes {
		m.Axes[i] = r.vector()
		r.skip(8)
	}
	m.Origin = r.vector()
	r.skip(8)
	return m
}

// Inverse returns the map from the world to the coordinates of voxels.
func (m *Map) Inverse() (p Map) {
	d := m.Det()
	a := &m.Axes
	for i := range 3 {
		for k := range 3 {
			i1, i2, k1, k2 := (i+1)%3, (i+2)%3, (k+1)%3, (k+2)%3
			p.Axes[k][i] = (float64(a[i1][k1]*a[i2][k2]) - float64(a[i1][k2]*a[i2][k1])) / d
		}
	}
	for i := range 3 {
		for k := range 3 {
			p.Origin[i] -= float64(m.Origin[k] * p.Axes[k][i])
		}
	}
	return p
}
