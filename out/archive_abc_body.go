package out

import (
	"encoding/binary"
	"math"
)

// abcBody is a solid that moves: a transform of the schema AbcGeom_Xform_v3,
// with a mesh below it that stays as it is.
type abcBody struct {
	name                string
	shape               *abcGeom
	inherits, ops, vals *abcProperty
	first               [abcChannels]float64
	moving              [abcChannels]bool
	away                bool // from where it was built
}

// A transform is one operation, a matrix: AbcGeom's kMatrixOperation, in the
// upper half of a byte. Its channels are the matrix's numbers.
const (
	abcMatrix   = 3 << 4
	abcChannels = 16
	abcXform    = "AbcGeom_Xform_v3"
)

// abcSame is how far numbers may be apart to count as the same:
// kXFORM_DELTA_TOLERANCE.
const abcSame = 1e-12

var (
	abcBool  = abcType{0, 1, 1}
	abcByte  = abcType{1, 1, 1}
	abcIndex = abcType{5, 4, 1}
	abcVals  = abcType{11, 8, abcChannels}
)

func newABCBody(w *abcWriter, o *Object) (*abcBody, error) {
	b := &abcBody{
		name:     o.Name,
		inherits: &abcProperty{name: ".inherits", scalar: true, typ: abcBool, times: abcTimed},
		ops:      &abcProperty{name: ".ops", scalar: true, typ: abcByte, times: abcTimeless},
		vals:     &abcProperty{name: ".vals", scalar: true, typ: abcVals, times: abcTimed},
	}
	c := &cloud{Frame: &Frame{Mesh: o.Mesh}, part: NeedsMesh, speed: 1}
	b.shape = newABCGeom(&ArchiveInfo{Part: NeedsMesh, Flat: len(o.Mesh.Nrm) == 0, Still: true}, c, abcTimeless)
	b.shape.name = o.Name + "Shape"
	return b, b.shape.add(w, c)
}

// add writes where the body is in a frame.
func (b *abcBody) add(w *abcWriter, o *Object) {
	var rows []byte
	for i, row := range o.matrix() {
		for j, v := range row {
			k := 4*i + j
			if len(b.vals.samples) == 0 {
				b.first[k] = v
			}
			still := 0. // of the matrix that changes nothing
			if i == j {
				still = 1
			}
			b.moving[k] = b.moving[k] || math.Abs(v-b.first[k]) > abcSame
			b.away = b.away || math.Abs(v-still) > abcSame
			rows = binary.LittleEndian.AppendUint64(rows, math.Float64bits(v))
		}
	}
	w.put(b.inherits, []byte{1})
	w.put(b.vals, rows)
	w.put(b.ops, []byte{abcMatrix})
}

// object writes the body, once it has all samples: with the properties in the
// order in which the reference library makes them.
func (b *abcBody) object(w *abcWriter) abcChild {
	xform := &abcProperty{name: ".xform", meta: "schema=" + abcXform, sub: []*abcProperty{b.inherits, b.ops, b.vals}}
	if b.away {
		away := &abcProperty{name: "isNotConstantIdentity", scalar: true, typ: abcBool, times: abcTimeless}
		w.put(away, []byte{1})
		xform.sub = append(xform.sub, away)
	}
	var animated []byte
	for k, moving := range b.moving {
		if moving {
			animated = binary.LittleEndian.AppendUint32(animated, uint32(k))
		}
	}
	if len(animated) > 0 {
		p := &abcProperty{name: ".animChans", typ: abcIndex, times: abcTimed}
		w.put(p, animated)
		xform.sub = append(xform.sub, p)
	}
	o := w.object([]*abcProperty{xform}, []abcChild{b.shape.object(w)})
	meta := abcMeta("schema="+abcXform, "schemaObjTitle="+abcXform+":.xform")
	return abcChild{name: b.name, meta: meta, place: o.place, hash: o.hashWith(meta, b.name)}
}
