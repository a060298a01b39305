package article

import (
	"strconv"
	"strings"
)

// number writes x to so many decimals, with a true minus sign.
func number(x float64, decimals int) string {
	return strings.Replace(strconv.FormatFloat(x, 'f', decimals, 64), "-", "−", 1)
}
