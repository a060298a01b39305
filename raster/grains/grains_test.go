package grains

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/raster/scatter"
	"breakwater/sim/longtest"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

const water = 1.333

var drop = scatter.Ball(water)

// evenly is light of 1 from everywhere, and no sun.
func evenly() Light {
	return Light{
		ToSun: vec.Vec3{Y: 1}, Sun: func(vec.Vec3) vec.Vec3 { return vec.Vec3{} },
		Around: func(vec.Vec3) vec.Vec3 { return vec.Vec3{X: 1, Y: 1, Z: 1} },
		Seen:   func(_, _ vec.Vec3, _ float64) vec.Vec3 { return vec.Vec3{X: 1, Y: 1, Z: 1} },
		Phase:  [3]*scatter.Phase{drop, drop, drop}, Ratio: water, Color: vec.Vec3{X: 1, Y: 1, Z: 1},
	}
}

// cloudIn returns n drops at random places of a box, of radii from r0 to r1.
func cloudIn(box vec.Box, n int, r0, r1, count float64, seed uint64) *Parcels {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := &Parcels{Spacing: 0.02}
	s := box.Size()
	for i := range n {
		p.X = append(p.X, box.Min.Add(vec.Vec3{X: s.X * rng.Float64(), Y: s.Y * rng.Float64(), Z: s.Z * rng.Float64()}))
		p.V = append(p.V, vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()})
		p.Radius = append(p.Radius, float32(r0*math.Pow(r1/r0, rng.Float64())))
		p.Count = append(p.Count, float32(count))
		p.ID = append(p.ID, uint64(i))
		p.Kind = append(p.Kind, Spray)
	}
	return p
}

func cube(side float64) vec.Box {
	return vec.Box{Min: vec.Vec3{X: -side / 2, Y: -side / 2, Z: -side / 2}, Max: vec.Vec3{X: side / 2, Y: side / 2, Z: side / 2}}
}

// picture gathers rays through a raster of pixels × pixels from the eye of v at +z, over a
// square of the given side about the origin.
func picture(c *Cloud, v View, side float64, pixels int, shift float64) (light, left []float64) {
	light, left = make([]float64, pixels*pixels), make([]float64, pixels*pixels)
	spread := side / float64(pixels) / v.Eye.Z
	par.Each(pixels, func(y int) {
		for x := range pixels {
			at := vec.Vec3{X: ((float64(x)+0.5+shift)/float64(pixels) - 0.5) * side, Y: ((float64(y)+0.5)/float64(pixels) - 0.5) * side}
			d := at.Sub(v.Eye).Unit()
			c, l := c.Gather(v.Eye, d, 0, 2*v.Eye.Z, 0, spread)
			light[y*pixels+x], left[y*pixels+x] = c.Y, l
		}
	})
	return light, left
}

func mean(a []float64) float64 {
	sum := 0.0
	for _, x := range a {
		sum += x
	}
	return sum / float64(len(a))
}

