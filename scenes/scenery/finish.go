package scenery

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"breakwater/raster"
	"breakwater/raster/texture"
	"breakwater/scenes/meshfile"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// Finish is the appearance of a wall or a body. It is in the fingerprints of pictures
// alone.
type Finish struct {
	Material raster.Substance `toml:"material" oneof:"matte metal glass wood" absent:"matte" doc:"Material of the picture: matte clay, polished metal, clear glass or varnished wood. It has no effect on the simulation. A tank with a material shows its walls on the sides seen from inside; by default a tank is panes of glass with bars along its edges. A plane is by default a block made like the floor, or a pane of glass when seen from behind."`
	Color    vec.Vec3         `toml:"color" color:"linear" unit:"1" range:"[0, 1]" absent:"from the material, or from the MTL file of a mesh and its pictures" doc:"Colour: the share of light that the material reflects, or that glass transmits across its longest side. A string such as \"#cc1a1a\" is sRGB, as a screen shows it. Three numbers are linear red, green and blue, of which 0.5 is a light grey. Under even light the picture shows about this colour, brighter in the sun and darker in the shade."`
	Hidden   bool             `toml:"hidden" doc:"Whether the picture leaves it out. It still acts on the liquid."`
}

// paint is the material that a wall or a body is drawn with.
type paint struct {
	raster.Material
	by map[[3]vec.Vec3]spot // of a mesh file's triangles by their corners; nil for one colour
}

// spot is the paint of one triangle.
type spot struct {
	color   vec.Vec3
	picture *texture.Image // nil for none
	places  [3][2]float64  // of the corners in picture
}

// paint returns the appearance of an object with finish t. shape is its shape at rest, as
// named.
func (t Finish) paint(named toml.Variant, shape boundary.Boundary) (paint, error) {
	p := paint{Material: t.Material.Material()}
	if named.Node.Get("color") != nil {
		p.Color = t.Color
		return p, nil
	}
	w, ok := shape.(*boundary.Mesh)
	if !ok {
		return p, nil
	}
	f, err := meshfile.Painted(named)
	if err != nil || f == nil {
		return p, err
	}
	pictures := map[string]*texture.Image{}
	for _, name := range f.Pictures() {
		img, err := meshfile.Picture(named, name)
		if err != nil {
			return p, err
		}
		pictures[name] = texture.NewImage(img)
	}
	p.by = map[[3]vec.Vec3]spot{}
	for i, tri := range f.Mesh.Tri {
		var at [3]vec.Vec3
		for k, v := range tri {
			at[k] = w.Placed(f.Mesh.Pos[v])
		}
		x := spot{color: p.Color}
		if c := f.Paints[i]; c != nil {
			x.color, x.picture = c.Color, pictures[c.Picture]
		}
		if x.picture != nil {
			x.places = f.Places[i]
		}
		p.by[at] = x
	}
	return p, nil
}

// Paint makes the solid of x, a wall or body as named with the finish t.
func (x *Piece) Paint(t Finish, named toml.Variant, wall boundary.Boundary) error {
	shape, _ := body.Unwrap(wall)
	p, err := t.paint(named, shape)
	if err != nil {
		return err
	}
	x.Solid = raster.Solid{Mesh: x.Mesh, Material: p.Material}
	switch given := t.Material != "" || named.Node.Get("color") != nil; {
	case !given:
	case x.Tank != nil && t.Material != raster.Glass:
		x.Tank.Walls = &p.Material
	case x.Vessel == nil:
	case t.Material == raster.Glass:
		x.Vessel.Block = nil
	case x.Vessel.Block != nil:
		x.Vessel.Block.Paved, x.Vessel.Block.Material = false, p.Material
	default:
		x.Vessel.Walls = &p.Material
	}
	if p.by == nil || x.Mesh == nil {
		return nil
	}
	s := x.Solid
	pictured := false
	for _, t := range x.Mesh.Tri {
		at, ok := p.by[[3]vec.Vec3{x.Mesh.Pos[t[0]], x.Mesh.Pos[t[1]], x.Mesh.Pos[t[2]]}]
		if !ok { // of a frame around the mesh
			return nil
		}
		s.Colors, s.Pictures, s.Places = append(s.Colors, at.color), append(s.Pictures, at.picture), append(s.Places, at.places)
		pictured = pictured || at.picture != nil
	}
	if !pictured {
		s.Pictures, s.Places = nil, nil
	}
	x.Solid = s
	return nil
}

// AddTo lists t, the finish of the named variant, under a key.
func (t Finish) AddTo(r *stage.Recipe, key string, named toml.Variant) error {
	if t.Material != "" {
		r.Line(key+".material", string(t.Material))
	}
	if t.Hidden {
		r.Line(key+".hidden", "true")
	}
	if named.Node.Get("color") != nil {
		r.Add(key+".color", t.Color)
		return nil
	}
	if named.Kind != "mesh" {
		return nil
	}
	f, err := meshfile.Painted(named)
	if err != nil || f == nil {
		return err
	}
	sum := sha256.New()
	for i := range f.Paints {
		fmt.Fprintln(sum, f.Named(i))
	}
	for _, name := range f.Pictures() {
		data, err := meshfile.PictureFile(named, name)
		if err != nil {
			return err
		}
		sum.Write(data)
	}
	r.Line(key+".colors", hex.EncodeToString(sum.Sum(nil)))
	return nil
}
