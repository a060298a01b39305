package scenes

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"testing"

	"breakwater/out"
	"breakwater/scenes/shipped"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestShippedMeshes makes the meshes of the shipped scenes anew: they are the
// files, closed, and turned outwards. With -update it writes them.
func TestShippedMeshes(t *testing.T) {
	all := map[string]*mesh.Mesh{"boat.obj": boat(), "tumbler.obj": tumbler(), "basin.obj": basin(), "wheel.obj": wheel()}
	if got := shipped.Meshes(); len(got) != len(all) {
		t.Errorf("the shipped meshes are %q", got)
	}
	for name, m := range all {
		var want bytes.Buffer
		fmt.Fprintln(&want, "# Made by go test ./scenes -run TestShippedMeshes -update, of metres.")
		digits := 4
		if name == "tumbler.obj" {
			digits = 7 // of glass, which shows steps of 0.1 mm as waves in the objects behind it
		}
		for _, p := range m.Pos {
			fmt.Fprintf(&want, "v %.*f %.*f %.*f\n", digits, p.X, digits, p.Y, digits, p.Z)
		}
		for _, f := range m.Tri {
			fmt.Fprintf(&want, "f %d %d %d\n", f[0]+1, f[1]+1, f[2]+1)
		}
		if *update {
			if err := os.WriteFile("shipped/"+name, want.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		data, err := shipped.Mesh(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, want.Bytes()) {
			t.Errorf("%s is stale; run go test ./scenes -run TestShippedMeshes -update", name)
		}
		read, err := out.ReadMesh(name, bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := read.Check(); err != nil || !(read.Volume() > 0) {
			t.Errorf("%s encloses %g m³: %v", name, read.Volume(), err)
		}
	}
}

// skin closes rings of as many points each, one after the other, into a mesh. If
// they are open, the first and the last ring are closed by flat ends; otherwise
// the last goes on to the first. Points at one place become one.
func skin(rings [][]vec.Vec3, open bool) *mesh.Mesh {
	m, n := new(mesh.Mesh), len(rings[0])
	known := map[string]int32{}
	at := func(p vec.Vec3) int32 {
		key := fmt.Sprintf("%.4f %.4f %.4f", p.X+1e-9, p.Y+1e-9, p.Z+1e-9)
		if _, ok := known[key]; !ok {
			known[key] = int32(len(m.Pos))
			m.Pos = append(m.Pos, p.Add(vec.New(1e-9, 1e-9, 1e-9)))
		}
		return known[key]
	}
	face := func(a, b, c vec.Vec3) {
		if t := [3]int32{at(a), at(b), at(c)}; t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
			m.Tri = append(m.Tri, t)
		}
	}
	last := len(rings)
	if open {
		last--
	}
	for k := range last {
		a, b := rings[k], rings[(k+1)%len(rings)]
		for i := range n {
			j := (i + 1) % n
			face(a[i], a[j], b[j])
			face(a[i], b[j], b[i])
		}
	}
	if open {
		for k, ring := range [][]vec.Vec3{rings[0], rings[len(rings)-1]} {
			var c vec.Vec3
			for _, p := range ring {
				c = c.Add(p.Mul(1 / float64(n)))
			}
			for i := range n {
				if j := (i + 1) % n; k == 0 {
					face(c, ring[j], ring[i])
				} else {
					face(c, ring[i], ring[j])
				}
			}
		}
	}
	if m.Volume() < 0 {
		for i, t := range m.Tri {
			m.Tri[i] = [3]int32{t[0], t[2], t[1]}
		}
	}
	return m
}

// lathe turns a line of radii and heights about the y axis.
func lathe(line [][2]float64, sides int, open bool) *mesh.Mesh {
	var rings [][]vec.Vec3
	for _, p := range line {
		var ring []vec.Vec3
		for i := range sides {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(sides))
			ring = append(ring, vec.New(p[0]*cos, p[1], p[0]*sin))
		}
		rings = append(rings, ring)
	}
	return skin(rings, open)
}

// rounded returns the line through corners of a radius and a height each, with an
// arc of the third number's radius in place of each corner, in steps of 15°.
func rounded(corners [][3]float64) (line [][2]float64) {
	at := func(k int) vec.Vec3 { return vec.New(corners[k][0], corners[k][1], 0) }
	for k, c := range corners {
		p := at(k)
		if c[2] == 0 {
			line = append(line, [2]float64{p.X, p.Y})
			continue
		}
		from, to := at(k-1).Sub(p).Unit(), at(k+1).Sub(p).Unit()
		angle := math.Acos(from.Dot(to))
		center := p.Add(from.Add(to).Unit().Mul(c[2] / math.Sin(angle/2)))
		way := c[2] / math.Tan(angle/2)
		first, last := p.Add(from.Mul(way)).Sub(center), p.Add(to.Mul(way)).Sub(center)
		turn := math.Pi - angle
		steps := int(math.Ceil(turn / (math.Pi / 12)))
		for i := range steps + 1 {
			a := turn * float64(i) / float64(steps)
			x := center.Add(first.Mul(math.Sin(turn-a) / math.Sin(turn))).Add(last.Mul(math.Sin(a) / math.Sin(turn)))
			line = append(line, [2]float64{x.X, x.Y})
		}
	}
	return line
}

// tumbler is a thick glass, 12 cm high.
func tumbler() *mesh.Mesh {
	return lathe(rounded([][3]float64{{0.03, 0, 0}, {0.0368, 0, 0.003}, {0.0462, 0.12, 0.004}, {0.0367, 0.12, 0.004}, {0.0281, 0.013, 0.0055}, {0.02, 0.013, 0}}), 96, true)
}

// basin is a bowl with a hole in its middle, 10 cm wide, to which its bottom
// slopes. It stands on the pipe that leads down from the hole, 18 cm long and 7 cm
// thick, so that coarse particles stay on their side of it.
func basin() *mesh.Mesh {
	return lathe([][2]float64{{0.05, 0.02}, {0.05, -0.02}, {0.05, -0.06}, {0.05, -0.12}, {0.05, -0.18}, {0.12, -0.18}, {0.12, -0.02}, {0.14, 0}, {0.24, 0}, {0.32, 0.05}, {0.36, 0.15}, {0.36, 0.29}, {0.345, 0.30}, {0.305, 0.30}, {0.29, 0.29}, {0.285, 0.17}, {0.24, 0.115}, {0.075, 0.07}, {0.05, 0.055}}, 96, false)
}

// wheel has eight paddles and an axle along z, whose ends are 36 cm apart.
func wheel() *mesh.Mesh {
	const paddles, width, tip, hub, axle = 8, 0.046, 0.28, 0.1, 0.04
	ring := func(z float64, round bool) (list []vec.Vec3) {
		for k := range paddles {
			a := 2 * math.Pi * float64(k) / paddles
			sin, cos := math.Sincos(a)
			for _, p := range [][2]float64{{hub, -width / 2}, {tip, -width / 2}, {tip, width / 2}, {hub, width / 2}, {hub * math.Cos(math.Pi/paddles), hub * math.Sin(math.Pi/paddles)}} {
				x := vec.New(p[0]*cos-p[1]*sin, p[0]*sin+p[1]*cos, z)
				if round {
					b := math.Atan2(p[1], p[0])
					if p[0] == tip { // beside its foot
						b = math.Atan2(p[1], hub) * 0.4
					}
					x = vec.New(axle*math.Cos(a+b), axle*math.Sin(a+b), z)
				}
				list = append(list, x)
			}
		}
		return list
	}
	return skin([][]vec.Vec3{ring(-0.18, true), ring(-0.1, true), ring(-0.1, false), ring(0.1, false), ring(0.1, true), ring(0.18, true)}, true)
}

// boat is 70 cm long, with its bow towards +x, a flat stern, and a cabin. Its
// origin is amidships at the height of the keel.
func boat() *mesh.Mesh {
	const stern, bow, beam = -0.33, 0.37, 0.17
	var rings [][]vec.Vec3
	section := func(x, cabin float64) {
		s := (x - stern) / (bow - stern)
		wide := beam*math.Sqrt(math.Max(0, 1-math.Pow(s, 3.2)))*(0.8+0.2*math.Min(1, 3*s)) + 0.012*s
		keel := 0.07 * math.Pow(s, 4)
		sheer := 0.16 + 0.06*(s-0.35)*(s-0.35)/0.42
		roof := sheer + cabin
		low := keel + 0.35*(sheer-keel)
		half := [][2]float64{{0, keel}, {0.4, keel + 0.03*(sheer-keel)}, {0.78, keel + 0.12*(sheer-keel)}, {0.92, low}, {1, sheer}, {0.62, sheer}, {0.55, roof}}
		var ring []vec.Vec3
		for _, p := range half {
			ring = append(ring, vec.New(x+0.06*(p[1]-keel)*s*s/0.2, p[1], wide*p[0]))
		}
		for i := len(half) - 1; i > 0; i-- {
			ring = append(ring, vec.New(ring[i].X, ring[i].Y, -ring[i].Z))
		}
		rings = append(rings, ring)
	}
	for k := range 21 {
		x := stern + (bow-stern)*float64(k)/20
		cabin := 0.
		if k >= 5 && k <= 10 {
			cabin = 0.085
		}
		if k == 5 {
			section(x-0.012, 0)
		}
		section(x, cabin)
		if k == 10 {
			section(x+0.02, 0)
		}
	}
	return skin(rings, true)
}