// TestFurnace looks at clouds in light that comes evenly from everywhere: thin and dense,
// of drops smaller and larger than the rays, of mist, of bubbles. None may show.
func TestFurnace(t *testing.T) {
	longtest.NotShort(t)
	bubble := scatter.Ball(1 / water)
	for _, c := range []struct {
		name   string
		n      int
		r0, r1 float64
		count  float64
		kind   Kind
		width  float64
	}{
		{"thin", 1000, 3e-4, 3e-3, 1, Spray, 0.003},
		{"dense", 2000, 1e-3, 3e-3, 200, Spray, 0.003},
		{"balls", 1000, 3e-3, 6e-3, 1, Spray, 0.0003},
		{"mist", 2000, 2e-5, 1e-4, 3e4, Mist, 0.003},
		{"bubbles", 5000, 3e-4, 2e-3, 1, Bubble, 0.003},
		{"from afar", 5000, 3e-4, 3e-3, 1, Spray, 0.1},
	} {
		p := cloudIn(cube(0.3), c.n, c.r0, c.r1, c.count, 1)
		for i := range p.Kind {
			p.Kind[i] = c.kind
		}
		l := evenly()
		if c.kind == Bubble {
			l.Phase, l.Ratio = [3]*scatter.Phase{bubble, bubble, bubble}, 1/water
		}
		for _, shutter := range []float64{0, 0.01} {
			if shutter > 0 && c.name != "thin" {
				continue
			}
			v := View{Eye: vec.Vec3{Z: 2}, Spread: c.width / 2, Shutter: shutter}
			cloud := New(p, v, l, c.kind)
			light, left := picture(cloud, v, 0.4, 24, 0)
			for i := range light {
				if got := light[i] + left[i]; math.Abs(got-1) > 0.01 {
					t.Fatalf("%s, shutter %g: pixel (%d, %d) is %g, %g of it from behind, want 1", c.name, shutter, i%24, i/24, got, left[i])
				}
			}
			if m := mean(left); m > 0.995 {
				t.Errorf("%s: %g is left, so nothing was tested", c.name, m)
			}
		}
	}
}

// TestGrid compares rays in all directions with the grains taken one by one, without a
// grid, and rays in two parts with whole ones.
func TestGrid(t *testing.T) {
	for _, shutter := range []float64{0, 0.02} {
		p := cloudIn(cube(0.3), 1500, 2e-3, 6e-3, 1, 2) // no faint streaks
		v := View{Eye: vec.Vec3{Z: 2}, Spread: 0.001, Shutter: shutter}
		l := evenly()
		l.Seen = nil
		c := New(p, v, l, Spray)
		rng := rand.New(rand.NewPCG(3, 4))
		for range 300 {
			o := vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
			to := vec.Vec3{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}.Mul(0.3).Sub(vec.Vec3{X: 0.15, Y: 0.15, Z: 0.15})
			d := to.Sub(o).Unit()
			if rng.IntN(4) == 0 { // along an axis
				d = axes[rng.IntN(6)]
				o = to.Sub(d)
			}
			const width = 0.002
			want := 1.0
			g := gathering{Cloud: c, o: o, d: d, width: width}
			g.across, g.up = d.Basis()
			for i := range c.grains {
				a := &c.grains[i]
				x := a.x.Sub(o)
				at := x.Dot(d)
				cover := a.cover(max(0, x.Dot(x)-at*at), min(a.reach, max(a.r, wide*width)), width)
				if shutter > 0 {
					h, _ := g.streak(a, int32(i), 0, 9)
					cover = h.cover
				}
				want *= 1 - cover
			}
			light, got := c.Gather(o, d, 0, 9, width, 0)
			if want < behind { // the voxels stand for the rest
				continue
			}
			if math.Abs(got-want) > 1e-4 { // places are rounded
				t.Fatalf("shutter %g: from %v along %v %g is left, want %g", shutter, o, d, got, want)
			}
			half := 0.9 + 0.2*rng.Float64()
			a, first := c.Gather(o, d, 0, half, width, 0)
			b, second := c.Gather(o, d, half, 9, width, 0)
			if whole := a.Add(b.Mul(first)); got > 0 && (math.Abs(first*second-got) > 1e-9 || whole.Sub(light).Len() > 1e-9) {
				t.Fatalf("in two parts: %g of %g and %v of %v", first*second, got, whole, light)
			}
		}
	}
}

