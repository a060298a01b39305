package vortex

import (
	"bytes"
	"math"
	"testing"

	"breakwater/sim/classic/solids"
	"breakwater/sim/longtest"
	"breakwater/sim/par"
	"breakwater/sim/remesh"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// flux returns the volume that flows out of a ball about the origin per time, m³/s: the mean
// over a Gaussian rule in cos θ times an even one about the axis.
func flux(s *Mesh, radius float64) float64 {
	z := []float64{0, 0.4058451513773972, 0.7415311855993945, 0.9491079123427585}
	w := []float64{0.4179591836734694, 0.3818300505051189, 0.2797053914892766, 0.1294849661688697}
	var normals []vec.Vec3
	var weights []float64
	const spokes = 12
	for i := range 7 {
		k, side := (i+1)/2, float64(1-2*(i%2))
		r := math.Sqrt(1 - z[k]*z[k])
		for j := range spokes {
			sin, cos := math.Sincos(2 * math.Pi * (float64(j) + 0.3) / spokes)
			normals = append(normals, vec.New(r*cos, side*z[k], r*sin))
			weights = append(weights, w[k]/2/spokes)
		}
	}
	at := make([]vec.Vec3, len(normals))
	for i, n := range normals {
		at[i] = n.Mul(radius)
	}
	var u [3][]float32
	for a := range u {
		u[a] = par.Resize(u[a], len(at))
	}
	s.lattice.Fetch(u[:], at, s.u[:])
	mean := 0.
	for i, n := range normals {
		mean += weights[i] * vec.New(float64(u[0][i]), float64(u[1][i]), float64(u[2][i])).Dot(n)
	}
	return mean * 4 * math.Pi * radius * radius
}

// TestMeshExpansion compares the flow out of a ball around warm gas that conducts heat with
// the rate of expansion in the ball, ∫ κ∇²T/T dV = κ ∫ (∇T/T)² dV + κ ∮ ∇T/T dS, at two
// spacings.
func TestMeshExpansion(t *testing.T) {
	longtest.NotShort(t)
	const kappa, excess, wide, time, radius = 0.01, 600., 0.25, 1e-3, 0.9
	gas := still()
	gas.Conduction = kappa
	slope := func(r float64) float64 { // of T, over T
		warm := excess * math.Exp(-r*r/(2*wide*wide))
		return -r / (wide * wide) * warm / (gas.Temperature + warm)
	}
	want := kappa * slope(radius) * 4 * math.Pi * radius * radius
	const parts = 4000
	for k := range parts {
		r := (float64(k) + 0.5) / parts * radius
		want += kappa * slope(r) * slope(r) * 4 * math.Pi * r * r * radius / parts
	}
	var errors []float64
	for _, cell := range []float64{1. / 6, 1. / 12} {
		f := &Flow{}
		places(vec.Box{Min: vec.New(-1.25, -1.25, -1.25), Max: vec.New(1.25, 1.25, 1.25)}, cell, func(x vec.Vec3) {
			warm := excess * math.Exp(-x.Dot(x)/(2*wide*wide))
			f.AddVorton(x, vec.Vec3{}, BallRadius(cell*cell*cell), gas.DensityOf(gas.Temperature+warm), Blend{})
		})
		s := newMesh(cell)
		s.Expansion, s.Keep = true, 1e-6
		if err := f.Advance(s, &gas, time, nil); err != nil {
			t.Fatal(err)
		}
		got := flux(s, radius)
		errors = append(errors, math.Abs(got/want-1))
		t.Logf("cells of %.3f m: %.6f m³/s, want %.6f", cell, got, want)
	}
	if errors[1] > 5e-3 || errors[1] > errors[0]/4 {
		t.Errorf("the errors are %.2g; expected the second below 0.005 and a quarter of the first", errors)
	}
}

// TestMeshFlow checks that as much gas leaves a ball as a source in it gives off.
func TestMeshFlow(t *testing.T) {
	f, gas := &Flow{}, still()
	f.Sources = []Source{{Region: &shape.Sphere{Radius: 0.3}, Temperature: gas.Temperature, Flow: 0.2, Stop: math.Inf(1)}}
	s := newMesh(0.1)
	s.Expansion = true
	f.AddVorton(vec.New(1, 1, 1), vec.Vec3{}, 0.06, gas.Density/2, Blend{}) // a place beyond
	f.AddVorton(vec.New(-1, -1, -1), vec.Vec3{}, 0.06, gas.Density/2, Blend{})
	if err := f.Advance(s, &gas, 1e-3, nil); err != nil {
		t.Fatal(err)
	}
	near(t, "flow", flux(s, 0.8), 0.2, 0.002)
}

// TestMeshBurner checks that a burner gives off as much fuel as its flow has, that its gas
// grows by that volume alone, although it is hot, and mixes with the air in its region.
func TestMeshBurner(t *testing.T) {
	longtest.NotShort(t)
	const flow, kelvin, time, cell = 0.02, 600., 0.2, 0.1
	f, gas := &Flow{}, still()
	region := &shape.Sphere{Radius: 0.3}
	f.Sources = []Source{{Region: region, Temperature: kelvin, Flow: flow, Burner: true, Mix: Blend{Fuel: 1}, Stop: math.Inf(1)}}
	s := newMesh(cell)
	s.Expansion, s.Keep, s.LongestStep = true, 1e-6, 0.02
	f.AddVorton(vec.New(1, 1, 1), vec.Vec3{}, 0.06, gas.Density/2, Blend{}) // a place beyond
	f.AddVorton(vec.New(-1, -1, -1), vec.Vec3{}, 0.06, gas.Density/2, Blend{})
	if err := f.Advance(s, &gas, time, nil); err != nil {
		t.Fatal(err)
	}
	near(t, "flow", flux(s, 0.8), flow, 0.01*flow)
	var fuel, most, off float64
	for i, x := range f.Vortons.X {
		if x.Len() > 1 {
			continue
		}
		share, excess := f.Vortons.Mix.Fuel[i], gas.TemperatureOf(f.Vortons.Density[i])-gas.Temperature
		fuel += f.Vortons.Density[i] * f.Vortons.Volume(i) * share
		most, off = max(most, share), max(off, math.Abs(excess-share*(kelvin-gas.Temperature)))
	}
	want := flow * time * gas.DensityOf(kelvin)
	near(t, "mass of fuel", fuel, want, 0.02*want)
	if off > 0.1 {
		t.Errorf("the temperature is up to %g K off the one of a mixture of air and fuel", off)
	}
	// The region had 0.035 of its volume of gas at 600 K, which has half the density of air.
	if most < 0.015 || most > 0.025 {
		t.Errorf("up to %g of the gas is fuel, want about 0.018", most)
	}
}

// TestMeshConserves lets a thin layer of hot fuel spread in cold air and be stirred by a vortex.
// The masses of fuel and of excess heat stay if they are to be conserved. Otherwise there is
// much more fuel in the end.
func TestMeshConserves(t *testing.T) {
	longtest.NotShort(t)
	const cell, time = 0.1, 0.3
	grown := func(conserve bool) (fuel, heat float64) {
		f, gas := &Flow{}, still()
		gas.Conduction = 0.02
		places(vec.Box{Min: vec.New(-1, -1, -1), Max: vec.New(1, 1, 1)}, cell, func(x vec.Vec3) {
			share := math.Exp(-(float64(x.X*x.X) + float64(4*x.Y*x.Y) + float64(x.Z*x.Z)) * 8)
			spin := vec.New(0, 0, 6*math.Exp(-x.Dot(x)*6))
			f.AddVorton(x, spin, BallRadius(cell*cell*cell), gas.DensityOf(gas.Temperature+1200*share), Blend{Fuel: share})
		})
		s := newMesh(cell)
		s.Expansion, s.Conserve, s.Keep = true, conserve, 1e-6
		s.Flame = &Flame{Air: 15} // so that fuel diffuses; it does not burn
		sum := func() (fuel, heat float64) {
			for i, rho := range f.Vortons.Density {
				mass := rho * f.Vortons.Volume(i)
				fuel += mass * f.Vortons.Mix.Fuel[i]
				heat += mass * (gas.TemperatureOf(rho) - gas.Temperature)
			}
			return fuel, heat
		}
		fuel0, heat0 := sum()
		if err := f.Advance(s, &gas, time, nil); err != nil {
			t.Fatal(err)
		}
		fuel1, heat1 := sum()
		return fuel1 / fuel0, heat1 / heat0
	}
	fuel, heat := grown(true)
	near(t, "fuel over fuel at the start", fuel, 1, 0.03)
	near(t, "heat over heat at the start", heat, 1, 0.03)
	if loose, _ := grown(false); loose < 1.1 {
		t.Errorf("without conserve there is %.3f times the fuel in the end; this flow should make more", loose)
	} else {
		t.Logf("with conserve %.4f times the fuel and %.4f times the heat; without, %.3f times the fuel", fuel, heat, loose)
	}
}

// TestMeshBurningBall burns a ball of a mixture to nearly twice its temperature. Gas around it
// then has moved by as much as the ball grew: r³ − r₀³ is the growth of its volume over 4π/3.
func TestMeshBurningBall(t *testing.T) {
	longtest.NotShort(t)
	const cell, radius, fuel, rate, time = 0.1, 0.5, 0.1, 10., 0.2
	f, gas := &Flow{}, still()
	var warmth, heat float64 // ∫ (T₁/T₀ − 1) dV before and after the growth
	places(vec.Box{Min: vec.New(-0.8, -0.8, -0.8), Max: vec.New(0.8, 0.8, 0.8)}, cell, func(x vec.Vec3) {
		share := min(1, max(0, (radius-x.Len())/(4*cell)+0.5))
		f.AddVorton(x, vec.Vec3{}, BallRadius(cell*cell*cell), gas.Density, Blend{Fuel: fuel * share})
		share *= 1 - math.Exp(-rate*time)
		warmth += share * cell * cell * cell
		heat += share * (1 + share) * cell * cell * cell
	})
	from := []vec.Vec3{{X: 1}, {Y: -1}, {X: 0.6, Z: 0.8}}
	for _, x := range from {
		f.AddTracer(x, gas.Temperature, Blend{})
	}
	s := newMesh(cell)
	s.Expansion, s.LongestStep = true, 0.05
	s.Flame = &Flame{Rate: rate, SmokeTemperature: 2000, Heat: gas.HeatCapacity * gas.Temperature / fuel}
	if err := f.Advance(s, &gas, time, nil); err != nil {
		t.Fatal(err)
	}
	for i, x := range f.Tracers.X {
		near(t, "distance", x.Len(), math.Cbrt(1+warmth*3/(4*math.Pi)), 0.003)
		near(t, "direction", x.Unit().Dot(from[i]), 1, 1e-4)
	}
	sum := 0.
	for i := range f.Vortons.X {
		sum += (gas.TemperatureOf(f.Vortons.Density[i])/gas.Temperature - 1) * f.Vortons.Volume(i)
	}
	near(t, "∫ (T₁/T₀ − 1) dV after the growth", sum, heat, 0.03*heat)
}

// TestMeshFlameSheet lets a ball of fuel burn in air as fast as they mix, at rest. Then all
// there is follows from the mixture fraction Z, the share of what was fuel, which diffuses
// alone (Burke and Schumann, Diffusion flames, Ind. Eng. Chem. 20, 1928): below Z = 1/(1 + air)
// all fuel has burnt, above it all air, and the heat is proportional to what has burnt.
func TestMeshFlameSheet(t *testing.T) {
	longtest.NotShort(t)
	const cell, wide, ratio, heat, kappa, time = 0.1, 0.3, 4., 2e6, 0.02, 0.5
	f, gas := &Flow{}, still()
	gas.Conduction = kappa
	places(vec.Box{Min: vec.New(-1.2, -1.2, -1.2), Max: vec.New(1.2, 1.2, 1.2)}, cell, func(x vec.Vec3) {
		f.AddVorton(x, vec.Vec3{}, BallRadius(cell*cell*cell), gas.Density, Blend{Fuel: 0.9 * math.Exp(-x.Dot(x)/(2*wide*wide))})
	})
	s := newMesh(cell)
	s.Keep, s.Flame = 1e-6, &Flame{Rate: 1e9, SmokeTemperature: 2000, Heat: heat, Air: ratio}
	if err := f.Advance(s, &gas, time, nil); err != nil {
		t.Fatal(err)
	}
	v := &f.Vortons
	spread := wide*wide + 2*kappa*time
	height := 0.9 * math.Pow(wide*wide/spread, 1.5)
	var fuel, flame, warm float64
	for i, x := range v.X {
		z := height * math.Exp(-x.Dot(x)/(2*spread))
		burnt := min(z, (1-z)/ratio)
		fuel = max(fuel, math.Abs(v.Mix.Fuel[i]-(z-burnt)))
		flame = max(flame, math.Abs(v.Mix.Flame[i]-burnt*(1+ratio)))
		warm = max(warm, math.Abs(gas.TemperatureOf(v.Density[i])-gas.Temperature-burnt*heat/gas.HeatCapacity))
	}
	hottest := heat / (1 + ratio) / gas.HeatCapacity
	t.Logf("errors: fuel %.3g, flame %.3g, temperature %.3g of the highest", fuel, flame, warm/hottest)
	if max(fuel, flame, warm/hottest) > 0.015 {
		t.Errorf("errors: fuel %.3g, flame %.3g, temperature %.3g of the highest", fuel, flame, warm/hottest)
	}
}

// TestMeshSoot checks that soot forms of hot fuel alone, and that burning keeps the share of
// what was fuel.
func TestMeshSoot(t *testing.T) {
	f := &Flame{Activation: 15000, Rate: 1e7, SmokeTemperature: 2000, Heat: 1, Air: 15, Soot: 10}
	was := func(m Blend) float64 { return m.Fuel + m.Smoke + m.Flame/(1+f.Air) }
	for _, kelvin := range []float64{300, 1000, 1500, 2000} {
		for _, b := range []Blend{{Fuel: 0.5}, {Fuel: 0.02, Flame: 0.3}, {Smoke: 0.01}, {Fuel: 0.3, Flame: 0.7}} {
			m := b
			burnt := f.burn(&m, kelvin, 0.1)
			near(t, "share of fuel", was(m), was(b), 1e-12)
			if air := 1 - m.Fuel - m.Flame - m.Smoke; air < -1e-12 || burnt < 0 {
				t.Errorf("%v at %g K: %.3g of air, %.3g burnt", b, kelvin, air, burnt)
			}
			if grown := m.Smoke - b.Smoke; kelvin == 300 && math.Abs(grown) > 1e-9 || kelvin == 2000 && (grown > 0.01) != (b.Fuel >= 0.3) {
				t.Errorf("%v at %g K: soot is %.3g", b, kelvin, m.Smoke)
			}
		}
	}
}

// TestMeshFlameTemperature checks that a flame between a source and a body stays below the
// temperature of gas that was as hot as the hottest source and burnt completely.
func TestMeshFlameTemperature(t *testing.T) {
	longtest.Only(t)
	f, gas, run := plume(t)
	s := run()
	f.Bodies = []*Body{freeBall(t, vec.New(0, 0.2, 0), 0.3, 1)}
	f.Bodies[0].Temperature = gas.Temperature
	s.Cell, s.Expansion, s.LongestStep = 0.15, true, 0.01
	s.Flame = &Flame{Activation: 10000, Rate: 1e6, SmokeTemperature: 2000, Heat: 1.2e7, Air: 6, Soot: 1}
	f.Sources[0].Temperature, f.Sources[0].Mix, f.Sources[0].Tracers = 700, Blend{Fuel: 1}, 0
	const pilot = 1500
	f.Sources = append(f.Sources, Source{Region: &shape.Sphere{Center: vec.New(0.3, -0.2, 0), Radius: 0.2}, Temperature: pilot, Stop: math.Inf(1)})
	most := pilot + s.Flame.Heat/(gas.HeatCapacity*(1+s.Flame.Air))
	hottest := 0.
	for frame := range 6 {
		if err := f.Advance(s, &gas, float64(frame+1)*0.05, nil); err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Vortons.Density {
			hottest = max(hottest, gas.TemperatureOf(d))
		}
	}
	if t.Logf("%.0f K", hottest); hottest < 1700 || hottest > 1.01*most {
		t.Errorf("the flame has up to %.0f K, expected above 1700 K and at most %.0f K", hottest, most)
	}
}

// TestMeshBurnerBound checks how hot gas of a burner may be, whose fuel burns without air: as the source,
// and hotter by the heat of what has burnt since. Gas of other sources has no bound.
func TestMeshBurnerBound(t *testing.T) {
	gas := still()
	gas.HeatCapacity = 1000
	s, f := newMesh(0.1), &Flow{}
	s.Flame = &Flame{Rate: 4, SmokeTemperature: 1000, SmokeRate: 10, Heat: 5e5}
	f.Sources = []Source{{Region: &shape.Sphere{Radius: 0.2}, Temperature: 1300, Mix: Blend{Fuel: 0.6, Flame: 0.4}, Burner: true, Stop: math.Inf(1)}}
	s.bounds(f, &gas)
	for burnt, want := range map[Blend]float64{{Fuel: 0.6, Flame: 0.4}: 1300, {Flame: 1}: 1600, {Flame: 0.3, Smoke: 0.7}: 1600, {Fuel: 0.6, Flame: 0.1, Smoke: 0.3}: 1300} {
		got := gas.above(s.most + s.mixtureHeat(float32(burnt.Fuel), float32(burnt.Flame), float32(burnt.Smoke)))
		if math.Abs(got-want) > 0.01 {
			t.Errorf("%v may have %g K, expected %g K", burnt, got, want)
		}
	}
	f.Sources[0].Burner = false
	if s.bounds(f, &gas); !math.IsInf(float64(s.most), 1) {
		t.Errorf("gas that is not of a burner may be %g K warmer than the air", s.most)
	}
}

// TestMeshBodyKeepsMixture puts a body into burnt gas. None of it gets hotter than the heat of
// what has burnt in it, or it could burn again.
func TestMeshBodyKeepsMixture(t *testing.T) {
	const cell, burnt = 0.1, 0.5
	f, gas := &Flow{}, still()
	gas.HeatCapacity = 1000
	s := newMesh(cell)
	s.Flame = &Flame{Activation: 10000, Rate: 1e6, SmokeTemperature: 2000, Heat: 1.2e7, Air: 6}
	heat := s.Flame.Heat / (gas.HeatCapacity * (1 + s.Flame.Air))
	places(vec.Box{Min: vec.New(-0.5, -0.5, -0.5), Max: vec.New(0.5, 0.5, 0.5)}, cell, func(x vec.Vec3) {
		f.AddVorton(x, vec.Vec3{}, BallRadius(cell*cell*cell), gas.DensityOf(gas.Temperature+heat*burnt), Blend{Flame: burnt})
	})
	f.Bodies = []*Body{freeBall(t, vec.New(0.1, 0, 0), 0.2, 1)}
	f.Bodies[0].Temperature = gas.Temperature
	if err := f.Advance(s, &gas, 0.1, nil); err != nil {
		t.Fatal(err)
	}
	for i, d := range f.Vortons.Density {
		if got, most := gas.TemperatureOf(d)-gas.Temperature, heat*f.Vortons.Mix.Flame[i]; got > most+1 {
			t.Fatalf("gas at %v is %.0f K warmer than the air, and %.2f of it has burnt: %.0f K", f.Vortons.X[i], got, f.Vortons.Mix.Flame[i], most)
		}
	}
}

// TestMeshSootSettles puts a body into gas with soot. None stays inside the body, where it
// would glow, and burnt gas takes its place.
func TestMeshSootSettles(t *testing.T) {
	const cell, soot, burnt = 0.1, 0.25, 0.5
	f, gas := &Flow{}, still()
	s := newMesh(cell)
	s.Flame = &Flame{Activation: 1e6, Rate: 1, Air: 6}
	places(vec.Box{Min: vec.New(-0.5, -0.5, -0.5), Max: vec.New(0.5, 0.5, 0.5)}, cell, func(x vec.Vec3) {
		f.AddVorton(x, vec.Vec3{}, BallRadius(cell*cell*cell), gas.Density, Blend{Flame: burnt, Smoke: soot})
	})
	f.Bodies = []*Body{freeBall(t, vec.New(0.1, 0, 0), 0.2, 1)}
	f.Bodies[0].Temperature = gas.Temperature
	if err := f.Advance(s, &gas, 0.1, nil); err != nil {
		t.Fatal(err)
	}
	inside := 0
	for i, x := range f.Vortons.X {
		smoke, flame := f.Vortons.Mix.Smoke[i], f.Vortons.Mix.Flame[i]
		if x.Sub(f.Bodies[0].X).Len() < 1.2*cell {
			inside++
			if smoke > 1e-6 {
				t.Errorf("a share of soot of %g at %v in the body", smoke, x)
			}
		}
		if edge := max(math.Abs(x.X), math.Abs(x.Y), math.Abs(x.Z)); edge < 0.25 && math.Abs(smoke+flame-soot-burnt) > 1e-3 {
			t.Errorf("shares of %g and %g at %v add up to other than %g", smoke, flame, x, soot+burnt)
		}
	}
	if inside < 5 {
		t.Errorf("%d nodes in the body", inside)
	}
}

// TestMeshExpansionSameBytes checks that a run in which gas expands and burns with air has the
// same bytes on any number of threads, and after its state was written and restored.
func TestMeshExpansionSameBytes(t *testing.T) {
	make := func() (*Flow, Gas, *Mesh) {
		f, gas, s := plume(t)
		run := s()
		run.Cell, run.Expansion, run.Conserve, run.Flame.Air, run.Flame.Soot = 0.15, true, true, 4, 10
		f.Sources[0].Flow = 0.1
		return f, gas, run
	}
	var want []byte
	for n := range longtest.OnThreads() {
		f, gas, run := make()
		for frame := range 2 {
			if err := f.Advance(run, &gas, float64(frame+1)*0.05, nil); err != nil {
				t.Fatal(err)
			}
			state := f.State(&gas)
			if n > 1 && frame == 0 {
				g, _, fresh := make()
				if err := g.Restore(state); err != nil {
					t.Fatal(err)
				}
				g.Time = f.Time
				f, run = g, fresh
			}
		}
		got := bytesOf(t, f)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("other bytes on %d threads", n)
		}
	}
}

