package out

import (
	"bytes"
	"fmt"

	"breakwater/out/numbers"
)

// placeReader reads where the corners of faces lie in pictures.
type placeReader struct {
	obj   *objReader
	at    [][2]float64
	tri   [][3]int32 // among at, −1 for none
	last  objIndex
	given bool
}

// statement takes a vt, or an f whose vertices have been read.
func (p *placeReader) statement(word string, rest []byte) error {
	if word == "vt" {
		var at [2]float64
		for k := range at {
			var text []byte
			if text, rest = numbers.CutWord(rest); len(text) == 0 {
				if k == 1 { // a picture of one line
					break
				}
				return fmt.Errorf("fewer than 1 number")
			}
			var err error
			if at[k], err = numbers.Parse(text); err != nil {
				return err
			}
		}
		p.at = append(p.at, at)
		return nil
	}
	var corners []int32
	for {
		var corner []byte
		if corner, rest = numbers.CutWord(rest); len(corner) == 0 {
			break
		}
		_, b, _ := bytes.Cut(corner, []byte{'/'})
		b, _, _ = bytes.Cut(b, []byte{'/'})
		at := int32(-1)
		if len(b) > 0 {
			var err error
			if at, err = p.obj.index(b, len(p.at), &p.last); err != nil {
				return fmt.Errorf("corner %.30q: place: %w", corner, err)
			}
			p.given = true
		}
		corners = append(corners, at)
	}
	p.tri = appendFan(p.tri, corners)
	return nil
}

// finish gives the triangles their texture coordinates, and removes the textures of
// triangles without coordinates.
func (p *placeReader) finish(to *Painted) error {
	if p.given && int(p.last.index) >= len(p.at) {
		return fmt.Errorf("obj: line %d: place %d of %d: is the file cut short?", p.last.line, p.last.index+1, len(p.at))
	}
	pictured := false
	for i, paint := range to.Paints {
		if paint == nil || paint.Picture == "" {
			continue
		}
		if t := p.tri[i]; min(t[0], t[1], t[2]) < 0 {
			to.Paints[i] = &Paint{Color: paint.Color}
			continue
		}
		pictured = true
	}
	if !pictured {
		return nil
	}
	to.Places = make([][3][2]float64, len(p.tri))
	for i, t := range p.tri {
		for k, at := range t {
			if at >= 0 {
				to.Places[i][k] = p.at[at]
			}
		}
	}
	return nil
}
