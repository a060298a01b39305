package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"breakwater/scenes"
)

// story is what a run of two stages reports.
var story = []scenes.Event{
	{Stage: scenes.SimStage, Frames: 1000, Kept: 10, Message: "sim   12 files after the last frame: removed"},
	{Stage: scenes.SimStage, Frame: 11, Frames: 1000, Time: 12.3, Particles: 1_000_000, Substeps: 12, UnderWay: true},
	{Stage: scenes.SimStage, Frame: 11, Frames: 1000, Time: 12.4, Particles: 1_000_000, Substeps: 40, Kept: 10, Made: 1, Seconds: 60, ETA: 59000},
	{Stage: scenes.SimStage, Frame: 1000, Frames: 1000, Time: 99.9, Particles: 1_000_000, Kept: 10, Made: 990, Seconds: 60},
	{Stage: scenes.SimStage, Frame: 1000, Frames: 1000, Kept: 10, Made: 990, Seconds: 59000, Done: true},
	{Stage: scenes.MeshStage, File: "a folder/ParticleData_Fluid_of_a_long_name_1000.vtk", Frame: 1000, Frames: 1001, Particles: 1_000_000, Made: 1, Seconds: 60, ETA: 59000},
	{Stage: scenes.FilmStage, Frame: 1000, Frames: 1000, Kept: 1000, Done: true},
}

const (
	storySim  = "sim   kept 10 frames, made 990 in 16h23m20s\n"
	storyFile = "mesh  file 1000/1001, a folder/ParticleData_Fluid_of_a_long_name_1000.vtk, 1000000 particles, 16h23m20s left\n"
	storyEnd  = "video kept all 1000 frames\n"
)

func TestLines(t *testing.T) {
	var b bytes.Buffer
	now := time.Unix(1000, 0)
	l := &lines{w: &b, now: func() time.Time { now = now.Add(time.Second); return now }}
	for _, e := range story {
		l.report(e)
	}
	want := "sim   12 files after the last frame: removed\n" +
		"sim   frame 11/1000, t = 12.300 s, 1000000 particles, 12 substeps\n" + storySim + storyFile + storyEnd
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestBars looks at what stays on a terminal of 80 columns.
func TestBars(t *testing.T) {
	var b bytes.Buffer
	r := &bars{w: &b}
	for _, e := range story {
		r.report(e)
	}
	r.stop()
	control := regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	var left strings.Builder
	for line := range strings.Lines(b.String()) {
		for _, drawn := range strings.Split(strings.TrimSuffix(line, "\n"), "\r") {
			if n := utf8.RuneCountInString(control.ReplaceAllString(drawn, "")); n > 79 {
				t.Errorf("%d columns: %q", n, drawn)
			}
		}
		left.WriteString(control.ReplaceAllString(line[strings.LastIndex(line, "\r")+1:], ""))
	}
	if want := story[0].Message + "\n" + storySim + storyEnd; left.String() != want {
		t.Errorf("on the screen stays\n%swant\n%s", left.String(), want)
	}
	if !strings.Contains(b.String(), "…me_1000.vtk, 16h23m20s left") {
		t.Error("the bar does not tell the time left")
	}
}
