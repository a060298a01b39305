package out

import (
	"fmt"
	"math"
	"strings"

	"breakwater/out/ply"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// plyBodyProps are the properties of a rigid body in a PLY file: its centre of mass,
// velocity, orientation as a quaternion, and angular velocity in rad/s. The bodies come
// after all else.
var plyBodyProps = []string{"x", "y", "z", "vx", "vy", "vz", "qw", "qx", "qy", "qz", "wx", "wy", "wz"}

// plyBodyHead returns the head's lines for n bodies, nothing for none.
func plyBodyHead(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("element body %d\nproperty float %s\n", n, strings.Join(plyBodyProps, "\nproperty float "))
}

// writePLYBodies writes the rows of rigid bodies.
func writePLYBodies(e *ply.Encoder, list []particle.Body) error {
	for i, b := range list {
		e.Vec(b.X)
		e.Vec(b.V)
		for _, v := range [...]float64{b.Turn.W, b.Turn.X, b.Turn.Y, b.Turn.Z} {
			e.Float(v)
		}
		e.Vec(b.Spin)
		if err := e.EndRow("body", i); err != nil {
			return err
		}
	}
	return nil
}

// bodyRow returns what appends rows of the element body to dst, nil if the file
// has no such element, or another program's.
func bodyRow(h *ply.Head, dst *[]particle.Body) ply.Row {
	e := h.Element("body")
	if e == nil {
		return nil
	}
	var at [13]int
	for k, name := range plyBodyProps {
		if at[k] = e.Number(name); at[k] < 0 {
			return nil
		}
	}
	return func(_ int, num []float64, _ [][]float64) error {
		var v [13]float64
		for k := range at {
			v[k] = num[at[k]]
			if math.IsNaN(v[k]) || math.IsInf(v[k], 0) {
				return fmt.Errorf("property %s is %g", plyBodyProps[k], v[k])
			}
		}
		b := particle.Body{
			X: vec.New(v[0], v[1], v[2]), V: vec.New(v[3], v[4], v[5]),
			Turn: vec.Quat{W: v[6], X: v[7], Y: v[8], Z: v[9]}, Spin: vec.New(v[10], v[11], v[12]),
		}
		if l := b.Turn.Len(); !(math.Abs(l-1) < 1e-3) {
			return fmt.Errorf("its rotation is a quaternion of length %g, not 1", l)
		}
		*dst = append(*dst, b)
		return nil
	}
}
