package farm

import (
	"fmt"
	"runtime/debug"
	"strings"

	"breakwater/scenes/run"
	"breakwater/scenes/stage"
)

// program returns the version of this program, and in parentheses the revision of its source
// if the build recorded it.
func program() string {
	revision, modified := "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = ", modified"
			}
		}
	}
	if revision == "" {
		return run.Version
	}
	return fmt.Sprintf("%s (%s%s)", run.Version, revision, modified)
}

// checkProgram returns an error unless this program is the one that planned. Without a revision of one
// of the two, the versions count.
func (p *Plan) checkProgram() error {
	here := program()
	version, revision, _ := strings.Cut(here, " ")
	planned, other, _ := strings.Cut(p.Program, " ")
	if version == planned && (revision == other || revision == "" || other == "") {
		return nil
	}
	return stage.Elsewhere{Err: fmt.Errorf("this program is breakwater %s, and the plan is of breakwater %s, whose files may differ: run that one, or plan again", here, p.Program)}
}
