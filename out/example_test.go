package out_test

import (
	"bytes"
	"fmt"

	"breakwater/out"
	"breakwater/sim/registry"
	"breakwater/surface/mesh"
)

// A format encodes one part of a frame; the encoded data can be read back.
func ExamplePerFrame() {
	format, err := out.Formats.New("plymesh", registry.None)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := format.Encode(&file, &out.Frame{Index: 1, Mesh: mesh.Geodesic(1)}); err != nil {
		fmt.Println(err)
		return
	}
	m, err := out.ReadMesh("ball.ply", &file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d vertices, %d triangles\n", len(m.Pos), len(m.Tri))
	// Output:
	// 12 vertices, 20 triangles
}
