package out

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"breakwater/out/store"
)

func init() {
	PointFormats.Add("npz", "particles as NumPy arrays: position, velocity, id, attributes, and the time",
		"Kern, A Simple File Format for NumPy Arrays, 2007", func() PerFrame { return &npzPoints{} })
}

// npzPoints writes a ZIP file of arrays, not compressed, as numpy.savez does.
// Its comment has the fingerprint. Files of more than 4 GB are ZIP64.
type npzPoints struct {
	begin int64 // where the file begins in another
}

func (p *npzPoints) Needs() Part { return NeedsParticles }

func (p *npzPoints) Ext() string { return "npz" }

func (p *npzPoints) Encode(w io.Writer, f *Frame) error {
	columns, err := f.points()
	if err != nil {
		return fmt.Errorf("npz: %w", err)
	}
	if _, err := f.notes(); err != nil {
		return fmt.Errorf("npz: %w", err)
	}
	z := zip.NewWriter(w)
	z.SetOffset(p.begin)
	array := func(name, typ, shape string) (io.Writer, error) {
		// A date would change from run to run.
		entry, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err == nil {
			_, err = entry.Write(npyHead(typ, shape))
		}
		return entry, err
	}
	n := f.Particles.Len()
	for k := range columns {
		c := &columns[k]
		typ, shape := "<f4", fmt.Sprintf("(%d,)", n)
		if c.number != nil {
			typ = "<u4"
		} else if c.whole {
			typ = "<i4"
		} else if c.vector != nil {
			shape = fmt.Sprintf("(%d, 3)", n)
		}
		entry, err := array(c.name, typ, shape)
		if err != nil {
			return err
		}
		err = writeRows(entry, n, c.size(), func(b []byte, i int) error {
			if !c.put(b, i) {
				return fmt.Errorf("npz: particle %d: %s is not finite", i, c.name)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	entry, err := array("time", "<f8", "()")
	if err != nil {
		return err
	}
	if _, err := entry.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f.Time))); err != nil {
		return err
	}
	if err := z.SetComment(npzMark + f.Fingerprint); err != nil {
		return fmt.Errorf("npz: %w", err)
	}
	return z.Close()
}

// npzMark precedes the fingerprint.
const npzMark = noteFingerprint + " "

// npyHead returns the head of an array, version 1.0 of the format, which ends
// at a multiple of 64 bytes.
func npyHead(typ, shape string) []byte {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", typ, shape)
	const fixed = 10 // bytes before the text
	text += strings.Repeat(" ", 63-(fixed+len(text))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(text)), byte(len(text)>>8))
	return append(b, text...)
}

func (p *npzPoints) Check(r io.ReaderAt, size int64) (string, error) {
	wrong := errors.New("npz: cut short, or not a file written by this program")
	z, err := zip.NewReader(r, size)
	if err != nil {
		return "", wrong
	}
	mark, ok := strings.CutPrefix(z.Comment, npzMark)
	tail := make([]byte, len(z.Comment))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil || string(tail) != z.Comment || !ok {
		return "", wrong // the comment ends the file
	}
	if err := store.CheckFingerprint(mark); err != nil {
		return "", fmt.Errorf("npz: %w", err)
	}
	return mark, nil
}

// PointBytes implements Sized.
func (p *npzPoints) PointBytes(_ Part, numbers int) float64 {
	return float64(particleBytes + 4*numbers)
}
