package vdb

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
)

// chunk returns a chunk of Blosc of the given streams, of numbers of width bytes.
func chunk(flags, width byte, size, block int, streams ...[]byte) []byte {
	b := []byte{2, 1, flags, width}
	for _, n := range []int{size, block, 0} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	blocks := (size + block - 1) / block
	b = append(b, make([]byte, 4*blocks)...)
	each := max(1, len(streams)/blocks)
	for i, s := range streams {
		if i%each == 0 && i/each < blocks {
			binary.LittleEndian.PutUint32(b[16+4*(i/each):], uint32(len(b)))
		}
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
	}
	binary.LittleEndian.PutUint32(b[12:], uint32(len(b)))
	return b
}

// TestBlosc reads chunks of all forms: copied, split and whole, of zlib and of bytes that
// could not be made shorter.
func TestBlosc(t *testing.T) {
	plain := make([]byte, 1030) // two blocks of 512, of which the second is not full
	r := rand.New(rand.NewPCG(1, 2))
	for i := range plain {
		plain[i] = byte(r.IntN(3))
	}
	shuffle := func(b []byte) []byte {
		var out []byte
		for k := range 4 {
			for i := k; i < len(b)/4*4; i += 4 {
				out = append(out, b[i])
			}
		}
		return append(out, b[len(b)/4*4:]...)
	}
	packed := func(b []byte) []byte {
		var w bytes.Buffer
		z := zlib.NewWriter(&w)
		z.Write(b)
		z.Close()
		return w.Bytes()
	}
	a, b, c := shuffle(plain[:512]), shuffle(plain[512:1024]), shuffle(plain[1024:])
	copied := append(chunk(bloscCopied, 4, 1030, 1030)[:16], plain...)
	binary.LittleEndian.PutUint32(copied[12:], uint32(len(copied)))
	for name, data := range map[string][]byte{
		"copied": copied,
		"zlib":   chunk(bloscZlib<<5|bloscWhole|bloscShuffled, 4, 1030, 512, packed(a), packed(b), c),
		"plain":  chunk(bloscLZ4<<5|bloscWhole, 4, 1030, 512, plain[:512], plain[512:1024], plain[1024:]),
	} {
		got := make([]byte, 1030)
		if err := unblosc(got, data); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: %v", name, err)
		}
		for n := range data {
			if unblosc(make([]byte, 1030), data[:n]) == nil {
				t.Errorf("%s: read the first %d bytes of %d", name, n, len(data))
			}
		}
	}
	split := chunk(bloscLZ4<<5|bloscShuffled, 4, 512, 512, a[:128], a[128:256], a[256:384], a[384:])
	got := make([]byte, 512)
	if err := unblosc(got, split); err != nil || !bytes.Equal(got, plain[:512]) {
		t.Errorf("split: %v", err)
	}
	for codec, name := range map[byte]string{0: "BloscLZ", 2: "Snappy", 4: "Zstandard"} {
		err := unblosc(got, chunk(codec<<5|bloscWhole, 4, 512, 512, a[:100]))
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "save the file with LZ4") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLZ4 reads blocks that are written by hand, and refuses those that are not whole.
func TestLZ4(t *testing.T) {
	for _, c := range []struct {
		block, want string
	}{
		{"\x50hello", "hello"},
		{"\x32abc\x03\x00\x20yz", "abcabcabcyz"},
		{"\x1fa\x01\x00\x05\x10b", strings.Repeat("a", 25) + "b"},
		{"\xf0\x02" + strings.Repeat("q", 17), strings.Repeat("q", 17)},
	} {
		got := make([]byte, len(c.want))
		if !unLZ4(got, []byte(c.block)) || string(got) != c.want {
			t.Errorf("%q gives %q, want %q", c.block, got, c.want)
		}
		if unLZ4(make([]byte, len(c.want)+1), []byte(c.block)) || unLZ4(make([]byte, len(c.want)-1), []byte(c.block)) {
			t.Errorf("%q fills another length than its own", c.block)
		}
		for n := range c.block {
			if unLZ4(got, []byte(c.block[:n])) {
				t.Errorf("%q is whole", c.block[:n])
			}
		}
	}
	if unLZ4(make([]byte, 9), []byte("\x12a\x02\x00\x20bc")) {
		t.Error("copies from before the start")
	}
}
