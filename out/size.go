package out

// Sized is a format of frames or archives that knows how large its files are.
type Sized interface {
	// PointBytes returns about how many bytes a vertex, with two triangles, or
	// a particle takes, whose attributes are so many numbers.
	PointBytes(part Part, numbers int) float64
}

// PointBytes returns what a Sized format says, and 0 of others.
func PointBytes(format any, part Part, numbers int) float64 {
	if s, ok := format.(Sized); ok {
		return s.PointBytes(part, numbers)
	}
	return 0
}

// Bytes of what files keep, at 4 a number: three vectors of a vertex with the
// corners of its triangles; and of a particle, two vectors and its number.
const (
	vertexBytes   = 3*12 + 2*12
	particleBytes = 2*12 + 4
	textBytes     = 10 // of a number of a liquid with what divides it from others
)
