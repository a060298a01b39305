// Package out writes frames to files, and reads back what later stages need.
package out

import (
	"image"
	"io"

	"breakwater/sim/particle"
	"breakwater/sim/plug"
	"breakwater/surface/mesh"
)

// Frame is all that may be written of one frame. A nil part was not made.
type Frame struct {
	Index       int     // 1 is the first
	Time        float64 // simulated, s
	Dt          float64 // last step of the solver, s: a run resumed here goes on from it
	Fingerprint string  // of all that the frame was made from, hexadecimal
	Image       image.Image
	Mesh        *mesh.Mesh
	Particles   *particle.Set
}

// Part says what a format needs from a frame, so that nothing else is made.
type Part uint8

const (
	NeedsImage Part = 1 << iota
	NeedsMesh
	NeedsParticles
)

// PerFrame is a format that keeps every frame in a file of its own.
type PerFrame interface {
	Needs() Part
	Ext() string // without the dot
	// Encode writes f. The same frame gives the same bytes.
	Encode(w io.Writer, f *Frame) error
}

// Movie is a format that keeps all frames in one file.
type Movie interface {
	Ext() string // without the dot
	// Start begins a film, which goes to w. The sink owns no file.
	Start(w io.WriteSeeker, info MovieInfo) (MovieSink, error)
}

// MovieInfo is what holds for a whole film.
type MovieInfo struct {
	Width, Height int
	FPS           float64
	Frames        int // how many will come
	Fingerprint   string
}

// MovieSink takes the pictures of a film in order. Put may not keep img.
type MovieSink interface {
	Put(img image.Image) error
	Close() error // completes the file; it does not close the writer
}

// Formats are the known formats of single frames, Movies those of films.
var (
	Formats = plug.Set[PerFrame]{Kind: "format"}
	Movies  = plug.Set[Movie]{Kind: "film format"}
)
