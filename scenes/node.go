package scenes

// node is a value in a scene file, with its place.
type node struct{}
