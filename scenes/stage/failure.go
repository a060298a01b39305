package stage

// Elsewhere marks an error that another machine may not meet: too little memory, or a
// program that is missing.
type Elsewhere struct{ Err error }

func (e Elsewhere) Error() string { return e.Err.Error() }

// Unwrap returns the error itself.
func (e Elsewhere) Unwrap() error { return e.Err }
