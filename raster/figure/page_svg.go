package figure

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"html"
	"image/color"
	"image/png"
	"io"
	"strconv"
	"strings"
)

// WriteSVG writes p as scalable vector graphics (W3C, SVG 1.1), in its size.
func (p *Page) WriteSVG(w io.Writer, title string) error {
	if p.err != nil {
		return p.err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%[1]spt" height="%[2]spt" viewBox="0 0 %[1]s %[2]s">`+"\n",
		short(p.W), short(p.H))
	fmt.Fprintf(b, "<title>%s</title>\n<rect width=\"%s\" height=\"%s\" fill=\"#fff\"/>\n", html.EscapeString(title), short(p.W), short(p.H))
	for _, m := range p.marks {
		if m.img != nil {
			fmt.Fprintf(b, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" xlink:href="data:image/png;base64,`,
				short(m.rect[0]), short(m.rect[1]), short(m.rect[2]), short(m.rect[3]))
			e := base64.NewEncoder(base64.StdEncoding, b)
			if err := png.Encode(e, m.img); err != nil {
				return err
			}
			if err := e.Close(); err != nil {
				return err
			}
			b.WriteString("\"/>\n")
			continue
		}
		b.WriteString(`<path d="`)
		for _, s := range m.path {
			b.WriteByte(s.kind)
			for k := range s.points() {
				if k > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(short(s.at[k].X) + " " + short(s.at[k].Y))
			}
		}
		b.WriteString(`" fill="` + hex(m.style.Fill) + `"`)
		if m.style.Stroke.A > 0 {
			fmt.Fprintf(b, ` stroke="%s" stroke-width="%s" stroke-linejoin="round"`, hex(m.style.Stroke), short(m.style.Width))
			if len(m.style.Dash) > 0 {
				var d []string
				for _, l := range m.style.Dash {
					d = append(d, short(l))
				}
				fmt.Fprintf(b, ` stroke-dasharray="%s"`, strings.Join(d, " "))
			}
		}
		b.WriteString("/>\n")
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// short writes a length to a thousandth of a point.
func short(x float64) string {
	s := strconv.FormatFloat(x, 'f', 3, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func hex(c color.RGBA) string {
	if c.A == 0 {
		return "none"
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}
