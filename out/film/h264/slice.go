package h264

// row is a coded row of macroblocks. Rows are coded at the same time; join fills in the
// parts that depend on the previous row.
type row struct {
	bits  bitWriter
	coded bool   // there are macroblocks that are not skipped
	lead  uint32 // skipped before the first of them: its mb_skip_run is left open
	skips uint32 // skipped after the last of them
	delta int    // bit position of the first mb_qp_delta, left open; negative without one
	first int    // QP there
	last  int    // QP of the last macroblock that has one
}

func (r *row) reset() {
	r.bits.reset()
	r.coded, r.lead, r.skips, r.delta = false, 0, 0, -1
}

// put adds a macroblock of a picture that is predicted from another or not.
func (r *row) put(b *choice, predicted bool) {
	if b.kind == skipped {
		r.skips++
		return
	}
	switch {
	case !r.coded:
		r.lead = r.skips
	case predicted:
		r.bits.ue(r.skips)
	}
	r.coded, r.skips = true, 0
	r.bits.append(&b.head)
	if b.delta {
		qp := int(b.qp)
		if r.delta < 0 {
			r.delta, r.first = r.bits.len(), qp
		} else {
			r.bits.se(wrapQP(qp - r.last))
		}
		r.last = qp
	}
	r.bits.append(&b.tail)
}

// wrapQP returns the mb_qp_delta for a difference: they count modulo 52,
// equation 7-37.
func wrapQP(d int) int {
	switch {
	case d > 25:
		return d - 52
	case d < -26:
		return d + 52
	}
	return d
}

// join writes the data of a slice, clause 7.3.4, that starts with the given QP.
func join(w *bitWriter, rows []*coder, predicted bool, qp int) {
	skips := uint32(0)
	for _, c := range rows {
		r := &c.out
		if !r.coded {
			skips += r.skips
			continue
		}
		if predicted {
			w.ue(skips + r.lead)
		}
		n := r.bits.len()
		r.bits.whole()
		if r.delta >= 0 {
			w.copyBits(r.bits.bytes, 0, r.delta)
			w.se(wrapQP(r.first - qp))
			w.copyBits(r.bits.bytes, r.delta, n)
			qp = r.last
		} else {
			w.copyBits(r.bits.bytes, 0, n)
		}
		skips = r.skips
	}
	if predicted && skips > 0 {
		w.ue(skips)
	}
}

// Numbers of the types of NAL units, Table 7-1, with nal_ref_idc 3 or 2.
const (
	unitKey        = 3<<5 | 5
	unitPredicted  = 2<<5 | 1
	unitSequence   = 3<<5 | 7
	unitParameters = 3<<5 | 8
)

// sliceHeader writes slice_header, clause 7.3.3.
func (e *Encoder) sliceHeader(w *bitWriter) {
	w.ue(0) // first_mb_in_slice
	if e.predicted {
		w.ue(5) // slice_type: all of the picture is P
	} else {
		w.ue(7) // I
	}
	w.ue(0)                                           // pic_parameter_set_id
	w.u(frameNumBits, e.frameNum&(1<<frameNumBits-1)) // frame_num
	if e.predicted {
		w.flag(false) // num_ref_idx_active_override_flag
		w.flag(false) // ref_pic_list_modification_flag_l0
		w.flag(false) // adaptive_ref_pic_marking_mode_flag
	} else {
		w.ue(e.keys & 1) // idr_pic_id: differs from the previous key picture's
		w.flag(false)    // no_output_of_prior_pics_flag
		w.flag(false)    // long_term_reference_flag
	}
	w.se(e.QP - 26) // slice_qp_delta
}
