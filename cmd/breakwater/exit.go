package main

import (
	"context"
	"errors"

	"breakwater/out/store"
	"breakwater/scenes/farm"
	"breakwater/scenes/mesher"
	"breakwater/scenes/parcels"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/vortex"
	"breakwater/surface"
)

// Exit codes. They say whether another try makes sense, and where, to programs that run many
// commands.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitMachine = 3              // it fails again on this machine
	exitScene   = 4              // it fails again on any machine
	exitDisk    = 5              // it fails until somebody makes room
	exitAgain   = farm.ExitAgain // it may not fail again
)

// exitCode returns the exit code of a command that ended with err.
func exitCode(err error) int {
	var (
		elsewhere   stage.Elsewhere
		memory      *mesher.MemoryError
		water       *parcels.MemoryError
		interrupted *stage.Interrupted
		missing     *run.NotMade
		faults      toml.Faults
		liquid      *sim.Unstable
		gas         *vortex.Unstable
		lattice     *vortex.TooLarge
		flaw        *surface.Flaw
		damaged     *store.Damaged
		program     statusError
		part        *unfinished
	)
	switch {
	case err == nil:
		return exitDone
	case isUsage(err):
		return exitUsage
	case errors.As(err, &program):
		return program.code
	case errors.As(err, &damaged):
		return exitFailed
	case errors.As(err, &interrupted), errors.Is(err, context.Canceled), errors.As(err, &missing), errors.As(err, &part):
		return exitAgain
	case store.DiskFull(err):
		return exitDisk
	case errors.As(err, &elsewhere), errors.As(err, &memory), errors.As(err, &water):
		return exitMachine
	case errors.As(err, &faults), errors.As(err, &liquid), errors.As(err, &gas), errors.As(err, &lattice), errors.As(err, &flaw):
		return exitScene
	}
	return exitFailed
}
