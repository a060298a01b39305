package march

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"breakwater/sim/dice"
	"breakwater/sim/longtest"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// fill returns leaves over a box of voxels with the given extinction.
func fill(lo, hi [3]int, sigma func(x, y, z int) float64) []Leaf {
	byPlace := map[[3]int32]int{}
	var list []Leaf
	for x := lo[0]; x < hi[0]; x++ {
		for y := lo[1]; y < hi[1]; y++ {
			for z := lo[2]; z < hi[2]; z++ {
				s := sigma(x, y, z)
				if s == 0 {
					continue
				}
				at := [3]int32{int32(floorDiv(x, Side) * Side), int32(floorDiv(y, Side) * Side), int32(floorDiv(z, Side) * Side)}
				i, ok := byPlace[at]
				if !ok {
					i = len(list)
					byPlace[at] = i
					list = append(list, Leaf{At: at})
				}
				list[i].Extinction[(x-int(at[0]))*64+(y-int(at[1]))*8+z-int(at[2])] = float32(s)
			}
		}
	}
	return list
}

func build(t testing.TB, l []Leaf, edge float64) *Cloud {
	t.Helper()
	c, err := New(l, edge)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ball returns a ball of even extinction around the origin, with the radius in voxels.
// The voxels at its surface have the share of their volume that is inside.
func ball(radius int, sigma float64) []Leaf {
	r := radius + 1
	return fill([3]int{-r, -r, -r}, [3]int{r + 1, r + 1, r + 1}, func(x, y, z int) float64 {
		const parts = 4
		in := 0.0
		for k := range parts * parts * parts {
			part := func(i, k int) float64 { return float64(i) + (float64(k%parts)+0.5)/parts - 0.5 }
			if u, v, w := part(x, k), part(y, k/parts), part(z, k/parts/parts); u*u+v*v+w*w < float64(radius*radius) {
				in++
			}
		}
		return sigma * in / (parts * parts * parts)
	})
}

func black(vec.Vec3) vec.Vec3 { return vec.Vec3{} }

func even(vec.Vec3) vec.Vec3 { return vec.New(1, 1, 1) }

// TestSlab checks the transmittance of a slab of 0.5 m at 2/m, along and across the axes.
func TestSlab(t *testing.T) {
	const edge, n = 0.02, 25
	c := build(t, fill([3]int{-40, -40, 0}, [3]int{40, 40, n}, func(x, y, z int) float64 { return 2 }), edge)
	for _, d := range []vec.Vec3{vec.New(0, 0, 1), vec.New(0.3, 0.2, 1), vec.New(-0.5, 0.1, -1)} {
		u := d.Unit()
		o := vec.New(0.003, 0.007, 0.25).Sub(u.Mul(3))
		want := math.Exp(-2 * n * edge / math.Abs(u.Z))
		if got := c.Through(o, u, 0, 10); math.Abs(got/want-1) > 0.005 {
			t.Errorf("along %v: transmittance %.6f, want %.6f", d, got, want)
		}
		c.Illuminate(Light{ToSun: vec.New(0, 1, 0), Around: black, Effort: Least})
		if _, got := c.Gather(o, u, 0, 10, 0.5); math.Abs(got/want-1) > 0.005 {
			t.Errorf("along %v: %.6f is left, want %.6f", d, got, want)
		}
		// A part of the ray.
		if got, want := c.Depth(o, u, 0, 3, 100), 2*(0.25+edge/2)/math.Abs(u.Z); u.Z > 0 && math.Abs(got/want-1) > 0.01 {
			t.Errorf("along %v: depth %.6f to the middle, want %.6f", d, got, want)
		}
	}
}

// TestBall checks the transmittance of a chord through the middle of a ball.
func TestBall(t *testing.T) {
	const r, edge, sigma = 32, 0.01, 3.0
	c := build(t, ball(r, sigma), edge)
	for i := range 20 {
		s, k := math.Sincos(float64(i))
		d := vec.New(s, 0.7*k, k*k-0.3).Unit()
		want := math.Exp(-2 * r * edge * sigma)
		if got := c.Through(d.Mul(-2), d, 0, 4); math.Abs(got/want-1) > 0.005 {
			t.Errorf("along %v: transmittance %.6f, want %.6f", d, got, want)
		}
	}
}

// TestWhiteFurnace has light of radiance 1 from everywhere: smoke that absorbs nothing
// cannot be seen in it.
func TestWhiteFurnace(t *testing.T) {
	for _, g := range []float64{0, 0.5} {
		for _, sigma := range []float64{1, 20, 100} {
			c := build(t, ball(20, sigma), 0.01)
			for _, e := range []Effort{Least, Usual, Most} {
				c.Illuminate(Light{ToSun: vec.New(0, 1, 0), Around: even, Albedo: vec.New(1, 1, 1), Anisotropy: g, Effort: e})
				limit := 0.01
				if e != Most {
					limit = 0.08
				}
				for _, y := range []float64{0, 0.05, 0.15, 0.19} {
					light, left := c.Gather(vec.New(-1, y, 0.01), vec.New(1, 0, 0), 0, 4, 1)
					if got := light.X + left; math.Abs(got-1) > limit {
						t.Errorf("g = %g, %g/m, order %d, at %g m: %.4f, want 1", g, sigma, e.Order, y, got)
					}
				}
			}
		}
	}
}

// TestSingleScattering has a thin slab in the light of a sun at a right angle.
func TestSingleScattering(t *testing.T) {
	const edge, n, tau, w, sun = 0.01, 10, 0.01, 0.8, 7.0
	sigma := tau / (n * edge)
	c := build(t, fill([3]int{-10, -10, 0}, [3]int{10, 10, n}, func(x, y, z int) float64 { return sigma }), edge)
	c.Illuminate(Light{ToSun: vec.New(1, 0, 0), Sun: vec.New(sun, sun, sun), Around: black, Albedo: vec.New(w, w, w), Effort: Usual})
	light, _ := c.Gather(vec.New(0, 0, -1), vec.New(0, 0, 1), 0, 4, 1)
	if want := sun * w * tau / (4 * math.Pi); math.Abs(light.Y/want-1) > 0.02 {
		t.Errorf("radiance %.6g, want %.6g", light.Y, want)
	}
}

// TestGlow has a thick slab that emits as much as a black body of radiance 3.
func TestGlow(t *testing.T) {
	l := fill([3]int{-30, -30, 0}, [3]int{30, 30, 30}, func(x, y, z int) float64 { return 100 })
	for i := range l {
		l[i].Glow = make([][3]float32, Count)
		for k, s := range l[i].Extinction {
			l[i].Glow[k] = [3]float32{3 * s, 2 * s, s}
		}
	}
	c := build(t, l, 0.01)
	c.Illuminate(Light{ToSun: vec.New(1, 0, 0), Around: black, Effort: Usual})
	light, _ := c.Gather(vec.New(0, 0, -1), vec.New(0, 0, 1), 0, 4, 1)
	if d := light.Sub(vec.New(3, 2, 1)).Len(); d > 0.01 {
		t.Errorf("radiance %v, want [3 2 1]", light)
	}
}

// TestPhase checks that the phase function has the integral 1 and the mean cosine g, also
// where it is sampled.
func TestPhase(t *testing.T) {
	for _, g := range []float64{-0.5, 0, 0.3, 0.8} {
		p := Phase{g}
		const n = 2000000
		sum, mean := 0.0, 0.0
		for i := range n {
			cos := -1 + 2*(float64(i)+0.5)/n
			f := p.At(cos) * 2 * math.Pi * 2 / n
			sum, mean = sum+f, mean+f*cos
		}
		if math.Abs(sum-1) > 1e-6 || math.Abs(mean-g) > 1e-6 {
			t.Errorf("g = %g: integral %.8f, mean cosine %.8f", g, sum, mean)
		}
		mean = 0
		for i := range n {
			mean += p.sample((float64(i)+0.5)/n) / n
		}
		if math.Abs(mean-g) > 1e-5 {
			t.Errorf("g = %g: samples have the mean cosine %.8f", g, mean)
		}
	}
}

// TestBlackBody checks the chromaticities and luminances against the CIE's tables (CIE 15:2004, and
// Wyszecki and Stiles 1982, Planckian locus).
func TestBlackBody(t *testing.T) {
	for _, c := range []struct{ kelvin, x, y float64 }{{1000, 0.6528, 0.3444}, {1500, 0.5857, 0.3931}, {2000, 0.5267, 0.4133}, {2500, 0.4770, 0.4137}} {
		x, y, z := tristimulus(c.kelvin)
		s := x + y + z
		if math.Abs(x/s-c.x) > 0.006 || math.Abs(y/s-c.y) > 0.006 {
			t.Errorf("%g K: chromaticity %.4f, %.4f, want %.4f, %.4f", c.kelvin, x/s, y/s, c.x, c.y)
		}
	}
	luminance := func(kelvin float64) float64 { c := BlackBody(kelvin); return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }
	for _, c := range []struct{ hot, cold, want float64 }{{2000, 1500, 59.8}, {1500, 1200, 55.4}} {
		if got := luminance(c.hot) / luminance(c.cold); math.Abs(got/c.want-1) > 0.02 {
			t.Errorf("luminance at %g K over %g K: %.2f, want %.2f", c.hot, c.cold, got, c.want)
		}
	}
	if got := luminance(2000); math.Abs(got-1) > 1e-3 {
		t.Errorf("luminance %g at 2000 K, want 1", got)
	}
	if BlackBody(300) != [3]float64{} || BlackBody(math.NaN()) != [3]float64{} {
		t.Error("a cold body glows")
	}
}

// plume returns an uneven cloud, some voxels of which glow.
func plume() []Leaf {
	l := fill([3]int{-24, 0, -24}, [3]int{24, 80, 24}, func(x, y, z int) float64 {
		fx, fy, fz := float64(x), float64(y), float64(z)
		r := math.Hypot(fx-4*math.Sin(fy/9), fz-4*math.Cos(fy/7)) / (6 + fy/8)
		return 40 * max(0, 1-r*r) * (0.6 + 0.4*math.Sin(fx/3)*math.Sin(fy/4)*math.Sin(fz/3))
	})
	for i := range l {
		if l[i].At[1] < 16 {
			l[i].Glow = make([][3]float32, Count)
			for k, s := range l[i].Extinction {
				l[i].Glow[k] = [3]float32{2 * s, s, s / 4}
			}
		}
	}
	return l
}

func studio() Light {
	return Light{
		ToSun: vec.New(0.5, 0.7, -0.4).Unit(), Sun: vec.New(3, 2.9, 2.7), Albedo: vec.New(0.9, 0.88, 0.86), Anisotropy: 0.3, Effort: Usual,
		Around: func(d vec.Vec3) vec.Vec3 { return vec.New(0.3, 0.4, 0.6).Mul(1 + 0.8*d.Y) },
	}
}

// picture returns the light and the transmittance of 40 × 40 rays.
func picture(c *Cloud, shift, step float64) (p [][4]float64) {
	p = make([][4]float64, 40*40)
	par.Each(len(p), func(i int) {
		o := vec.New(shift, 0.4, -3)
		d := vec.New(float64(i%40-20)*0.01+0.0013, float64(i/40-20)*0.011, 1).Unit()
		light, left := c.Gather(o, d, 0, 100, step)
		p[i] = [4]float64{light.X, light.Y, light.Z, left}
	})
	return p
}

// TestSameBytes draws with several numbers of threads.
func TestSameBytes(t *testing.T) {
	var first string
	for _, n := range longtest.Threads() {
		old := runtime.GOMAXPROCS(n)
		c := build(t, plume(), 0.01)
		c.Illuminate(studio())
		got := fmt.Sprint(picture(c, 0, 1))
		runtime.GOMAXPROCS(old)
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%d threads draw another picture", n)
		}
	}
}

