// Package scenetest has the scene files that tests of several packages share.
package scenetest

// Filmed returns a small scene with a wall that moves, followed by the given tables.
func Filmed(tables string) string {
	return `
[time]
duration = 2
fps = 10
speed = 0.1
[liquid]
spacing = 0.05
` +
		Box("fluid", "[0, 0, 0]", "[0.4, 0.4, 0.3]") +
		Box("wall", "[0, 0, 0]", "[1, 2, 0.3]") + `
[[wall]]
kind = "sphere"
center = [2, 0.5, 0]
radius = 0.2
[wall.motion]
velocity = [1, 0.5, 0]
[picture]
size = [64, 36]
` + tables
}

// Box returns the table of a box, such as a "fluid" or a "wall", between two corners in m. More
// keys may follow it.
func Box(table, min, max string) string {
	return "\n[[" + table + "]]\nkind = \"box\"\nmin = " + min + "\nmax = " + max + "\n"
}
