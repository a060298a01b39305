package neighbor_test

import (
	"fmt"

	"breakwater/sim/neighbor"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// A Finder lists the points closer than the search radius, in ascending order.
func ExampleFinder() {
	points := []vec.Vec3{{}, {X: 0.03}, {X: 0.01, Y: 0.01}, {X: 1}}
	f, err := neighbor.Finders.New("z-order", registry.None)
	if err != nil {
		fmt.Println(err)
		return
	}
	f.Build(points, 0.04)
	fmt.Println(f.Near(nil, vec.Vec3{}))
	// Output:
	// [0 1 2]
}
