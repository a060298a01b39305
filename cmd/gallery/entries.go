package main

import (
	"strconv"
	"strings"
)

// entry says how a scene is shown.
type entry struct {
	scene   string
	fps     int    // of the clip
	last    int    // frame of the clip
	frame   int    // that is the picture
	first   int    // frame of the clip, if not 1
	spacing string // if not the scene's own
}

// entries are the scenes in the order of the page, the best first. Where the
// scene's own spacing would take more than a few minutes of two cores, it is
// coarser here.
var entries = []entry{
	{scene: "dam-break", fps: 30, last: 90, frame: 72},
	{scene: "floating-boxes", fps: 20, last: 50, frame: 13, spacing: "0.025"},
	{scene: "smoke-ball", fps: 24, last: 96, frame: 74},
	{scene: "dry-ice", fps: 24, last: 120, frame: 116},
	{scene: "drop", fps: 20, last: 40, frame: 31},
	{scene: "plunge", fps: 15, last: 24, frame: 9},
	{scene: "bricks", fps: 15, last: 24, frame: 16},
	{scene: "boat", fps: 15, last: 24, frame: 20},
	{scene: "water-wheel", fps: 15, last: 30, frame: 28},
	{scene: "tumbler", fps: 15, last: 36, frame: 34},
	{scene: "plugged-drain", fps: 15, last: 30, frame: 28},
	{scene: "double-dam-break", fps: 20, last: 40, frame: 22},
	{scene: "dam-break-obstacle", fps: 20, last: 40, frame: 20},
	{scene: "fountain", fps: 20, last: 50, frame: 45, spacing: "0.015625"},
	{scene: "faucet", fps: 20, last: 50, frame: 45},
	{scene: "honey", fps: 20, last: 50, frame: 45},
	{scene: "sloshing-tank", fps: 20, first: 81, last: 120, frame: 112},
	{scene: "smoke-rings", fps: 15, last: 66, frame: 54},
	{scene: "trailing-vortices", fps: 15, last: 48, frame: 45},
	{scene: "droplet", fps: 20, last: 60, frame: 8},
	{scene: "still-water", fps: 20, last: 20, frame: 20},
	{scene: "bench-cube", fps: 20, last: 20, frame: 12},
	{scene: "article-column-fine", fps: 20, last: 36, frame: 20},
	{scene: "article-column", fps: 20, last: 40, frame: 20},
	{scene: "article-rotating", fps: 20, last: 36, frame: 36},
	{scene: "article-moved-box", fps: 20, last: 30, frame: 30},
	{scene: "article-ball", fps: 20, last: 24, frame: 22},
	{scene: "article-plate-flames", fps: 20, last: 80, frame: 70},
	{scene: "article-candle", fps: 20, last: 80, frame: 60},
	{scene: "article-plate-wake", fps: 20, last: 70, frame: 65},
	{scene: "article-airfoil-wake", fps: 20, last: 70, frame: 65},
	{scene: "article-spin-long", fps: 20, last: 70, frame: 65},
	{scene: "article-spin-cross", fps: 20, last: 70, frame: 65},
	{scene: "article-jet-ring", fps: 20, last: 70, frame: 60},
	{scene: "article-glass", fps: 20, last: 20, frame: 14},
	{scene: "article-amd-box", fps: 20, last: 40, frame: 20},
}

func (e entry) clip() string    { return e.scene + ".mp4" }
func (e entry) picture() string { return e.scene + ".jpg" }

// clipArgs are the arguments of the command that makes the clip.
func (e entry) clipArgs() []string {
	frames := strconv.Itoa(max(1, e.first)) + "-" + strconv.Itoa(e.last)
	return append([]string{"render", e.scene, "--size=480x270", "--frames=" + frames}, e.changes()...)
}

// pictureArgs are the arguments of the command that draws the picture from the files of
// the clip's run.
func (e entry) pictureArgs() []string {
	return append([]string{"draw", e.scene, "--size=960x540", "--quality=final", "--frame=" + strconv.Itoa(e.frame)}, e.changes()...)
}

func (e entry) changes() []string {
	list := []string{"--fps=" + strconv.Itoa(e.fps)}
	if e.spacing != "" {
		list = append(list, "--spacing="+e.spacing)
	}
	return list
}

// shown returns a command as one types it.
func shown(args []string) string { return "breakwater " + strings.Join(args, " ") }
