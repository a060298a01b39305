package figure

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"io"
	"strings"
	"unicode/utf16"
)

// WritePDF writes p as a document of one page in its size (ISO 32000-1). It has no
// fonts: letters are outlines. Nothing in it depends on when it was made.
func (p *Page) WritePDF(w io.Writer, title string) error {
	if p.err != nil {
		return p.err
	}
	d := &document{}
	d.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	var content, images strings.Builder
	fmt.Fprintf(&content, "1 0 0 -1 0 %s cm 1 j\n", short(p.H)) // y down
	const first = 6                                             // of the images
	var pictures []image.Image
	for _, m := range p.marks {
		if m.img == nil {
			content.WriteString(m.pdf())
			continue
		}
		n := first + len(pictures)
		pictures = append(pictures, m.img)
		fmt.Fprintf(&images, "/I%d %d 0 R ", n, n)
		fmt.Fprintf(&content, "q %s 0 0 %s %s %s cm /I%d Do Q\n",
			short(m.rect[2]), short(-m.rect[3]), short(m.rect[0]), short(m.rect[1]+m.rect[3]), n)
	}
	d.object(1, "<< /Type /Catalog /Pages 2 0 R >>")
	d.object(2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	d.object(3, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources << /XObject << %s>> >> >>",
		short(p.W), short(p.H), images.String()))
	if err := d.stream(4, "", []byte(content.String())); err != nil {
		return err
	}
	var hexTitle strings.Builder
	for _, u := range utf16.Encode([]rune(title)) {
		fmt.Fprintf(&hexTitle, "%04X", u)
	}
	d.object(5, fmt.Sprintf("<< /Title <FEFF%s> /Producer (Breakwater) >>", hexTitle.String()))
	for k, img := range pictures {
		b := img.Bounds()
		rgb := make([]byte, 0, 3*b.Dx()*b.Dy())
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
				rgb = append(rgb, c.R, c.G, c.B)
			}
		}
		dict := fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 ", b.Dx(), b.Dy())
		if err := d.stream(first+k, dict, rgb); err != nil {
			return err
		}
	}
	start := d.Len()
	fmt.Fprintf(d, "xref\n0 %d\n0000000000 65535 f \n", len(d.at)+1)
	for _, at := range d.at {
		fmt.Fprintf(d, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(d, "trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(d.at)+1, start)
	_, err := w.Write(d.Bytes())
	return err
}

// document is a PDF as it grows.
type document struct {
	bytes.Buffer
	at []int // where each object is
}

// object writes object n, which comes after n − 1.
func (d *document) object(n int, body string) {
	d.at = append(d.at, d.Len())
	fmt.Fprintf(d, "%d 0 obj\n%s\nendobj\n", n, body)
}

// stream writes object n with data, compressed.
func (d *document) stream(n int, dict string, data []byte) error {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	d.object(n, fmt.Sprintf("<< %s/Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", dict, b.Len(), b.String()))
	return nil
}

// pdf returns the operators that draw m.
func (m *mark) pdf() string {
	fill, stroke := m.style.Fill.A > 0, m.style.Stroke.A > 0
	var b strings.Builder
	if fill {
		fmt.Fprintf(&b, "%s rg\n", tint(m.style.Fill))
	}
	if stroke {
		var dash []string
		for _, l := range m.style.Dash {
			dash = append(dash, short(l))
		}
		fmt.Fprintf(&b, "%s RG %s w [%s] 0 d\n", tint(m.style.Stroke), short(m.style.Width), strings.Join(dash, " "))
	}
	var now, start Point
	for _, s := range m.path {
		switch s.kind {
		case 'M':
			fmt.Fprintf(&b, "%s m\n", pair(s.at[0]))
			start = s.at[0]
		case 'L':
			fmt.Fprintf(&b, "%s l\n", pair(s.at[0]))
		case 'Q': // as one of third degree
			c, to := s.at[0], s.at[1]
			fmt.Fprintf(&b, "%s %s %s c\n", pair(toward(now, c)), pair(toward(to, c)), pair(to))
		case 'C':
			fmt.Fprintf(&b, "%s %s %s c\n", pair(s.at[0]), pair(s.at[1]), pair(s.at[2]))
		case 'Z':
			b.WriteString("h\n")
			now = start
			continue
		}
		now = s.at[s.points()-1]
	}
	switch {
	case fill && stroke:
		b.WriteString("B\n")
	case fill:
		b.WriteString("f\n")
	case stroke:
		b.WriteString("S\n")
	default:
		b.WriteString("n\n")
	}
	return b.String()
}

// toward returns the point two thirds of the way from a to b.
func toward(a, b Point) Point { return Point{a.X + (b.X-a.X)*2/3, a.Y + (b.Y-a.Y)*2/3} }

func pair(p Point) string { return short(p.X) + " " + short(p.Y) }

func tint(c color.RGBA) string {
	return fmt.Sprintf("%s %s %s", short(float64(c.R)/255), short(float64(c.G)/255), short(float64(c.B)/255))
}
