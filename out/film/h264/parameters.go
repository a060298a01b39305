package h264

import "fmt"

const frameNumBits = 8 // of frame_num, which counts pictures since the last key picture

// levels are the limits of Table A-1: macroblocks a second and a picture. A
// picture may be as wide or high as √(8 frame) macroblocks.
var levels = []struct {
	number       uint32 // level_idc
	speed, frame int
}{
	{10, 1485, 99}, {11, 3000, 396}, {12, 6000, 396}, {13, 11880, 396}, {20, 11880, 396}, {21, 19800, 792},
	{22, 20250, 1620}, {30, 40500, 1620}, {31, 108000, 3600}, {32, 216000, 5120}, {40, 245760, 8192},
	{42, 522240, 8704}, {50, 589824, 22080}, {51, 983040, 36864}, {52, 2073600, 36864},
	{60, 4177920, 139264}, {61, 8355840, 139264}, {62, 16711680, 139264},
}

// level returns the number of the lowest level that allows the pictures. More
// of them a second than the highest allows play slower at worst.
func (s *Settings) level() (uint32, error) {
	w, h := (s.Width+15)/16, (s.Height+15)/16
	for i, l := range levels {
		fits := w*h <= l.frame && max(w, h)*max(w, h) <= 8*l.frame
		fast := float64(w*h)*float64(s.Rate) <= float64(l.speed)*float64(s.Per)
		if fits && (fast || i == len(levels)-1) {
			return l.number, nil
		}
	}
	return 0, fmt.Errorf("h264: pictures of %d×%d pixels: at most %d macroblocks of 16×16, and at most 16880 pixels each way",
		s.Width, s.Height, levels[len(levels)-1].frame)
}

// sequence returns the sequence parameter set, clause 7.3.2.1.1, as a NAL
// unit.
func (e *Encoder) sequence(level uint32) []byte {
	w := &bitWriter{}
	w.u(8, 66)      // profile_idc: Baseline,
	w.u(8, 0b11<<6) // constrained, which Main decodes as well
	w.u(8, level)
	w.ue(0) // seq_parameter_set_id
	w.ue(frameNumBits - 4)
	w.ue(2)       // pic_order_cnt_type: as coded
	w.ue(1)       // max_num_ref_frames
	w.flag(false) // gaps_in_frame_num_value_allowed_flag
	w.ue(uint32(e.columns - 1))
	w.ue(uint32(e.rows - 1))
	w.flag(true) // frame_mbs_only_flag
	w.flag(true) // direct_8x8_inference_flag
	right, bottom := 16*e.columns-e.Width, 16*e.rows-e.Height
	w.flag(right+bottom > 0)
	if right+bottom > 0 {
		w.ue(0)
		w.ue(uint32(right / 2)) // in samples of chroma
		w.ue(0)
		w.ue(uint32(bottom / 2))
	}
	w.flag(true) // vui_parameters_present_flag, clause E.1.1
	w.flag(true)
	w.u(8, 1)     // aspect_ratio_idc: square
	w.flag(false) // overscan_info_present_flag
	w.flag(true)
	w.u(3, 5)     // video_format: unspecified
	w.flag(false) // video_full_range_flag
	w.flag(true)
	w.u(8, 1) // colour_primaries: ITU-R BT.709, as are
	w.u(8, 1) // transfer_characteristics
	w.u(8, 1) // and matrix_coefficients
	w.flag(true)
	w.ue(0) // chroma_sample_loc_type_top_field: on the left, see Picture.SetRGB
	w.ue(0)
	w.flag(true)
	w.u(32, e.Per)    // num_units_in_tick
	w.u(32, 2*e.Rate) // time_scale: two ticks a picture
	w.flag(true)      // fixed_frame_rate_flag
	w.flag(false)     // nal_hrd_parameters_present_flag
	w.flag(false)     // vcl_hrd_parameters_present_flag
	w.flag(false)     // pic_struct_present_flag
	w.flag(true)      // bitstream_restriction_flag
	w.flag(true)      // motion_vectors_over_pic_boundaries_flag
	w.ue(0)
	w.ue(0)
	w.ue(8) // log2_max_mv_length_horizontal
	w.ue(8)
	w.ue(0) // max_num_reorder_frames
	w.ue(1) // max_dec_frame_buffering
	return appendUnit(nil, unitSequence, w.end())
}

// parameters returns the picture parameter set, clause 7.3.2.2, as a NAL unit.
func (e *Encoder) parameters() []byte {
	w := &bitWriter{}
	w.ue(0)       // pic_parameter_set_id
	w.ue(0)       // seq_parameter_set_id
	w.flag(false) // entropy_coding_mode_flag: CAVLC
	w.flag(false)
	w.ue(0) // num_slice_groups_minus1
	w.ue(0) // num_ref_idx_l0_default_active_minus1
	w.ue(0)
	w.flag(false) // weighted_pred_flag
	w.u(2, 0)
	w.se(0)       // pic_init_qp_minus26
	w.se(0)       // pic_init_qs_minus26
	w.se(0)       // chroma_qp_index_offset
	w.flag(false) // deblocking_filter_control_present_flag
	w.flag(false) // constrained_intra_pred_flag
	w.flag(false) // redundant_pic_cnt_present_flag
	return appendUnit(nil, unitParameters, w.end())
}
