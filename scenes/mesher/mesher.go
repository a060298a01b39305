// Package mesher makes meshes from particle files of any program.
//
//	inputs.go    which files are meant, and which are missing
//	clean.go     particles that cannot be meshed
//	estimate.go  how far particles lie apart
//	settings.go  settings of surface methods
//	lint.go      radii that give poor results
//	memory.go    the memory that a file will need
//	archives.go  files of all meshes
//	materials.go the file of the material that meshes share
//	mesher.go    the files, one after the other
package mesher

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"breakwater/out"
	"breakwater/out/pace"
	"breakwater/out/particles"
	"breakwater/out/store"
	"breakwater/scenes/host"
	"breakwater/scenes/stage"
	"breakwater/sim/neighbor"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// version is raised when meshes come out otherwise than before from the same
// particles and options.
const version = 10

// Options are the inputs, the settings and the outputs of a run.
type Options struct {
	Files       []string // and patterns; see Find
	First, Last int      // numbers of files, −1 for any
	Radius      float64  // of the particles, m: half their distance at rest; 0 to estimate it
	Method      string   // of the surface, "" for sph
	Settings    []Setting
	Out         string   // folder, or the file if there is one
	Formats     []string // of the meshes
	Flat        bool     // without normals
	Still       bool     // without velocities
	Quads       bool     // pairs of triangles as quads
	Within      *vec.Box // only particles in it, if there is one
	Attributes  []string // of the particles, for the vertices; "all" for all
	Memory      int64    // most bytes, 0 for as many as there are
	FPS         float64  // frames per second of archives, 0 for DefaultFPS
	Interval    float64  // simulated time between two files, s: velocities of archives are a film's; 0 for one frame
	Force       bool     // make again even intact files
}

// UsageError is a fault of the options.
type UsageError struct{ error }

