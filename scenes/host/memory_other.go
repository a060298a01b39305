//go:build !linux && !darwin && !windows

package host

// installed and grouped return 0: on this system they are not known.
func installed() int64 { return 0 }

func grouped() int64 { return 0 }

// addressable returns 0: no limit on the process's addresses is looked up.
func addressable() int64 { return 0 }
