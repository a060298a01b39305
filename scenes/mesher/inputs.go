package mesher

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"breakwater/out/particles"
	"breakwater/sim/num"
)

// Input is a particle file.
type Input struct {
	Path   string
	Number int // that its name ends in, or −1 without one
}

// Files reports whether arg names particle files, not a scene: a pattern, or a name that
// ends as names of particle files do.
func Files(arg string) bool {
	return Pattern(arg) || slices.Contains(particles.Exts(), particles.Ext(arg))
}

// Pattern reports whether arg stands for files of many names.
func Pattern(arg string) bool { return strings.ContainsAny(arg, "*?[") || numberIn.MatchString(arg) }

// numberIn is where a number stands in a pattern: {}, %d or %04d.
var numberIn = regexp.MustCompile(`\{\}|%0?\d*d`)

// Find returns the files that the patterns name, each once, in the natural order of their
// names. It also returns notices for the user: which numbers are missing.
func Find(patterns []string) (list []Input, notices []string, err error) {
	var shown []string               // patterns of sequences
	sequence := map[string][]Input{} // the files of each
	for _, p := range patterns {
		found, err := matches(p)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, found...)
		if !Pattern(p) {
			p = unnumbered(p) // of the names that a shell made of a pattern
		}
		if sequence[p] == nil {
			shown = append(shown, p)
		}
		sequence[p] = append(sequence[p], found...)
	}
	for _, p := range shown {
		if s := gaps(sequence[p]); s != "" {
			notices = append(notices, fmt.Sprintf("%s: %s", p, s))
		}
	}
	sortInputs(list)
	list = slices.CompactFunc(list, func(a, b Input) bool { return filepath.Clean(a.Path) == filepath.Clean(b.Path) })
	return list, notices, nil
}

func sortInputs(list []Input) {
	slices.SortStableFunc(list, func(a, b Input) int { return naturally(a.Path, b.Path) })
}

// matches returns the files that one pattern names.
func matches(pattern string) (list []Input, err error) {
	info, err := os.Stat(pattern)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a folder; name the files in it, such as %q", pattern, filepath.Join(pattern, "*"))
	case err == nil:
		return []Input{{pattern, lastNumber(pattern)}}, nil
	case numberIn.MatchString(pattern):
		list, err = numbered(pattern)
	case strings.ContainsAny(pattern, "*?["):
		var names []string
		if names, err = filepath.Glob(pattern); err != nil {
			return nil, fmt.Errorf("%s: %w", pattern, err)
		}
		for _, name := range names {
			list = append(list, Input{name, lastNumber(name)})
		}
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such file", pattern)
	}
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(f Input) bool {
		info, err := os.Stat(f.Path)
		return err == nil && info.IsDir()
	})
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no file matches", pattern)
	}
	sortInputs(list)
	return list, nil
}

// numbered returns the files of a pattern with a place for a number in the
// last part of its path.
func numbered(pattern string) (list []Input, err error) {
	folder, base := filepath.Split(pattern)
	places := numberIn.FindAllStringIndex(base, -1)
	if len(places) != 1 {
		return nil, fmt.Errorf("%s: expected one {} or %%04d in the file's name", pattern)
	}
	at := places[0]
	digits := `(\d+)`
	if width := strings.Trim(base[at[0]:at[1]], "{}%d"); strings.HasPrefix(width, "0") && width != "0" {
		digits = fmt.Sprintf(`(\d{%s,})`, strings.TrimLeft(width, "0"))
	}
	like, err := regexp.Compile("^" + regexp.QuoteMeta(base[:at[0]]) + digits + regexp.QuoteMeta(base[at[1]:]) + "$")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pattern, err)
	}
	entries, err := os.ReadDir(cmp.Or(folder, "."))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if m := like.FindStringSubmatch(e.Name()); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				list = append(list, Input{folder + e.Name(), n})
			}
		}
	}
	return list, nil
}

var lastDigits = regexp.MustCompile(`(\d+)\D*$`)

// lastNumber returns the last number in a file's name without its end, −1 if it
// has none.
func lastNumber(path string) int {
	if m := lastDigits.FindStringSubmatch(stem(path)); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n
		}
	}
	return -1
}

// unnumbered returns path with {} in place of its last number.
func unnumbered(path string) string {
	name := stem(path)
	m := lastDigits.FindStringSubmatchIndex(name)
	if m == nil {
		return path
	}
	folder, base := filepath.Split(path)
	return folder + base[:m[2]] + "{}" + base[m[3]:]
}

