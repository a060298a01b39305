package surface_test

import (
	"fmt"

	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// A method turns particles into a closed mesh that keeps their volume.
func ExampleMethod() {
	const d = 0.05 // m, the rest distance of the particles
	cloud := surface.Cloud{Rho0: 1000, Spacing: d}
	for i := range 10 * 10 * 10 {
		cloud.X = append(cloud.X, vec.New(float64(i%10), float64(i/10%10), float64(i/100)).Mul(d))
	}
	method, err := surface.Methods.New("sph", registry.None)
	if err != nil {
		fmt.Println(err)
		return
	}
	var m mesh.Mesh
	if err := method.Surface(&m, cloud); err != nil {
		fmt.Println(err)
		return
	}
	open, _ := m.OpenEdges()
	fmt.Printf("%d open edges, volume %.3f m³ of %.3f m³\n", open, m.Volume(), float64(len(cloud.X))*d*d*d)
	// Output:
	// 0 open edges, volume 0.125 m³ of 0.125 m³
}
