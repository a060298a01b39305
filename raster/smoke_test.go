package raster

import (
	"bytes"
	"math"
	"sync"
	"testing"

	"breakwater/raster/camera"
	"breakwater/raster/march"
	"breakwater/raster/sky"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// puff returns a volume with an even cube of gas over the origin.
func puff(of [march.Channels]float32) *Volume {
	v := &Volume{Edge: 0.05}
	for i := range 8 {
		f := march.Field{At: [3]int32{int32(i>>2*8 - 8), int32(i>>1&1*8 + 4), int32(i&1*8 - 8)}}
		for k := range f.Values {
			f.Values[k] = of
		}
		v.Fields = append(v.Fields, f)
	}
	return v
}

// above looks down on the floor beside a cube of gas in the light of a low sun.
func above(look Look, gas *Volume, q Quality) *View {
	return &View{
		Camera: camera.Camera{Eye: vec.New(0, 5, 6), Target: vec.New(0, 0.3, 0), Focal: 35}, Light: sky.DefaultLight(),
		Width: 64, Height: 36, Quality: q, Ground: &vec.Box{Min: vec.New(-1, 0, -1), Max: vec.New(1, 1, 1)}, Volume: gas, Look: look,
	}
}

func drawn(t *testing.T, v *View) []byte {
	t.Helper()
	img, err := v.Look.Draw(v)
	if err != nil {
		t.Fatal(err)
	}
	return img.Pix
}

// TestSmokeShades checks that smoke throws a shadow on the floor, and the more the thicker
// it is.
func TestSmokeShades(t *testing.T) {
	for _, q := range []Quality{Draft, Good} {
		last := 0
		for k, density := range []float32{0.003, 0.03, 0.3} {
			look := registrytest.New(t, &Looks, "smoke")
			clear, smoky := drawn(t, above(look, puff([march.Channels]float32{}), q)), drawn(t, above(look, puff([march.Channels]float32{smokeShare: density}), q))
			darker := 0
			for i := range clear {
				if int(clear[i]) > int(smoky[i])+4 {
					darker += int(clear[i]) - int(smoky[i])
				}
			}
			if darker <= last && (k > 0 || q == Good) {
				t.Errorf("%s: smoke of %g takes %d of the light, thinner smoke %d", q, density, darker, last)
			}
			last = darker
		}
	}
}

// TestFireLights checks that the floor around flames is lighter than without them, in a
// scene without a sun.
func TestFireLights(t *testing.T) {
	longtest.NotShort(t)
	for _, q := range []Quality{Draft, Good} {
		look := registrytest.New(t, &Looks, "fire")
		dark := above(look, puff([march.Channels]float32{}), q)
		dark.Light.Sun, dark.Light.Sky = 0, 0.05
		lit := *dark
		lit.Volume = puff([march.Channels]float32{flameShare: 0.1, heatShare: 0.1 * 1900})
		a, b := drawn(t, dark), drawn(t, &lit)
		below := 4 * (64*34 + 32) // a pixel of the floor in front
		if int(b[below]) < int(a[below])+10 {
			t.Errorf("%s: the floor before the flames has %d of red, without them %d", q, b[below], a[below])
		}
		if b[below] <= b[below+2] {
			t.Errorf("%s: the light of flames is blue: %v", q, b[below:below+3])
		}
	}
}

// TestSmokeSameBytes draws smoke and fire with several numbers of threads.
func TestSmokeSameBytes(t *testing.T) {
	for _, name := range []string{"smoke", "fire"} {
		for _, q := range qualities {
			if name == "smoke" && q == Final && !longtest.On() { // fire has all that smoke has
				continue
			}
			v := testView(40, 32, 18, q)
			v.Liquid, v.Particles, v.Look, v.Shutter = nil, smoke(), registrytest.New(t, &Looks, name), 0.02
			var first []byte
			for n := range longtest.OnThreads() {
				got := drawn(t, v)
				if first == nil {
					first = got
				} else if !bytes.Equal(first, got) {
					t.Errorf("%s, %s: %d threads draw another picture than 1", name, q, n)
				}
			}
		}
	}
}

// TestStraySmoke draws smoke of which a particle flew very far away.
func TestStraySmoke(t *testing.T) {
	longtest.NotShort(t)
	v := testView(40, 48, 27, Draft)
	v.Liquid, v.Particles, v.Look = nil, smoke(), registrytest.New(t, &Looks, "smoke")
	with := drawn(t, v)
	p := v.Particles
	p.Add(vec.New(1e8, 1e8, 1e8), vec.Vec3{}, 1, 9999)
	for i := range p.Attr {
		p.Attr[i].Data = append(p.Attr[i].Data, 0.5)
	}
	if !bytes.Equal(with, drawn(t, v)) {
		t.Error("a particle far away changes the picture")
	}
}

// TestNodes checks that the look smoke shows nodes of an even gas as an even volume, and that
// its voxels hold as much soot as the nodes.
func TestNodes(t *testing.T) {
	const cell, share, side = 0.1, 0.02, 12
	set := &particle.Set{}
	for k := range side * side * side {
		set.X = append(set.X, vec.New(float64(k%side), float64(k/side%side), float64(k/side/side)).Mul(cell))
		set.V, set.Rho, set.ID = append(set.V, vec.Vec3{}), append(set.Rho, 0.3), append(set.ID, uint32(k))
	}
	for i := range set.Carry("smoke") {
		set.Carry("smoke")[i] = share
	}
	set.Carry("flame")
	l := defaultSmoke()
	v := l.nodes(&Particles{Set: &particle.Set{}, Vortons: set, Spacing: cell, Density: 1.2, Ambient: 300}, &View{})
	var fields []march.Field
	var adding sync.Mutex
	v.Leaves(func(f *march.Field) march.Leaf {
		adding.Lock()
		defer adding.Unlock()
		fields = append(fields, *f)
		return march.Leaf{At: f.At}
	})
	sum, worst := 0., 0.
	for i := range fields {
		f := &fields[i]
		for m := range f.Values {
			got := float64(f.Values[m][smokeShare])
			sum += got * v.Edge * v.Edge * v.Edge
			inside := true
			for a, at := range f.At {
				x := float64(int(at)+[3]int{m >> 6, m >> 3 & 7, m & 7}[a]) * v.Edge / cell
				inside = inside && x > 3 && x < side-4
			}
			if inside {
				worst = max(worst, math.Abs(got/share-1))
				if kelvin := float64(f.Values[m][heatShare]) / got; math.Abs(kelvin-1200) > 0.1 {
					t.Fatalf("a temperature of %g K, want 1200", kelvin)
				}
			}
		}
	}
	if want := share * cell * cell * cell * side * side * side; math.Abs(sum/want-1) > 3e-4 { // by the integral of a kernel
		t.Errorf("the voxels hold %g m³ of soot, want %g", sum, want)
	}
	if worst > 0.02 || worst == 0 {
		t.Errorf("an even gas has ripples of %.2g", worst)
	}
}