// TestCrossSection sums the cover over a raster: it is the grain's own area, however wide
// the pixels are and wherever it lies among them.
func TestCrossSection(t *testing.T) {
	longtest.NotShort(t)
	const r = 0.4e-3
	for _, pixel := range []float64{0.3e-3, 1e-3, 3e-3} {
		for k := range 9 {
			p := &Parcels{
				X: []vec.Vec3{{X: 0.31e-3 * float64(k), Y: 0.17e-3 * float64(k)}}, V: make([]vec.Vec3, 1),
				Radius: []float32{r}, Count: []float32{1}, ID: []uint64{0}, Kind: []Kind{Spray}, Spacing: 0.05,
			}
			v := View{Eye: vec.Vec3{Z: 1000}, Spread: pixel / 1000}
			const pixels = 64
			_, left := picture(New(p, v, evenly(), Spray), v, pixel*pixels, pixels, 0)
			got := (1 - mean(left)) * pixel * pixel * pixels * pixels / (math.Pi * r * r)
			if bound := 0.07; math.Abs(got-1) > bound {
				t.Errorf("pixels of %g mm: a drop covers %.3f of its area", 1000*pixel, got)
			}
		}
	}
}

// TestConeWidening compares a picture with the mean of one of four times as many pixels
// along its sides.
func TestConeWidening(t *testing.T) {
	const pixel = 1. / 320 // m
	n, coarse := 25_000, 80
	if longtest.On() {
		n, coarse = 400_000, 320
	}
	size := pixel * float64(coarse)
	box := cube(0.6 * size)
	box.Min.Z, box.Max.Z = -0.3, 0.3
	p := cloudIn(box, n, 3e-4, 2e-3, 1, 5)
	v := View{Eye: vec.Vec3{Z: 4}, Spread: pixel / 4}
	fine := v
	fine.Spread /= 4
	a, _ := picture(New(p, v, evenly(), Spray), v, size, coarse, 0)
	b, _ := picture(New(p, fine, evenly(), Spray), fine, size, 4*coarse, 0)
	boxed := make([]float64, coarse*coarse)
	for y := range 4 * coarse {
		for x := range 4 * coarse {
			boxed[y/4*coarse+x/4] += b[y*4*coarse+x] / 16
		}
	}
	if got, want := mean(a), mean(boxed); math.Abs(got-want) > 0.01*want {
		t.Errorf("the mean is %.4f, of the fine picture %.4f", got, want)
	}
	// The light of a drop may go to the next pixel, so compare squares of four.
	sum, count := 0.0, 0
	for y := 0; y+4 <= coarse; y += 4 {
		for x := 0; x+4 <= coarse; x += 4 {
			d := 0.0
			for k := range 16 {
				i := (y+k/4)*coarse + x + k%4
				d += (a[i] - boxed[i]) / 16
			}
			sum, count = sum+d*d, count+1
		}
	}
	if rms := math.Sqrt(sum / float64(count)); rms > 0.03*mean(boxed) {
		t.Errorf("the pictures differ by %.1f %% of the mean", 100*rms/mean(boxed))
	}
}

// TestStreaks compares a picture of drops that leave streaks with the mean of 64 instants.
func TestStreaks(t *testing.T) {
	longtest.NotShort(t)
	const pixels, shutter, times = 48, 0.02, 64
	p := cloudIn(cube(0.3), 400, 3e-4, 2e-3, 1, 6)
	v := View{Eye: vec.Vec3{Z: 2}, Spread: 0.4 / 2 / pixels}
	long := v
	long.Shutter = shutter
	_, got := picture(New(p, long, evenly(), Spray), v, 0.4, pixels, 0)
	want := make([]float64, len(got))
	for k := range times {
		now := *p
		now.X = slices.Clone(p.X)
		for i := range now.X {
			now.X[i] = p.X[i].Add(p.V[i].Mul(shutter * ((float64(k)+0.5)/times - 0.5)))
		}
		_, left := picture(New(&now, v, evenly(), Spray), v, 0.4, pixels, 0)
		for i, x := range left {
			want[i] += x / times
		}
	}
	sum := 0.0
	for i := range got {
		sum += (got[i] - want[i]) * (got[i] - want[i])
	}
	a, b := 1-mean(got), 1-mean(want)
	if math.Abs(a-b) > 0.02*b {
		t.Errorf("streaks cover %.5f, 64 instants %.5f", a, b)
	}
	if rms := math.Sqrt(sum / float64(len(got))); rms > 0.02 {
		t.Errorf("streaks differ by %.4f of the range", rms)
	}
}