// TestMeshVorticityHasNoSources compares the vorticity of a hot plume, after a step of many
// parts, with the curl of its velocity. The difference has sources, which stretching feeds
// until the plume blows up.
func TestMeshVorticityHasNoSources(t *testing.T) {
	longtest.Only(t)
	f, gas := &Flow{}, Air()
	gas.Gravity = vec.New(0, -9.81, 0)
	const cell = 0.1
	f.Sources = []Source{{Region: &shape.Cylinder{Top: vec.New(0, 1.5*cell, 0), Radius: 0.5}, Temperature: 1500, Flow: 0.25, Stop: math.Inf(1)}}
	s := newMesh(cell)
	s.Expansion, s.LongestStep = true, 1.2
	s.Low, s.High = vec.New(-1.25, -2*cell, -1.25), vec.New(1.25, 2, 1.25)
	if err := f.Advance(s, &gas, 1.2, nil); err != nil {
		t.Fatal(err)
	}
	s.load(&f.Vortons, &gas)
	s.toNodes(s.x, s.now[:])
	s.velocity()
	s.cleared(s.rate[:3])
	s.lattice.Curl(remesh.Vector(s.rate[:3]), s.u, 1)
	off, all := 0., 0.
	for a, w := range s.vorticity() {
		for p := range w {
			off, all = off+math.Pow(float64(w[p]-s.rate[a][p]), 2), all+math.Pow(float64(w[p]), 2)
		}
	}
	if t.Logf("%.3f", math.Sqrt(off/all)); math.Sqrt(off/all) > 0.1 {
		t.Errorf("the vorticity is %.3f off the curl of the velocity, expected at most 0.1", math.Sqrt(off/all))
	}
}

