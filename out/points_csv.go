package out

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

func init() {
	PointFormats.Add("csv", "particles with velocities, numbers and attributes as a text table for spreadsheets, NumPy, gnuplot and pandas (comment='#'); the last lines begin with # and describe the file. For ParaView use vtp", "",
		func() PerFrame { return &csvPoints{} })
}

// csvPoints writes a line of names and one line per particle, with the fewest digits that
// distinguish a float32 from others. Notes are lines that begin with #, at the end, since
// programs take the first line for the names.
type csvPoints struct{}

func (c *csvPoints) Needs() Part { return NeedsParticles }

func (c *csvPoints) Ext() string { return "csv" }

// csvEnd is the last line of a whole file.
const csvEnd = "# end\n"

func (c *csvPoints) Encode(w io.Writer, f *Frame) error {
	columns, err := f.points()
	if err != nil {
		return fmt.Errorf("csv: %w", err)
	}
	notes, err := f.notes()
	if err != nil {
		return fmt.Errorf("csv: %w", err)
	}
	var names []string
	for k := range columns {
		switch c := &columns[k]; c.name {
		case "position":
			names = append(names, axisNames("")...)
		case "velocity":
			names = append(names, axisNames("v")...)
		default:
			names = append(names, c.parts()...)
		}
		if c := &columns[k]; c.vector != nil {
			if bad := notFinite(c.vector); bad >= 0 {
				return fmt.Errorf("csv: particle %d: %s %v is not finite", bad, c.name, c.vector[bad])
			}
		} else if bad := notFiniteNumber(c.scalar); bad >= 0 {
			return fmt.Errorf("csv: particle %d: %s %v is not finite", bad, c.name, c.scalar[bad])
		}
	}
	if _, err := io.WriteString(w, strings.Join(names, ",")+"\n"); err != nil {
		return err
	}
	err = writeLines(w, f.Particles.Len(), func(b []byte, i int) []byte {
		for k := range columns {
			switch c := &columns[k]; {
			case c.vector != nil:
				v := c.vector[i]
				b = append(textNumber(b, v.X), ',')
				b = append(textNumber(b, v.Y), ',')
				b = textNumber(b, v.Z)
			case c.number != nil:
				b = strconv.AppendUint(b, uint64(c.number[i]), 10)
			case c.whole:
				b = strconv.AppendInt(b, int64(c.scalar[i]), 10)
			default:
				b = textNumber(b, c.scalar[i])
			}
			b = append(b, ',')
		}
		b[len(b)-1] = '\n'
		return b
	})
	if err != nil {
		return err
	}
	tail := fmt.Appendf(nil, "# %s, seconds\n", f.Axes)
	for _, n := range notes {
		tail = fmt.Appendf(tail, "# %s %s\n", n.key, n.value)
	}
	_, err = w.Write(append(tail, csvEnd...))
	return err
}

func (c *csvPoints) Check(r io.ReaderAt, size int64) (string, error) {
	wrong := errors.New("csv: cut short, or not a file written by this program")
	tail := make([]byte, min(size, 1<<10))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil || !bytes.HasSuffix(tail, []byte("\n"+csvEnd)) {
		return "", wrong
	}
	var f Frame
	for line := range bytes.Lines(tail) {
		if line[0] != '#' { // or a part of a line
			continue
		}
		if err := f.readNote(string(line[1:])); err != nil {
			return "", fmt.Errorf("csv: %w", err)
		}
	}
	return f.Fingerprint, nil
}

// PointBytes implements Sized.
func (c *csvPoints) PointBytes(_ Part, numbers int) float64 {
	return float64(textBytes * (7 + numbers))
}
