
import bisect
import sys

from paraview import simple as pv
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray

SELF = os.path.join(HERE, SHOT["name"] + "_paraview.py")
TIMES = [(n - 1) / SHOT["fps"] for n in SHOT["frames"]]  # of the film, s

# Everything runs in a module of its own, also what programmable sources call:
# ParaView runs their text in __main__ after "from numpy_interface.algorithms
# import *", which overwrites min, max and source there.
MODULE = "breakwater " + SELF
CALL = """
import sys, types
if {name!r} not in sys.modules:
    sys.modules[{name!r}] = types.ModuleType({name!r})
    sys.modules[{name!r}].__file__ = {path!r}
    with open({path!r}, encoding="utf-8") as file:
        exec(compile(file.read(), {path!r}, "exec"), sys.modules[{name!r}].__dict__)
"""


def call(text):
    """Returns Python text that calls a function of this file."""
    return CALL.format(name=MODULE, path=SELF) + "sys.modules[%r].%s\n" % (MODULE, text)


def say_times(source):
    key, info = source.GetExecutive(), source.GetOutputInformation(0)
    info.Set(key.TIME_STEPS(), TIMES, len(TIMES))
    info.Set(key.TIME_RANGE(), [TIMES[0], TIMES[-1]], 2)


def at(source):
    """Returns the place in SHOT["frames"] of the time that is asked for."""
    key, info = source.GetExecutive(), source.GetOutputInformation(0)
    t = info.Get(key.UPDATE_TIME_STEP()) if info.Has(key.UPDATE_TIME_STEP()) else TIMES[0]
    return max(0, bisect.bisect_right(TIMES, t + 1e-9) - 1)


def fill(out, x, v, corners, sizes, attributes={}):
    out.Initialize()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(numpy.ascontiguousarray(x, "f4"), deep=1))
    out.SetPoints(points)
    alone = len(sizes) == 0  # particles
    if alone:
        corners, sizes = numpy.arange(len(x)), numpy.ones(len(x), "i8")
    ends = numpy.concatenate(([0], numpy.cumsum(sizes))).astype("i8")
    cells = vtkCellArray()
    cells.SetData(numpy_to_vtkIdTypeArray(ends, deep=1), numpy_to_vtkIdTypeArray(corners.astype("i8"), deep=1))
    (out.SetVerts if alone else out.SetPolys)(cells)
    for name, values in {**({} if v is None else {"velocity": v}), **attributes}.items():
        a = numpy_to_vtk(numpy.ascontiguousarray(values, "f4"), deep=1)
        a.SetName(name)
        out.GetPointData().AddArray(a)


def fill_liquid(source):
    fill(source.GetOutput(), *read_liquid(at(source)))


def fill_parcels(source):
    rows = read_parcels(at(source))
    out = source.GetOutput()
    fill(out, rows.pop("position"), rows.pop("velocity"), (), ())
    for name, values in rows.items():
        a = numpy_to_vtk(numpy.ascontiguousarray(values), deep=1)
        a.SetName(name)
        out.GetPointData().AddArray(a)


def show_parcels(view):
    """Shows the whitewater as balls of their radii, coloured by kind."""
    d = pv.Show(source("whitewater", "fill_parcels(self)"), view)
    d.SetRepresentationType("Point Gaussian")
    d.ShaderPreset = "Plain circle"  # shaded balls of few pixels are dark
    d.GaussianRadius, d.ScaleByArray, d.UseScaleFunction = 1.0, 1, 0
    d.SetScaleArray = ["POINTS", "radius"]
    colors = pv.GetColorTransferFunction("kind")
    colors.InterpretValuesAsCategories = 1
    colors.Annotations = [text for kind, name in enumerate(PARCELS) for text in (str(kind), name)]
    colors.IndexedColors = [0.55, 0.75, 0.9, 1, 1, 1, 0.2, 0.8, 0.75, 0.75, 0.75, 0.8]
    d.ColorArrayName, d.LookupTable = ["POINTS", "kind"], colors


def fill_solid(source, k):
    solid = SHOT["solids"][k]
    x, v, corners, sizes = read_obj(os.path.join(HERE, solid["file"]))
    if solid["places"]:
        p = of_frame(solid["places"], at(source))
        x = x @ numpy.array(p["axes"]) + numpy.array(p["origin"])
    fill(source.GetOutput(), x, v, corners, sizes)