func usage(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Run meshes the files of opt one after the other: it reads the next and writes
// the one before in the meantime. A file that cannot be meshed does not stop
// it, but is named in the error at the end.
//
// report is called for one event at a time.
func Run(ctx context.Context, opt Options, report func(stage.Event)) error {
	r, err := newRunner(opt, report)
	if err != nil {
		return err
	}
	defer r.dir.Close()
	defer r.leavePassing(false)
	defer host.Keep(r.opt.Memory)()
	return r.run(ctx)
}

// runner is one run.
type runner struct {
	opt      Options
	report   func(stage.Event)
	inputs   []Input
	method   surface.Method
	settings []Setting // all of the method
	dir      *store.Dir
	name     string // of the only mesh, "" to name meshes after the inputs
	formats  []out.PerFrame
	sums     []string // of the inputs

	archives    []out.Archive
	archiveExts []string              // of all that are known
	archive     string                // name of the archives, "" for one of the inputs'
	sources     []out.PerFrame        // of the archives
	passing     out.PerFrame          // a source that goes when they are made; nil for none
	leave       func(gone bool) error // the folder of passing meshes; nil if it is not in use

	radius         float64
	alone          bool // no other file in memory
	numbered       bool // the numbers of particles are needed
	memoryReported bool // the memory needed
	linted         bool // the radius is compared with the particles

	loop  stage.Loop
	begun time.Time
	bad   []string
}

func newRunner(opt Options, report func(stage.Event)) (*runner, error) {
	r := &runner{opt: opt, report: report, radius: opt.Radius, begun: time.Now()}
	if opt.Radius != 0 && !isRadius(opt.Radius) {
		return nil, usage("the radius %g m is out of range; expected %g to %g m", opt.Radius, leastRadius, mostRadius)
	}
	if r.opt.Method == "" {
		r.opt.Method = "sph"
	}
	var err error
	if r.method, r.settings, err = newMethod(r.opt.Method, opt.Settings); err != nil {
		return nil, UsageError{err}
	}
	r.numbered = r.method.Common().Strays == "drops"
	if err := r.findFormats(); err != nil {
		return nil, err
	}
	var notices []string
	if r.inputs, notices, err = Find(opt.Files); err != nil {
		return nil, UsageError{err}
	}
	if r.inputs, err = InRange(r.inputs, opt.First, opt.Last); err != nil {
		return nil, err
	}
	if s := Ends(r.inputs, opt.First, opt.Last); s != "" {
		notices = append(notices, s)
	}
	r.loop = stage.Loop{
		Event: stage.Event{Stage: stage.Mesh, Files: true, Frames: len(r.inputs)}, Report: report,
		Interrupted: func(i int) *stage.Interrupted {
			return &stage.Interrupted{Stage: stage.Mesh, File: r.inputs[i].Path, Frame: i + 1, Last: len(r.inputs)}
		},
	}
	r.sums = make([]string, len(r.inputs))
	folder := opt.Out
	if r.name != "" {
		if len(r.inputs) > 1 {
			return nil, usage("%s is a single file, but there are %d meshes; name a folder", opt.Out, len(r.inputs))
		}
		folder = filepath.Dir(opt.Out)
	}
	if r.archive != "" {
		folder = filepath.Dir(opt.Out)
	}
	if err := r.distinct(folder); err != nil {
		return nil, err
	}
	open := store.OpenDir
	if r.name == "" && r.archive == "" { // a folder of meshes, not one that a file goes to
		open = func(path string) (*store.Dir, error) { return store.OpenRun(path) }
	}
	if r.dir, err = open(folder); err != nil {
		return nil, err
	}
	clean := []string{"."}
	if len(r.archives) > 0 {
		clean = append(clean, r.passingFolder())
		if r.leave, err = r.dir.Share(r.passingFolder()); err != nil {
			r.dir.Close()
			return nil, err
		}
	}
	if err := r.dir.Clean(clean...); err != nil {
		r.dir.Close()
		return nil, err
	}
	for _, s := range notices {
		r.say("%s", s)
	}
	return r, nil
}

// findFormats finds the formats of the meshes by name or by the end of the
// files' names.
func (r *runner) findFormats() error {
	byExt := map[string]out.PerFrame{}
	var known []string
	for e, f := range out.Formats.Defaults() {
		if f.Needs()&out.NeedsMesh != 0 {
			byExt[f.Ext()], byExt[e.Name] = f, f
			known = append(known, f.Ext())
		}
	}
	archives, exts := archiveFormats()
	r.archiveExts = exts
	known = append(known, exts...)
	names := r.opt.Formats
	ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(r.opt.Out)), ".")
	if byExt[ext] != nil || archives[ext] != nil {
		same := func(name string) bool {
			return byExt[ext] != nil && byExt[name] == byExt[ext] || archives[ext] != nil && archives[name] == archives[ext]
		}
		if len(names) > 1 || len(names) == 1 && !same(strings.ToLower(names[0])) {
			return usage("%s does not have the format %s", r.opt.Out, strings.Join(names, ", "))
		}
		name := strings.TrimSuffix(filepath.Base(r.opt.Out), filepath.Ext(r.opt.Out))
		if names = []string{ext}; byExt[ext] != nil {
			r.name = name
		} else {
			r.archive = name
		}
	}
	if r.name == "" && r.archive == "" && out.FileEnd(r.opt.Out) && !strings.HasSuffix(r.opt.Out, "/") {
		if info, err := os.Stat(r.opt.Out); err != nil || !info.IsDir() {
			return usage("%s is not a name for a mesh; expected one that ends in .%s, or a folder; for a folder of this name, end it in a slash", r.opt.Out, strings.Join(known, ", ."))
		}
	}
	if len(names) == 0 {
		names = []string{"ply"}
	}
	var together []out.Archive
	for _, name := range names {
		if a := archives[strings.ToLower(name)]; a != nil {
			together = append(together, a)
			continue
		}
		f := byExt[strings.ToLower(name)]
		if f == nil {
			return usage("%q is not a mesh format; expected one of %s", name, strings.Join(known, ", "))
		}
		if !slices.Contains(r.formats, f) {
			r.formats = append(r.formats, f)
		}
		if _, ok := f.(out.Quaded); !ok && r.opt.Quads {
			return usage("%s does not support quads; obj, ply and vtp do", name)
		}
	}
	for _, a := range together {
		if err := r.addArchive(a); err != nil {
			return err
		}
	}
	return r.timing()
}

// distinct returns an error if two inputs would go to one file, or one to
// itself.
func (r *runner) distinct(folder string) error {
	from := map[string]string{}
	for _, in := range r.inputs {
		for _, f := range r.formats {
			to := filepath.Join(folder, r.meshName(in, f))
			if other, taken := from[to]; taken {
				return usage("%s and %s would both become %s; mesh them separately", other, in.Path, to)
			}
			from[to] = in.Path
		}
	}
	for _, in := range r.inputs {
		a, err := os.Stat(in.Path)
		if err != nil {
			continue // reported when it is read
		}
		for _, f := range r.formats {
			to := filepath.Join(folder, r.meshName(in, f))
			if b, err := os.Stat(to); err == nil && os.SameFile(a, b) {
				return usage("the mesh of %s would overwrite it; name another folder", in.Path)
			}
		}
	}
	return nil
}