// TestMeshRange lets hot gas rise off a floor that takes no heat, and whose own temperature
// thus does not count. No gas gets colder than the air or hotter than the source.
func TestMeshRange(t *testing.T) {
	longtest.Only(t)
	f, gas := &Flow{}, Air()
	gas.Gravity = vec.New(0, -9.81, 0)
	const cell, hot = 1. / 6, 1500.
	f.Sources = []Source{{Region: &shape.Cylinder{Bottom: vec.Vec3{}, Top: vec.New(0, 1.5*cell, 0), Radius: 0.5}, Temperature: hot, Flow: 0.25, Stop: math.Inf(1)}}
	f.Bodies = []*Body{NewBody(solids.NewBox(vec.New(0, -0.5, 0), vec.New(2, 0.5, 2)), vec.Turn(vec.Vec3{}))}
	s := newMesh(cell)
	s.Expansion, s.Low, s.High = true, vec.New(-1.25, -2*cell, -1.25), vec.New(1.25, 2.5, 1.25)
	least, most := math.Inf(1), 0.
	err := f.Advance(s, &gas, 1.2, func(StepInfo) error {
		for _, d := range f.Vortons.Density {
			least, most = min(least, gas.TemperatureOf(d)), max(most, gas.TemperatureOf(d))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if least < gas.Temperature-0.1 || most > hot+0.1 {
		t.Errorf("%.1f to %.1f K, want %.1f to %.1f", least, most, gas.Temperature, hot)
	}
}
