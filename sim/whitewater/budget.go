package whitewater

// Budget has all volumes since the first frame, m³.
type Budget struct {
	// Air. Entrained is all air in bubbles and in foam now, and all air that left since.
	Entrained float64
	Burst     float64
	AirOut    float64 // through outflows

	// Liquid. Sprayed is all liquid in drops and in mist now, and in drops that ended since.
	Sprayed    float64
	Landed     float64 // on the liquid
	Clung      float64 // to walls
	Evaporated float64
	SprayOut   float64 // through outflows
}

// born adds a parcel that came to be.
func (b *Budget) born(p Parcel) {
	if p.Kind.Air() {
		b.Entrained += p.Volume()
	} else {
		b.Sprayed += p.Volume()
	}
}

// Volumes returns the volume of each kind, m³.
func (p *Parcels) Volumes() (by [Kinds]float64) {
	for i, k := range p.Kind {
		by[k.Kind()] += p.Volume(i)
	}
	return by
}
