package scenes

import (
	"time"

	"breakwater/sim"
)

// Stage names one step of a run. Each reads what the one before has written.
type Stage string

// The stages of a run in their order.
const (
	SimStage    Stage = "sim"    // scene → particles
	MeshStage   Stage = "mesh"   // particles → triangle meshes
	ExportStage Stage = "export" // meshes and particles of all frames → archives
	DrawStage   Stage = "draw"   // meshes → frames
	FilmStage   Stage = "video"  // frames → film
)

// Stages returns all stages in the order in which they run.
func Stages() []Stage { return []Stage{SimStage, MeshStage, ExportStage, DrawStage, FilmStage} }

// Event tells how a run gets on. There is one when a stage begins (Frame is
// 0), one a frame made, one about every second while a frame takes longer
// than that, and one when the stage is done.
type Event struct {
	Stage     Stage   `json:"stage"`               // "" for what concerns the whole run
	Frame     int     `json:"frame"`               // number of the frame, from 1
	File      string  `json:"file,omitempty"`      // of particles, where there are no frames of a scene: then Frame counts the files
	Files     bool    `json:"-"`                   // no frames of a scene are made, but meshes of files
	Frames    int     `json:"frames"`              // number of the last frame of this run
	UnderWay  bool    `json:"under_way,omitempty"` // the frame is not made yet: Time says how far it has come
	Time      float64 `json:"time"`                // simulated, s
	Substeps  int     `json:"substeps,omitempty"`  // of the solver, in this frame
	Particles int     `json:"particles,omitempty"`
	Triangles int     `json:"triangles,omitempty"`
	Strays    int     `json:"strays,omitempty"`   // lone particles and tiny groups
	Cavities  int     `json:"cavities,omitempty"` // pockets of air in the liquid that were kept
	Filled    int     `json:"filled,omitempty"`   // those that were filled
	Seconds   float64 `json:"seconds"`            // spent on this frame; when done, on the stage
	ETA       float64 `json:"eta,omitempty"`      // seconds until the stage is done; 0 before a frame was made
	Kept      int     `json:"kept"`               // frames found intact and left alone
	Made      int     `json:"made"`               // frames made by this run
	Done      bool    `json:"done,omitempty"`     // the stage is done
	// Phases is what each phase of the solver took in this frame, s.
	Phases [sim.NumPhases]float64 `json:"-"`

	Message string `json:"message,omitempty"` // what a person should know, one line
}

// pace measures a stage: the frames that are left take as long as those made
// so far did. Frames that were kept took no time and do not count, and the
// first one made, which is quick in a simulation and slow elsewhere, counts
// only while it is alone.
type pace struct {
	begun, first, frame time.Time // start of the stage, end of its first frame, start of the one under way
	made, left          int
}

func newPace(left int) *pace {
	now := time.Now()
	return &pace{begun: now, frame: now, left: left}
}

// next ends a frame and returns what it took, in seconds.
func (p *pace) next() float64 {
	now := time.Now()
	s := now.Sub(p.frame).Seconds()
	p.frame = now
	if p.made == 0 {
		p.first = now
	}
	p.made++
	p.left--
	return s
}

// eta returns the seconds left, 0 if no frame was made yet.
func (p *pace) eta() float64 {
	switch p.made {
	case 0:
		return 0
	case 1:
		return p.first.Sub(p.begun).Seconds() * float64(p.left)
	}
	return p.frame.Sub(p.first).Seconds() / float64(p.made-1) * float64(p.left)
}

// seconds returns the time since the stage began.
func (p *pace) seconds() float64 { return time.Since(p.begun).Seconds() }
