package mesh

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

func TestPrism(t *testing.T) {
	for _, corners := range []int{3, 4, 64} {
		var polygon []vec.Vec3
		for i := range corners {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(corners))
			polygon = append(polygon, vec.New(1+0.5*cos, 3, 2-0.5*sin)) // to the left about +y
		}
		m := Prism(polygon, vec.New(0, -2, 0))
		if err := m.Check(); err != nil {
			t.Errorf("%d corners: %v", corners, err)
		}
		area := float64(corners) / 2 * 0.25 * math.Sin(2*math.Pi/float64(corners))
		if got := m.Volume(); math.Abs(got-2*area) > 0.01*2*area {
			t.Errorf("%d corners: volume %g, want %g", corners, got, 2*area)
		}
		for v, n := range m.Nrm {
			if math.Abs(n.Len()-1) > 1e-12 || n.Dot(m.Pos[v].Sub(vec.New(1, 2, 2))) <= 0 {
				t.Fatalf("%d corners: normal %v at %v", corners, n, m.Pos[v])
			}
		}
	}
}
