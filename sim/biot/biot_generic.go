//go:build !amd64 || noasm

package biot

func (s *Sums) sum(list []source) { s.sumGo(list) }

// Level names the instructions that the sums use on this processor.
func Level() string { return "plain Go" }
