//go:build amd64 && !noasm

package biot

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out biot_amd64.s -stubs stubs_amd64.go -pkg biot

// avx2 is a feature of the processor. Tests switch it.
var avx2 = cpu.X86.HasAVX2

// sum adds the fields of particles, at most part of them, to the sums of all groups.
func (s *Sums) sum(list []source) {
	var f func(group, wide *float32, n int)
	switch {
	case s.kernel == Core && s.gradient:
		f = gradientCoreAVX2
	case s.kernel == Core:
		f = velocityCoreAVX2
	case s.kernel == Algebraic && s.gradient:
		f = gradientAlgebraicAVX2
	case s.kernel == Algebraic:
		f = velocityAlgebraicAVX2
	}
	if !avx2 || f == nil {
		s.sumGo(list)
		return
	}
	spreadAVX2(&s.wide[0][0][0], &list[0].x, len(list))
	for i := range s.groups {
		f(&s.groups[i].x[0], &s.wide[0][0][0], len(list))
	}
}

// Level names the instructions that the sums use on this processor.
func Level() string {
	if avx2 {
		return "AVX2"
	}
	return "plain Go"
}
