package main

import (
	"fmt"
	"strings"

	"breakwater/scenes/shipped"
)

const head = `# Gallery

A picture of each shipped scene. Click on it to play the clip; the commands below it make both. The pictures have quality
` + "`final`" + `; the clips have ` + "`good`" + `.

    go run ./cmd/gallery

makes this folder again, in some hours of two cores. Run it from the root of the repository. Names of scenes after the command
select some of them.
`

// page returns the text of README.md in this folder.
func page() (string, error) {
	var s strings.Builder
	s.WriteString(head)
	docs := map[string]shipped.Scene{}
	for _, x := range shipped.Scenes() {
		docs[x.Name] = x
	}
	for _, e := range entries {
		x, ok := docs[e.scene]
		if !ok {
			return "", fmt.Errorf("no shipped scene is called %q", e.scene)
		}
		cite := ""
		if x.Cite != "" {
			cite = " (" + x.Cite + ")"
		}
		fmt.Fprintf(&s, "\n## %s\n\n%s%s\n\n[![%s](%s)](%s)\n\n    %s\n    %s\n",
			e.scene, x.Doc, cite, e.scene, e.picture(), e.clip(), shown(e.clipArgs()), shown(e.pictureArgs()))
	}
	return s.String(), nil
}
