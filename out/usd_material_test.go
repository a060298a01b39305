package out

import (
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/store"
	"breakwater/sim/vec"
)

// filmed is a camera that turns about the liquid, and the light on it.
func filmed(frames int) *Shot {
	s := &Shot{
		Aspect: 9. / 16, Shutter: 0.5, Gain: 2, ToSun: vec.New(0.6, 0.8, 0), Sun: vec.New(3, 2.25, 1.5), Radius: 0.005, Sky: "scenery/wave.hdr",
	}
	for i := range frames {
		sin, cos := math.Sincos(0.1 * float64(i))
		s.Poses = append(s.Poses, Pose{
			Eye: vec.New(4*sin, 1, 4*cos), Right: vec.New(cos, 0, -sin), Up: vec.New(0, 1, 0), Back: vec.New(sin, 0, cos), Focal: 50, Stop: 2.8, Focus: 4,
		})
	}
	return s
}

// USD has the materials bound to the meshes and to the triangles of solids.
func TestUSDMaterials(t *testing.T) {
	d := outtest.Dir(t, store.OpenDir)
	water := Water()
	info := archiveInfo(NeedsMesh, 3)
	info.Material = &water
	if err := writeArchive(t.Context(), d, "a", &usda{}, info, func(i int) (*Frame, error) { return looks(), nil }); err != nil {
		t.Fatal(err)
	}
	u := readUSD(t, outtest.Contents(t, d, "a"))
	f := looks()
	const bound = `map[prepend apiSchemas:[ "MaterialBindingAPI" ]]`
	for prim, m := range map[string]string{
		"/liquid/surface": "liquid", "/liquid/ball/surface": "steel", "/liquid/box_2/surface/paint": "paint", "/liquid/box_2/surface/honey": "honey",
	} {
		if got := u.attrs["rel "+prim+".material:binding"][-1]; got != "</liquid/materials/"+m+">" || u.about[prim] != bound {
			t.Errorf("%s is bound to %q, %s", prim, got, u.about[prim])
		}
	}
	var faces []int
	for k, m := range []string{"paint", "honey"} {
		for _, x := range u.numbers("int[] /liquid/box_2/surface/"+m+".indices", -1) {
			if faces = append(faces, int(x)); f.Objects[0].Of[int(x)] != int32(k) {
				t.Errorf("triangle %g is of %s", x, m)
			}
		}
	}
	if slices.Sort(faces); len(slices.Compact(faces)) != len(f.Objects[0].Mesh.Tri) {
		t.Errorf("%d triangles have materials", len(faces))
	}
	for _, m := range f.Materials() {
		path := "/liquid/materials/" + m.Name
		if u.prims[path] != "Material" || u.prims[path+"/surface"] != "Shader" || u.attrs["token "+path+".outputs:surface.connect"][-1] != "<"+path+"/surface.outputs:surface>" {
			t.Errorf("%s is a %s", path, u.prims[path])
		}
		is := map[bool]float64{true: 1}
		want := map[string][]float64{
			"color3f inputs:diffuseColor": inRows([]vec.Vec3{m.Color}), "color3f inputs:emissiveColor": inRows([]vec.Vec3{m.Glow}),
			"float inputs:ior": {m.Index}, "float inputs:metallic": {is[m.Metal]}, "float inputs:roughness": {m.Roughness}, "float inputs:opacity": {1 - m.clarity()},
		}
		for key, v := range want {
			typ, name, _ := strings.Cut(key, " ")
			got := u.numbers(typ+" "+path+"/surface."+name, -1)
			if !slices.EqualFunc(got, v, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
				t.Errorf("%s: %s %v, want %v", m.Name, key, got, v)
			}
		}
		if m.Clear {
			if got := u.numbers("color3f "+path+".breakwater:absorption", -1); math.Abs(got[2]/m.Absorption.Z-1) > 1e-6 {
				t.Errorf("%s absorbs %v", m.Name, got)
			}
		}
	}
	if text := outtest.Contents(t, d, "a"); strings.Count(text, usdEnd) != 1 {
		t.Error("the end of the file is not its own")
	}
}

