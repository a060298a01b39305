// Package stage has the parts shared by all runs that make files from files.
//
//	event.go   the stages of a run, and how a run gets on
//	loop.go    the frames of a stage, one after the other
//	whole.go   a file that is made of all frames
//	recipe.go  fingerprints
package stage

import (
	"fmt"

	"breakwater/sim/phase"
)

// Name names one step of a run. Each step reads the files of the previous one.
type Name string

// The stages of a run in their order.
const (
	Sim        Name = "sim"        // scene → particles
	Whitewater Name = "whitewater" // particles → spray, foam, bubbles and mist
	Mesh       Name = "mesh"       // particles → triangle meshes
	Export     Name = "export"     // meshes and particles of all frames → archives
	Draw       Name = "draw"       // meshes and whitewater → frames
	Film       Name = "video"      // frames → film
)

// All returns all stages in the order in which they run.
func All() []Name { return []Name{Sim, Whitewater, Mesh, Export, Draw, Film} }

// Event reports how a run gets on. There is one when a stage begins (Frame is 0), one
// per frame made, and one when the stage is done. While a frame takes longer than a
// second, there is about one per second.
type Event struct {
	Stage     Name    `json:"stage"`               // "" for events of the whole run
	What      string  `json:"what,omitempty"`      // the file that is made of all frames, or the kind of each frame's files, where a stage makes several in turn
	Frame     int     `json:"frame"`               // number of the frame, from 1
	File      string  `json:"file,omitempty"`      // of particles, in a run without the frames of a scene: then Frame counts the files
	Files     bool    `json:"-"`                   // no frames of a scene are made, but meshes of files
	Frames    int     `json:"frames"`              // number of the last frame of this run
	UnderWay  bool    `json:"under_way,omitempty"` // the frame is not made yet: Time says how far it has come
	Time      float64 `json:"time"`                // simulated, s
	Substeps  int     `json:"substeps,omitempty"`  // of the solver, in this frame
	Particles int     `json:"particles,omitempty"`
	Parcels   int     `json:"parcels,omitempty"` // of whitewater
	Triangles int     `json:"triangles,omitempty"`
	Strays    int     `json:"strays,omitempty"`   // lone particles and tiny groups
	Cavities  int     `json:"cavities,omitempty"` // pockets of air in the liquid that were kept
	Filled    int     `json:"filled,omitempty"`   // filled pockets
	Seconds   float64 `json:"seconds"`            // spent on this frame; when done, on the stage
	ETA       float64 `json:"eta,omitempty"`      // seconds until the stage is done; 0 before the third frame was made
	Kept      int     `json:"kept"`               // frames found intact and left alone
	Made      int     `json:"made"`               // frames made by this run
	Done      bool    `json:"done,omitempty"`     // the stage is done
	// Phases is the time of each phase of the solver in this frame, s.
	Phases [phase.Count]float64 `json:"-"`

	Message string `json:"message,omitempty"` // for the user, one line
}

// Interrupted says where a run was stopped from outside.
type Interrupted struct {
	Stage       Name
	File        string // of particles, if Frame counts files; "" for frames
	Frame, Last int    // the first that was not made, and the last that should be
}

func (e *Interrupted) Error() string {
	if e.File != "" {
		return fmt.Sprintf("interrupted at %s, file %d of %d; finished files are kept", e.File, e.Frame, e.Last)
	}
	return fmt.Sprintf("interrupted at frame %d of %d; finished frames are kept", e.Frame, e.Last)
}
