package sky

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"breakwater/raster/color"
)

// hdrImage is a picture of radiances.
type hdrImage struct {
	w, h int
	pix  []color.RGB
}

// Bounds of a picture of surroundings: the largest on the market, and the size that is
// kept. Curved surfaces would show finer detail only as noise.
const (
	hdrMaxSide    = 1 << 15
	hdrKeptWidth  = 2048
	hdrKeptHeight = 1024
)

// readHDR reads a Radiance picture (Ward 1991, Real Pixels; file format of
// Radiance 5, §filefmts), and makes it smaller than hdrKept by means over its
// pixels.
func readHDR(data []byte) (*hdrImage, error) {
	gain, rest, err := hdrHeader(data)
	if err != nil {
		return nil, err
	}
	w, h, rest, err := hdrSize(rest)
	if err != nil {
		return nil, err
	}
	if len(rest) < 4*h {
		return nil, fmt.Errorf("cut short: %d bytes for %d lines of %d pixels", len(rest), h, w)
	}
	m := &hdrImage{w: min(w, hdrKeptWidth), h: min(h, hdrKeptHeight)}
	m.pix = make([]color.RGB, m.w*m.h)
	count := make([]float64, m.w*m.h)
	line := make([][4]byte, w)
	for y := range h {
		if rest, err = hdrLine(line, rest); err != nil {
			return nil, fmt.Errorf("line %d of %d: %w", y+1, h, err)
		}
		row := y * m.h / h * m.w
		for x, p := range line {
			k := row + x*m.w/w
			m.pix[k] = m.pix[k].Add(decodeRGBE(p))
			count[k]++
		}
	}
	for k, n := range count {
		m.pix[k] = m.pix[k].Scale(gain / n)
	}
	return m, nil
}

// decodeRGBE returns the radiance of three mantissas and their exponent.
func decodeRGBE(p [4]byte) color.RGB {
	if p[3] == 0 {
		return color.RGB{}
	}
	f := math.Ldexp(1, int(p[3])-136)
	return color.New((float64(p[0])+0.5)*f, (float64(p[1])+0.5)*f, (float64(p[2])+0.5)*f)
}

// hdrHeader reads the lines up to the empty one, and returns the factor of the pixels.
func hdrHeader(data []byte) (gain float64, rest []byte, err error) {
	if !bytes.HasPrefix(data, []byte("#?")) {
		return 0, nil, errors.New("not a Radiance picture: it does not begin with #?RADIANCE")
	}
	gain = 1
	for n := 1; ; n++ {
		line, after, ok := bytes.Cut(data, []byte{'\n'})
		if !ok || n > 1000 {
			return 0, nil, errors.New("its header has no end")
		}
		data = after
		key, value, _ := strings.Cut(strings.TrimSpace(string(line)), "=")
		switch {
		case key == "":
			return gain, data, nil
		case key == "FORMAT" && value != "32-bit_rle_rgbe":
			return 0, nil, fmt.Errorf("its pixels are %.40q; expected 32-bit_rle_rgbe", value)
		case key == "EXPOSURE":
			x, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(x > 1e-9 && x < 1e9) {
				return 0, nil, fmt.Errorf("line %d: %.40q is not an exposure", n, value)
			}
			gain /= x
			if !(gain > 1e-12 && gain < 1e12) {
				return 0, nil, fmt.Errorf("line %d: the exposures together are %g", n, 1/gain)
			}
		}
	}
}

// hdrSize reads the line with the size.
func hdrSize(data []byte) (w, h int, rest []byte, err error) {
	line, rest, ok := bytes.Cut(data, []byte{'\n'})
	if !ok {
		return 0, 0, nil, errors.New("it ends before its size")
	}
	f := strings.Fields(string(line))
	if len(f) != 4 || f[0] != "-Y" || f[2] != "+X" {
		return 0, 0, nil, fmt.Errorf("its size is %.60q; expected -Y height +X width, from the top left", line)
	}
	h, errH := strconv.Atoi(f[1])
	w, errW := strconv.Atoi(f[3])
	if errH != nil || errW != nil || min(w, h) < 1 || max(w, h) > hdrMaxSide {
		return 0, 0, nil, fmt.Errorf("its size is %.60q; each side must be 1 to %d", line, hdrMaxSide)
	}
	return w, h, rest, nil
}

var errShort = errors.New("cut short")

// hdrLine reads a line of pixels in any of the three codings.
func hdrLine(line [][4]byte, data []byte) (rest []byte, err error) {
	w := len(line)
	if len(data) < 4 {
		return nil, errShort
	}
	if w < 8 || w > 0x7fff || data[0] != 2 || data[1] != 2 || data[2] > 127 {
		return hdrOldLine(line, data)
	}
	if n := int(data[2])<<8 | int(data[3]); n != w {
		return nil, fmt.Errorf("%d pixels, but the lines have %d", n, w)
	}
	data = data[4:]
	for c := range 4 { // a channel after the other, in runs
		for x := 0; x < w; {
			if len(data) < 2 {
				return nil, errShort
			}
			n, run := int(data[0]), false
			if n > 128 {
				n, run = n-128, true
			}
			if n == 0 || x+n > w {
				return nil, fmt.Errorf("a run of %d pixels from pixel %d of %d", n, x, w)
			}
			if run {
				for k := range n {
					line[x+k][c] = data[1]
				}
				data = data[2:]
			} else {
				if len(data) < 1+n {
					return nil, errShort
				}
				for k := range n {
					line[x+k][c] = data[1+k]
				}
				data = data[1+n:]
			}
			x += n
		}
	}
	return data, nil
}

// hdrOldLine reads pixels as they are, except that 1, 1, 1, n repeats the previous pixel
// n times, and more if several of these follow each other.
func hdrOldLine(line [][4]byte, data []byte) (rest []byte, err error) {
	shift := 0
	for x := 0; x < len(line); {
		if len(data) < 4 {
			return nil, errShort
		}
		p := [4]byte(data)
		data = data[4:]
		if p[0] != 1 || p[1] != 1 || p[2] != 1 {
			line[x], shift = p, 0
			x++
			continue
		}
		if x == 0 || shift > 16 {
			return nil, errors.New("a repeated pixel with none before it")
		}
		n := int(p[3]) << shift
		if x+n > len(line) {
			return nil, fmt.Errorf("pixel %d repeated %d times, of %d", x, n, len(line))
		}
		for range n {
			line[x] = line[x-1]
			x++
		}
		shift += 8
	}
	return data, nil
}
