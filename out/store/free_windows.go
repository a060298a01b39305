package store

import "golang.org/x/sys/windows"

func free(path string) (bytes int64, ok bool) {
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, false
	}
	var n uint64
	err = windows.GetDiskFreeSpaceEx(p, &n, nil, nil)
	return int64(n), err == nil
}
