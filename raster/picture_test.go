package raster

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"testing"

	"breakwater/raster/golden"
	"breakwater/raster/overlay"
	"breakwater/raster/sky"
	"breakwater/raster/sky/skytest"
	"breakwater/raster/texture"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// smoke returns a gas: a column of tracers, which burn at the bottom and turn about the
// middle, and vortons on its axis, with the frame before.
func smoke() *Particles {
	at := func(turn float64) Particles {
		p := Particles{Set: &particle.Set{}, Vortons: &particle.Set{}, Spacing: 0.1, Apart: 0.03, Density: 1, Ambient: 300, Time: turn}
		smoke, flame, temperature := p.Carry("smoke"), p.Carry("flame"), p.Carry("temperature")
		for i := range 2000 {
			y, r := float64(i)/2000, 0.05+0.15*float64(i*7%13)/13
			sin, cos := math.Sincos(float64(i)*2.4 + turn)
			p.Add(vec.New(0.5+r*cos, 0.1+0.6*y, 0.5+r*sin), vec.New(-r*sin, 0, r*cos), 1, uint32(i))
			smoke, flame = append(smoke, min(1, 2*y)), append(flame, max(0, 1-2*y))
		}
		for _, f := range flame {
			temperature = append(temperature, 300+1600*f)
		}
		p.Attr[0].Data, p.Attr[1].Data, p.Attr[2].Data = smoke, flame, temperature
		for i := range 40 {
			sin, cos := math.Sincos(float64(i) + turn)
			p.Vortons.Add(vec.New(0.5+0.2*cos, 0.1+float64(i)/60, 0.5+0.2*sin), vec.New(-sin, 0, cos), 1-float64(i)/80, uint32(i))
		}
		p.Vortons.Attr = []particle.Attr{{Name: "wx", Data: make([]float64, 40)}, {Name: "wy", Data: make([]float64, 40)}, {Name: "wz", Data: make([]float64, 40)}}
		for i := range 40 {
			p.Vortons.Attr[1].Data[i] = float64(i)
		}
		return p
	}
	p := at(0.5)
	p.Before = []Particles{at(0)}
	return &p
}

