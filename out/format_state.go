package out

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"
)

// State is the format of data that only this program reads, such as the whitewater that
// the next frame continues from. The file has lines of text, an empty line, the bytes of
// Frame.State, and their CRC-32C in little-endian order.
type State struct{ Extension string }

// stateMagic is the first line of a state, before the number of its bytes.
const stateMagic = "breakwater-state 1 "

// stateHead is the largest head of a state, in bytes.
const stateHead = 1 << 16

func (s State) Needs() Part { return 0 }

// Ext returns the extension.
func (s State) Ext() string { return s.Extension }

// Encode writes f.State.
func (s State) Encode(w io.Writer, f *Frame) error {
	notes, err := f.notes()
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	var head strings.Builder
	fmt.Fprintf(&head, "%s%d\n", stateMagic, len(f.State))
	for _, n := range notes {
		fmt.Fprintf(&head, "%s %s\n", n.key, n.value)
	}
	head.WriteByte('\n')
	if head.Len() > stateHead {
		return errors.New("state: too many rows of tables")
	}
	sum := binary.LittleEndian.AppendUint32(nil, crc32.Checksum(f.State, castagnoli))
	for _, part := range [][]byte{[]byte(head.String()), f.State, sum} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// head reads the lines before the bytes. It returns the length of these lines and the
// number of bytes that follow.
func (s State) head(r *bufio.Reader, f *Frame) (head int, bytes int64, err error) {
	line := func() (string, error) {
		var b []byte
		for head < stateHead {
			c, err := r.ReadByte()
			if err != nil {
				return "", io.ErrUnexpectedEOF
			}
			if head++; c == '\n' {
				return string(b), nil
			}
			b = append(b, c)
		}
		return "", errors.New("its head does not end")
	}
	first, err := line()
	if err != nil {
		return 0, 0, err
	}
	text, ok := strings.CutPrefix(first, stateMagic)
	if bytes, err = strconv.ParseInt(text, 10, 64); !ok || err != nil || bytes < 0 {
		return 0, 0, errors.New("not a state of Breakwater")
	}
	for {
		note, err := line()
		if err != nil {
			return 0, 0, err
		}
		if note == "" {
			return head, bytes, nil
		}
		if err := f.readNote(note); err != nil {
			return 0, 0, err
		}
	}
}

// Check implements store.Checker.
func (s State) Check(r io.ReaderAt, size int64) (fingerprint string, err error) {
	var f Frame
	head, bytes, err := s.head(bufio.NewReader(io.NewSectionReader(r, 0, size)), &f)
	if err != nil {
		return "", fmt.Errorf("state: %w", err)
	}
	if want := int64(head) + bytes + 4; size != want || bytes > size {
		return "", fmt.Errorf("state: %d bytes where %d are expected", size, want)
	}
	return f.Fingerprint, nil
}

// Decode returns the frame that Encode wrote.
func (s State) Decode(r io.Reader) (*Frame, error) {
	b := bufio.NewReader(r)
	f := &Frame{}
	_, bytes, err := s.head(b, f)
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	if f.State, err = io.ReadAll(io.LimitReader(b, bytes)); err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	var sum [4]byte
	if _, err := io.ReadFull(b, sum[:]); err != nil || int64(len(f.State)) != bytes {
		return nil, errors.New("state: the file is cut short")
	}
	if _, err := b.ReadByte(); err != io.EOF {
		return nil, errors.New("state: something follows the end")
	}
	if binary.LittleEndian.Uint32(sum[:]) != crc32.Checksum(f.State, castagnoli) {
		return nil, errors.New("state: the checksum does not match")
	}
	return f, nil
}

// Verify implements store.Verifier.
func (s State) Verify(r io.Reader) error { return verify(s, r) }
