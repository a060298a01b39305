package out

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/vec"
)

// Shot is the camera and the light of a film, in metres with y up.
type Shot struct {
	Aspect  float64 // height of the picture over its width
	Shutter float64 // how long it is open, as a share of the time of a frame, about the frame
	Gain    float64 // of the picture
	Poses   []Pose  // of the frames, or one for all
	ToSun   vec.Vec3
	Sun     vec.Vec3 // irradiance on a surface that faces it, linear
	Radius  float64  // of its disc, rad
	Sky     string   // file of all other light, relative to the archive's folder
}

// Pose is where a camera is, and its lens.
type Pose struct {
	Eye, Right, Up, Back vec.Vec3 // the directions are unit vectors
	Focal                float64  // mm, for a picture 36 mm wide
	Stop                 float64  // f-number; 0 keeps all sharp
	Focus                float64  // distance along the axis, m
}

// filmWidth is the width of the film that focal lengths refer to, mm.
const filmWidth = 36

// writeShot writes the camera and the light before the liquid:
//
//	Pixar, Universal Scene Description, schemata UsdGeomCamera, UsdLuxDistantLight and UsdLuxDomeLight
func (w *usdWriter) writeShot() error {
	s := w.info.Shot
	if s == nil {
		return nil
	}
	if n := len(s.Poses); n != 1 && n != w.info.Frames {
		return fmt.Errorf("a camera of %d poses for %d frames", n, w.info.Frames)
	}
	w.WriteString("\ndef Camera \"camera\"\n{\n")
	length := 1 / w.info.Axes.unit()
	tenths := 10 * length / 1000 // of a mm: the unit of lenses is a tenth of the stage's
	first := s.Poses[0]
	fmt.Fprintf(w, "    float2 clippingRange = (%v, %v)\n", float32(first.Focus*length/100), float32(first.Focus*length*1000))
	fmt.Fprintf(w, "    float exposure = %v\n", float32(math.Log2(s.Gain)))
	pose := func(typ, name string, value func(p *Pose) string) {
		same := !slices.ContainsFunc(s.Poses, func(p Pose) bool { return value(&p) != value(&first) })
		if same {
			fmt.Fprintf(w, "    %s %s = %s\n", typ, name, value(&first))
			return
		}
		fmt.Fprintf(w, "    %s %s.timeSamples = {\n", typ, name)
		for i := range s.Poses {
			fmt.Fprintf(w, "        %d: %s,\n", w.info.First+i, value(&s.Poses[i]))
		}
		w.WriteString("    }\n")
	}
	number := func(x float64) string { return fmt.Sprint(float32(x)) }
	pose("float", "focalLength", func(p *Pose) string { return number(p.Focal * tenths) })
	pose("float", "focusDistance", func(p *Pose) string { return number(p.Focus * length) })
	pose("float", "fStop", func(p *Pose) string { return number(p.Stop) })
	fmt.Fprintf(w, "    float horizontalAperture = %v\n    float verticalAperture = %v\n", float32(filmWidth*tenths), float32(filmWidth*tenths*s.Aspect))
	w.WriteString("    token projection = \"perspective\"\n")
	fmt.Fprintf(w, "    double shutter:close = %v\n    double shutter:open = %v\n", s.Shutter/2, -s.Shutter/2)
	a := w.info.Axes
	pose("matrix4d", "xformOp:transform", func(p *Pose) string {
		return usdMatrix(a.direction(p.Right), a.direction(p.Up), a.direction(p.Back), a.point(p.Eye))
	})
	w.WriteString(usdOrder + "}\n")

	if most := max(s.Sun.X, s.Sun.Y, s.Sun.Z); most > 0 {
		right := vec.New(1, 0, 0).Cross(s.ToSun)
		if right.Len() < 0.1 {
			right = vec.New(0, 0, 1).Cross(s.ToSun)
		}
		right = right.Unit()
		c := s.Sun.Mul(1 / most)
		// With normalize the intensity is the irradiance, whatever the angle.
		fmt.Fprintf(w, "\ndef DistantLight \"sun\"\n{\n    float inputs:angle = %v\n    color3f inputs:color = (%v, %v, %v)\n    float inputs:intensity = %v\n    bool inputs:normalize = 1\n",
			float32(2*s.Radius*180/math.Pi), float32(c.X), float32(c.Y), float32(c.Z), float32(most))
		fmt.Fprintf(w, "    matrix4d xformOp:transform = %s\n%s}\n",
			usdMatrix(a.direction(right), a.direction(s.ToSun.Cross(right)), a.direction(s.ToSun), vec.Vec3{}), usdOrder)
	}
	if s.Sky != "" {
		// The picture has +z at its left edge and −x a quarter to the right. The middle of a
		// dome's picture is its +z, and its left quarter its +x.
		fmt.Fprintf(w, "\ndef DomeLight \"sky\"\n{\n    float inputs:intensity = 1\n    asset inputs:texture:file = @%s@\n    token inputs:texture:format = \"latlong\"\n", s.Sky)
		fmt.Fprintf(w, "    matrix4d xformOp:transform = %s\n%s}\n",
			usdMatrix(a.direction(vec.New(-1, 0, 0)), a.direction(vec.New(0, 1, 0)), a.direction(vec.New(0, 0, -1)), vec.Vec3{}), usdOrder)
	}
	return nil
}

const usdOrder = "    uniform token[] xformOpOrder = [\"xformOp:transform\"]\n"

// usdMatrix returns a matrix for row vectors: the axes, then the origin.
func usdMatrix(x, y, z, origin vec.Vec3) string {
	row := func(v vec.Vec3, last int) string { return fmt.Sprintf("(%v, %v, %v, %d)", v.X, v.Y, v.Z, last) }
	return "( " + row(x, 0) + ", " + row(y, 0) + ", " + row(z, 0) + ", " + row(origin, 1) + " )"
}
