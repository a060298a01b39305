//go:build amd64 && !noasm

package biot

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out biot_amd64.s -stubs stubs_amd64.go -pkg biot

// The processor's features. Tests switch them.
var (
	avx2   = cpu.X86.HasAVX2
	avx512 = avx2 && cpu.X86.HasAVX512F
)

// sum adds the fields of particles to the sums of all groups.
func (s *Sums) sum(list []source) {
	var eight, sixteen func(points, tile *float32, n int)
	switch {
	case s.kernel == Core && s.gradient:
		eight, sixteen = gradientCoreAVX2, gradientCoreAVX512
	case s.kernel == Core:
		eight, sixteen = velocityCoreAVX2, velocityCoreAVX512
	case s.kernel == Algebraic && s.gradient:
		eight, sixteen = gradientAlgebraicAVX2, gradientAlgebraicAVX512
	case s.kernel == Algebraic:
		eight, sixteen = velocityAlgebraicAVX2, velocityAlgebraicAVX512
	}
	if !avx2 || eight == nil {
		s.sumGo(list)
		return
	}
	for i := range s.groups {
		x, left := &s.groups[i].x, len(s.points)-i*lanes
		if avx512 && left > 8 {
			sixteen(&x[0], &list[0].x, len(list))
			continue
		}
		for l := 0; l < min(lanes, left); l += 8 {
			eight(&x[l], &list[0].x, len(list))
		}
	}
}

// Level names the instructions that the sums use on this processor.
func Level() string {
	switch {
	case avx512:
		return "AVX-512"
	case avx2:
		return "AVX2"
	}
	return "plain Go"
}
