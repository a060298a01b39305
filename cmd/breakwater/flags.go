package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"breakwater/out"
	"breakwater/out/film"
)

// The types of flags that do not accept every number. A flag that is not given is 0,
// which none of them accepts.
type (
	threadCount int     // threads to run on
	frameNumber int     // of one frame, from 1
	rateFactor  int     // constant rate factor of a film
	positive    float64 // a length or a time
)

func (n *threadCount) UnmarshalText(text []byte) error { return whole((*int)(n), text, 1, 1024) }

func (n *frameNumber) UnmarshalText(text []byte) error { return whole((*int)(n), text, 1, math.MaxInt) }

// readCount reads a flag of the type count: a whole number that is not 0.
func readCount(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("count", &text); err != nil {
		return err
	}
	n := 0
	err := whole(&n, []byte(text), 1, math.MaxInt)
	target.SetInt(int64(n))
	return err
}

func (n *rateFactor) UnmarshalText(text []byte) error {
	if err := whole((*int)(n), text, 1, 51); err != nil {
		if string(text) == "0" {
			return fmt.Errorf("%w; 0 would be lossless, which most players cannot play", err)
		}
		return err
	}
	return nil
}

// whole reads a whole number within bounds.
func whole(to *int, text []byte, least, most int) error {
	n, err := strconv.Atoi(string(text))
	if err == nil && n >= least && n <= most && isDigit(text[0]) {
		*to = n
		return nil
	}
	if most == math.MaxInt {
		return fmt.Errorf("%q: expected a whole number, %d or more", text, least)
	}
	return fmt.Errorf("%q: expected a whole number, %d to %d", text, least, most)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (x *positive) UnmarshalText(text []byte) error {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(v > 0) || math.IsInf(v, 1) {
		return fmt.Errorf("%q: expected a number above 0", text)
	}
	*x = positive(v)
	return nil
}

// emptyValue returns an error if an argument is empty or blank: otherwise a script with
// an unset variable would run as if the flag were absent. Model knows which flags take
// no value.
func emptyValue(model *kong.Node, args []string) error {
	for i, arg := range args {
		if arg == "--" {
			return nil
		}
		name, value, ok := strings.Cut(arg, "=")
		switch flag := strings.HasPrefix(arg, "-"); {
		case flag && ok && strings.TrimSpace(value) == "":
			return fmt.Errorf("%s is empty: give it a value, or leave it out", name)
		case strings.TrimSpace(arg) != "":
		case i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=") && !isSwitch(model, strings.TrimLeft(args[i-1], "-")):
			return fmt.Errorf("%s is empty: give it a value, or leave it out", args[i-1])
		default:
			return errors.New("an argument is empty: leave it out")
		}
	}
	return nil
}

// isSwitch reports whether a flag of node or of the commands below it takes no
// value.
func isSwitch(node *kong.Node, name string) bool {
	for _, f := range node.Flags {
		if (f.Name == name || f.Short != 0 && string(f.Short) == name) && (f.IsBool() || f.IsCounter()) {
			return true
		}
	}
	for _, child := range node.Children {
		if isSwitch(child, name) {
			return true
		}
	}
	return false
}

// folderName returns an error if --out names a file of a kind that the command
// does not make, where it would make a folder of that name. A folder that is
// there, and a name that ends in a slash, are meant.
func folderName(path, makes string) error {
	if !out.FileEnd(path) || strings.HasSuffix(path, "/") || os.IsPathSeparator(path[len(path)-1]) {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	return usageError{fmt.Errorf("--out %s: %s; for a folder of this name, end it in a slash: %s/", path, makes, path)}
}

// filmEnds says how the names of films end.
func filmEnds() string {
	ends := film.Ends()
	return strings.Join(ends[:len(ends)-1], ", ") + " or " + ends[len(ends)-1]
}

// parseRange reads 10-20, 7, 10- or -20, whose bounds are least or more; −1 is
// an open bound.
func parseRange(text string, least int) (first, last int, err error) {
	a, b, dash := strings.Cut(text, "-")
	if !dash {
		b = a
	}
	bound := func(s string) int {
		if s == "" && dash {
			return -1
		}
		n, e := strconv.Atoi(s)
		if e != nil || n < least || !isDigit(s[0]) {
			err = fmt.Errorf("%q is not a range of frames: give first and last, counted from %d, such as 10-20", text, least)
		}
		return n
	}
	first, last = bound(a), bound(b)
	switch {
	case err != nil:
		return 0, 0, err
	case first < 0 && last < 0:
		return 0, 0, fmt.Errorf("%q contains no frame: give first and last, such as 10-20, or leave it out for all", text)
	case last >= 0 && first > last:
		return 0, 0, fmt.Errorf("%q ends before it begins", text)
	}
	return first, last, nil
}
