package par

// Resize returns s with n items of any value, in its memory if that suffices.
func Resize[T any](s []T, n int) []T { return Extend(s[:0], n) }

// Extend returns s extended to n items of any value. It allocates a little more memory
// than needed, because splashes grow in the course of a film.
//
// Extend does not write to new memory; the loops that fill it do. The system assigns
// memory page by page at the first write, which takes longer than most of the loops, so
// all cores should do it. (slices.Grow writes to it, and so does a make with a copy right
// after it.)
func Extend[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	t := make([]T, n+n/8)
	if len(s) > 0 {
		copy(t, s)
	}
	return t[:n]
}