// meshName returns the name of the mesh of in, in the folder for meshes.
func (r *runner) meshName(in Input, f out.PerFrame) string {
	if r.name != "" {
		return r.name + "." + f.Ext()
	}
	if r.passing != nil && f == r.passing {
		return path.Join(r.passingFolder(), stem(in.Path)+"."+f.Ext())
	}
	return stem(in.Path) + "." + f.Ext()
}

// say reports a message for the user.
func (r *runner) say(format string, args ...any) {
	r.report(stage.Event{Stage: stage.Mesh, Files: true, Message: fmt.Sprintf(format, args...)})
}

// job is an input on its way.
type job struct {
	in        Input
	index     int
	sum       string // of the file
	bytes     int    // of the file
	p         *particles.Cloud
	particles int
	found     surface.Counts
	err       error
	kept      bool // the meshes are there already
	notices   []string
}

func (r *runner) run(ctx context.Context) error {
	if r.radius == 0 {
		if err := r.estimate(); err != nil {
			return err
		}
	}
	for _, s := range r.method.Advice() {
		r.say("warning: %s", s)
	}
	r.report(r.loop.Event)
	if r.archived() { // then meshes are wanted for themselves alone
		r.formats = slices.DeleteFunc(r.formats, func(f out.PerFrame) bool { return r.passing != nil && f == r.passing })
		if len(r.formats) == 0 {
			r.loop.Event.Kept = len(r.inputs)
			return r.end(ctx)
		}
	}

	read := func(i int) chan *job {
		c := make(chan *job, 1)
		go func() { c <- r.read(i) }()
		return c
	}
	next := read(0)
	defer func() {
		if next != nil {
			<-next
		}
	}()
	var both [2]mesh.Mesh // one is written while the other is made
	r.loop.Pace = pace.Of(r.sizes())
	err := r.loop.Run(ctx, len(r.inputs), func(i int, e *stage.Event) (write func() error, err error) {
		if next == nil {
			next = read(i)
		}
		j := <-next
		next = nil
		r.sums[i] = j.sum
		if j.err == nil && !j.kept {
			if !r.linted {
				r.linted = true
				if s := lintRadius(r.radius, Spacing(j.p.X, 2*r.radius)/2); s != "" {
					r.say("%s", s)
				}
			}
			j.err = r.room(j)
		}
		if i+1 < len(r.inputs) && !r.alone {
			next = read(i + 1)
		}
		for _, s := range j.notices {
			r.say("%s", s)
		}
		if j.kept {
			r.loop.Event.Kept++
			return nil, stage.ErrSkip
		}
		m := &both[e.Made%2]
		if r.alone {
			if err := r.loop.Wait(); err != nil {
				return nil, err
			}
			m = &both[0]
		}
		var frame *out.Frame
		if j.err == nil {
			frame, j.err = r.mesh(m, j)
		}
		if j.err != nil {
			if err := r.loop.Wait(); err != nil {
				return nil, err
			}
			r.bad = append(r.bad, j.in.Path)
			r.say("%s: %v", j.in.Path, j.err)
			return nil, stage.ErrSkip
		}
		e.File, e.Frame, e.Particles, e.Triangles = j.in.Path, j.index, j.particles, len(m.Tri)
		e.Strays, e.Cavities, e.Filled = j.found.Strays, j.found.Cavities, j.found.Filled
		return func() error { return r.write(j, frame) }, nil
	})
	if err != nil {
		return err
	}
	return r.end(ctx)
}

// sizes returns the bytes of each file, to which its particles are about
// proportional.
func (r *runner) sizes() []float64 {
	bytes := make([]float64, len(r.inputs))
	for i, in := range r.inputs {
		bytes[i] = 1
		if info, err := os.Stat(in.Path); err == nil {
			bytes[i] = float64(info.Size())
		}
	}
	return bytes
}

// end reports the products, and makes archives of the meshes.
func (r *runner) end(ctx context.Context) error {
	r.report(stage.Event{
		Stage: stage.Mesh, Files: true, Frame: len(r.inputs), Frames: len(r.inputs), Kept: r.loop.Event.Kept, Made: r.loop.Event.Made,
		Seconds: time.Since(r.begun).Seconds(), Done: true,
	})
	if r.loop.Event.Kept > 0 {
		if err := r.materials(); err != nil {
			return err
		}
	}
	if n := len(r.bad); n > 0 {
		more := ""
		if n > 5 {
			more = ", …"
		}
		lacks := ""
		if len(r.archives) > 0 {
			lacks = "; an archive needs all of them, so none was made"
		}
		return fmt.Errorf("%d of %d files could not be meshed: %s%s%s", n, len(r.inputs), strings.Join(r.bad[:min(n, 5)], ", "), more, lacks)
	}
	return r.makeArchives(ctx)
}

