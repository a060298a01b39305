package mesher

import (
	"fmt"
	"strconv"
)

// lint says which settings will not do, and what would.
func lint(settings []Setting) (news []string) {
	number := func(key string) (float64, bool) {
		for _, s := range settings {
			if s.Key == key {
				x, err := strconv.ParseFloat(s.Value, 64)
				return x, err == nil
			}
		}
		return 0, false
	}
	if cell, ok := number("cell"); ok && cell > 1 {
		news = append(news, fmt.Sprintf("warning: cells of %g radii are larger than the particles, and their drops become rhomboids: 1 would do, 0.75 is better", cell))
	}
	return news
}
