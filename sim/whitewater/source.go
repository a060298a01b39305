package whitewater

import "breakwater/sim/registry"

// Source brings parcels into being.
type Source interface {
	// Emit adds the parcels of w.part, the time between two samples of the surface, to w.births.
	Emit(w *Whitewater)
}

// Sources are the known sources.
var Sources = registry.Set[Source]{Kind: "source of whitewater"}

// none is a registry.Decode that leaves the defaults as they are.
func none(any) error { return nil }

// The purposes of random numbers. A number of the dice depends on its purpose, so these
// never change.
const (
	purposeAirborne = iota + 1
	purposeFamily
	purposeAir
	purposeBurst
	purposeFade
	purposeThin
	purposeSplash
	purposeCrest
	purposeLace
	purposeIhmsen
)