// TestCameraMoves moves the camera by tenths of a voxel: a sample changes as much as the
// plume itself does, without a jump where the number of steps in a brick changes.
func TestCameraMoves(t *testing.T) {
	c := build(t, plume(), 0.01)
	c.Illuminate(studio())
	sample := func(shift, step float64) (list []float64) {
		for _, p := range picture(c, shift, step) {
			list = append(list, p[0]+p[3])
		}
		return list
	}
	const tenth = 0.001
	a, exactA := sample(0, 1), sample(0, 0.05)
	for k := 1; k < 4; k++ {
		b, exactB := sample(float64(k)*tenth, 1), sample(float64(k)*tenth, 0.05)
		worst := 0.0
		for i := range a {
			worst = max(worst, math.Abs(b[i]-a[i]-(exactB[i]-exactA[i])))
		}
		if worst > 0.004 {
			t.Errorf("a move by a tenth of a voxel: a sample jumps by %.4f", worst)
		}
		a, exactA = b, exactB
	}
}

// TestStep checks that shorter steps change nothing that is seen.
func TestStep(t *testing.T) {
	c := build(t, plume(), 0.01)
	c.Illuminate(studio())
	fine := picture(c, 0, 0.1)
	for _, step := range []float64{1, 0.5} {
		worst := 0.0
		for i, p := range picture(c, 0, step) {
			worst = max(worst, math.Abs(p[0]-fine[i][0]), math.Abs(p[3]-fine[i][3]))
		}
		if limit := 0.01 * step; worst > limit {
			t.Errorf("steps of %g voxels: a sample is %.5f off, want %.5f", step, worst, limit)
		}
	}
}

