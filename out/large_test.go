package out

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/store"
)

// Files of more than 4 GB are tried with holes in them, which take no room on
// the disk.

// A grid of a volume that begins at 5 GB stores its 64-bit offset.
func TestVDBLarge(t *testing.T) {
	v := ballVolume([3]int32{1, 2, 3}, 5)
	write := func(at int64) (b []byte) {
		var w bytes.Buffer
		if _, err := newVDBTree(v.Grids[0]).write(&w, at, v.Edge); err != nil {
			t.Fatal(err)
		}
		return w.Bytes()
	}
	const far = 5 * outtest.Gigabyte
	near, large := write(0), write(far)
	places := 0 // after three texts
	for range 3 {
		places += 4 + int(binary.LittleEndian.Uint32(near[places:]))
	}
	for range 3 {
		n, l := binary.LittleEndian.Uint64(near[places:]), binary.LittleEndian.Uint64(large[places:])
		if l != n+far {
			t.Errorf("%d at the beginning, %d at %d", n, l, int64(far))
		}
		copy(large[places:], near[places:places+8])
		places += 8
	}
	if !bytes.Equal(near, large) {
		t.Error("all else differs too")
	}
}

// An npz that ends beyond 4 GB is ZIP64, and has the arrays that a small one has.
func TestNPZLarge(t *testing.T) {
	f := outtest.NewSparse(t, "p.npz")
	const far = 5 * outtest.Gigabyte
	f.Skip(t, far)
	frame := testFrame(1, 20)
	if err := (&npzPoints{begin: far}).Encode(f, frame); err != nil {
		t.Fatal(err)
	}
	size := f.Size(t)
	if got, err := (&npzPoints{}).Check(f, size); got != frame.Fingerprint || err != nil {
		t.Errorf("fingerprint %q, %v", got, err)
	}
	arrays := func(r io.ReaderAt, size int64) map[string]string {
		z, err := zip.NewReader(r, size)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		for _, e := range z.File {
			r, err := e.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			all[e.Name] = string(data)
		}
		return all
	}
	small := encode(t, &npzPoints{}, frame)
	want, got := arrays(bytes.NewReader(small), int64(len(small))), arrays(f, size)
	if len(want) < 4 {
		t.Fatalf("%d arrays", len(want))
	}
	for name, data := range want {
		if got[name] != data {
			t.Errorf("%s is another", name)
		}
	}
	if tail := f.At(t, size-200, 200); !bytes.Contains(tail, []byte("PK\x06\x06")) && !bytes.Contains(tail, []byte("PK\x06\x07")) {
		t.Error("it is not a ZIP64")
	}
}

// Formats that count in 32 bits say so, and which do not.
func TestTooLarge(t *testing.T) {
	for _, c := range []struct {
		fits func(n int64) error
		most int64
	}{
		{glbFits, 1<<32 - 1},
		{func(n int64) error { return stlFits(int(n)) }, 1<<32 - 1},
		{func(n int64) error { return vtpFits(int(n)) }, 1<<31 - 1},
	} {
		if err := c.fits(c.most); err != nil {
			t.Error(err)
		}
		err := c.fits(c.most + 1)
		if err == nil || !strings.Contains(err.Error(), "; write plymesh") {
			t.Errorf("of one more: %v", err)
			continue
		}
		// The file is named where it is written.
		name := strings.SplitN(err.Error(), ":", 2)[0]
		d := outtest.Dir(t, store.OpenDir)
		err = d.Write("mesh/wave."+name, func(io.Writer) error { return c.fits(c.most + 1) })
		if err == nil || !strings.Contains(err.Error(), "wave."+name+": "+name+": ") {
			t.Errorf("the error is %v", err)
		}
	}
}