// estimate sets the radius from the first file that can be read.
func (r *runner) estimate() error {
	var first error
	for _, in := range r.inputs {
		data, err := store.ReadFile(in.Path)
		if err == nil {
			var p *particles.Cloud
			if p, err = particles.Read(in.Path, data, func(string) bool { return false }); err == nil {
				had, left := len(p.X), clean(p, r.opt.Within)
				ordered, dense := spacings(p.X, 0)
				// Three digits are easy to print and to pass as an option.
				radius := num.Rounded(min(ordered, dense)/2, 3)
				if isRadius(radius) {
					r.radius, r.linted = radius, true
					r.say("radius %g m, estimated from %s; --radius sets it", radius, in.Path)
					if s := lintPairs(ordered, dense); s != "" {
						r.say("%s", s)
					}
					return nil
				}
				switch {
				case had > 0 && len(p.X) == 0:
					err = fmt.Errorf("no particle is left: %s", left)
				case radius > 0:
					err = fmt.Errorf("the particles are %g m apart, by a radius of %g m; expected %g to %g m: write them in another unit", 2*radius, radius, leastRadius, mostRadius)
				default:
					err = errors.New("too few particles to estimate the radius from; give it with --radius")
				}
			}
		}
		if first == nil {
			first = fmt.Errorf("%s: %w", in.Path, bare(err))
		}
	}
	return first
}

// read reads an input, unless its meshes are there and of the same making.
func (r *runner) read(i int) *job {
	j := &job{in: r.inputs[i], index: i + 1}
	data, err := store.ReadFile(j.in.Path)
	if err != nil {
		j.err = bare(err)
		return j
	}
	j.bytes = len(data)
	summed := make(chan struct{})
	go func() {
		sum := sha256.Sum256(data)
		j.sum = hex.EncodeToString(sum[:])
		close(summed)
	}()
	defer func() { <-summed }()
	if !r.opt.Force {
		if <-summed; r.fresh(j) {
			j.kept = true
			return j
		}
	}
	j.p, j.err = particles.Read(j.in.Path, data, func(name string) bool {
		return !r.opt.Still && particles.VelocityName(name) || r.wants(name) || r.numbered && NumberName(name)
	})
	if j.err != nil {
		return j
	}
	for _, name := range r.opt.Attributes {
		if name != "all" && !slices.Contains(j.p.Names, name) {
			has := "it has none"
			if len(j.p.Names) > 0 {
				has = "it has " + strings.Join(j.p.Names, ", ")
			}
			j.err = fmt.Errorf("there is no attribute %q; %s", name, has)
			return j
		}
	}
	if s := clean(j.p, r.opt.Within); s != "" {
		j.notices = append(j.notices, fmt.Sprintf("%s: %s", j.in.Path, s))
	}
	j.particles = len(j.p.X)
	if j.particles == 0 {
		j.notices = append(j.notices, j.in.Path+": no particles, so the mesh is empty")
	}
	return j
}

// wants reports whether a field of the particles is carried to the vertices, beside the
// velocity. "all" are the fields whose means are meaningful.
func (r *runner) wants(name string) bool {
	if slices.Contains(r.opt.Attributes, name) {
		return true
	}
	return slices.Contains(r.opt.Attributes, "all") && !NumberName(name)
}

// NumberName reports whether a field is called as the number of a particle is.
func NumberName(name string) bool {
	return slices.Contains([]string{"id", "ids", "index", "particle_id", "globalids"}, strings.ToLower(name))
}

// fresh reports whether the meshes of j are there, whole, and made from the
// same.
func (r *runner) fresh(j *job) bool {
	for _, f := range r.formats {
		err := r.dir.Fresh(r.meshName(j.in, f), f, r.fingerprint(j, f))
		var damaged *store.Damaged
		if errors.As(err, &damaged) {
			j.notices = append(j.notices, fmt.Sprintf("%s is damaged: made again", damaged.Name))
		}
		if err != nil {
			return false
		}
	}
	return true
}

