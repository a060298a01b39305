package scenes

import (
	"strings"
	"testing"

	"breakwater/sim/longtest"
)

// Settings of a gas that give poor results are named with better ones, and others are not.
func TestGasWarnings(t *testing.T) {
	longtest.NotShort(t)
	const scene = "[gas]\ncell = \"5 cm\"\nviscosity = 0\n[[vortex]]\nkind = \"ring\"\n"
	const fire = scene + "[[source]]\nkind = \"box\"\nmax = [0.2, 0.2, 0.2]\nvortons = 10\nfuel = 1\n[flame]\nactivation = 3000\n"
	const crowd = scene + "[[source]]\nkind = \"sphere\"\nradius = 0.5\ncenter = [0, 3, 0]\ntracers = 300\n[tracers]\n"
	for _, c := range []struct{ text, want string }{
		{scene, ""},
		{scene + "[solver]\nkind = \"vortons\"\nstretching = \"classical\"\n", `use "reformulated", or set gas.viscosity`},
		{scene + "[[wall]]\nkind = \"box\"\ninside = false\nmin = [2, 2, 2]\nmax = [2.6, 2.02, 2.3]\n", "wall[1] is only 0.02 m thick, too thin for cells of 0.05 m: set gas.cell to 0.02 m or less"},
		{scene + "[[wall]]\nkind = \"box\"\nmin = [-3, -3, -3]\nmax = [3, 3, 3]\n", ""},
		{scene + "[[body]]\nkind = \"box\"\nmin = [3, 3, 3]\nmax = [3.5, 3.02, 3.5]\ndensity = 1\n", "body[1] is only 0.02 m thick"},
		{scene + "[[source]]\nkind = \"box\"\nmax = [0.5, 0.02, 0.5]\nvortons = 5\n", "source[1] is only 0.02 m thick"},
		{scene + "[[source]]\nkind = \"sphere\"\nradius = 0.01\ntracers = 5\n", ""},
		{scene + "[solver]\nat = \"vortons\"\n", "set solver.mollify to 0"},
		{scene + "[solver]\nat = \"vortons\"\nmollify = 0\n", ""},
		{crowd + "most = 250\n", "there are 250 tracers from frame 27 on, as many as tracers.most, and the oldest are removed"},
		{crowd + "most = 5000\n", ""},
		{crowd + "most = 250\n[solver]\nlife = 0.5\n", ""},
		{fire, "at the highest temperature given, 293 K, the fuel takes about 1.4e+04 s to burn, and the film is 3 s long"},
		{strings.Replace(fire, "fuel = 1", "fuel = 1\ntemperature = 1500", 1), ""},
	} {
		b := mustBuild(t, mustRead(t, c.text))
		if got := strings.Join(b.Warnings, "\n"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s\nit says %q, want %q", c.text, got, c.want)
		}
	}
}
