// Package canary computes a hash that differs between machines on which the same program gives
// other bits. Machines with one hash can share the work on one film.
//
//	canary.go      the hash
//	canary.toml    the splash that is simulated for it
package canary

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"sync"

	"breakwater/scenes"
	"breakwater/sim/biot"
	"breakwater/sim/dice"
	"breakwater/sim/fft"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

//go:embed canary.toml
var splash []byte

// Sum returns the hash of this machine, in hexadecimal digits. It takes a moment the first
// time. It covers the functions of package math, sums over particles of liquid and gas,
// Fourier transforms, a surface and a traced picture, at the instructions that this
// processor has.
var Sum = sync.OnceValues(func() (string, error) {
	h := sha256.New()
	functions(h)
	vortices(h)
	if err := film(h); err != nil {
		return "", fmt.Errorf("the test of this machine's arithmetic failed: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
})

func add(h hash.Hash, v ...float64) {
	for _, x := range v {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		h.Write(b[:])
	}
}

func addVectors(h hash.Hash, list []vec.Vec3) {
	for _, x := range list {
		add(h, x.X, x.Y, x.Z)
	}
}

// functions adds values of the functions that results depend on.
func functions(h hash.Hash) {
	d := dice.New(1)
	for k := range uint64(500) {
		x := float64(20 * d.Float(k))
		u := float64(2*d.Float(1000+k)) - 1
		add(h, math.Sin(x), math.Cos(x), math.Tan(u), math.Asin(u), math.Acos(u), math.Atan(x), math.Atan2(u, x-10),
			math.Log(x), math.Log10(x), math.Log2(x), math.Log1p(x), math.Expm1(u), math.Exp2(u), math.Cbrt(x), math.Hypot(x, u), math.Sqrt(x),
			num.Exp(u), num.Pow(x, u), num.Erf(u), num.Decay(x), float64(x*u)+1/x)
	}
}

// vortices adds velocities of vortex particles, by sums and on a lattice.
func vortices(h hash.Hash) {
	d := dice.New(2)
	const n = 60
	s := &biot.Sources{}
	point := func(k uint64) vec.Vec3 { return vec.New(d.Float(3*k), d.Float(3*k+1), d.Float(3*k+2)) }
	for k := range uint64(n) {
		s.X, s.Alpha, s.Radius = append(s.X, point(k)), append(s.Alpha, point(n+k)), append(s.Radius, 0.1)
	}
	u := make([]vec.Vec3, n)
	for _, k := range biot.Kernels() {
		biot.Velocity(u, s.X, s, k)
		addVectors(h, u)
	}
	size := [3]int{15, 12, 16}
	var w [3]fft.Field
	for a := range w {
		w[a] = make(fft.Field, size[0]*size[1]*size[2])
		for p := range w[a] {
			w[a][p] = float32(d.Float(uint64(1000+3*p+a)) - 0.5)
		}
	}
	fft.NewSpace(size[0], size[1], size[2]).Curl(w, w, nil)
	for _, list := range w {
		for _, x := range list {
			add(h, float64(x))
		}
	}
}

// film adds the particles, the surface and the picture of a splash.
func film(h hash.Hash) error {
	s, err := scenes.Read("canary.toml", splash)
	if err != nil {
		return err
	}
	b, err := s.Build()
	if err != nil {
		return err
	}
	now := s.Time.At(s.Time.Frames())
	if err := b.World.Advance(b.Solver, now, nil); err != nil {
		return err
	}
	p := &b.World.Set
	addVectors(h, p.X)
	addVectors(h, p.V)
	m := new(mesh.Mesh)
	if err := b.Surface.Surface(m, s.Cloud(b, p, s.Time.Frames(), now)); err != nil {
		return err
	}
	m.Round()
	addVectors(h, m.Pos)
	view := s.View(b)
	view.Camera, view.Liquid = b.CameraAt(now), m
	view.Tank, view.Vessels, view.Solids = b.During(now, view.Shutter)
	picture, err := view.Look.Draw(&view)
	if err != nil {
		return err
	}
	h.Write(picture.Pix)
	return nil
}
