package figure

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"breakwater/sim/registry"
)

func init() {
	Figures.Register(registry.Entry[Figure]{
		Name: "whitewater-spacing", Doc: "volumes of air and drops against the spacing, of the runs in a folder, for each list of sources",
		New: func(d registry.Decode) (Figure, error) { return whitewaterSpacing{}, d(&struct{}{}) },
	})
}

// whitewaterSpacing plots the volumes of whitewater at the last frame of runs against the
// spacings of these. Runs with the same sources of whitewater are a curve.
type whitewaterSpacing struct{}

// OfRun implements OfRun.
func (whitewaterSpacing) OfRun() {}

// Plot implements Figure.
func (whitewaterSpacing) Plot(runs fs.FS) (*Plot, error) {
	if runs == nil {
		return nil, errors.New("figure: whitewater-spacing shows runs: name the folder that they are in")
	}
	names, err := fs.Glob(runs, "*/"+whitewaterTable)
	if err != nil {
		return nil, err
	}
	type end struct{ spacing, air, drops float64 }
	ends := map[string][]end{} // by the names of the sources
	for _, name := range names {
		folder := strings.TrimSuffix(name, "/"+whitewaterTable)
		of, err := fs.Sub(runs, folder)
		if err != nil {
			return nil, err
		}
		text, err := fs.ReadFile(of, "manifest.json")
		if err != nil {
			return nil, fmt.Errorf("figure: %w; finish the run %s", err, folder)
		}
		var manifest struct {
			Spacing float64  `json:"spacing"`
			Sources []string `json:"sources"`
		}
		if err := json.Unmarshal(text, &manifest); err != nil {
			return nil, fmt.Errorf("figure: manifest.json: %w (run %s)", err, folder)
		}
		if !(manifest.Spacing > 0) || len(manifest.Sources) == 0 {
			return nil, fmt.Errorf("figure: manifest.json names no spacing or no sources of whitewater; make it again with the command whitewater (run %s)", folder)
		}
		t, err := readTable(of, whitewaterTable, "whitewater")
		if err != nil {
			return nil, fmt.Errorf("%w (run %s)", err, folder)
		}
		const litres, centimetres = 1000, 100
		air, drops := t.column("air_entrained_m3", litres), t.column("sprayed_m3", litres)
		if t.err != nil {
			return nil, fmt.Errorf("%w (run %s)", t.err, folder)
		}
		last := len(air) - 1
		sources := strings.Join(manifest.Sources, ", ")
		ends[sources] = append(ends[sources], end{centimetres * manifest.Spacing, air[last], drops[last]})
	}
	if len(ends) == 0 {
		return nil, &Missing{"no folder in it has a whitewater.csv; make them with the command whitewater, of a scene with [whitewater]"}
	}
	x := Axis{Label: "spacing d (cm)", Log: true}
	panels := []Panel{
		{Name: "air entrained", Title: "(a)", X: x, Y: Axis{Label: "air entrained (L)"}},
		{Name: "sprayed", Title: "(b)", X: x, Y: Axis{Label: "liquid sprayed (L)"}},
	}
	var keys []string
	for sources := range ends {
		keys = append(keys, sources)
	}
	slices.Sort(keys)
	for _, sources := range keys {
		list := ends[sources]
		slices.SortFunc(list, func(a, b end) int { return cmp.Compare(a.spacing, b.spacing) })
		curves := [2]Curve{}
		for k := range curves {
			curves[k] = Curve{Name: sources, Both: true}
		}
		for i, e := range list {
			if i > 0 && e.spacing == list[i-1].spacing {
				return nil, fmt.Errorf("figure: two runs with the sources %s have a spacing of %g cm", sources, e.spacing)
			}
			for k, y := range []float64{e.air, e.drops} {
				curves[k].X, curves[k].Y = append(curves[k].X, e.spacing), append(curves[k].Y, y)
			}
		}
		for k := range panels {
			panels[k].Curve = append(panels[k].Curve, curves[k])
		}
	}
	return &Plot{Columns: 2, Panels: panels, Caption: "Whitewater at the last frame against the spacing of the particles, for each list of sources: (a) air entrained since the start, (b) liquid sprayed since the start."}, nil
}
