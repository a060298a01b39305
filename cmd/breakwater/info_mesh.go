package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"breakwater/surface/mesh"
)

// aDrop is the share of the largest piece's volume below which another piece
// is counted as a drop.
const aDrop = 0.01

// meshInfo is what --json says of a mesh.
type meshInfo struct {
	mesh.Report
	Sound  bool             `json:"sound"` // closed, manifold, oriented, and without blades and cavities
	Faults []string         `json:"faults"`
	Pieces []mesh.Component `json:"pieces"`
}

// inspect measures m, and names its faults.
func inspect(m *mesh.Mesh) *meshInfo {
	i := &meshInfo{Report: m.Report(), Faults: []string{}}
	_, i.Pieces = m.Components()
	if err := m.Check(); err != nil {
		i.Faults = append(i.Faults, err.Error())
	} else if err := m.Blades(); err != nil {
		i.Faults = append(i.Faults, err.Error())
	}
	i.Sound = len(i.Faults) == 0 && i.Cavities == 0
	return i
}

// describeMesh says what m holds.
func (c *infoCommand) describeMesh(w io.Writer, m *mesh.Mesh) error {
	i := inspect(m)
	if c.JSON {
		if err := i.writeJSON(w); err != nil {
			return err
		}
	} else {
		i.write(w)
	}
	if c.Check {
		return i.err()
	}
	return nil
}

// err returns an error if the mesh is not sound.
func (i *meshInfo) err() error {
	switch {
	case len(i.Faults) > 0:
		return errors.New("the mesh is not closed, manifold and oriented, or has protruding triangles")
	case i.Cavities > 0:
		return fmt.Errorf("the mesh has %d inner cavities", i.Cavities)
	}
	return nil
}

func (i *meshInfo) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(i)
}

func (i *meshInfo) write(w io.Writer) {
	row(w, "vertices", "%d", i.Vertices)
	row(w, "triangles", "%d in %d pieces", i.Triangles, i.Components)
	if i.Vertices > 0 {
		bounds(w, i.Bounds)
	}
	row(w, "volume", "%.6g m³", i.Volume)
	row(w, "area", "%.6g m²", i.Area)
	var main, drops, air float64
	for _, p := range i.Pieces {
		main = max(main, p.Volume)
	}
	n, least, mean := 0, 1.0, 0.0
	for _, p := range i.Pieces {
		switch {
		case p.Volume < 0:
			air -= p.Volume
		case p.Volume < aDrop*main:
			n++
			drops += p.Volume
			least, mean = min(least, p.Sphericity()), mean+p.Sphericity()
		}
	}
	if n > 0 {
		row(w, "drops", "%d below %g %% of the largest piece, %.6g m³ together; sphericity %.3f, at least %.3f", n, 100*aDrop, drops, mean/float64(n), least)
	}
	if i.Cavities > 0 {
		row(w, "cavities", "%d, %.6g m³ of air together", i.Cavities, air)
	} else {
		row(w, "cavities", "none")
	}
	if i.Triangles > 0 {
		row(w, "angles", "smallest angle of a triangle: %.2f° on average, below %.2f° for 1 %%, below 20° for %.4f %%", i.MinAngleMean, i.MinAngleP1, 100*i.Slivers)
		row(w, "dihedral", "across an edge: %.3f° on average, above %.2f° for 5 %%", i.DihedralMean, i.DihedralP95)
	}
	if len(i.Faults) == 0 {
		row(w, "faults", "none: closed, manifold, oriented, without protruding triangles")
	}
	for _, f := range i.Faults {
		row(w, "faults", "%s", f)
	}
}