// goldens returns the pictures kept in testdata, by name: every look in both qualities,
// and features that these do not show.
func goldens(t *testing.T) map[string]*View {
	views := map[string]*View{}
	block := Solid{Mesh: boxMesh(vec.Box{Min: vec.Vec3{X: 0.85, Z: 0.35}, Max: vec.Vec3{X: 1.1, Y: 0.6, Z: 0.65}})}
	for _, e := range Looks.Entries() {
		for _, q := range []Quality{Draft, Good} {
			v := testView(60, 160, 90, q)
			v.Look = registrytest.New(t, &Looks, e.Name)
			v.Solids = []Solid{block}
			if _, ok := v.Look.(GasLook); ok {
				v.Liquid, v.Particles = nil, smoke()
			}
			views[fmt.Sprintf("%s_%s", e.Name, q)] = v
		}
	}
	for _, by := range []string{"speed", "id"} {
		v := testView(60, 160, 90, Good)
		v.Look, v.Liquid, v.Particles = &balls{By: by}, nil, drops(0.05)
		v.Solids = []Solid{block}
		views["particles_"+by] = v
	}
	open := testView(60, 160, 90, Good)
	open.Look, open.Tank = registrytest.New(t, &Looks, "water"), nil
	open.Light = sky.Light{Kind: sky.Studio, Azimuth: 60, Elevation: 30, Sun: 1.5, Sky: 0.6, Exposure: 0.3}
	views["no_tank_low_sun"] = open
	for _, p := range texture.Pavings {
		v := testView(60, 160, 90, Good)
		v.Look, v.Paving, v.Light.Kind = registrytest.New(t, &Looks, "water"), p, sky.Clear
		views["sky_"+string(p)] = v
	}
	for name, change := range map[string]func(v *View){
		"final": func(*View) {}, "final_shutter": func(v *View) { v.Shutter = 0.04 }, "final_aperture": func(v *View) { v.Camera.Aperture = 0.5 },
	} {
		v := testView(60, 160, 90, Final)
		v.Look, v.Solids = registrytest.New(t, &Looks, "water"), []Solid{block}
		stir(v)
		change(v)
		views[name] = v
	}
	for name, degrees := range map[string]float64{"sun": 0.6, "lamp": 9} {
		v := testView(60, 160, 90, Good)
		v.Look, v.Solids = registrytest.New(t, &Looks, "water"), []Solid{block}
		v.Light.Environment = "outdoors.hdr"
		data, _ := skytest.Outdoors(degrees)
		var err error
		if v.Light.Panorama, err = sky.ReadPanorama(data); err != nil {
			t.Fatal(err)
		}
		views["environment_"+name] = v
	}
	for _, s := range substances {
		for _, q := range []Quality{Draft, Good} {
			v := testView(60, 160, 90, q)
			v.Look, v.Solids = registrytest.New(t, &Looks, "water"), bodies(s)
			views[fmt.Sprintf("material_%s_%s", s, q)] = v
		}
	}
	for _, s := range []Substance{Matte, Metal, Wood} {
		for _, q := range qualities {
			v := testView(60, 160, 90, q)
			v.Look = registrytest.New(t, &Looks, "water")
			m := s.Material()
			if s == Matte {
				m.Color = vec.Vec3{X: 0.7, Y: 0.68, Z: 0.63}
			}
			v.Tank.Walls, v.Light.Azimuth, v.Light.Elevation = &m, 35, 60 // the sun shines in
			views[fmt.Sprintf("tank_%s_%s", s, q)] = v
		}
	}
	for _, q := range []Quality{Draft, Good} {
		v := testView(60, 160, 90, q)
		v.Look, v.Solids = registrytest.New(t, &Looks, "water"), []Solid{pictured()}
		views[fmt.Sprintf("material_picture_%s", q)] = v
	}
	for _, q := range []Quality{Draft, Good} {
		v := testView(60, 160, 90, q)
		v.Look, v.Tank, v.Liquid = registrytest.New(t, &Looks, "water"), nil, &mesh.Mesh{}
		ball(v.Liquid, vec.Vec3{X: 0.4, Y: 0.45, Z: 0.5}, 0.3, 48, func(vec.Vec3) float64 { return 1 })
		v.Vessels = vessels()
		views[fmt.Sprintf("vessels_%s", q)] = v
	}
	for _, look := range []string{"milk", "mercury", "lava", "toon", "xray", "normals"} {
		v := testView(60, 160, 90, Good)
		v.Look, v.Grains = registrytest.New(t, &Looks, look), whitewater(30_000)
		views["whitewater_"+look] = v
	}
	for _, q := range qualities {
		v := testView(60, 160, 90, q)
		v.Look, v.Grains = registrytest.New(t, &Looks, "water"), whitewater(30_000)
		if q == Final {
			v.Shutter = 0.02
			stir(v)
		}
		views[fmt.Sprintf("whitewater_%s", q)] = v
	}
	empty := testView(60, 160, 90, Good)
	empty.Look, empty.Liquid = registrytest.New(t, &Looks, "water"), nil
	views["empty_tank"] = empty
	return views
}

// vessels returns a round flask, a drum that lies and a bowl of wood.
func vessels() []Vessel {
	d := &drum{bottom: vec.Vec3{X: 1.1, Y: 0.36, Z: 0.2}, top: vec.Vec3{X: 1.1, Y: 0.36, Z: 0.9}, radius: 0.34}
	wood := Wood.Material()
	return []Vessel{
		{Panes: mesh.Sphere(vec.Vec3{X: 0.4, Y: 0.45, Z: 0.5}, 0.42, 64)},
		{Panes: mesh.Cylinder(d.bottom, d.top, d.radius, 64), Edges: d.rims(64)},
		{Panes: mesh.Sphere(vec.Vec3{X: 1.75, Y: 0.3, Z: 0.5}, 0.28, 64), Walls: &wood},
	}
}

// drum is a cylinder along z with its rims.
type drum struct {
	bottom, top vec.Vec3
	radius      float64
}

func (c *drum) rims(n int) (edges []mesh.Edge) {
	at := func(i int) vec.Vec3 { // about z
		sin, cos := math.Sincos(2 * math.Pi * float64(i%n) / float64(n))
		return vec.Vec3{X: cos, Y: sin}
	}
	for _, end := range [...]vec.Vec3{c.bottom, c.top} {
		for i := range n {
			a, b := at(i), at(i+1)
			edges = append(edges, mesh.Edge{A: end.Add(a.Mul(c.radius)), B: end.Add(b.Mul(c.radius)), Out: a.Add(b).Unit()})
		}
	}
	return edges
}

// pictured returns a block with a picture of squares all round.
func pictured() Solid {
	img := image.NewGray(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			img.Pix[y*64+x] = uint8(60 + 190*((x/16+y/16)%2))
		}
	}
	picture := texture.NewImage(img)
	s := Solid{Mesh: boxMesh(vec.Box{Min: vec.Vec3{X: 0.85, Z: 0.35}, Max: vec.Vec3{X: 1.25, Y: 0.8, Z: 0.75}}), Material: Material{Matte, vec.Vec3{X: 0.9, Y: 0.5, Z: 0.3}}}
	for _, tri := range s.Mesh.Tri {
		var at [3][2]float64
		for k, v := range tri {
			p := s.Mesh.Pos[v]
			at[k] = [2]float64{2.5 * (p.X + p.Z), 2.5 * (p.Y - p.Z)}
		}
		s.Pictures, s.Places = append(s.Pictures, picture), append(s.Places, at)
	}
	return s
}

