package out

// Sized is a format of frames or archives that knows how large its files are.
type Sized interface {
	// PointBytes returns the approximate bytes of a vertex with two triangles, or of a
	// particle, with the given number of attribute values.
	PointBytes(part Part, numbers int) float64
}

// PointBytes returns the estimate of a Sized format for a file with the given number of
// points, and 0 for others.
func PointBytes(format any, part Part, points float64, numbers int) float64 {
	if _, ok := format.(*obj); ok {
		return objVertexBytes + float64(objIndices*meanDigits(points))
	}
	if s, ok := format.(Sized); ok {
		return s.PointBytes(part, numbers)
	}
	return 0
}

// Bytes in files, at 4 per number: three vectors of a vertex with the corners of its
// triangles; and of a particle, two vectors and its number.
const (
	vertexBytes   = 3*12 + 2*12
	particleBytes = 2*12 + 4
	textBytes     = 10 // of a number of a liquid with what divides it from others
)

// A vertex of an OBJ file, with its normal and two triangles: coordinates with their
// separators, and the numbers of corners. A digit more in each number counts for 12
// bytes. It was measured.
const (
	objVertexBytes = 77
	objIndices     = 12
)

// meanDigits returns how many digits the numbers 1 … n have on average.
func meanDigits(n float64) (mean float64) {
	for least := 1.; least <= n; least *= 10 {
		mean += (n - least + 1) / n
	}
	return mean
}