// TestFlicker moves the raster by a seventh of a pixel per frame over a cloud at rest.
func TestFlicker(t *testing.T) {
	longtest.NotShort(t)
	n, pixels, frames := 50_000, 64, 7
	if longtest.On() {
		n, pixels, frames = 100_000, 96, 30
	}
	p := cloudIn(cube(0.3), n, 3e-4, 2e-3, 1, 7)
	v := View{Eye: vec.Vec3{Z: 4}, Spread: 0.2 / 4 / float64(pixels)}
	c := New(p, v, evenly(), Spray)
	const block = 16
	blocks := make([][]float64, (pixels/block)*(pixels/block))
	var alone [][]float64
	for f := range frames {
		// The picture moves over the cloud by a shift of the raster, and the pixels seen are
		// the values of the place.
		shift := float64(f) / 7
		light, _ := picture(c, v, 0.2, pixels, shift-math.Floor(shift))
		for b := range blocks {
			sum := 0.0
			for k := range block * block {
				y, x := b/(pixels/block)*block+k/block, b%(pixels/block)*block+k%block
				sum += light[y*pixels+x] / (block * block)
			}
			blocks[b] = append(blocks[b], sum)
		}
		alone = append(alone, light)
	}
	sd := func(list []float64) float64 {
		m, s := mean(list), 0.0
		for _, x := range list {
			s += (x - m) * (x - m)
		}
		return math.Sqrt(s / float64(len(list)))
	}
	for b, list := range blocks {
		if got := sd(list); got > 0.003 {
			t.Errorf("block %d flickers by %.2f %% of the range", b, 100*got)
		}
	}
	worst := 0.0
	for i := range alone[0] {
		list := make([]float64, frames)
		for f := range frames {
			list[f] = alone[f][i]
		}
		worst += sd(list) / float64(len(alone[0]))
	}
	if worst > 0.03 {
		t.Errorf("single pixels flicker by %.2f %% of the range", 100*worst)
	}
}

// TestSameBytes builds and gathers a cloud with several numbers of threads.
func TestSameBytes(t *testing.T) {
	p := cloudIn(cube(0.3), 5000, 3e-4, 3e-3, 3, 8)
	for i := range p.Kind {
		if i%5 == 0 {
			p.Kind[i] = Mist
		}
	}
	v := View{Eye: vec.Vec3{Z: 1}, Spread: 0.001, Shutter: 0.01}
	l := evenly()
	l.Sun = func(p vec.Vec3) vec.Vec3 { return vec.Vec3{X: 3 + p.X, Y: 3, Z: 3 - p.Y} }
	var first []float64
	for n := range longtest.OnThreads() {
		light, left := picture(New(p, v, l, Spray, Mist), v, 0.4, 32, 0)
		got := append(light, left...)
		if first == nil {
			first = got
		} else if !slices.Equal(first, got) {
			t.Errorf("%d threads make another picture than 1", n)
		}
	}
}

// TestOrder puts a bright drop before and behind a dark one, large enough to hide each
// other.
func TestOrder(t *testing.T) {
	for _, front := range []float64{1, -1} {
		p := &Parcels{
			X: []vec.Vec3{{Z: 0.01 * front}, {Z: -0.01 * front}}, V: make([]vec.Vec3, 2),
			Radius: []float32{5e-3, 5e-3}, Count: []float32{1, 1}, ID: []uint64{0, 1}, Kind: make([]Kind, 2), Spacing: 0.02,
		}
		v := View{Eye: vec.Vec3{Z: 2}, Spread: 1e-4}
		l := evenly()
		l.Around = func(vec.Vec3) vec.Vec3 { return vec.Vec3{} }
		l.Seen = func(o, _ vec.Vec3, _ float64) vec.Vec3 { // 1 at the drop 0, 0 at the other
			if (o.Z > 0) == (front > 0) {
				return vec.Vec3{X: 1, Y: 1, Z: 1}
			}
			return vec.Vec3{}
		}
		light, left := New(p, v, l, Spray).Gather(v.Eye, vec.Vec3{Z: -1}, 0, 9, 0, v.Spread)
		if want := (1 + front) / 2; math.Abs(light.Y-want) > 0.15 || left > 0 {
			t.Errorf("front %g: %g and %g left, want %g and none", front, light.Y, left, want)
		}
	}
}

