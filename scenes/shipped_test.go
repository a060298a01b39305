package scenes

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"breakwater/scenes/shipped"
	"breakwater/scenes/toml"
	"breakwater/sim/longtest"
	"breakwater/sim/shape"
)

// ofArticle reports whether a scene belongs to an older article, of few particles that
// are pressed together.
func ofArticle(x shipped.Scene) bool { return strings.HasPrefix(x.Name, "article-") }

// liquids returns the shipped scenes that have a liquid. They are loaded once.
var liquids = sync.OnceValue(func() []shipped.Scene {
	return slices.DeleteFunc(shipped.Scenes(), func(x shipped.Scene) bool {
		s, err := Load(x.Name)
		return err == nil && s.Gas != nil
	})
})

// TestShipped builds every shipped scene: all its particles are there, clear
// of walls, and enough for a film. No settings give poor results, and the tank
// stands in the picture.
func TestShipped(t *testing.T) {
	longtest.NotShort(t)
	if len(shipped.Scenes()) < 5 {
		t.Errorf("%d scenes", len(shipped.Scenes()))
	}
	for _, x := range shipped.Scenes() {
		if (x.Name == "plugged-drain" || x.Name == "tumbler") && !longtest.On() { // seconds each, for their walls
			continue
		}
		s, err := Load(x.Name)
		if err != nil {
			t.Errorf("%s:\n%v", x.Name, err)
			continue
		}
		b, err := s.Build()
		if err != nil {
			t.Errorf("%s:\n%v", x.Name, err)
			continue
		}
		if x.Doc == "" || s.Title == "" {
			t.Errorf("%s: the file lacks a first line that says what it is, or a title", x.Name)
		}
		if s.Name != x.Name || s.Path != "" {
			t.Errorf("%s: loaded as %q from %q", x.Name, s.Name, s.Path)
		}
		least, most := 6000, 200_000 // enough for a film, and few enough for minutes
		if s.Gas != nil {
			most = 300_000 // tracers take less time
		}
		if ofArticle(x) {
			least = 1000
		}
		if look, ok := b.Look.(interface{ ShowsNodes() bool }); ok && look.ShowsNodes() {
			least = 0 // there are no tracers, and sources fill the nodes
		}
		count := b.Most
		if s.Gas != nil && s.Solver.Kind == "mesh" {
			count -= b.Flow.Vortons.Len() // these are nodes of the lattice, which come and go
		}
		if count < least || count > most {
			t.Errorf("%s: %d particles and %d to come", x.Name, b.Start, b.Most-b.Start)
		}
		if f := s.Time.Frames(); s.Time.FPS < 24 || s.Time.FPS > 30 || f < 30 {
			t.Errorf("%s: %d frames", x.Name, f)
		}
		if len(b.Warnings) > 0 {
			t.Errorf("%s: %q", x.Name, b.Warnings)
		}
		standsInPicture(t, s, b)
		d := s.Liquid.Spacing
		for k, p := range b.World.X {
			if b.World.InBuffer(b.World.ID[k], 0) {
				continue
			}
			for i, w := range b.World.Walls {
				if t0, _ := w.Dist(p); t0 < 0.499*d && !b.World.Packs() || t0 < 0 {
					t.Fatalf("%s: a particle at %v is %g m from wall[%d]", x.Name, p, t0, i)
				}
			}
		}
		if ofArticle(x) {
			continue // with round blocks, and boxes that turn
		}
		// The lattice should fill each block: space left at its far side is a gap in the
		// picture.
		if s.Gas != nil {
			continue // which has neither a tank nor blocks
		}
		volume, round := 0., false
		var f toml.Report
		for _, block := range s.parts(&f).shapes {
			_, box := block.(*shape.Box)
			volume, round = volume+block.Bounds().Volume(), round || !box
		}
		fill := 0.99
		if len(s.Body) > 0 { // which may float in it from the start
			fill = 0.97
		}
		if got := float64(b.World.Len()) * d * d * d; !round && len(s.Inflow) == 0 && (got < fill*volume || got > 1.01*volume) {
			t.Errorf("%s: the particles have %.4f m³, the blocks %.4f", x.Name, got, volume)
		}
		hidden := slices.ContainsFunc(s.Wall, func(w Wall) bool { return w.Hidden })
		if tank, vessels, _ := b.At(0); tank == nil && len(vessels) == 0 && !hidden || tank != nil && b.Floor != tank.Min.Y {
			t.Errorf("%s: tank %v on a floor at %g", x.Name, tank, b.Floor)
		}
	}
}

// standsInPicture checks that no corner at the foot of a tank is cut by the edge of the
// picture: it is well in it, or far out.
func standsInPicture(t *testing.T, s *Scene, b *Built) {
	t.Helper()
	if s.framed() || b.Tank == nil {
		return // whole
	}
	at, box := b.Shot.At(0), b.Tank.Box
	w, h := s.Picture.Size[0], s.Picture.Size[1]
	for k := range 4 {
		p := box.Min
		if k&1 != 0 {
			p.X = box.Max.X
		}
		if k&2 != 0 {
			p.Z = box.Max.Z
		}
		u, v := at.Point(p, w, h)
		u, v = u/float64(w), v/float64(h)
		in := min(u, 1-u, v, 1-v) // share of the picture's sides
		if in > -0.065 && in < 0.02 {
			t.Errorf("%s: the corner of the tank at %v is at (%.3f, %.3f) of the picture", s.Name, p, u, v)
		}
	}
}