// A point appears at the same place of the picture by the matrix and the lens of USD as by
// the camera, whatever the axes; the sun shines along the −z axis of its prim.
func TestUSDShot(t *testing.T) {
	d := outtest.Dir(t, store.OpenDir)
	const frames = 3
	for _, axes := range []Axes{{}, {ZUp: true, Unit: 0.01}} {
		info := archiveInfo(NeedsMesh, frames)
		info.Axes, info.Shot = axes, filmed(frames)
		if err := writeArchive(t.Context(), d, "a", &usda{}, info, func(i int) (*Frame, error) { return archiveFrame(i, NeedsMesh), nil }); err != nil {
			t.Fatal(err)
		}
		u := readUSD(t, outtest.Contents(t, d, "a"))
		lens := func(name string) float64 { return u.numbers("float /camera."+name, -1)[0] }
		x := vec.New(0.3, 0.7, -0.2)
		for i, p := range info.Shot.Poses {
			at := axes.point(x)
			m := u.numbers("matrix4d /camera.xformOp:transform", 1+i)
			row := func(k int) vec.Vec3 { return vec.New(m[4*k], m[4*k+1], m[4*k+2]) }
			from := at.Sub(row(3))
			depth := -from.Dot(row(2))
			across := 2 * lens("focalLength") / lens("horizontalAperture") * from.Dot(row(0)) / depth
			up := 2 * lens("focalLength") / lens("verticalAperture") * from.Dot(row(1)) / depth
			far := p.Eye.Sub(x).Dot(p.Back)
			wantAcross, wantUp := 2*p.Focal/36*x.Sub(p.Eye).Dot(p.Right)/far, 2*p.Focal/36*16/9*x.Sub(p.Eye).Dot(p.Up)/far
			if math.Abs(across-wantAcross) > 1e-5 || math.Abs(up-wantUp) > 1e-5 {
				t.Errorf("%v, frame %d: the point appears at %g, %g, want %g, %g", axes, 1+i, across, up, wantAcross, wantUp)
			}
			// The radius of the lens, and where it is sharp, in metres.
			if radius := lens("focalLength") / 10 / lens("fStop") / 2 * axes.unit(); math.Abs(radius-0.05/2.8/2) > 1e-6 {
				t.Errorf("%v: a lens of radius %g m", axes, radius)
			}
			if sharp := lens("focusDistance") * axes.unit(); math.Abs(sharp-4) > 1e-5 {
				t.Errorf("%v: sharp at %g m", axes, sharp)
			}
		}
		sun := u.numbers("matrix4d /sun.xformOp:transform", -1)
		if back := axes.BackDirection(vec.New(sun[8], sun[9], sun[10])); back.Sub(info.Shot.ToSun).Len() > 1e-6 {
			t.Errorf("%v: the sun is at %v", axes, back)
		}
		c, power := u.numbers("color3f /sun.inputs:color", -1), u.numbers("float /sun.inputs:intensity", -1)[0]
		if got := vec.New(c[0], c[1], c[2]).Mul(power); got.Sub(info.Shot.Sun).Len() > 1e-6 || u.attrs["bool /sun.inputs:normalize"][-1] != "1" {
			t.Errorf("the sun gives %v", got)
		}
		// The left edge of the picture, which a dome has at its −z, is +z, as in the file.
		sky := u.numbers("matrix4d /sky.xformOp:transform", -1)
		if left := axes.BackDirection(vec.New(-sky[8], -sky[9], -sky[10])); left.Sub(vec.New(0, 0, 1)).Len() > 1e-6 {
			t.Errorf("%v: the left edge of the sky is at %v", axes, left)
		}
		if top := axes.BackDirection(vec.New(sky[4], sky[5], sky[6])); top.Sub(vec.New(0, 1, 0)).Len() > 1e-6 {
			t.Errorf("%v: the zenith is at %v", axes, top)
		}
		if got := u.attrs["asset /sky.inputs:texture:file"][-1]; got != "@scenery/wave.hdr@" {
			t.Errorf("the sky is %s", got)
		}
		if got := u.prims["/camera"] + " " + u.prims["/sun"] + " " + u.prims["/sky"]; got != "Camera DistantLight DomeLight" {
			t.Errorf("prims %s", got)
		}
	}
}
