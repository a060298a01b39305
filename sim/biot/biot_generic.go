package biot

func velocity(k Kernel, g *group, tile []source) { velocityGo(k, g, tile) }
func gradient(k Kernel, g *group, tile []source) { gradientGo(k, g, tile) }