// InRange returns the files of list with a number from first to last, −1 for
// any.
func InRange(list []Input, first, last int) ([]Input, error) {
	if first < 0 && last < 0 {
		return list, nil
	}
	low, high := math.MaxInt, -1
	kept := slices.DeleteFunc(slices.Clone(list), func(f Input) bool {
		low, high = min(low, f.Number), max(high, f.Number)
		return f.Number < 0 || f.Number < first || last >= 0 && f.Number > last
	})
	if len(kept) == 0 {
		if high < 0 {
			return nil, usage("the files are not numbered, so no range can be chosen")
		}
		return nil, usage("no file has a number in this range; the files have %d-%d", low, high)
	}
	return kept, nil
}

// Ends says which numbers of a range that was asked for come before or after all
// files of it, "" if none do.
func Ends(list []Input, first, last int) string {
	low, high := math.MaxInt, -1
	for _, f := range list {
		low, high = min(low, f.Number), max(high, f.Number)
	}
	var runs []string
	if first >= 0 && first < low {
		runs = append(runs, fmt.Sprintf("the first has number %d, after %d", low, first))
	}
	if last > high {
		runs = append(runs, fmt.Sprintf("the last has number %d, before %d", high, last))
	}
	if len(runs) == 0 {
		return ""
	}
	return "the range has more numbers than there are files: " + strings.Join(runs, "; ")
}

// stem returns the name of a file without its folder and without the end that
// says its format.
func stem(path string) string {
	base := filepath.Base(path)
	if strings.HasSuffix(strings.ToLower(base), ".gz") {
		base = base[:len(base)-len(".gz")]
	}
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// CommonName returns the name that all files share without their numbers, "" if they share
// none.
func CommonName(list []Input) (name string) {
	for i, in := range list {
		s := strings.TrimRight(stem(unnumbered(in.Path)), "{}_-. ")
		if i > 0 && s != name {
			return ""
		}
		name = s
	}
	return name
}

// FirstFrame returns the number of the first frame. It is the number of its file if the
// files are numbered consecutively from 1 or more, and otherwise 1.
func FirstFrame(list []Input) int {
	for i, in := range list {
		if in.Number < 1 || in.Number != list[0].Number+i {
			return 1
		}
	}
	return list[0].Number
}

// naturally compares names with their numbers as numbers: f9 before f10.
func naturally(a, b string) int {
	all := [2]string{a, b}
	for len(a) > 0 && len(b) > 0 {
		if digit(a[0]) && digit(b[0]) {
			m, n := digitsOf(a), digitsOf(b)
			a, b = a[len(m):], b[len(n):]
			m, n = strings.TrimLeft(m, "0"), strings.TrimLeft(n, "0")
			if c := cmp.Or(len(m)-len(n), strings.Compare(m, n)); c != 0 {
				return c
			}
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Or(len(a)-len(b), strings.Compare(all[0], all[1]))
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func digitsOf(s string) string {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	return s[:n]
}

// gaps says which numbers are missing from a sequence, "" if none is. Every
// tenth file is a sequence too.
func gaps(list []Input) string {
	var numbers []int
	for _, f := range list {
		if f.Number < 0 {
			return ""
		}
		numbers = append(numbers, f.Number)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if len(numbers) < 3 {
		return ""
	}
	step := numbers[1] - numbers[0]
	for i := range numbers[1:] {
		step = num.GCD(step, numbers[i+1]-numbers[i])
	}
	var runs []string
	missing := 0
	for i := range numbers[1:] {
		from, to := numbers[i]+step, numbers[i+1]-step
		if from > to {
			continue
		}
		missing += (to-from)/step + 1
		if len(runs) == 5 {
			runs = append(runs, "…")
		}
		if len(runs) < 5 {
			if from == to {
				runs = append(runs, strconv.Itoa(from))
			} else {
				runs = append(runs, fmt.Sprintf("%d-%d", from, to))
			}
		}
	}
	if missing == 0 {
		return ""
	}
	every := ""
	if step > 1 {
		every = fmt.Sprintf(", every %d", step)
	}
	return fmt.Sprintf("%d of the files %d-%d%s are missing: %s", missing, numbers[0], numbers[len(numbers)-1], every, strings.Join(runs, ", "))
}