// fingerprint stands for all that the mesh of j is made from.
func (r *runner) fingerprint(j *job, f out.PerFrame) string {
	var made stage.Recipe
	made.Add("version", version)
	made.Line("from", j.sum)
	made.Add("radius", r.radius)
	made.Line("method", r.opt.Method)
	for _, s := range r.settings {
		made.Line("surface."+s.Key, s.Value)
	}
	made.Add("flat", r.opt.Flat)
	made.Add("still", r.opt.Still)
	made.Add("quads", r.opt.Quads)
	made.Add("attributes", r.opt.Attributes)
	if w := r.opt.Within; w != nil {
		made.Add("within", []vec.Vec3{w.Min, w.Max})
	}
	made.Line("format", f.Ext())
	if _, ok := f.(out.Libraried); ok {
		made.Line("library", r.library())
	}
	return made.Sum()
}

// mesh makes the surface of j.
func (r *runner) mesh(m *mesh.Mesh, j *job) (*out.Frame, error) {
	d := 2 * r.radius
	cloud := surface.Cloud{X: j.p.X, Spacing: d, Flat: r.opt.Flat}
	frame := &out.Frame{Index: max(0, j.in.Number), Mesh: m, Foreign: true, Quads: r.opt.Quads, Library: r.library()}
	water := out.Water()
	frame.Material = &water
	var quantities []surface.Quantity
	for _, f := range j.p.Fields {
		if !r.opt.Still && cloud.V == nil && f.Vector != nil && particles.VelocityName(f.Name) {
			cloud.V = f.Vector
			if s := Mend(cloud.V); s != "" {
				r.say("%s: %s", j.in.Path, s)
			}
			continue
		}
		if r.numbered && len(cloud.ID) == 0 && f.Scalar != nil && NumberName(f.Name) {
			cloud.ID = numbers(f.Scalar)
		}
		if !r.wants(f.Name) {
			continue
		}
		quantities = append(quantities, surface.Quantity{Scalar: f.Scalar, Vector: f.Vector})
		frame.Fields = append(frame.Fields, particles.Field{Name: f.Name})
	}
	if err := r.method.Surface(m, cloud); err != nil {
		if flaw := (*surface.Flaw)(nil); errors.As(err, &flaw) {
			err = fmt.Errorf("%w; the mesh was not kept: try another --cell, --method or --radius, and report the error with the file", err)
		}
		return nil, err
	}
	if most := r.method.Common().Triangles; most > 0 && len(m.Tri) > most {
		r.say("%s: %d triangles remain, more than %d: fewer would leave open parts or slivers", j.in.Path, len(m.Tri), most)
	}
	if len(quantities) > 0 {
		for k := range quantities {
			q, f := &quantities[k], &frame.Fields[k]
			if q.Vector != nil {
				q.ToVector = make([]vec.Vec3, len(m.Pos))
				f.Vector = q.ToVector
			} else {
				q.ToScalar = make([]float64, len(m.Pos))
				f.Scalar = q.ToScalar
			}
		}
		surface.NewCarrier(j.p.X, d).Carry(m.Pos, quantities)
	}
	// A float32 has 24 bits: not enough where a thousandth of a radius is less
	// than its last.
	box := neighbor.Bounds(m.Pos)
	far := max(math.Abs(box.Min.X), math.Abs(box.Max.X), math.Abs(box.Min.Y), math.Abs(box.Max.Y), math.Abs(box.Min.Z), math.Abs(box.Max.Z))
	j.found = r.method.Counts()
	frame.Exact = len(m.Pos) > 0 && far*0x1p-24 > 1e-3*r.radius
	j.p = nil
	return frame, nil
}

// write writes the files of a mesh.
func (r *runner) write(j *job, frame *out.Frame) error {
	if err := r.materials(); err != nil {
		return err
	}
	for _, f := range r.formats {
		frame.Fingerprint = r.fingerprint(j, f)
		if err := r.dir.Write(r.meshName(j.in, f), func(w io.Writer) error { return f.Encode(w, frame) }); err != nil {
			return err
		}
	}
	return nil
}

// bare returns err without the path, which messages begin with.
func bare(err error) error {
	var e *os.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// numbers returns the numbers of particles that a file has.
func numbers(x []float64) []uint32 {
	n := make([]uint32, len(x))
	for i, v := range x {
		if v >= 0 && v <= math.MaxUint32 {
			n[i] = uint32(v)
		}
	}
	return n
}

// Bounds of a particle's radius, m: from less than an atom has to more than a
// planet's orbit. Volumes and their products stay within all numbers that
// meshing and its files use.
const (
	leastRadius = 1e-15
	mostRadius  = 1e12
)

// isRadius reports whether particles of the radius r, in metres, can be meshed.
func isRadius(r float64) bool { return r >= leastRadius && r <= mostRadius }
