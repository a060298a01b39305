package main

import (
	"strconv"
	"strings"
)

// entry says how a scene is shown.
type entry struct {
	scene   string
	fps     int    // of the clip
	last    int    // frame of the clip, if not the film's last
	frame   int    // that is the picture
	first   int    // frame of the clip, if not 1
	small   bool   // the clip has 480 × 270 pixels, and the picture 960 × 540
	spacing string // if not the scene's own
}

// entries are the scenes in the order of the page, the best first. Where the
// scene's own spacing would take more than a few minutes of two cores, it is
// coarser here.
var entries = []entry{
	{scene: "dam-break", fps: 30, frame: 74},
	{scene: "floating-boxes", fps: 24, last: 96, frame: 15, small: true, spacing: "0.025"},
	{scene: "smoke-ball", fps: 24, last: 96, frame: 74, small: true},
	{scene: "candle", fps: 24, last: 96, frame: 44, small: true},
	{scene: "campfire", fps: 24, last: 42, frame: 42, small: true},
	{scene: "dry-ice", fps: 24, last: 120, frame: 116, small: true},
	{scene: "drop", fps: 24, frame: 40},
	{scene: "plunge", fps: 24, last: 60, frame: 14, small: true},
	{scene: "bricks", fps: 24, last: 72, frame: 25, small: true},
	{scene: "boat", fps: 15, last: 24, frame: 20, small: true},
	{scene: "water-wheel", fps: 15, last: 30, frame: 28, small: true},
	{scene: "tumbler", fps: 15, last: 36, frame: 34, small: true},
	{scene: "plugged-drain", fps: 15, last: 30, frame: 28, small: true},
	{scene: "double-dam-break", fps: 20, last: 40, frame: 22, small: true},
	{scene: "dam-break-obstacle", fps: 20, last: 40, frame: 20, small: true},
	{scene: "fountain", fps: 20, last: 50, frame: 45, small: true, spacing: "0.015625"},
	{scene: "faucet", fps: 20, last: 50, frame: 45, small: true},
	{scene: "honey", fps: 20, last: 50, frame: 45, small: true},
	{scene: "sloshing-tank", fps: 20, first: 81, last: 120, frame: 112, small: true},
	{scene: "smoke-rings", fps: 15, last: 66, frame: 54, small: true},
	{scene: "trailing-vortices", fps: 15, last: 90, frame: 45, small: true},
	{scene: "droplet", fps: 20, last: 60, frame: 8, small: true},
	{scene: "still-water", fps: 20, last: 20, frame: 20, small: true},
	{scene: "bench-cube", fps: 20, last: 20, frame: 12, small: true},
	{scene: "article-column-fine", fps: 20, last: 36, frame: 20, small: true},
	{scene: "article-column", fps: 20, last: 40, frame: 20, small: true},
	{scene: "article-rotating", fps: 20, last: 36, frame: 36, small: true},
	{scene: "article-moved-box", fps: 20, last: 30, frame: 30, small: true},
	{scene: "article-ball", fps: 20, last: 24, frame: 22, small: true},
	{scene: "article-plate-flames", fps: 20, last: 80, frame: 70, small: true},
	{scene: "article-candle", fps: 20, last: 80, frame: 60, small: true},
	{scene: "article-plate-wake", fps: 20, last: 70, frame: 65, small: true},
	{scene: "article-airfoil-wake", fps: 20, last: 70, frame: 65, small: true},
	{scene: "article-spin-long", fps: 20, last: 70, frame: 65, small: true},
	{scene: "article-spin-cross", fps: 20, last: 70, frame: 65, small: true},
	{scene: "article-jet-ring", fps: 20, last: 70, frame: 60, small: true},
	{scene: "article-glass", fps: 20, last: 20, frame: 14, small: true},
	{scene: "article-amd-box", fps: 20, last: 40, frame: 20, small: true},
}

func (e entry) clip() string    { return e.scene + ".mp4" }
func (e entry) picture() string { return e.scene + ".jpg" }

// clipArgs are the arguments of the command that makes the clip. Films are less compressed by
// default.
func (e entry) clipArgs() []string {
	list := []string{"render", e.scene, "--size=" + e.clipSize()}
	if e.first > 0 || e.last > 0 {
		list = append(list, "--frames="+strconv.Itoa(max(1, e.first))+"-"+strconv.Itoa(e.last))
	}
	list = append(list, e.changes()...)
	if !e.small {
		list = append(list, "--set=video.crf=23")
	}
	return list
}

// pictureArgs are the arguments of the command that draws the picture from the files of
// the clip's run.
func (e entry) pictureArgs() []string {
	return append([]string{"draw", e.scene, "--size=" + e.pictureSize(), "--quality=final", "--frame=" + strconv.Itoa(e.frame)}, e.changes()...)
}

func (e entry) clipSize() string {
	if e.small {
		return "480x270"
	}
	return "1280x720"
}

func (e entry) pictureSize() string {
	if e.small {
		return "960x540"
	}
	return "1280x720"
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
