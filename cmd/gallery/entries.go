package main

import (
	"fmt"
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
	width   int    // of the clip in pixels, 16:9; 0 is 1280
	spacing string // if not the scene's own
	plain   bool   // without the scene's overlay
}

// entries are the scenes in the order of the page, the best first. Where the
// scene's own spacing would take more than a few minutes of two cores, it is
// coarser here.
var entries = []entry{
	{scene: "dam-break", fps: 30, frame: 74},
	{scene: "floating-boxes", fps: 24, last: 96, frame: 15, width: 640, spacing: "0.025"},
	{scene: "smoke-ball", fps: 24, last: 96, frame: 74, width: 640},
	{scene: "candle", fps: 24, last: 96, frame: 44, width: 640},
	{scene: "campfire", fps: 24, first: 13, last: 156, frame: 60, width: 640},
	{scene: "fireball", fps: 24, last: 120, frame: 52, width: 640},
	{scene: "ring-collision", fps: 24, first: 33, last: 144, frame: 130, width: 640},
	{scene: "spinning-ball", fps: 24, frame: 76, width: 640},
	{scene: "incense", fps: 24, first: 25, last: 120, frame: 100, width: 640},
	{scene: "dry-ice", fps: 24, last: 120, frame: 116, width: 480},
	{scene: "drop", fps: 24, frame: 40, width: 640},
	{scene: "plunge", fps: 24, last: 96, frame: 14, width: 640},
	{scene: "bricks", fps: 24, last: 72, frame: 25, width: 640},
	{scene: "boat", fps: 24, last: 120, frame: 31, width: 640},
	{scene: "water-wheel", fps: 24, last: 120, frame: 44, width: 640},
	{scene: "tumbler", fps: 24, last: 96, frame: 54, width: 640},
	{scene: "plugged-drain", fps: 24, last: 120, frame: 44, width: 640},
	{scene: "double-dam-break", fps: 24, last: 72, frame: 26, width: 640},
	{scene: "dam-break-obstacle", fps: 24, last: 72, frame: 24, width: 640},
	{scene: "fountain", fps: 24, last: 96, frame: 54, width: 640, spacing: "0.015625"},
	{scene: "faucet", fps: 24, last: 120, frame: 53, width: 640},
	{scene: "honey", fps: 24, last: 96, frame: 53, width: 640},
	{scene: "sloshing-tank", fps: 24, first: 73, last: 168, frame: 134, width: 640},
	{scene: "smoke-rings", fps: 24, last: 120, frame: 86, width: 640},
	{scene: "trailing-vortices", fps: 24, last: 144, frame: 96, width: 640},
	{scene: "droplet", fps: 24, last: 96, frame: 9, width: 640},
	{scene: "still-water", fps: 24, last: 48, frame: 24, width: 640},
	{scene: "bench-cube", fps: 24, last: 24, frame: 14, width: 640},
	{scene: "article-column-fine", fps: 24, last: 72, frame: 24, width: 640, plain: true},
	{scene: "article-column", fps: 24, last: 120, frame: 24, width: 640, plain: true},
	{scene: "article-rotating", fps: 24, last: 120, frame: 43, width: 640, plain: true},
	{scene: "article-moved-box", fps: 24, last: 120, frame: 36, width: 640, plain: true},
	{scene: "article-ball", fps: 24, last: 96, frame: 26, width: 640, plain: true},
	{scene: "article-plate-flames", fps: 24, last: 96, frame: 76, width: 640},
	{scene: "article-candle", fps: 24, last: 96, frame: 90, width: 640},
	{scene: "article-plate-wake", fps: 24, last: 84, frame: 78, width: 640},
	{scene: "article-airfoil-wake", fps: 24, last: 84, frame: 78, width: 640},
	{scene: "article-spin-long", fps: 24, last: 84, frame: 78, width: 640},
	{scene: "article-spin-cross", fps: 24, last: 84, frame: 78, width: 640},
	{scene: "article-jet-ring", fps: 24, last: 84, frame: 60, width: 640},
	{scene: "article-glass", fps: 24, last: 24, frame: 17, width: 640, plain: true},
	{scene: "article-amd-box", fps: 24, last: 96, frame: 24, width: 640, plain: true},
}

func (e entry) clip() string    { return e.scene + ".mp4" }
func (e entry) picture() string { return e.scene + ".jpg" }

// clipArgs are the arguments of the command that makes the clip. Those of many pixels are
// compressed more than a film is by default.
func (e entry) clipArgs() []string {
	list := []string{"render", e.scene, "--size=" + e.clipSize()}
	if e.first > 0 || e.last > 0 {
		list = append(list, "--frames="+strconv.Itoa(max(1, e.first))+"-"+strconv.Itoa(e.last))
	}
	list = append(list, e.changes()...)
	switch {
	case e.large():
		list = append(list, "--set=video.crf=23")
	case e.width > 480:
		list = append(list, "--set=video.crf=28")
	}
	return list
}

// pictureArgs are the arguments of the command that draws the picture from the files of
// the clip's run.
func (e entry) pictureArgs() []string {
	return append([]string{"draw", e.scene, "--size=" + e.pictureSize(), "--quality=final", "--frame=" + strconv.Itoa(e.frame)}, e.changes()...)
}

// large reports whether the clip is one of the few with the pixels of a film.
func (e entry) large() bool { return e.width == 0 }

func (e entry) clipSize() string {
	if e.large() {
		return "1280x720"
	}
	return fmt.Sprintf("%dx%d", e.width, e.width*9/16)
}

func (e entry) pictureSize() string {
	if e.large() {
		return "1280x720"
	}
	return "960x540"
}

func (e entry) changes() []string {
	list := []string{"--fps=" + strconv.Itoa(e.fps)}
	if e.spacing != "" {
		list = append(list, "--spacing="+e.spacing)
	}
	if e.plain {
		list = append(list, "--set=overlay.time=false", "--set=overlay.scale=0")
	}
	return list
}

// shown returns a command as one types it.
func shown(args []string) string { return "breakwater " + strings.Join(args, " ") }