// TestAgainstPaths compares the light of smoke with the mean of many paths of photons.
func TestAgainstPaths(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		name   string
		sigma  float64
		albedo float64
		g      float64
		limit  float64
	}{{"thin", 3, 0.9, 0, 0.02}, {"thick", 40, 0.9, 0.3, 0.03}, {"white", 40, 0.98, 0.3, 0.06}, {"forward", 20, 0.9, 0.6, 0.05}} {
		l := studio()
		l.Albedo, l.Anisotropy = vec.New(c.albedo, c.albedo, c.albedo), c.g
		cloud := build(t, ball(20, c.sigma), 0.01)
		cloud.Illuminate(l)
		const side, paths = 10, 150
		sum, exact := make([]float64, side*side), make([]float64, side*side)
		par.Each(side*side, func(i int) {
			o := vec.New((float64(i%side)-4.5)*0.035, (float64(i/side)-4.5)*0.035, -2)
			d := vec.New(0, 0, 1)
			light, left := cloud.Gather(o, d, 0, 4, 1)
			sum[i] = light.Y + left*l.Around(d).Y
			for k := range paths {
				exact[i] += cloud.Path(o, d, num.SplitMix64(uint64(i)<<32+uint64(k))).Y / paths
			}
		})
		a, b := 0.0, 0.0
		for i := range sum {
			a, b = a+sum[i], b+exact[i]
		}
		t.Logf("%s: mean luminance %.4f, by paths %.4f: %+.1f %%", c.name, a/side/side, b/side/side, 100*(a/b-1))
		if math.Abs(a/b-1) > c.limit {
			t.Errorf("%s: mean luminance %.4f, by paths %.4f", c.name, a/side/side, b/side/side)
		}
	}
}