def fill_tank(source):
    tank = SHOT["tank"]
    by = numpy.array(of_frame(tank["moves"], at(source)) if tank["moves"] else (0, 0, 0))
    lo, hi = numpy.array(tank["min"]) + by, numpy.array(tank["max"]) + by
    x = tank_sides(lo.tolist(), hi.tolist())
    fill(source.GetOutput(), numpy.array(x).reshape(-1, 3), None, numpy.arange(len(x)), numpy.full(len(x) // 4, 4))


def source(name, text):
    s = pv.ProgrammableSource(registrationName=name)
    s.OutputDataSetType = "vtkPolyData"
    s.Script = call(text)
    s.ScriptRequestInformation = call("say_times(self)")
    return s


def show(s, view, m, opacity=1.0):
    """Shows a source in a material like that of the picture."""
    d = pv.Show(s, view)
    color = m["color"]
    if m["kind"] == "clear":  # what a metre of it lets pass
        color = [c ** (0.5 / m["distance"]) for c in color]
        opacity = 0.6
    elif m["kind"] == "glow":
        color = m["glow"]
    shade = lambda c: 12.92 * c if c <= 0.0031308 else 1.055 * min(1, c) ** (1 / 2.4) - 0.055
    d.ColorArrayName = [None, ""]
    d.DiffuseColor = d.AmbientColor = [shade(c) for c in color]
    d.Opacity = opacity
    d.Specular = 0.0 if m["kind"] == "matte" else 0.6
    d.SpecularPower = 60
    if m["kind"] == "glow":
        d.Ambient = 1.0
    return d


def under_foam(d):
    """Colours the liquid from its own colour to opaque white, as far as foam covers it."""
    colors, opacity = pv.GetColorTransferFunction("foam"), pv.GetOpacityTransferFunction("foam")
    colors.AutomaticRescaleRangeMode = "Never"
    colors.ColorSpace = "RGB"
    colors.RGBPoints = [0, *d.DiffuseColor, 1, 1, 1, 1]
    opacity.Points = [0, d.Opacity, 0.5, 0, 1, 1, 0.5, 0]
    colors.EnableOpacityMapping = 1
    d.ColorArrayName, d.LookupTable, d.Opacity = ["POINTS", "foam"], colors, 1.0


def add_light(view):
    light, camera = SHOT["light"], SHOT["camera"][0]
    # The sky shines from above the camera: from behind it alone, it misses a floor seen at a grazing angle.
    to_sky = [b + u for b, u in zip(camera["back"], camera["up"])]
    view.AdditionalLights = []
    view.UseLight = 0
    lamps = []
    lights = (
        ("sun", light["to_sun"], light["gain"] * max(light["sun"]) / math.pi, light["sun"]),
        ("sky", to_sky, light["gain"] * 2 * max(light["sky"]), light["sky"]),
    )
    # ParaView multiplies light by colours as a screen shows them, so the light of all lamps is
    # as a screen shows it too.
    total = sum(energy for _, _, energy, _ in lights)
    for name, to, energy, color in lights:
        if not max(color) > 0:
            continue
        lamp = pv.AddLight(view=view)
        lamp.Coords, lamp.Type = "Scene", "Directional"
        lamp.FocalPoint, lamp.Position = [0, 0, 0], to
        lamp.Intensity = energy / total * total ** (1 / 2.2)
        lamp.DiffuseColor = [c / max(color) for c in color]
        lamps.append(lamp)
    view.UseColorPaletteForBackground = 0
    view.BackgroundColorMode = "Single Color"
    view.Background = [min(1, (c * light["gain"]) ** (1 / 2.2)) for c in light["sky"]]


def add_camera(view, scene):
    poses = SHOT["camera"]
    tall = 18 * SHOT["size"][1] / SHOT["size"][0]  # half the height of a picture 36 mm wide
    angle = lambda p: 2 * math.degrees(math.atan(tall / p["focal"]))
    ahead = lambda p: [e - p["focus"] * b for e, b in zip(p["eye"], p["back"])]
    first = poses[0]
    view.CameraPosition, view.CameraFocalPoint = first["eye"], ahead(first)
    view.CameraViewUp, view.CameraViewAngle = first["up"], angle(first)
    view.CameraParallelProjection = 0
    if len(poses) == 1 or TIMES[0] == TIMES[-1]:
        return
    track = pv.GetCameraTrack(view=view)
    track.Mode = "Interpolate Camera"
    keys = []
    for t, p in zip(TIMES, poses):
        key = pv.CameraKeyFrame()
        key.KeyTime = (t - TIMES[0]) / (TIMES[-1] - TIMES[0])
        key.Position, key.FocalPoint, key.ViewUp, key.ViewAngle = p["eye"], ahead(p), p["up"], angle(p)
        keys.append(key)
    track.KeyFrames = keys


def build():
    pv._DisableFirstRenderCameraReset()
    view = pv.GetActiveViewOrCreate("RenderView")
    view.ViewSize = SHOT["size"]
    liquid = source("liquid", "fill_liquid(self)")
    d = show(liquid, view, SHOT["liquid"]["material"])
    if SHOT["liquid"]["particles"]:
        d.SetRepresentationType("Point Gaussian")
        d.GaussianRadius = SHOT["liquid"]["radius"]
    if SHOT["liquid"]["foam"]:
        under_foam(d)
    if SHOT["whitewater"] and SHOT["whitewater"]["files"]:
        show_parcels(view)
    for k, solid in enumerate(SHOT["solids"]):
        glass = solid["tint"] and not solid["walled"]
        d = show(source(solid["name"], "fill_solid(self, %d)" % k), view, solid["material"], 0.08 if glass else 1.0)
        if solid["walled"]:  # seen from inside alone
            d.BackfaceRepresentation = "Cull Backface"
    if SHOT["tank"] and any(SHOT["tank"]["sides"]):
        walls = SHOT["tank"]["walls"]
        d = show(source("tank", "fill_tank(self)"), view, walls or {"kind": "gloss", "color": SHOT["tank"]["tint"]}, 1.0 if walls else 0.08)
        if walls:  # seen from inside alone
            d.BackfaceRepresentation = "Cull Backface"
    floor = SHOT["floor"]
    (x, _, z), r = floor["middle"], floor["size"]
    plane = pv.Plane(registrationName="floor", Origin=[x - r, floor["height"], z + r], Point1=[x + r, floor["height"], z + r], Point2=[x - r, floor["height"], z - r])
    show(plane, view, {"kind": "matte", "color": floor["color"]})
    scene = pv.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.StartTime, scene.EndTime = TIMES[0], TIMES[-1]
    scene.PlayMode = "Snap To TimeSteps"
    add_light(view)
    add_camera(view, scene)
    scene.AnimationTime = TIMES[0]
    pv.SetActiveSource(liquid)
    return view


if __name__ != MODULE:
    sys.modules.pop(MODULE, None)  # an older file's
    exec(call("build()"), {})
