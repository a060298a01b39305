// Command reference computes the flows that cases of scenes/validate are compared with, by methods that
// share nothing with the simulation but Fourier transforms of lines. It prints CSV:
//
//	go run ./scenes/validate/reference taylor-green >scenes/validate/data/taylor_green_3d.csv
//	go run ./scenes/validate/reference cylinder >scenes/validate/data/cylinder_550.csv
//
// The numbers of a coarser or finer run follow with a size: taylor-green 48.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// flows are the flows by name: each prints its numbers for a resolution, and 0 for its own.
var flows = map[string]func(n int){
	"cylinder":     cylinder,
	"taylor-green": taylorGreen,
}

func main() {
	if len(os.Args) < 2 || flows[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: reference FLOW [SIZE], with the flow cylinder or taylor-green")
		os.Exit(2)
	}
	n := 0
	if len(os.Args) > 2 {
		var err error
		if n, err = strconv.Atoi(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "reference:", err)
			os.Exit(2)
		}
	}
	flows[os.Args[1]](n)
}