// TestOddClouds builds clouds of nothing, of one drop, of drops far apart and of drops that
// fly far.
func TestOddClouds(t *testing.T) {
	v := View{Eye: vec.Vec3{Z: 2}, Spread: 0.001, Shutter: 0.02}
	if c := New(&Parcels{Spacing: 1}, v, evenly(), Spray); c != nil {
		t.Error("a cloud of nothing")
	}
	p := cloudIn(cube(0.1), 3, 1e-3, 1e-3, 1, 9)
	p.X[1] = vec.Vec3{X: 1e5, Y: -1e5, Z: 3e5}
	p.V[2] = vec.Vec3{X: 400}
	p.Radius[0] = 0.5
	c := New(p, v, evenly(), Spray)
	if _, left := c.Gather(v.Eye, p.X[0].Sub(v.Eye).Unit(), 0, 100, 0, v.Spread); left > 0.01 {
		t.Errorf("a ball of 1 m leaves %g of the light", left)
	}
	if c := New(p, v, evenly(), Mist); c != nil {
		t.Error("a cloud of another kind")
	}
}

// TestMist compares the optical depth of a puff of mist with its cross-section over a wide
// raster of rays, and looks for a border.
func TestMist(t *testing.T) {
	p := &Parcels{
		X: []vec.Vec3{{X: 0.013, Y: 0.002, Z: -0.007}}, V: make([]vec.Vec3, 1), Radius: []float32{5e-5}, Count: []float32{1e4},
		ID: []uint64{0}, Kind: []Kind{Mist}, Spacing: 0.02,
	}
	c := New(p, View{Eye: vec.Vec3{Z: 2}, Spread: 1e-3}, evenly(), Mist)
	const n, size = 100, 0.4
	sum, most, step := 0.0, 0.0, 0.0
	for y := range n {
		last := 0.0
		for x := range n {
			o := vec.Vec3{X: size * ((float64(x)+0.5)/n - 0.5), Y: size * ((float64(y)+0.5)/n - 0.5), Z: 1}
			depth := c.Depth(o, vec.Vec3{Z: -1}, 0, 2)
			sum += depth * size * size / (n * n)
			most, step = max(most, depth), max(step, math.Abs(depth-last))
			last = depth
		}
	}
	if want := 1e4 * math.Pi * 5e-5 * 5e-5; math.Abs(sum-want) > 0.03*want {
		t.Errorf("a puff has a cross-section of %g mm², want %g", 1e6*sum, 1e6*want)
	}
	if step > 0.15*most {
		t.Errorf("its optical depth jumps by %.2f of the largest in 4 mm", step/most)
	}
}

