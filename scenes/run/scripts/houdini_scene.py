
import sys

import hou

SELF = os.path.join(HERE, SHOT["name"] + "_houdini.py")

# What Houdini's Python geometry runs: a function of this file, which it loads as
# a module.
CALL = """
import sys, types
path = {path!r}
name = "breakwater " + path
if name not in sys.modules:
    m = types.ModuleType(name)
    m.__file__ = path
    with open(path, encoding="utf-8") as f:
        exec(compile(f.read(), path, "exec"), m.__dict__)
    sys.modules[name] = m
sys.modules[name].{call}
"""


def fill(geometry, points, velocities, corners, sizes):
    made = geometry.createPoints([tuple(p) for p in points.tolist()])
    if velocities is not None:
        geometry.addAttrib(hou.attribType.Point, "v", (0.0, 0.0, 0.0))
        geometry.setPointFloatAttribValuesFromString("v", numpy.ascontiguousarray(velocities, "f4").tobytes())
    if len(sizes):
        # Houdini's faces are clockwise as seen from outside.
        ends = numpy.cumsum(sizes)
        geometry.createPolygons([tuple(made[int(c)] for c in corners[e - n:e][::-1]) for e, n in zip(ends, sizes)])
    else:
        geometry.addAttrib(hou.attribType.Point, "pscale", SHOT["liquid"]["radius"])


def fill_liquid():
    """Makes the liquid. Where foam covers it, Cd goes from the colour of the liquid to white."""
    *faces, attributes = read_liquid(nearest(hou.intFrame()))
    geometry = hou.pwd().geometry()
    fill(geometry, *faces)
    if "foam" in attributes:
        bare, white = numpy.array(liquid_color()), numpy.array(FOAM_COLOR)
        attributes["Cd"] = bare + attributes["foam"][:, None] * (white - bare)
    for name, values in attributes.items():
        geometry.addAttrib(hou.attribType.Point, name, (0.0, 0.0, 0.0) if values.ndim > 1 else 0.0)
        geometry.setPointFloatAttribValuesFromString(name, numpy.ascontiguousarray(values, "f4").tobytes())


def liquid_color():
    """Returns the base colour of the liquid's material, as material sets it."""
    m = SHOT["liquid"]["material"]
    return (1, 1, 1) if m["kind"] == "clear" else m["color"]


def fill_parcels(kind):
    """Makes points of the whitewater of a kind: v, pscale, id, and what else the files have."""
    rows = read_parcels(nearest(hou.intFrame()), None, kind)
    geometry = hou.pwd().geometry()
    geometry.createPoints([tuple(p) for p in rows.pop("position").tolist()])
    v, radius = rows.pop("velocity"), rows.pop("radius")
    floats = {"v": v, "pscale": radius, **{name: rows[name] for name in ("age", "count") if name in rows}}
    for name, values in floats.items():
        geometry.addAttrib(hou.attribType.Point, name, (0.0, 0.0, 0.0) if values.ndim > 1 else 0.0)
        geometry.setPointFloatAttribValuesFromString(name, numpy.ascontiguousarray(values, "f4").tobytes())
    for name in ("id", "kind"):
        geometry.addAttrib(hou.attribType.Point, name, 0)
        geometry.setPointIntAttribValuesFromString(name, rows[name].astype("u4" if name == "id" else "i4").tobytes())


def fill_solid(k):
    fill(hou.pwd().geometry(), *read_obj(os.path.join(HERE, SHOT["solids"][k]["file"])))


