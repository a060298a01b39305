package film

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"breakwater/out/outtest"
	"breakwater/out/programs"
	"breakwater/out/store"
	"breakwater/sim/longtest"
)

// browserPage shows each film, looks at three of its moments, and reports the results to
// the server.
const browserPage = `<!doctype html><script>
const colors = (source) => {
  const c = document.createElement("canvas");
  c.width = W; c.height = H;
  const g = c.getContext("2d");
  g.drawImage(source, 0, 0);
  return PLACES.map(([x, y]) => [...g.getImageData(x, y, 1, 1).data.slice(0, 3)]);
};
// shown goes to a time and waits until the frame of that time is on the screen. When the seek
// ends, the frame before it may still be there.
const shown = (v, t) => new Promise((there) => {
  const look = (_, frame) => {
    const late = t - frame.mediaTime;
    late >= 0 && late < FRAME ? there() : v.requestVideoFrameCallback(look);
  };
  v.requestVideoFrameCallback(look);
  v.currentTime = t;
});
const film = (name) => new Promise((done) => {
  const v = document.createElement("video"), seen = {name, colors: []};
  v.muted = true;
  const fail = (why) => done({...seen, fault: String(why)});
  setTimeout(() => fail("it hangs"), 60000);
  v.onerror = () => fail(v.error.message);
  v.onloadeddata = async () => {
    [seen.width, seen.height, seen.duration] = [v.videoWidth, v.videoHeight, v.duration];
    for (const t of TIMES) {
      await shown(v, t);
      seen.colors.push(colors(v));
    }
    v.currentTime = 0;
    v.onended = () => done({...seen, played: v.getVideoPlaybackQuality().totalVideoFrames});
    v.play().catch(fail);
  };
  v.src = name;
});
const picture = (name) => new Promise((done) => {
  const i = new Image();
  i.onerror = () => done({name, fault: "it cannot be shown"});
  i.onload = () => done({name, width: i.naturalWidth, height: i.naturalHeight, colors: [colors(i)]});
  i.src = name;
});
(async () => {
  for (const name of FILMS) {
    const seen = await (/gif|png/.test(name) ? picture : film)(name);
    await fetch("/seen", {method: "POST", body: JSON.stringify(seen)});
  }
})();
</script>`

// A browser plays the films that this program makes by itself: of their size and
// length, to their end, and in the right colours wherever it looks.
func TestBrowser(t *testing.T) {
	longtest.Only(t)
	browser := programs.Find(t, "chromium", "chromium-browser", "google-chrome")
	info := Info{Width: 320, Height: 180, FPS: 30, Frames: 45, Fingerprint: "beef", Encoder: "own", CRF: 16}
	d := outtest.Dir(t, store.OpenDir)
	var films []string
	for name, m := range movies(t) {
		if name == "mp4-own" || name == "webm" || name == "apng" || name == "gif" {
			film := name + "." + m.Ext()
			if err := writeFilm(t.Context(), d, film, m, info); err != nil {
				t.Fatal(err)
			}
			films = append(films, film)
		}
	}
	places := [][2]int{{10, 10}, {160, 90}, {300, 170}, {70, 120}}
	at := []int{0, 20, 40}
	var times []float64
	for _, n := range at {
		times = append(times, (float64(n)+0.5)/info.FPS)
	}
	asJSON := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	type sees struct {
		Name, Fault             string
		Width, Height, Duration float64
		Played                  int
		Colors                  [][][3]float64
	}
	seen := make(chan sees, len(films))
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<script>const W = %d, H = %d, PLACES = %s, TIMES = %s, FILMS = %s, FRAME = %g</script>%s", info.Width, info.Height, asJSON(places), asJSON(times), asJSON(films), 1/info.FPS, browserPage)
	})
	mux.HandleFunc("/seen", func(_ http.ResponseWriter, r *http.Request) {
		var s sees
		if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
			s.Fault = err.Error()
		}
		seen <- s
	})
	mux.Handle("/", http.FileServer(http.Dir(d.Path())))
	server := httptest.NewServer(mux)
	defer server.Close()

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--autoplay-policy=no-user-gesture-required",
		"--user-data-dir="+filepath.Join(t.TempDir(), "profile"), server.URL+"/page", "--remote-debugging-port=0")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		c.Wait()
	}()
	for range films {
		var s sees
		select {
		case s = <-seen:
		case <-ctx.Done():
			t.Fatal("the browser says nothing")
		}
		if s.Fault != "" || s.Width != float64(info.Width) || s.Height != float64(info.Height) {
			t.Errorf("%s: %+v", s.Name, s)
			continue
		}
		if film := s.Duration > 0; film && (s.Duration < 1.49 || s.Duration > 1.51 || s.Played == 0) {
			t.Errorf("%s: plays %d frames in %g s, want 1.5", s.Name, s.Played, s.Duration)
		}
		for i, colors := range s.Colors {
			var want *image.RGBA = outtest.Picture(at[i], info.Width, info.Height)
			for k, p := range places {
				w := want.RGBAAt(p[0], p[1])
				for j, v := range [3]uint8{w.R, w.G, w.B} {
					if d := colors[k][j] - float64(v); d < -10 || d > 10 {
						t.Errorf("%s: frame %d has %v at %v, want %v", s.Name, at[i], colors[k], p, w)
						break
					}
				}
			}
		}
	}
}
