package parcels

import (
	"fmt"
	"os"

	"breakwater/scenes/host"
	"breakwater/sim/num"
)

// The memory of a run in bytes. With these, a dam break of 155,000 particles and 90,000 parcels
// stays within the memory that it is allowed, down to the least that is not refused.
const (
	bytesProgram  = 55e6 // whatever the particles
	bytesParticle = 1000 // per particle: positions, neighbours and nodes of a step
	bytesDensity  = 500  // of a particle, while densities are summed
	bytesDecoded  = 72   // of a particle of a file that is kept
	bytesMatched  = 90   // of a particle that velocities by difference find by its number
	bytesParcel   = 250  // per parcel that moves, and is written
	bytesPoint    = 200  // of a point that is written, where a parcel has several
	collector     = 1.15 // the collector's room
)

// MemoryError says that a frame would need more memory than there is.
type MemoryError struct {
	Need, Have float64 // bytes
	Parcels    int     // of which the frame has this many; 0 before the first
	Machine    bool    // the memory is all that the machine has, nobody has set it
}

func (e *MemoryError) Error() string {
	s := fmt.Sprintf("about %s of memory are needed, but %s are allowed", num.Bytes(e.Need), num.Bytes(e.Have))
	if e.Parcels > 0 {
		s += fmt.Sprintf(", with %d parcels: --set detail or --set most makes fewer", e.Parcels)
	}
	if e.Machine {
		s += "; --memory allows more"
	}
	return s
}

// window returns how many files before and after a frame are kept in memory. Velocities by
// difference need the file before and the file after each of two frames.
func (r *runner) window() (before, after int) {
	if r.has.velocity {
		return 1, 0
	}
	return 2, 1
}

// need returns the memory that a frame with so many particles and parcels takes, whose file has
// so many bytes.
func (r *runner) need(file, particles, parcels float64) float64 {
	before, after := r.window()
	each := bytesParticle + float64(bytesDecoded*float64(1+before+after))
	if !r.has.density {
		each += bytesDensity
	}
	if !r.has.velocity {
		each += float64(bytesMatched * float64(1+before+after))
	}
	point := float64(bytesParcel)
	if r.opt.Expand > 1 {
		point += float64(bytesPoint * float64(r.opt.Expand))
	}
	return bytesProgram + float64(collector*(float64(file*float64(1+after))+float64(each*particles)+float64(point*parcels)))
}

// room refuses files that do not fit into the memory that the run may have, before the first is
// decoded. It is called with the particles of the file that shows what all have.
func (r *runner) room() error {
	have, machine := host.Allowed(r.opt.Memory)
	if have == 0 {
		return nil
	}
	like, err := os.Stat(r.inputs[r.like].Path)
	if err != nil {
		return err
	}
	worst, largest := r.like, like.Size()
	for i, in := range r.inputs {
		if info, err := os.Stat(in.Path); err == nil && info.Size() > largest {
			worst, largest = i, info.Size()
		}
	}
	particles := float64(r.count) * float64(largest) / float64(max(1, like.Size()))
	need := r.need(float64(largest), particles, 0)
	if need > have {
		return r.fault(worst, &MemoryError{Need: need, Have: have, Machine: machine})
	}
	if r.opt.Memory > 0 {
		fits := (have - need) / (r.need(0, 0, 1) - r.need(0, 0, 0))
		r.say("memory: about %s of %s before parcels, which leaves room for %.2g million of them", num.Bytes(need), num.Bytes(have), fits/1e6)
	}
	return nil
}

// fits refuses a frame whose parcels do not fit into the memory beside its particles. The frames
// so far are kept.
func (r *runner) fits(i, file, particles, parcels int) error {
	have, machine := host.Allowed(r.opt.Memory)
	if need := r.need(float64(file), float64(particles), float64(parcels)); have > 0 && need > have {
		return r.fault(i, &MemoryError{Need: need, Have: have, Parcels: parcels, Machine: machine})
	}
	return nil
}
