package num

// NthSmallest returns the value that would be at index n if list, which it reorders, were
// sorted (Hoare, Algorithm 65: find, Commun. ACM 4, 1961). No value of list may be a NaN.
func NthSmallest(list []float64, n int) float64 {
	lo, hi := 0, len(list)-1
	for lo < hi {
		// The middle one of three keeps sorted lists from being the worst case.
		a, b, c := list[lo], list[(lo+hi)/2], list[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for list[i] < pivot {
				i++
			}
			for list[j] > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			hi = j
		case n >= i:
			lo = i
		default:
			return list[n]
		}
	}
	return list[n]
}