func TestEmpty(t *testing.T) {
	c := build(t, nil, 0.01)
	c.Illuminate(studio())
	if light, left := c.Gather(vec.Vec3{}, vec.New(0, 0, 1), 0, 1, 1); left != 1 || light != (vec.Vec3{}) {
		t.Error("nothing is seen")
	}
	if c.Through(vec.Vec3{}, vec.New(0, 0, 1), 0, 1) != 1 {
		t.Error("nothing dims the light")
	}
	far := []Leaf{{At: [3]int32{-1 << 29, -1 << 29, -1 << 29}}, {At: [3]int32{1 << 29, 1 << 29, 1 << 29}}}
	if _, err := New(far, 0.01); err == nil {
		t.Error("a volume as large as the world has a box in memory")
	}
}

// TestLamps checks the light of a glowing ball on a surface far from it.
func TestLamps(t *testing.T) {
	l := ball(4, 1e-6)
	volume := 0.0
	for i := range l {
		l[i].Glow = make([][3]float32, Count)
		for k, s := range l[i].Extinction {
			if s > 0 {
				l[i].Glow[k] = [3]float32{5, 3, 1}
				volume += 1e-6
			}
		}
	}
	c := build(t, l, 0.01)
	for _, most := range []int{1, 4, 100} {
		lamps := c.Lamps(most, 0.01)
		sum, brightest := vec.Vec3{}, 0.0
		for i := range lamps {
			sum = sum.Add(lamps[i].Irradiance(vec.New(0, -2, 0), vec.New(0, 1, 0)))
			brightest = max(brightest, lamps[i].Intensity.X)
		}
		if want := 5 * volume / (math.Pi * 4); math.Abs(sum.X/want-1) > 0.01 || math.Abs(sum.Z/want-0.2) > 0.01 {
			t.Errorf("%d lamps give %v, want %.3g of red", len(lamps), sum, want)
		}
		if want := min(most, 64); len(lamps) != want || brightest > 1.5*5*volume/float64(want) {
			t.Errorf("%d lamps, want %d; the brightest has %.3g of %.3g", len(lamps), want, brightest, 5*volume)
		}
	}
}

// TestSamples compares the loops over points of a ray with values at single points.
func TestSamples(t *testing.T) {
	d := dice.New(27)
	var b [brickNodes]float32
	var lit [brickNodes][4]float32
	for i := range b {
		b[i] = float32(d.Float(uint64(i)))
		lit[i] = [4]float32{b[i], 2 * b[i], 3 * b[i], 4 * b[i]}
	}
	from, step := [4]float32{0.3, 7.9, 4}, [4]float32{0.7, -0.6, 0.1}
	var all [11][5]float32
	lights(all[:], &lit, &b, &from, &step)
	sum := float32(0)
	for k := range all {
		var x, f [3]float32
		var i [3]int
		for a := range x {
			x[a] = from[a] + float32(float32(k)*step[a])
			i[a] = int(x[a])
			f[a] = x[a] - float32(i[a])
		}
		s := spot{(i[0]*brickSide+i[1])*brickSide + i[2], f[0], f[1], f[2]}
		want := s.value(&b)
		sum += want
		for q, got := range all[k] {
			if times := float32(q%4 + 1); math.Abs(float64(got-times*want)) > 1e-5 {
				t.Errorf("point %d has %g, want %g", k, got, times*want)
			}
		}
	}
	if got := samples(&b, &from, &step, len(all)); math.Abs(float64(got-sum)) > 1e-5 {
		t.Errorf("the samples add up to %g, want %g", got, sum)
	}
}