// TestGrainsBesideWalls spreads parcels near a box, in a corner, on both sides of a thin plate and
// around a ball. No grain and no way of one passes a wall.
func TestGrainsBesideWalls(t *testing.T) {
	type wall func(x vec.Vec3) (float64, vec.Vec3)
	floor := func(x vec.Vec3) (float64, vec.Vec3) { return x.Y, vec.Vec3{Y: 1} }
	side := func(x vec.Vec3) (float64, vec.Vec3) { return x.X, vec.Vec3{X: 1} }
	plate := func(x vec.Vec3) (float64, vec.Vec3) {
		z := x.Z - 0.1
		return math.Abs(z) - 0.5e-3, vec.Vec3{Z: math.Copysign(1, z)}
	}
	ball := func(x vec.Vec3) (float64, vec.Vec3) {
		x = x.Sub(vec.Vec3{X: 0.1, Y: 0.1})
		return x.Len() - 0.05, x.Unit()
	}
	walls := []wall{floor, side, plate, ball}
	free := func(x vec.Vec3, far float64) (d float64, n vec.Vec3) {
		d = far
		for _, w := range walls {
			if dw, nw := w(x); dw < d {
				d, n = max(0, dw), nw
			}
		}
		return d, n
	}
	rng := rand.New(rand.NewPCG(8, 9))
	away, ways := 0, 0
	for id := range uint64(3000) {
		x := vec.Vec3{X: 0.2 * rng.Float64(), Y: 0.2 * rng.Float64(), Z: 0.2 * rng.Float64()}
		d, n := free(x, 1)
		if d == 0 {
			continue
		}
		sticks := id%3 == 0
		if sticks {
			x = x.Sub(n.Mul(d - 1e-3))
			if d, _ := free(x, 1); d < 0.9e-3 {
				continue
			}
		}
		kind := Spray
		if id%2 == 0 && !sticks {
			kind = Bubble
		}
		v := vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
		p := &Parcels{
			X: []vec.Vec3{x}, V: []vec.Vec3{v}, Radius: []float32{1e-3}, Count: []float32{200}, ID: []uint64{id}, Kind: []Kind{kind},
			Age: []float32{0.5 * rng.Float32()}, Sticks: []bool{sticks}, Spacing: 0.02, Free: free,
		}
		list := p.spread(View{Eye: vec.Vec3{Z: 3}, Spread: 3e-4, Shutter: 0.02}, 0.02, kind)
		if len(list) < Most {
			t.Fatalf("parcel %d has %d grains, want at least %d", id, len(list), Most)
		}
		for _, a := range list {
			if a.x != x {
				away++
			}
			if a.way.Len() < 0.019*v.Len() {
				ways++
			}
			for k := range 5 {
				at := a.x.Add(a.way.Mul(float64(k)/4 - 0.5))
				for i, w := range walls {
					if d, _ := w(at); d < -1e-6 {
						t.Fatalf("a grain of parcel %d at %v is %g m behind wall %d at %v", id, x, -d, i, at)
					}
				}
				if (at.Z < 0.1) != (x.Z < 0.1) {
					t.Fatalf("a grain of parcel %d at %v has passed the plate to %v", id, x, at)
				}
			}
		}
	}
	if away < 1000 || ways < 100 {
		t.Errorf("only %d grains are away from their parcels, and %d ways end at walls", away, ways)
	}
}

// TestSpreadGrows compares the spread of the grains of a young and of an old parcel, and the cross-section that
// they show: the young one's is the cross-section of a thread of the same volume.
func TestSpreadGrows(t *testing.T) {
	p := &Parcels{
		X: make([]vec.Vec3, 2), V: make([]vec.Vec3, 2), Radius: []float32{5e-4, 5e-4}, Count: []float32{40, 40}, ID: []uint64{3, 3},
		Kind: []Kind{Spray, Spray}, Age: []float32{0.002, 0.2}, Spacing: 0.015, Breakup: 0.1,
	}
	far, count := [2]float64{}, [2]float64{}
	for i := range 2 {
		one := &Parcels{X: p.X[i : i+1], V: p.V[i : i+1], Radius: p.Radius[i : i+1], Count: p.Count[i : i+1], ID: p.ID[i : i+1], Kind: p.Kind[i : i+1], Age: p.Age[i : i+1], Spacing: p.Spacing, Breakup: p.Breakup}
		for _, a := range one.spread(View{Eye: vec.Vec3{Z: 1}, Spread: 1e-3}, 0.01, Spray) {
			far[i], count[i] = max(far[i], a.x.Len()), count[i]+a.n
		}
	}
	if far[1] < 3*far[0] || math.Abs(count[0]-40*(1./p.Spacing)/(3/(4*5e-4))) > 0.1 || count[1] < 39 || count[1] > 40 {
		t.Errorf("the grains are %g and %g m from their parcel, and stand for %g and %g drops", far[0], far[1], count[0], count[1])
	}
}
