package out

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"breakwater/out/numbers"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Decode reads the vertices, normals and faces of an OBJ file; all else in it
// is passed over, in our own files also the solids in the liquid. Corners may be a, a/b,
// a//c or a/b/c and count from 1, or backwards from −1. Faces with more than three corners
// are cut into fans.
//
// A vertex has one normal here. Where the file gives it several, they are
// averaged; where a corner has none, the mesh has none.
func (o *obj) Decode(r io.Reader) (*Frame, error) {
	var data bytes.Buffer
	if file, ok := r.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := file.Stat(); err == nil && info.Size() < math.MaxInt32 {
			data.Grow(int(info.Size()) + bytes.MinRead)
		}
	}
	if _, err := data.ReadFrom(r); err != nil {
		return nil, err
	}
	data.Truncate(len(withoutObjects(data.Bytes())))
	p := objReader{r: bufio.NewReaderSize(&data, objMaxLine), frame: &Frame{Mesh: &mesh.Mesh{}}}
	for {
		line, err := p.next()
		if err == nil || err == io.EOF {
			if e := p.statement(line); e != nil {
				return nil, fmt.Errorf("obj: line %d: %w", p.line, e)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("obj: line %d: %w", p.line, err)
		}
	}
	if err := p.finish(); err != nil {
		return nil, fmt.Errorf("obj: %w", err)
	}
	return p.frame, nil
}

// objMaxLine bounds a line, in bytes: a polygon of ten thousand corners.
const objMaxLine = 1 << 18

// objReader is a file half read.
type objReader struct {
	r       *bufio.Reader
	line    int // from 1
	joined  []byte
	frame   *Frame
	normals []vec.Vec3
	triN    [][3]int32 // the normals of the mesh's triangles, −1 for none
	v, n    []int32    // of the face being read
	last    [2]objIndex
	ours    bool // by its comments
	ended   bool // the last statement is objEnd's
}

// objIndex is the highest index of a vertex or a normal that was used, and the
// line it stands in: it may be defined later.
type objIndex struct {
	index int32
	line  int
}

// next returns the next line, with the lines that a \ at its end joins to it.
func (p *objReader) next() ([]byte, error) {
	p.joined = p.joined[:0]
	for {
		line, err := p.r.ReadSlice('\n')
		p.line++
		if err == bufio.ErrBufferFull {
			return nil, fmt.Errorf("longer than %d bytes", objMaxLine)
		}
		part, more := bytes.CutSuffix(bytes.TrimRight(line, "\r\n"), []byte{'\\'})
		if !more && len(p.joined) == 0 {
			return part, err
		}
		p.joined = append(append(p.joined, part...), ' ')
		if len(p.joined) > objMaxLine {
			return nil, fmt.Errorf("longer than %d bytes", objMaxLine)
		}
		if !more || err != nil {
			return p.joined, err
		}
	}
}

// statement takes one line.
func (p *objReader) statement(line []byte) error {
	word, rest := numbers.CutWord(line)
	if len(word) == 0 {
		return nil
	}
	p.ended = false
	m := p.frame.Mesh
	switch string(word) {
	case "v":
		v, err := vector(rest)
		m.Pos = append(m.Pos, v)
		return err
	case "vn":
		v, err := vector(rest)
		p.normals = append(p.normals, v)
		return err
	case "f":
		return p.face(rest)
	case "#":
		comment := string(bytes.TrimSpace(rest))
		p.ours = p.ours || strings.HasPrefix(comment, notePrefix)
		p.ended = "# "+comment+"\n" == objEnd
		return p.frame.readNote(comment)
	}
	return nil
}

func (p *objReader) face(rest []byte) error {
	p.v, p.n = p.v[:0], p.n[:0]
	for {
		var word []byte
		word, rest = numbers.CutWord(rest)
		if len(word) == 0 {
			break
		}
		a, b, slashed := bytes.Cut(word, []byte{'/'})
		v, err := p.index(a, len(p.frame.Mesh.Pos), &p.last[0])
		if err != nil {
			return fmt.Errorf("corner %.30q: vertex: %w", word, err)
		}
		n := int32(-1)
		if _, c, ok := bytes.Cut(b, []byte{'/'}); slashed && ok {
			if n, err = p.index(c, len(p.normals), &p.last[1]); err != nil {
				return fmt.Errorf("corner %.30q: normal: %w", word, err)
			}
		}
		p.v, p.n = append(p.v, v), append(p.n, n)
	}
	if len(p.v) < 3 {
		return fmt.Errorf("a face with %d corners", len(p.v))
	}
	p.frame.Mesh.Tri, p.triN = appendFan(p.frame.Mesh.Tri, p.v), appendFan(p.triN, p.n)
	return nil
}

// index returns, from 0, the index in b, of a list that has n items so far.
func (p *objReader) index(b []byte, n int, last *objIndex) (int32, error) {
	digits, back := bytes.CutPrefix(b, []byte{'-'})
	if len(digits) == 0 {
		return 0, errors.New("no number")
	}
	var i int64
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, errors.New("not a whole number")
		}
		if i = 10*i + int64(c-'0'); i >= math.MaxInt32 {
			return 0, errors.New("too large a number")
		}
	}
	if back {
		i = int64(n) - i
	} else {
		i--
	}
	if i < 0 || back && i >= int64(n) {
		return 0, fmt.Errorf("there are %d up to here", n)
	}
	if int32(i) > last.index || last.line == 0 {
		*last = objIndex{int32(i), p.line}
	}
	return int32(i), nil
}

// finish checks what could not be checked before all was read, and gives the
// vertices their normals.
func (p *objReader) finish() error {
	m := p.frame.Mesh
	if p.ours && !p.ended {
		return fmt.Errorf("cut short after line %d: its end is missing", p.line)
	}
	if !p.ours && len(m.Pos) == 0 {
		return errors.New("no vertices: is it an OBJ file?")
	}
	for k, have := range [...]int{len(m.Pos), len(p.normals)} {
		if last := p.last[k]; last.line > 0 && int(last.index) >= have {
			return fmt.Errorf("line %d: %s %d of %d: is the file cut short?", last.line, [...]string{"vertex", "normal"}[k], last.index+1, have)
		}
	}
	for _, t := range p.triN {
		if min(t[0], t[1], t[2]) < 0 {
			return nil
		}
	}
	if len(p.normals) == len(m.Pos) && slices.Equal(p.triN, m.Tri) { // as ours are
		m.Nrm = p.normals
		return nil
	}
	if len(p.triN) == 0 {
		return nil
	}
	m.Nrm = make([]vec.Vec3, len(m.Pos))
	for i, t := range m.Tri {
		for k, v := range t {
			m.Nrm[v] = m.Nrm[v].Add(p.normals[p.triN[i][k]])
		}
	}
	for i, n := range m.Nrm {
		m.Nrm[i] = n.Unit()
	}
	return nil
}

// vector returns the first three numbers of b. Others, weights and colours,
// may follow.
func vector(b []byte) (v vec.Vec3, err error) {
	for _, c := range [...]*float64{&v.X, &v.Y, &v.Z} {
		var word []byte
		word, b = numbers.CutWord(b)
		if len(word) == 0 {
			return v, errors.New("fewer than 3 numbers")
		}
		if *c, err = numbers.Parse(word); err != nil {
			return v, err
		}
	}
	return v, nil
}
