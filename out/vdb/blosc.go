package vdb

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A chunk of Blosc 1 (c-blosc, README_HEADER.rst): 16 bytes of head, the places of its
// blocks, and the blocks, which may be split into a stream for each byte of a number.
const (
	bloscHead       = 16
	bloscShuffled   = 0x01
	bloscCopied     = 0x02
	bloscBits       = 0x04
	bloscWhole      = 0x10 // blocks are not split
	bloscMostSplits = 16
	bloscLeastSplit = 128 // bytes of a stream
)

// bloscNames are the compressors within Blosc by their numbers.
var bloscNames = [8]string{"BloscLZ", "LZ4", "Snappy", "zlib", "Zstandard", "number 5", "number 6", "number 7"}

const (
	bloscLZ4  = 1
	bloscZlib = 3
)

// errBlosc is the fault of a chunk.
var errBlosc = errors.New("the values compressed by Blosc are damaged; write the file again")

// unblosc fills dst from a chunk.
func unblosc(dst, src []byte) error {
	if len(src) < bloscHead {
		return errBlosc
	}
	flags, width := src[2], int(src[3])
	size, block := int64(binary.LittleEndian.Uint32(src[4:])), int64(binary.LittleEndian.Uint32(src[8:]))
	if packed := int64(binary.LittleEndian.Uint32(src[12:])); size != int64(len(dst)) || packed > int64(len(src)) || packed < bloscHead {
		return errBlosc
	}
	if flags&bloscCopied != 0 {
		if copy(dst, src[bloscHead:]) < len(dst) {
			return errBlosc
		}
		return nil
	}
	codec := flags >> 5
	if codec != bloscLZ4 && codec != bloscZlib {
		return fmt.Errorf("the values are compressed by %s within Blosc, which is not supported; save the file with LZ4 within Blosc, with zip, or without compression", bloscNames[codec])
	}
	if flags&bloscBits != 0 {
		return errors.New("the bits of the values are shuffled by Blosc, which is not supported; save the file with zip or without compression")
	}
	if block < 1 || block > size || width < 1 {
		return errBlosc
	}
	blocks := (size + block - 1) / block
	if bloscHead+4*blocks > int64(len(src)) {
		return errBlosc
	}
	shuffled := make([]byte, block)
	for i := range blocks {
		part := dst[i*block : min(size, (i+1)*block)]
		splits := 1
		if flags&bloscWhole == 0 && width <= bloscMostSplits && int(block)/width >= bloscLeastSplit && int64(len(part)) == block {
			splits = width
		}
		to := part
		if flags&bloscShuffled != 0 && width > 1 {
			to = shuffled[:len(part)]
		}
		if err := bloscBlock(to, src, int(binary.LittleEndian.Uint32(src[bloscHead+4*i:])), splits, codec); err != nil {
			return err
		}
		if flags&bloscShuffled != 0 && width > 1 {
			unshuffle(part, to, width)
		}
	}
	return nil
}

// bloscBlock fills dst from the streams of a block, the first of which is at the byte at.
func bloscBlock(dst, src []byte, at, splits int, codec byte) error {
	if len(dst)%splits != 0 {
		return errBlosc
	}
	each := len(dst) / splits
	for k := range splits {
		if at < bloscHead || at+4 > len(src) {
			return errBlosc
		}
		n := int(int32(binary.LittleEndian.Uint32(src[at:])))
		at += 4
		if n < 0 || n > len(src)-at {
			return errBlosc
		}
		part, from := dst[k*each:(k+1)*each], src[at:at+n]
		at += n
		switch {
		case n == each:
			copy(part, from)
		case codec == bloscLZ4:
			if !unLZ4(part, from) {
				return errBlosc
			}
		default:
			if err := unzip(part, from); err != nil {
				return err
			}
		}
	}
	return nil
}

// unshuffle puts the bytes of numbers together again: src has the first byte of each, then
// the second of each, and so on. The bytes after the last number are as they were.
func unshuffle(dst, src []byte, width int) {
	n := len(src) / width
	for k := range width {
		for i, b := range src[k*n : (k+1)*n] {
			dst[i*width+k] = b
		}
	}
	copy(dst[n*width:], src[n*width:])
}
