//go:build !unix

package main

import "io"

// closed reports false: how the system tells is not known here.
func closed(io.Writer) bool { return false }
