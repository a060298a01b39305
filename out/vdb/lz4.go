package vdb

// unLZ4 fills dst from a block of LZ4 (lz4_Block_format.md): literals alternate with copies
// of earlier output. It reports whether the block is whole and fills dst exactly.
func unLZ4(dst, src []byte) bool {
	i, n := 0, 0 // bytes read and written
	// length returns a length of which four bits are in a token.
	length := func(bits byte) (int, bool) {
		k := int(bits)
		if k < 15 {
			return k, true
		}
		for i < len(src) && k <= len(dst) {
			b := src[i]
			i++
			k += int(b)
			if b < 255 {
				return k, true
			}
		}
		return 0, false
	}
	for i < len(src) {
		token := src[i]
		i++
		k, ok := length(token >> 4)
		if !ok || k > len(src)-i || k > len(dst)-n {
			return false
		}
		n += copy(dst[n:], src[i:i+k])
		i += k
		if i == len(src) { // the last has no copy
			return n == len(dst)
		}
		if i+2 > len(src) {
			return false
		}
		back := int(src[i]) | int(src[i+1])<<8
		i += 2
		if k, ok = length(token & 15); !ok {
			return false
		}
		k += 4
		if back < 1 || back > n || k > len(dst)-n {
			return false
		}
		for end := n + k; n < end; { // a copy may reach into itself
			n += copy(dst[n:end], dst[n-back:n])
		}
	}
	return false
}
