//go:build !amd64 || noasm

package biot

func velocity(k Kernel, g *group, tile []source) { velocityGo(k, g, tile) }
func gradient(k Kernel, g *group, tile []source) { gradientGo(k, g, tile) }

// Level names the instructions that the sums use on this processor.
func Level() string { return "plain Go" }
