package main

import (
	"fmt"
	"io"
	"math"
	"math/bits"

	"breakwater/out/vdb"
	"breakwater/sim/vec"
)

// describeVolume lists the grids of an OpenVDB file of any program, in its own axes and
// unit.
func describeVolume(w io.Writer, r io.ReaderAt, size int64) error {
	f, err := vdb.Open(r, size)
	if err != nil {
		return err
	}
	if f.Creator != "" {
		fmt.Fprintf(w, "made by\t%s\n", f.Creator)
	}
	for _, g := range f.Grids {
		if g.Width == 0 {
			fmt.Fprintf(w, "%s\t%s, which is not read\n", g.Name, g.Type)
			continue
		}
		if err := f.Load(g); err != nil {
			return err
		}
		what := "numbers"
		if g.Width == 3 {
			what = "vectors"
		}
		s := sizeOf(g)
		fmt.Fprintf(w, "%s\t%s of %s, %d voxels of %.4g × %.4g × %.4g", g.Name, g.Class, what, s.voxels, axis(g, 0), axis(g, 1), axis(g, 2))
		if s.voxels > 0 {
			fmt.Fprintf(w, " from %s to %s, values from %.4g to %.4g", place(s.box.Min), place(s.box.Max), s.least, s.most)
		}
		fmt.Fprintln(w)
	}
	return nil
}

// axis returns the edge of a voxel along an axis of its own.
func axis(g *vdb.Grid, a int) float64 {
	m := g.Map.Axes[a]
	return vec.New(m[0], m[1], m[2]).Len()
}

func place(x vec.Vec3) string { return fmt.Sprintf("[%.4g, %.4g, %.4g]", x.X, x.Y, x.Z) }

// gridSize is the extent of a grid, and of its values: of vectors, of their lengths.
type gridSize struct {
	voxels      int64
	box         vec.Box
	least, most float64
}

func sizeOf(g *vdb.Grid) gridSize {
	s := gridSize{box: vec.Empty(), least: math.Inf(1), most: math.Inf(-1)}
	add := func(voxels vdb.Box) {
		lo, hi := g.Map.Bounds(voxels)
		s.box = s.box.Union(vec.Box{Min: vec.New(lo[0], lo[1], lo[2]), Max: vec.New(hi[0], hi[1], hi[2])})
	}
	value := func(v []float32) {
		x := float64(v[0])
		if g.Width == 3 {
			x = vec.New(x, float64(v[1]), float64(v[2])).Len()
		}
		s.least, s.most = min(s.least, x), max(s.most, x)
	}
	for i := range g.Leaves {
		l := &g.Leaves[i]
		if voxels, found := l.Box(l.IsActive); found {
			add(voxels)
		}
		for k, m := range l.Active {
			s.voxels += int64(bits.OnesCount64(m))
			for ; m != 0; m &= m - 1 {
				value(l.Values[g.Width*(64*k+bits.TrailingZeros64(m)):])
			}
		}
	}
	for i := range g.Tiles {
		t := &g.Tiles[i]
		s.voxels += int64(t.Side) * int64(t.Side) * int64(t.Side)
		value(t.Value[:])
		add(t.Box())
	}
	return s
}
