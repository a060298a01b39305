package film

import (
	"context"
	"image"
	"math"

	"breakwater/out/film/h264"
	"breakwater/out/store"
)

// keySeconds is how long a player that seeks has to decode from a key picture
// on, at most.
const keySeconds = 3

// crfOffset is by how much our QP is above the constant rate factor of x264
// that gives a film of the same quality.
const crfOffset = 4

// byUs encodes by this program alone.
func (m *mp4) byUs(ctx context.Context, f *store.File, info Info, picture func(i int) (image.Image, error)) error {
	rate, per := info.ratio()
	e, err := h264.New(h264.Settings{
		Width: info.Width, Height: info.Height, Rate: rate, Per: per,
		QP:       min(51, max(h264.LowestQP, info.CRF+crfOffset)),
		KeyEvery: max(1, int(keySeconds*info.FPS)),
	})
	if err != nil {
		return err
	}
	w := mp4Writer{w: f, info: info, rate: rate, per: per, sequence: e.Sequence, parameters: e.Parameters}
	if err := w.start(); err != nil {
		return err
	}
	err = encode(ctx, info, picture, func(img image.Image) (*h264.Picture, error) {
		p := h264.NewPicture(info.Width, info.Height)
		p.SetRGB(rgb24(img))
		return p, nil
	}, func(_ int, p *h264.Picture) error {
		return w.put(e.Add(p))
	})
	if err == nil {
		err = w.put(e.Flush())
	}
	if err != nil {
		return err
	}
	return w.finish()
}

// ratio returns the frames per second as a fraction. It is the simplest within a
// relative error of 1e-9, or the nearest for which the film's length and the stream's
// clock fit into 32 bits.
func (i Info) ratio() (rate, per uint32) {
	return fraction(i.FPS, math.MaxInt32, math.MaxUint32/float64(i.Frames))
}

// frameDelay returns how long a frame stands, in seconds, as a fraction of 16
// bits: the nearest to a part in a billion.
func (i Info) frameDelay() [2]uint16 {
	rate, per := fraction(i.FPS, math.MaxUint16, math.MaxUint16)
	return [2]uint16{uint16(per), uint16(rate)}
}

// fraction returns x as p/q, by continued fractions. It is the simplest one within a
// relative error of 1e-9, or the nearest with p and q up to mostP and mostQ.
func fraction(x, mostP, mostQ float64) (p, q uint32) {
	p0, q0, p1, q1 := 0.0, 1.0, 1.0, 0.0
	rest := x
	for {
		whole := math.Floor(rest)
		p2, q2 := float64(whole*p1)+p0, float64(whole*q1)+q0
		if q2 > mostQ || p2 > mostP {
			break
		}
		p0, q0, p1, q1 = p1, q1, p2, q2
		if math.Abs(p1/q1-x) <= 1e-9*x || rest == whole {
			break
		}
		rest = 1 / (rest - whole)
	}
	if p1 < 1 || q1 < 1 { // too slow to represent
		return 1, uint32(min(mostQ, 1<<31))
	}
	return uint32(p1), uint32(q1)
}
