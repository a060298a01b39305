// Package overlay draws text and scales over a finished picture.
//
//	overlay.go  title, time, and a scale bar on the floor
//	scale.go    a bar of colours with the values that they stand for
package overlay

import (
	"fmt"
	"image"
	"math"
	"slices"
	"unicode"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"

	"breakwater/raster/camera"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// Overlay is text and scale drawn over the picture. The scene's [overlay] table decodes
// into it.
type Overlay struct {
	Title string  `toml:"title" doc:"Text in the upper left corner, in Latin, Greek or Cyrillic letters."`
	Time  bool    `toml:"time" doc:"Whether to show the simulated time."`
	Scale float64 `toml:"scale" unit:"m" range:"[0, inf)" doc:"Length of the scale bar at the tank; 0 for none. If the bar would be longer than the picture, it gets the longest of 1, 2, 5, 10 … that fits."`
}

// Frame describes the picture that an overlay is drawn over.
type Frame struct {
	Camera        camera.Camera
	Width, Height int
	Subject       *vec.Box // the tank, or else the extent of the floor's layout; nil for neither
	Floor         float64  // height of the floor, m
}

// Draw writes the overlay over img, the picture of v, at the simulated time
// given in seconds.
func (o Overlay) Draw(img *image.RGBA, v Frame, time float64) error {
	if o == (Overlay{}) {
		return nil
	}
	f, err := truetype.Parse(gomedium.TTF)
	if err != nil {
		return fmt.Errorf("raster: overlay font: %w", err)
	}
	size := letterSize(float64(img.Rect.Dy()))
	dc := gg.NewContextForRGBA(img)
	dc.SetFontFace(truetype.NewFace(f, &truetype.Options{Size: size, DPI: 72, Hinting: font.HintingNone}))
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	margin := float64(marginFactor * size)
	label(dc, size, o.Title, margin, margin, 0, 1)
	if o.Time {
		label(dc, size, fmt.Sprintf("t = %.3f s", time), w-margin, margin, 1, 1)
	}
	if o.Scale > 0 {
		o.Scale = o.shortened(v)
		a, b, err := o.bar(v)
		if err != nil {
			return err
		}
		dc.SetLineCapRound()
		for _, pen := range []struct{ width, gray, alpha float64 }{{0.22, 0, 0.45}, {0.10, 1, 1}} {
			dc.SetRGBA(pen.gray, pen.gray, pen.gray, pen.alpha)
			dc.SetLineWidth(float64(pen.width * size))
			dc.DrawLine(a[0], a[1], b[0], b[1])
			tick := float64(0.22 * size)
			dc.DrawLine(a[0], a[1]-tick, a[0], a[1]+tick)
			dc.DrawLine(b[0], b[1]-tick, b[0], b[1]+tick)
			dc.Stroke()
		}
		x := min(max(float64((a[0]+b[0])/2), float64(3*size)), w-float64(3*size))
		y := min(max(a[1], b[1])+float64(0.45*size), h-float64(1.4*size))
		label(dc, size, length(o.Scale), x, y, 0.5, 1)
	}
	return nil
}

// Missing returns the characters of s that an overlay has no letters for, each
// once.
func Missing(s string) (list []rune) {
	f, err := truetype.Parse(gomedium.TTF)
	if err != nil {
		return nil // Draw says so
	}
	for _, r := range s {
		if (f.Index(r) == 0 || unicode.IsControl(r)) && !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// letterSize returns the size of the letters in a picture of the given height in
// pixels.
func letterSize(height float64) float64 { return max(9, 0.032*height) }

// marginFactor is how far the letters are from the picture's edge, over their
// size.
const marginFactor = 1.3

// shortened returns the length of the scale bar: the length in o, or the largest round
// one that fits in the picture with its margins.
func (o Overlay) shortened(v Frame) float64 {
	a, b, err := Overlay{Scale: 1}.bar(v)
	if err != nil {
		return o.Scale // Draw says so
	}
	w, margin := float64(v.Width), float64(marginFactor*letterSize(float64(v.Height)))
	middle := min(max(float64((a[0]+b[0])/2), float64(0.25*w)), float64(0.75*w))
	most := 2 * (min(middle, w-middle) - margin) / math.Abs(b[0]-a[0])
	if !(o.Scale > most) || !(most > 0) || math.IsInf(most, 1) {
		return o.Scale
	}
	decade := num.Pow(10, math.Floor(math.Log10(most)))
	for _, m := range [...]float64{5, 2} {
		if m*decade <= most {
			return float64(m * decade)
		}
	}
	return decade
}

// bar returns the ends of the scale bar in the picture. It lies on the floor before the
// tank, across the line of sight: when the camera orbits, it moves without a jump. If the
// space below it is too small for its number, it lies further back, even behind the tank.
func (o Overlay) bar(v Frame) (a, b [2]float64, err error) {
	box := vec.Box{Min: v.Camera.Target, Max: v.Camera.Target}
	if v.Subject != nil {
		box = *v.Subject
	}
	l := camera.NewLens(v.Camera, v.Width, v.Height)
	right := camera.Up(l.Back).Cross(l.Back).Unit()
	near := right.Cross(vec.Vec3{Y: 1}) // level, towards the camera
	s := box.Size()
	at := func(distance float64) (p vec.Vec3, y, depth float64) {
		p = box.Center().Add(near.Mul(distance))
		p.Y = v.Floor
		_, y, depth = l.Project(p)
		return p, y, depth
	}
	lowest := l.Height - float64(1.9*letterSize(l.Height))
	far, distance := 0.0, float64((float64(math.Abs(near.X)*s.X)+float64(math.Abs(near.Z)*s.Z))/2)+float64(0.06*max(s.X, s.Z))
	middle, y, depth := at(distance)
	if depth > 0 && y > lowest {
		for k := range 8 {
			if _, y, _ := at(far); y <= lowest {
				break
			}
			distance, far = far, float64(-math.Exp2(float64(k-1))*max(s.X, s.Z))
		}
		for range 30 { // bisect, and end where there is room
			half := float64((far + distance) / 2)
			if _, y, _ := at(half); y > lowest {
				distance = half
			} else {
				far = half
			}
		}
		middle, _, _ = at(far)
	}
	from, to := middle.Sub(right.Mul(float64(o.Scale/2))), middle.Add(right.Mul(float64(o.Scale/2)))
	ax, ay, da := l.Project(from)
	bx, by, db := l.Project(to)
	if da <= 0 || db <= 0 {
		return a, b, fmt.Errorf("raster: the camera at %v is too near to the tank for a scale bar; set overlay.scale to 0, or move the camera back", v.Camera.Eye)
	}
	return [2]float64{ax, ay}, [2]float64{bx, by}, nil
}

// length writes x metres with a unit that keeps it short.
func length(x float64) string {
	switch {
	case x < 0.01:
		return fmt.Sprintf("%.3g mm", 1000*x)
	case x < 1:
		return fmt.Sprintf("%.3g cm", 100*x)
	}
	return fmt.Sprintf("%.3g m", x)
}

// label writes s in white with a soft dark halo, which reads on any ground.
// (ax, ay) is the point of the text's box that comes to (x, y).
func label(dc *gg.Context, size float64, s string, x, y, ax, ay float64) {
	if s == "" {
		return
	}
	const rings, spokes = 3, 12
	for r := 1; r <= rings; r++ {
		d := 0.045 * size * float64(r)
		dc.SetRGBA(0, 0, 0, 0.055)
		for k := range spokes {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / spokes)
			dc.DrawStringAnchored(s, x+float64(d*cos), y+float64(d*sin), ax, ay)
		}
	}
	dc.SetRGB(1, 1, 1)
	dc.DrawStringAnchored(s, x, y, ax, ay)
}