// bodies returns three bodies of a substance: a block in the water, a ball half in the
// water, and one in the air. The last has a face of another colour.
func bodies(s Substance) []Solid {
	list := []Solid{{Mesh: boxMesh(vec.Box{Min: vec.Vec3{X: 0.85, Z: 0.35}, Max: vec.Vec3{X: 1.1, Y: 0.6, Z: 0.65}})}}
	for _, c := range []vec.Vec3{{X: 0.45, Y: 0.3, Z: 0.55}, {X: 1.5, Y: 0.8, Z: 0.4}} {
		m := &mesh.Mesh{}
		ball(m, c, 0.17, 32, func(vec.Vec3) float64 { return 1 })
		list = append(list, Solid{Mesh: m})
	}
	for i := range list {
		list[i].Material = s.Material()
	}
	last := &list[2]
	for i := range last.Mesh.Tri {
		c := last.Material.Color
		if i/128%2 == 1 {
			c = vec.Vec3{X: 0.2, Y: 0.45, Z: 0.8}
		}
		last.Colors = append(last.Colors, c)
	}
	return list
}

func TestGoldenPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("short: TestSameBytes draws all looks, and less of each")
	}
	for name, v := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			walls := v.Quality == Final && v.Tank != nil && v.Tank.Walls != nil
			switch {
			case walls, name == "whitewater_final": // about a second each
				longtest.Only(t)
			case v.Grains != nil && v.Quality == Good && name != "whitewater_good": // half a second each
				longtest.Only(t) // TestSameBytes draws whitewater with these looks
			}
			got, err := v.Look.Draw(v)
			if err != nil {
				t.Fatal(err)
			}
			o := overlay.Overlay{Title: "ρ σ²", Time: true, Scale: 0.5}
			if err := o.Draw(got, v.Frame(), 0.25); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, name, got, golden.Tolerance{Mean: 2, Far: 0.01})
		})
	}
}

// TestSameBytes draws with several numbers of threads. Of the looks that differ in numbers alone,
// one is drawn. By default only the look of clear liquids is drawn as final.
func TestSameBytes(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Looks.Entries() {
		kind := fmt.Sprintf("%T", registrytest.New(t, &Looks, e.Name))
		if seen[kind] {
			continue
		}
		seen[kind] = true
		for _, q := range qualities {
			if q == Final && kind != fmt.Sprintf("%T", new(water)) && !longtest.On() {
				continue
			}
			v := testView(40, 150, 84, q)
			v.Grains = whitewater(3000)
			if q != Draft {
				v.Shutter, v.Width, v.Height = 0.04, 96, 54
				stir(v)
			}
			if q == Final {
				v.Width, v.Height = 48, 27
			}
			look := registrytest.New(t, &Looks, e.Name)
			var first []byte
			for n := range longtest.OnThreads() {
				img, err := look.Draw(v)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = img.Pix
				} else if !bytes.Equal(first, img.Pix) {
					t.Errorf("%s, %s: %d threads draw another picture than 1", e.Name, q, n)
				}
			}
		}
	}
}

// TestNothingDark looks for pixels darker than anything in the scene: seams
// between triangles, rays lost in the liquid.
func TestNothingDark(t *testing.T) {
	v := testView(100, 320, 180, Good)
	img, err := registrytest.New(t, &Looks, "water").Draw(v)
	if err != nil {
		t.Fatal(err)
	}
	for y := range v.Height {
		for x := range v.Width {
			c := img.RGBAAt(x, y)
			if max(c.R, c.G, c.B) < 25 {
				t.Fatalf("pixel (%d, %d) is %v", x, y, c)
			}
		}
	}
}

