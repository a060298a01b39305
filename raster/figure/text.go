package figure

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Face is one of the fonts.
type Face int

// The Go fonts.
const (
	Regular Face = iota
	Italic
	Bold
	Mono
	numFaces
)

// Type says how a text is written. Its zero value is the size of all labels, in
// black.
type Type struct {
	Face  Face
	Size  float64 // points; 0 for the size of all labels
	Color color.RGBA
	Angle float64 // degrees, counterclockwise, about where it is put
}

// Text writes s so that the point (ax, ay) of its box lies at (x, y). ax goes from 0 at
// its left to 1 at its right, and ay from 0 at its baseline to 1 at the height of its
// capitals. _{…} in s is set lower and ^{…} higher, in smaller letters.
//
// Letters are outlines, so that a text looks the same in all files and programs.
func (p *Page) Text(s string, x, y, ax, ay float64, t Type) {
	if s == "" {
		return
	}
	if t.Size == 0 {
		t.Size = textSize
	}
	if t.Color.A == 0 {
		t.Color = black
	}
	line, err := outline(s, t)
	if err != nil {
		p.err = err
		return
	}
	sin, cos := math.Sincos(-t.Angle * math.Pi / 180)
	dx, dy := float64(-ax*line.width), float64(ay*capHeight*t.Size)
	at := func(q Point) Point {
		return Point{x + float64(cos*(q.X+dx)) - float64(sin*(q.Y+dy)), y + float64(sin*(q.X+dx)) + float64(cos*(q.Y+dy))}
	}
	for i := range line.path {
		for k := range line.path[i].points() {
			line.path[i].at[k] = at(line.path[i].at[k])
		}
	}
	p.Draw(line.path, Style{Fill: t.Color})
	w := written{s, math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, q := range []Point{{0, -line.up}, {line.width, -line.up}, {0, line.down}, {line.width, line.down}} {
		q = at(q)
		w.x0, w.y0, w.x1, w.y1 = min(w.x0, q.X), min(w.y0, q.Y), max(w.x1, q.X), max(w.y1, q.Y)
	}
	p.texts = append(p.texts, w)
}

// capHeight is the height of capitals in the Go fonts, relative to their size.
const capHeight = 0.72

// Width returns how wide s is, in points.
func (t Type) Width(s string) float64 {
	if t.Size == 0 {
		t.Size = textSize
	}
	line, err := outline(s, t)
	if err != nil {
		return 0 // Text says so
	}
	return line.width
}

// line is a text with its left end at 0 on a line at 0.
type line struct {
	path            Path
	width, up, down float64
}

// outline returns the outlines of s.
func outline(s string, t Type) (l line, err error) {
	l.up, l.down = capHeight*t.Size, 0
	for _, run := range runs(s) {
		size, rise := t.Size, 0.
		switch run.level {
		case 1:
			size, rise = 0.72*size, 0.36*size
		case -1:
			size, rise = 0.72*size, -0.2*size
		}
		if err := l.add(run.text, t.Face, size, rise); err != nil {
			return l, fmt.Errorf("figure: %q: %w", s, err)
		}
	}
	return l, nil
}

// run is a piece of text on the line (0), lower (−1) or higher (1).
type run struct {
	text  string
	level int
}

// lowered are the digits that the fonts have too small to be read.
var lowered = strings.NewReplacer("₀", "_{0}", "₁", "_{1}", "₂", "_{2}", "₃", "_{3}")

// runs splits a text at its _{…} and ^{…}.
func runs(s string) (all []run) {
	s = lowered.Replace(s)
	for s != "" {
		at, level := len(s), 0
		if i := strings.Index(s, "_{"); i >= 0 {
			at, level = i, -1
		}
		if i := strings.Index(s[:at], "^{"); i >= 0 {
			at, level = i, 1
		}
		if at > 0 {
			all = append(all, run{s[:at], 0})
		}
		if s = s[at:]; level == 0 {
			break
		}
		inner, rest, _ := strings.Cut(s[2:], "}")
		all, s = append(all, run{inner, level}), rest
	}
	return all
}

var fonts = sync.OnceValues(func() (all [numFaces]*sfnt.Font, err error) {
	for i, data := range [numFaces][]byte{goregular.TTF, goitalic.TTF, gobold.TTF, gomono.TTF} {
		if all[i], err = sfnt.Parse(data); err != nil {
			return all, fmt.Errorf("figure: font: %w", err)
		}
	}
	return all, nil
})

// add appends a piece of text.
func (l *line) add(s string, face Face, size, rise float64) error {
	all, err := fonts()
	if err != nil {
		return err
	}
	f := all[face]
	em := f.UnitsPerEm()
	ppem := fixed.I(int(em)) // so that lengths are in the font's units
	scale := size / float64(em) / 64
	var buf sfnt.Buffer
	for _, r := range s {
		// The fonts have no nabla: it is a delta upside down.
		nabla := r == '∇'
		if nabla {
			r = 'Δ'
		}
		g, err := f.GlyphIndex(&buf, r)
		if err != nil {
			return err
		}
		if g == 0 {
			return fmt.Errorf("no letter for %q", r)
		}
		path, err := f.LoadGlyph(&buf, g, ppem, nil)
		if err != nil {
			return err
		}
		at := func(p fixed.Point26_6) Point {
			q := Point{l.width + float64(float64(p.X)*scale), float64(float64(p.Y)*scale) - rise}
			if nabla {
				q.Y = float64(-capHeight*size) - float64(2*rise) - q.Y
			}
			l.up, l.down = max(l.up, -q.Y), max(l.down, q.Y)
			return q
		}
		for i, seg := range path {
			switch seg.Op {
			case sfnt.SegmentOpMoveTo:
				if i > 0 {
					l.path.Close()
				}
				q := at(seg.Args[0])
				l.path.MoveTo(q.X, q.Y)
			case sfnt.SegmentOpLineTo:
				q := at(seg.Args[0])
				l.path.LineTo(q.X, q.Y)
			case sfnt.SegmentOpQuadTo:
				l.path.QuadTo(at(seg.Args[0]), at(seg.Args[1]))
			case sfnt.SegmentOpCubeTo:
				l.path.CubeTo(at(seg.Args[0]), at(seg.Args[1]), at(seg.Args[2]))
			}
		}
		if len(path) > 0 {
			l.path.Close()
		}
		advance, err := f.GlyphAdvance(&buf, g, ppem, font.HintingNone)
		if err != nil {
			return err
		}
		l.width += float64(float64(advance) * scale)
	}
	return nil
}
