package out

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Log is a CSV file with one row a frame, which grows while a run goes on. A
// row is on its way to the disk when Add returns, so that a run that is killed
// loses none.
type Log struct {
	f       *os.File
	name    string // path, for messages
	columns int
}

// OpenLog opens the log of the given name with rows for the frames before
// from, and makes it if there is none. The first column is the frame's number;
// columns names the others. Rows of later frames are dropped, since these are
// made again, and so are half a row that a killed run left, and all rows of a
// log with other columns.
func OpenLog(d *Dir, name string, from int, columns ...string) (*Log, error) {
	header := "frame," + strings.Join(columns, ",") + "\n"
	kept, err := d.keptRows(name, header, from)
	if err != nil {
		return nil, err
	}
	if err := d.Write(name, func(w io.Writer) error {
		_, err := io.WriteString(w, header+kept)
		return err
	}); err != nil {
		return nil, err
	}
	f, err := d.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("out: open %s: %w", d.shown(name), bare(err))
	}
	return &Log{f, d.shown(name), len(columns)}, nil
}

// keptRows returns the whole rows of a log for the frames before from.
func (d *Dir) keptRows(name, header string, from int) (string, error) {
	var kept strings.Builder
	err := d.Read(name, func(r io.Reader) error {
		b := bufio.NewReader(r)
		for first := true; ; first = false {
			row, err := b.ReadString('\n')
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if first {
				if row != header {
					return nil
				}
				continue
			}
			frame, _, _ := strings.Cut(row, ",")
			n, err := strconv.Atoi(strings.TrimSpace(frame))
			if err == nil && n < from {
				kept.WriteString(row)
			}
		}
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return kept.String(), err
}

// Add appends the row of a frame, a number for each column.
func (l *Log) Add(frame int, values ...float64) error {
	if len(values) != l.columns {
		panic(fmt.Sprintf("out: %d values for the %d columns of %s", len(values), l.columns, l.name))
	}
	var row bytes.Buffer
	fmt.Fprint(&row, frame)
	for _, v := range values {
		format := byte('g')
		if v == math.Trunc(v) && math.Abs(v) < 1e15 { // counts without an exponent
			format = 'f'
		}
		row.WriteByte(',')
		row.WriteString(strconv.FormatFloat(v, format, -1, 64))
	}
	row.WriteByte('\n')
	if _, err := l.f.Write(row.Bytes()); err != nil {
		return writeError(l.name, bare(err))
	}
	return nil
}

// Close completes the file on the disk.
func (l *Log) Close() error {
	err := errors.Join(bare(l.f.Sync()), bare(l.f.Close()))
	if err != nil {
		return writeError(l.name, err)
	}
	return nil
}
