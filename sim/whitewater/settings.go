package whitewater

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breakwater/sim/vec"
)

// Settings are what a scene says about whitewater. DefaultSettings has the defaults.
type Settings struct {
	Air   float64 `toml:"air" unit:"1" range:"[0, 10]" doc:"Volume of air that is caught where water meets water, over the area that meets times its fall height, (speed² − onset²)/2g or depth if this is less. 0 makes neither bubbles nor foam."`
	Onset float64 `toml:"onset" unit:"m/s" range:"[0, 100]" doc:"Speed of approach below which no air is caught. 0 derives it from the surface tension: √(8σ/(ρ · 0.9 mm)), 0.80 m/s for water."`
	Depth float64 `toml:"depth" unit:"m" range:"(0, 1000]" doc:"Fall height above which a surface catches no more air."`

	Spray     float64   `toml:"spray" unit:"1" range:"[0, 1]" doc:"Share of the isolated particles that are shown as drops; the others stay in the mesh."`
	Group     int       `toml:"group" range:"[1, 20]" doc:"Largest group of particles that becomes spray."`
	Drop      []float64 `toml:"drop" unit:"m" range:"[1e-5, 0.1]" doc:"Smallest and largest radius of the drops."`
	DropPower float64   `toml:"drop_power" unit:"1" range:"[-6, 2]" doc:"Power of the radius that the number of drops is proportional to."`
	Crest     float64   `toml:"crest" unit:"1" range:"[0, 1]" doc:"Share of the volume of thin rims, faster than 2 m/s, that they add as fine drops in each 0.1 s. It is not taken from the liquid."`
	Mist      float64   `toml:"mist" unit:"1" range:"[0, 0.5]" doc:"Share of the volume of the drops that is mist, with radii of 20 to 100 um."`

	Bubble   []float64 `toml:"bubble" unit:"m" range:"[1e-6, 0.1]" doc:"Smallest and largest radius of the bubbles."`
	FoamLife float64   `toml:"foam_life" unit:"s" range:"(0, 1e5]" doc:"Time in which a thin foam falls to 1/e. A layer of 3 cm lasts five times as long."`
	Lace     float64   `toml:"lace" unit:"1" range:"[0, 10]" doc:"Strength of the holes that open in foam; 0 for an even foam."`

	Wind   vec.Vec3 `toml:"wind" unit:"m/s" range:"[-200, 200]" doc:"Velocity of the air, which drags drops and mist."`
	Detail float64  `toml:"detail" unit:"1/mL" range:"[0.01, 1e6]" doc:"Parcels per millilitre of spray. A millilitre of air has a quarter of them."`
	Most   int      `toml:"most" range:"[1, 1e9]" doc:"Number of parcels above which they are thinned, and the others stand for more."`
	Seed   int      `toml:"seed" range:"[0, 1e9]" doc:"Seed of the random numbers."`

	Sources []string `toml:"sources" doc:"Sources of the parcels; see breakwater list."`
}

// DefaultSettings returns the settings of a scene that has none.
func DefaultSettings() Settings {
	return Settings{
		Air: 0.35, Depth: 0.05,
		Spray: 1, Group: 8, Drop: []float64{0.3e-3, 4e-3}, DropPower: -2, Crest: 0.01, Mist: 0.002,
		Bubble: []float64{0.1e-3, 4e-3}, FoamLife: 2.5, Lace: 1,
		Detail: 12, Most: 2_000_000,
		Sources: []string{"strays", "entrainment", "crests"},
	}
}

// Check returns the faults of s, or nil.
func (s *Settings) Check() error {
	var list []error
	for _, key := range s.Faults() {
		list = append(list, key)
	}
	return errors.Join(list...)
}

// Fault is a setting that is wrong.
type Fault struct {
	Key  string
	What string // after the key: "has three radii; …"
}

// Error implements error.
func (f *Fault) Error() string { return fmt.Sprintf("whitewater: %s %s", f.Key, f.What) }

// Faults returns all that is wrong with s beyond the intervals of its tags.
func (s *Settings) Faults() (list []*Fault) {
	for _, r := range []struct {
		key   string
		radii []float64
	}{{"drop", s.Drop}, {"bubble", s.Bubble}} {
		switch {
		case len(r.radii) != 2:
			list = append(list, &Fault{r.key, fmt.Sprintf("has length %d; expected two radii, the smallest and the largest", len(r.radii))})
		case !(r.radii[0] > 0) || !(r.radii[1] >= r.radii[0]):
			list = append(list, &Fault{r.key, fmt.Sprintf("has the radii %g m and %g m; expected the smallest, above 0, and then the largest", r.radii[0], r.radii[1])})
		}
	}
	for i, name := range s.Sources {
		switch {
		case !slices.Contains(Sources.Names(), name):
			list = append(list, &Fault{"sources", fmt.Sprintf("names %q, which is not known; known are %s", name, strings.Join(Sources.Names(), ", "))})
		case slices.Contains(s.Sources[:i], name):
			list = append(list, &Fault{"sources", fmt.Sprintf("names %q twice", name)})
		}
	}
	for _, n := range []struct {
		key string
		x   float64
	}{{"air", s.Air}, {"depth", s.Depth}, {"spray", s.Spray}, {"drop_power", s.DropPower}, {"crest", s.Crest},
		{"mist", s.Mist}, {"foam_life", s.FoamLife}, {"lace", s.Lace}, {"detail", s.Detail}, {"onset", s.Onset}} {
		if math.IsNaN(n.x) || math.IsInf(n.x, 0) {
			list = append(list, &Fault{n.key, "is not a finite number"})
		}
	}
	for _, n := range []struct {
		key string
		x   float64
	}{{"depth", s.Depth}, {"foam_life", s.FoamLife}, {"detail", s.Detail}, {"most", float64(s.Most)}} {
		if n.x <= 0 {
			list = append(list, &Fault{n.key, "must be above 0"})
		}
	}
	return list
}
