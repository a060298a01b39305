package toml

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// parserVersion is the version of go-toml that this package is written for. Its
// package unstable promises no compatibility, so that this file alone imports it,
// and a test holds go.mod to the version: read the parser's changes, then raise
// both.
const parserVersion = "v2.2.4"

// parser splits TOML into expressions.
type parser struct{ unstable.Parser }

type (
	expression = unstable.Node
	iterator   = unstable.Iterator
)

// The kinds of expressions and of values that are not scalars.
const (
	keyValueExpr = unstable.KeyValue
	tableHeader  = unstable.Table
	arrayHeader  = unstable.ArrayTable
	arrayValue   = unstable.Array
	inlineTable  = unstable.InlineTable
)

// scalars are the kinds of the parser's scalars.
var scalars = map[unstable.Kind]Kind{
	unstable.String: String, unstable.Bool: Bool, unstable.Integer: Int, unstable.Float: Float,
	unstable.LocalDate: Date, unstable.LocalTime: Date, unstable.LocalDateTime: Date, unstable.DateTime: Date,
}

// fault returns why the parser has stopped, and where in buf, of which it reads the
// end; the message is "" if it has read all.
func (p *parser) fault(buf []byte) (at Span, message string) {
	var e *unstable.ParserError
	if !errors.As(p.Error(), &e) {
		return at, ""
	}
	// A slice of buf ends where buf ends, so its capacity gives its place.
	off := min(cap(buf)-cap(e.Highlight), len(buf))
	return Span{off, off + len(e.Highlight)}, strings.TrimPrefix(e.Message, "toml: ")
}