def fill_panes():
    tank = SHOT["tank"]
    x = tank_sides(tank["min"], tank["max"])
    fill(hou.pwd().geometry(), numpy.array(x), None, numpy.arange(len(x)), numpy.full(len(x) // 4, 4))


def fill_floor():
    floor = SHOT["floor"]
    (x, _, z), r = floor["middle"], floor["size"]
    corners = [(x + a * r, floor["height"], z + b * r) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    fill(hou.pwd().geometry(), numpy.array(corners), None, numpy.arange(4), numpy.array([4]))


def put(node, **values):
    """Sets parameters, as far as this version of Houdini has them."""
    for name, v in values.items():
        parm = node.parm(name)
        if parm is not None:
            parm.set(v)


def put3(node, name, ends, v):
    put(node, **{name + e: x for e, x in zip(ends, v)})


def keys(node, name, values):
    """Sets a parameter in each frame, or once if it stays."""
    parm = node.parm(name)
    if max(values) == min(values):
        parm.set(values[0])
        return
    for n, v in zip(SHOT["frames"], values):
        key = hou.Keyframe()
        key.setFrame(n)
        key.setValue(v)
        key.setExpression("linear()", hou.exprLanguage.Hscript)
        parm.setKeyframe(key)


def angles(x, y, z):
    """Returns the angles, in degrees, about x, then y, then z that turn to these axes."""
    ry = math.asin(max(-1, min(1, -x[2])))
    if abs(x[2]) > 0.999999:  # x is along z: the last turn is as good as the first
        return [math.degrees(a) for a in (0, ry, math.atan2(-y[0], y[1]))]
    return [math.degrees(a) for a in (math.atan2(y[2], z[2]), ry, math.atan2(x[1], x[0]))]


def places(node, axes, origins):
    turns = []
    for a in axes:
        turn = angles(*a)
        if turns:  # as near to the one before as it can be
            turn = [t + 360 * round((b - t) / 360) for t, b in zip(turn, turns[-1])]
        turns.append(turn)
    for k, e in enumerate("xyz"):
        keys(node, "t" + e, [o[k] for o in origins])
        keys(node, "r" + e, [t[k] for t in turns])


def geometry(root, name, call, look):
    node = root.createNode("geo", name)
    for child in node.children():
        child.destroy()
    node.createNode("python", "read").parm("python").set(CALL.format(path=SELF, call=call))
    put(node, shop_materialpath=look)
    return node


def material(name, m, pane=False):
    node = hou.node("/mat").createNode("principledshader::2.0", name)
    kind = m["kind"]
    put(node, basecolor_usePointColor=int(name == "liquid" and SHOT["liquid"]["foam"]), ior=m.get("ior", 1), rough=1.0 if kind == "matte" else 0.0, metallic=float(kind == "metal"))
    put(node, reflect=0.0 if kind == "matte" else 1.0)
    put3(node, "basecolor", "rgb", m["color"])
    if kind == "clear" or pane:
        put(node, transparency=1.0)
        put3(node, "basecolor", "rgb", (1, 1, 1))
        put3(node, "transcolor", "rgb", m["color"])
        put(node, transdist=m.get("distance", 0))
    if pane:
        put(node, thinwall=1, ior=1.52)
    if kind == "glow":
        put(node, emitint=1.0)
        put3(node, "emitcolor", "rgb", m["glow"])
    return node.path()


def add_light(root):
    light = SHOT["light"]
    strength = max(light["sun"])
    if strength > 0:
        sun = root.createNode("hlight::2.0", "sun")
        put(sun, light_type="distant", light_intensity=strength, light_exposure=0)
        put3(sun, "light_color", "rgb", [c / strength for c in light["sun"]])
        put(sun, distantangle=2 * math.degrees(light["radius"]))
        z = light["to_sun"]  # a light shines along −z
        x = (z[2], 0, -z[0]) if abs(z[1]) < 0.9999 else (1, 0, 0)
        size = math.hypot(x[0], x[2])
        x = [c / size for c in x]
        y = (z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0])
        places(sun, [(x, y, z)], [[10 * SHOT["floor"]["size"] * c / 30 for c in z]])
    sky = root.createNode("envlight", "surroundings")
    put(sky, env_map=os.path.join(HERE, light["file"]).replace(os.sep, "/"), light_intensity=1.0)


def add_camera(root):
    poses = SHOT["camera"]
    cam = root.createNode("cam", "camera")
    put(cam, resx=SHOT["size"][0], resy=SHOT["size"][1], aperture=36.0, shutter=SHOT["shutter"])
    keys(cam, "focal", [p["focal"] for p in poses])
    put(cam, near=SHOT["floor"]["size"] * 1e-4, far=SHOT["floor"]["size"] * 10)
    if poses[0]["aperture"]:
        put(cam, fstop=poses[0]["aperture"])
        keys(cam, "focus", [p["focus"] for p in poses])
    places(cam, [(p["right"], p["up"], p["back"]) for p in poses], [p["eye"] for p in poses])


def build():
    hou.setFps(SHOT["fps"])
    hou.playbar.setFrameRange(SHOT["first"], SHOT["last"])
    hou.playbar.setPlaybackRange(SHOT["first"], SHOT["last"])
    root = hou.node("/obj").createNode("subnet", SHOT["name"].replace("-", "_"))
    add = lambda name, call, m, pane=False: geometry(root, name, call, material(name, m, pane))
    liquid = add("liquid", "fill_liquid()", SHOT["liquid"]["material"])
    put(liquid, geo_velocityblur=1)
    if SHOT["whitewater"] and SHOT["whitewater"]["files"]:
        for kind, name in enumerate(PARCELS):
            put(add(name, "fill_parcels(%d)" % kind, parcel_material(kind)), geo_velocityblur=1)
    for k, solid in enumerate(SHOT["solids"]):
        node = add(solid["name"].replace("-", "_"), "fill_solid(%d)" % k, solid["material"], bool(solid["tint"]) and not solid["walled"])
        if solid["places"]:
            places(node, [p["axes"] for p in solid["places"]], [p["origin"] for p in solid["places"]])
    if SHOT["tank"] and any(SHOT["tank"]["sides"]):
        node = add("tank", "fill_panes()", SHOT["tank"]["walls"] or {"kind": "gloss", "color": SHOT["tank"]["tint"]}, not SHOT["tank"]["walls"])
        for k, e in enumerate("xyz"):
            if SHOT["tank"]["moves"]:
                keys(node, "t" + e, [v[k] for v in SHOT["tank"]["moves"]])
    add("ground", "fill_floor()", {"kind": "matte", "color": SHOT["floor"]["color"]})
    add_light(root)
    add_camera(root)
    hou.setFrame(SHOT["frames"][0])
    if len(sys.argv) > 1 and sys.argv[-1].endswith((".hip", ".hiplc", ".hipnc")):
        hou.hipFile.save(sys.argv[-1])


if not __name__.startswith("breakwater "):
    build()
