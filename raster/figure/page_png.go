package figure

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"math"

	"github.com/fogleman/gg"
	xdraw "golang.org/x/image/draw"
)

// printDPI is what journals ask of figures, at least.
const printDPI = 300

// Raster returns the page at the given number of dots per inch.
func (p *Page) Raster(dpi float64) (*image.RGBA, error) {
	if p.err != nil {
		return nil, p.err
	}
	unit := dpi / 72
	dc := gg.NewContext(int(p.W*unit), int(p.H*unit))
	img := dc.Image().(*image.RGBA)
	dc.SetRGB(1, 1, 1)
	dc.Clear()
	dc.SetLineCapButt()
	for _, m := range p.marks {
		if m.img != nil {
			r := m.rect
			xdraw.CatmullRom.Scale(img, image.Rect(int(r[0]*unit), int(r[1]*unit), int((r[0]+r[2])*unit), int((r[1]+r[3])*unit)),
				m.img, m.img.Bounds(), xdraw.Src, nil)
			continue
		}
		for _, s := range m.path {
			a := s.at
			for k := range a {
				a[k].X, a[k].Y = a[k].X*unit, a[k].Y*unit
			}
			switch s.kind {
			case 'M':
				dc.MoveTo(a[0].X, a[0].Y)
			case 'L':
				dc.LineTo(a[0].X, a[0].Y)
			case 'Q':
				dc.QuadraticTo(a[0].X, a[0].Y, a[1].X, a[1].Y)
			case 'C':
				dc.CubicTo(a[0].X, a[0].Y, a[1].X, a[1].Y, a[2].X, a[2].Y)
			case 'Z':
				dc.ClosePath()
			}
		}
		if m.style.Fill.A > 0 {
			dc.SetColor(m.style.Fill)
			dc.FillPreserve()
		}
		if m.style.Stroke.A > 0 {
			dc.SetColor(m.style.Stroke)
			dc.SetLineWidth(m.style.Width * unit)
			dash := make([]float64, len(m.style.Dash))
			for i, d := range m.style.Dash {
				dash[i] = d * unit
			}
			dc.SetDash(dash...)
			dc.StrokePreserve()
		}
		dc.ClearPath()
	}
	return img, nil
}

// WritePNG writes p for print, with its resolution (the chunk pHYs of ISO/IEC
// 15948:2004, 11.3.5.3), so that it comes out in its size.
func (p *Page) WritePNG(w io.Writer, dpi float64) error {
	img, err := p.Raster(dpi)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return err
	}
	const head = 8 + 12 + 13 // the signature and IHDR, after which pHYs may stand
	perMetre := uint32(math.Round(dpi / 0.0254))
	chunk := []byte("pHYs")
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1) // a metre
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk))
	size := binary.BigEndian.AppendUint32(nil, 9)
	for _, part := range [][]byte{b.Bytes()[:head], size, chunk, b.Bytes()[head:]} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