// TestOddViews draws extreme scenes: nothing, the smallest picture, triangles without
// area, a liquid that is far away.
func TestOddViews(t *testing.T) {
	longtest.Only(t)
	flat := &mesh.Mesh{
		Pos: []vec.Vec3{{}, {X: 1}, {X: 2}, {X: 1, Y: 1}},
		Tri: [][3]int32{{0, 1, 2}, {0, 0, 0}, {0, 1, 3}},
	}
	far := slab(0.1)
	for i := range far.Pos {
		far.Pos[i].X += 1e4
	}
	for _, c := range []struct {
		name   string
		change func(v *View)
	}{
		{"nothing", func(v *View) { v.Tank, v.Liquid = nil, nil }},
		{"no triangles", func(v *View) { v.Liquid = &mesh.Mesh{} }},
		{"one pixel", func(v *View) { v.Width, v.Height = 1, 1 }},
		{"one row", func(v *View) { v.Height = 1 }},
		{"no area", func(v *View) { v.Liquid = flat }},
		{"far away", func(v *View) { v.Liquid = far }},
		{"straight down", func(v *View) { v.Camera.Eye = v.Camera.Target.Add(vec.Vec3{Y: 5}) }},
		{"sun overhead", func(v *View) { v.Light.Elevation = 90 }},
		{"moving", func(v *View) { v.Shutter = 0.02; stir(v) }},
		{"no area that moves", func(v *View) { v.Liquid, v.Shutter = flat, 0.02; stir(v) }},
		{"no light", func(v *View) { v.Light.Sun, v.Light.Sky = 0, 0 }},
	} {
		for _, e := range Looks.Entries() {
			for _, q := range qualities {
				if q == Final && e.Name != "water" { // the exposure is the same for all
					continue
				}
				v := testView(20, 48, 27, q)
				c.change(v)
				img, err := registrytest.New(t, &Looks, e.Name).Draw(v)
				if err != nil {
					t.Errorf("%s, %s, %s: %v", c.name, e.Name, q, err)
				} else if img.Rect.Dx() != v.Width || img.Rect.Dy() != v.Height {
					t.Errorf("%s, %s, %s: %v for %d×%d", c.name, e.Name, q, img.Rect, v.Width, v.Height)
				}
			}
		}
	}
}

func TestValidate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		change func(v *View)
	}{
		{"no width", func(v *View) { v.Width = 0 }},
		{"too high", func(v *View) { v.Height = 1 << 20 }},
		{"shutter", func(v *View) { v.Shutter = -1 }},
		{"velocity", func(v *View) { stir(v); v.Liquid.Vel[7].Y = nan }},
		{"velocities", func(v *View) { stir(v); v.Liquid.Vel = v.Liquid.Vel[1:] }},
		{"quality", func(v *View) { v.Quality = "best" }},
		{"eye on target", func(v *View) { v.Camera.Eye = v.Camera.Target }},
		{"eye NaN", func(v *View) { v.Camera.Eye.X = nan }},
		{"under the floor", func(v *View) { v.Camera.Eye.Y = -1 }},
		{"roll", func(v *View) { v.Camera.Roll = nan }},
		{"focal", func(v *View) { v.Camera.Focal = 0 }},
		{"light", func(v *View) { v.Light.Kind = "candle" }},
		{"environment", func(v *View) { v.Light.Environment = "a.hdr" }},
		{"turbidity", func(v *View) { v.Light.Kind, v.Light.Turbidity = sky.Clear, 1 }},
		{"floor", func(v *View) { v.Paving = "lawn" }},
		{"sun", func(v *View) { v.Light.Sun = nan }},
		{"sun under the horizon", func(v *View) { v.Light.Elevation = -3 }},
		{"tank", func(v *View) { v.Tank.Max.X = v.Tank.Min.X }},
		{"index", func(v *View) { v.Liquid.Tri[3][1] = int32(len(v.Liquid.Pos)) }},
		{"vertex", func(v *View) { v.Liquid.Pos[7].Y = math.Inf(1) }},
		{"normal", func(v *View) { v.Liquid.Nrm[7].Y = nan }},
		{"normals", func(v *View) { v.Liquid.Nrm = v.Liquid.Nrm[1:] }},
		{"in the liquid", func(v *View) { v.Camera.Eye = vec.Vec3{X: 1, Y: 0.1, Z: 0.5} }},
		{"solid", func(v *View) { v.Solids = []Solid{{}} }},
	} {
		v := testView(12, 32, 18, Draft)
		if err := v.Validate(); err != nil {
			t.Fatal(err)
		}
		c.change(v)
		if err := v.Validate(); err == nil {
			t.Errorf("%s: no error", c.name)
		}
		if _, err := registrytest.New(t, &Looks, "water").Draw(v); err == nil {
			t.Errorf("%s: drawn", c.name)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, q := range qualities {
		b.Run(string(q), func(b *testing.B) {
			v := testView(280, 960, 540, q)
			if q == Final {
				v.Shutter = 0.02
				stir(v)
			}
			look := registrytest.New(b, &Looks, "water")
			b.ResetTimer()
			for range b.N {
				if _, err := look.Draw(v); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(v.Width*v.Height)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpixel/s")
			b.ReportMetric(float64(len(v.Liquid.Tri)), "triangles")
		})
	}
}
