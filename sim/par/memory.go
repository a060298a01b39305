package par

// Resize returns s with n items of any value, in its memory if that suffices.
func Resize[T any](s []T, n int) []T { return Extend(s[:0], n) }

// Extend returns s with items of any value up to n. A little more memory is
// taken than is needed: in a film, splashes grow.
//
// New memory is not touched here, but by the loops that fill it. The system
// gives it page by page as it is touched, and that takes longer than most of the
// loops; so all cores should do it. (slices.Grow touches it, and so does a make
// with a copy right after it.)
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
