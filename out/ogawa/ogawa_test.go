package ogawa

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"breakwater/out/outtest"
)

// The hashes were computed by Alembic's C++.
func TestHashes(t *testing.T) {
	for _, c := range []struct{ text, murmur, spooky string }{
		{"", "00000000000000000000000000000000", "1909f56bfc062723c751e8b465ee728b"},
		{"hello", "029bbd41b3a7d8cb191dae486a901e5b", "cae682d36a82683743e01ac7d11e945c"},
		{strings.Repeat("0123456789abcdef!", 2), "188263a894b5fc09f8d89df586ef6a16", "581662ceaf8b19a48bc13884bf3697ac"},
		{strings.Repeat("breakwater", 30), "6cd6a624856cd1f756032e44aeb071fd", "0900a62203dbfaa49298fc827d4c4829"},
		{strings.Repeat("breakwater", 19) + "b", "8e8f1a9278cfb5e1172ebbe84d94d095", "4892c0dbff61ca984f1d86d36f37f2d4"},
		{strings.Repeat("breakwater", 19) + "br", "98f450bfd7b65fdf2fdc252b6ab8f490", "06a6f11539742f44fc11ace4ec93918a"},
		{strings.Repeat("breakwater", 28) + "breakwa", "05f85d7735680638061c38d6f5415fbe", "d1780c76a1b49f4a5bc67ed784e65ac0"},
	} {
		if got := hex.EncodeToString(Murmur3([]byte(c.text)).Bytes()); got != c.murmur {
			t.Errorf("murmur3 of %d bytes is %s, want %s", len(c.text), got, c.murmur)
		}
		if got := hex.EncodeToString(Spooky([]byte(c.text)).Bytes()); got != c.spooky {
			t.Errorf("spooky of %d bytes is %s, want %s", len(c.text), got, c.spooky)
		}
	}
}

// An archive of 5 GB has its nodes where their groups say.
func TestAlembicLarge(t *testing.T) {
	f := outtest.NewSparse(t, "a.abc")
	o := New(f)
	first := o.Data([]byte("first"))
	if err := o.w.Flush(); err != nil {
		t.Fatal(err)
	}
	const hole = 5 * outtest.Gigabyte
	f.Skip(t, hole)
	o.at += hole
	last := o.Data([]byte("last"))
	if err := o.Close(o.Group([]uint64{first, last})); err != nil {
		t.Fatal(err)
	}
	f.Size(t)
	word := func(at uint64) uint64 { return binary.LittleEndian.Uint64(f.At(t, int64(at), 8)) }
	root := word(8)
	if root < hole || word(root) != 2 {
		t.Fatalf("the root group is at byte %d", root)
	}
	for k, want := range []string{"first", "last"} {
		at := word(root + 8 + 8*uint64(k))
		if at&DataBit == 0 {
			t.Fatal("a group among data")
		}
		at &^= DataBit
		if got := f.At(t, int64(at)+8, int(word(at))); string(got) != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
