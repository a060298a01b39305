package out

import (
	"bytes"

	"breakwater/out/numbers"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// readOurs reads a file as obj.Encode writes it, block by block in parallel. It is not
// ok if anything is otherwise: then objReader reads it, or says the cause.
func readOurs(data []byte) (f *Frame, ok bool) {
	body, whole := bytes.CutSuffix(data, []byte(objEnd))
	if !whole {
		return nil, false
	}
	f = &Frame{Mesh: &mesh.Mesh{}}
	for string(body[:min(len(body), len(objBegin))]) != objBegin {
		line, rest, _ := bytes.Cut(body, []byte{'\n'})
		comment, is := bytes.CutPrefix(line, []byte("# "))
		if !is || bytes.IndexByte(line, '\\') >= 0 || f.readNote(string(comment)) != nil {
			return nil, false
		}
		body = rest
	}
	body = body[len(objBegin):]

	var blocks []objBlock
	for len(body) > 0 {
		const size = 1 << 18
		n := min(size, len(body))
		end := bytes.IndexByte(body[n-1:], '\n')
		if end < 0 {
			return nil, false
		}
		n += end
		blocks = append(blocks, objBlock{text: body[:n]})
		body = body[n:]
	}
	par.Each(len(blocks), func(i int) { blocks[i].read() })

	var v, n, t int
	for i := range blocks {
		b := &blocks[i]
		if !b.ok {
			return nil, false
		}
		v, n, t = v+len(b.pos), n+len(b.nrm), t+len(b.tri)
	}
	m := f.Mesh
	if t == 0 || n != 0 && n != v {
		return nil, false
	}
	m.Pos, m.Tri = make([]vec.Vec3, 0, v), make([][3]int32, 0, t)
	if n > 0 {
		m.Nrm = make([]vec.Vec3, 0, n)
	}
	for i := range blocks {
		b := &blocks[i]
		if len(b.tri) > 0 && (b.highest > v || b.slashed != (n > 0)) {
			return nil, false
		}
		m.Pos, m.Nrm, m.Tri = append(m.Pos, b.pos...), append(m.Nrm, b.nrm...), append(m.Tri, b.tri...)
	}
	return f, true
}

// objBlock is a range of lines of a file and their contents.
type objBlock struct {
	text     []byte
	pos, nrm []vec.Vec3
	tri      [][3]int32
	highest  int  // vertex that a triangle has, from 1
	slashed  bool // the corners have normals, of the same numbers
	ok       bool
}

func (b *objBlock) read() {
	const shortest = 24 // bytes of a line, mostly
	for s := b.text; len(s) > 0; {
		switch {
		case len(s) > 2 && s[0] == 'v' && s[1] == ' ':
			var p vec.Vec3
			if p, s = threeNumbers(s[1:]); s == nil {
				return
			}
			if b.pos == nil {
				b.pos = make([]vec.Vec3, 0, len(b.text)/shortest)
			}
			b.pos = append(b.pos, p)
		case len(s) > 3 && s[0] == 'v' && s[1] == 'n' && s[2] == ' ':
			var n vec.Vec3
			if n, s = threeNumbers(s[2:]); s == nil {
				return
			}
			if b.nrm == nil {
				b.nrm = make([]vec.Vec3, 0, len(b.text)/shortest)
			}
			b.nrm = append(b.nrm, n)
		case len(s) > 2 && s[0] == 'f' && s[1] == ' ':
			if b.tri == nil {
				b.tri = make([][3]int32, 0, len(b.text)/shortest)
			}
			if s = b.face(s[1:]); s == nil {
				return
			}
		default:
			return
		}
	}
	b.ok = true
}

// face takes " 1//1 2//2 3//3\n" or " 1 2 3\n" from s and returns what comes
// after it, nil if that is not what s begins with.
func (b *objBlock) face(s []byte) []byte {
	var t [3]int32
	for k := range t {
		v, rest := whole(s, ' ')
		if v == 0 {
			return nil
		}
		slashed := len(rest) > 1 && rest[0] == '/' && rest[1] == '/'
		if slashed {
			var n int
			if n, rest = whole(rest[1:], '/'); n != v {
				return nil
			}
		}
		if len(b.tri) == 0 && k == 0 {
			b.slashed = slashed
		} else if slashed != b.slashed {
			return nil
		}
		b.highest = max(b.highest, v)
		t[k], s = int32(v-1), rest
	}
	if len(s) == 0 || s[0] != '\n' {
		return nil
	}
	b.tri = append(b.tri, t)
	return s[1:]
}

// whole takes a mark and a number from 1 to 999,999,999 from s; it returns 0
// if s does not begin so.
func whole(s []byte, mark byte) (n int, rest []byte) {
	if len(s) == 0 || s[0] != mark {
		return 0, nil
	}
	i := 1
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		n = 10*n + int(s[i]-'0')
	}
	if i > 10 {
		return 0, nil
	}
	return n, s[i:]
}

// threeNumbers takes " 1 2 3\n" from s and returns what comes after it, nil if
// that is not what s begins with.
func threeNumbers(s []byte) (v vec.Vec3, rest []byte) {
	for _, c := range [...]*float64{&v.X, &v.Y, &v.Z} {
		if len(s) == 0 || s[0] != ' ' {
			return v, nil
		}
		if *c, s = decimal(s[1:]); s == nil {
			return v, nil
		}
	}
	if len(s) == 0 || s[0] != '\n' {
		return v, nil
	}
	return v, s[1:]
}

// decimal takes a number from s, as number reads it.
func decimal(s []byte) (v float64, rest []byte) {
	i := 0
	if len(s) > 0 && s[0] == '-' {
		i = 1
	}
	var mantissa uint64
	begin, point := i, -1
	for ; i < len(s); i++ {
		if c := s[i] - '0'; c <= 9 {
			mantissa = 10*mantissa + uint64(c)
		} else if s[i] == '.' && point < 0 {
			point = i
		} else {
			break
		}
	}
	digits, below := i-begin, 0 // in all, and after the point
	if point >= 0 {
		digits, below = digits-1, i-point-1
	}
	if digits == 0 || digits > 15 || i < len(s) && s[i] > ' ' {
		end := i
		for end < len(s) && s[end] > ' ' {
			end++
		}
		v, err := numbers.Parse(s[:end])
		if err != nil {
			return 0, nil
		}
		return v, s[end:]
	}
	v = float64(mantissa) / numbers.PowersOfTen[below]
	if s[0] == '-' {
		v = -v
	}
	return v, s[i:]
}
