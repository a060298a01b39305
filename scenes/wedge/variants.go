package wedge

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"breakwater/scenes"
	"breakwater/sim/dice"
	"breakwater/sim/num"
)

// Variant is one scene of a wedge.
type Variant struct {
	Number int      // from 1
	Name   string   // of its folder: the number, and the values
	Labels []string // the values of [Plan.Keys]
	Scene  *scenes.Scene

	set []string
}

// String returns the keys with their values.
func (v *Variant) String() string { return strings.Join(v.set, ", ") }

// Variants reads the scene of each variant. The change is laid over the scene first. The
// error lists the faults of all variants.
func (p *Plan) Variants(change scenes.Overrides) (list []*Variant, err error) {
	scene := p.Scene
	if strings.HasSuffix(scene, ".toml") && !filepath.IsAbs(scene) {
		scene = filepath.Join(filepath.Dir(p.path), filepath.FromSlash(scene))
	}
	base, err := scenes.Load(scene)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.path, err)
	}
	if err := base.Override(change); err != nil {
		return nil, err
	}
	var wrong []error
	for i := range p.Count {
		v := &Variant{Number: i + 1}
		var parts []string
		for k, value := range p.at(i) {
			key := p.vary[k].key
			v.Labels = append(v.Labels, value.label)
			v.set = append(v.set, key+"="+value.text)
			parts = append(parts, key[strings.LastIndexByte(key, '.')+1:]+"="+value.label)
		}
		v.Name = folderName(i+1, len(strconv.Itoa(p.Count)), parts)
		s := *base
		if err := s.Override(scenes.Overrides{Set: v.set}); err != nil {
			text := strings.ReplaceAll(err.Error(), scenes.SetFlag+" ", "")
			wrong = append(wrong, fmt.Errorf("%s: variant %d (%s): %s", p.path, v.Number, v, text))
			continue
		}
		if n := s.Time.Frames(); p.Frame > n {
			wrong = append(wrong, fmt.Errorf("%s: frame: variant %d (%s) has %d frames, and the contact sheet asks for frame %d", p.path, v.Number, v, n, p.Frame))
		}
		v.Scene = &s
		list = append(list, v)
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return list, nil
}

// at returns the values of variant i, from 0.
func (p *Plan) at(i int) []value {
	list := make([]value, len(p.vary))
	d := dice.New(uint64(p.Seed)).Of(uint64(i))
	for k := len(p.vary) - 1; k >= 0; k-- {
		v := p.vary[k]
		u := d.Float(uint64(k))
		switch n := len(v.values); {
		case v.span != nil:
			list[k] = v.span.at(u)
		case p.Mode == Random:
			list[k] = v.values[int(u*float64(n))]
		case p.Mode == List:
			list[k] = v.values[i]
		default: // the last key changes fastest
			list[k], i = v.values[i%n], i/n
		}
	}
	return list
}

// at returns the value at a part u of the range, to four digits.
func (s *span) at(u float64) value {
	x := s.From + float64(u*(s.To-s.From))
	if s.Scale == "log" {
		x = s.From * num.Pow(s.To/s.From, u)
	}
	text := strconv.FormatFloat(x, 'g', 4, 64)
	return value{text, text}
}

// folderName returns the name of the folder of a variant: its number with as many digits
// as the last has, and its values as far as all systems have them in names.
func folderName(number, digits int, values []string) string {
	name := []rune(fmt.Sprintf("%0*d_%s", digits, number, strings.Join(values, "_")))
	name = slices.DeleteFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_=.+-", r)
	})
	const most = 60
	return strings.TrimRight(string(name[:min(len(name), most)]), "._")
}
