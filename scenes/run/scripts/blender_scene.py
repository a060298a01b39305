
import sys

import bpy
from mathutils import Matrix, Vector

GLASS = 1.52  # index of refraction
PROPERTY = "breakwater_" + SHOT["name"]  # of our scene: the folder of the files


def up(v):
    """Returns a point or direction with z up, as Blender has it."""
    return Vector((v[0], -v[2], v[1]))


def fill(mesh, i, folder):
    """Puts the liquid of the i-th frame into a mesh."""
    points, velocities, corners, sizes, attributes = read_liquid(i, folder)
    turn = lambda a: numpy.ascontiguousarray(numpy.stack((a[:, 0], -a[:, 2], a[:, 1]), 1), "f4").ravel()
    mesh.clear_geometry()
    mesh.vertices.add(len(points))
    mesh.vertices.foreach_set("co", turn(points))
    if len(sizes):
        mesh.loops.add(len(corners))
        mesh.loops.foreach_set("vertex_index", corners)
        mesh.polygons.add(len(sizes))
        mesh.polygons.foreach_set("loop_start", (numpy.cumsum(sizes) - sizes).astype("i4"))
        try:
            mesh.polygons.foreach_set("loop_total", sizes)
        except (AttributeError, TypeError):  # which follows from the start of the next
            pass
        mesh.polygons.foreach_set("use_smooth", numpy.ones(len(sizes), dtype=bool))
    if velocities is not None:  # the name that Cycles takes for motion blur
        mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT").data.foreach_set("vector", turn(velocities))
    for name, values in attributes.items():
        if values.ndim > 1:
            mesh.attributes.new(name, "FLOAT_VECTOR", "POINT").data.foreach_set("vector", turn(values))
        else:
            mesh.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", values)
    mesh.update(calc_edges=True)


def fill_parcels(mesh, i, folder, kind):
    """Puts the whitewater of a kind and of the i-th frame into a mesh of points."""
    rows = read_parcels(i, folder, kind)
    turn = lambda a: numpy.ascontiguousarray(numpy.stack((a[:, 0], -a[:, 2], a[:, 1]), 1), "f4").ravel()
    mesh.clear_geometry()
    mesh.vertices.add(len(rows["position"]))
    mesh.vertices.foreach_set("co", turn(rows["position"]))
    mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT").data.foreach_set("vector", turn(rows["velocity"]))
    mesh.attributes.new("id", "INT", "POINT").data.foreach_set("value", rows["id"].astype("u4").view("i4"))
    rows["drop_radius"] = rows["radius"]  # points take an attribute radius as theirs
    for name in ("drop_radius", "age", "count"):
        if name in rows:
            mesh.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", rows[name].astype("f4"))
    mesh.update()


def show(scene, depsgraph=None):
    """Brings the liquid and its whitewater to the frame that is shown."""
    folder = scene.get(PROPERTY)
    mesh = bpy.data.meshes.get(SHOT["name"] + " liquid")
    if folder is None or mesh is None or scene.frame_subframe:  # motion blur asks for times between
        return
    i, folder = nearest(scene.frame_current), bpy.path.abspath(folder)
    fill(mesh, i, folder)
    for kind, name in enumerate(PARCELS):
        mesh = bpy.data.meshes.get(SHOT["name"] + " " + name)
        if mesh is not None:
            fill_parcels(mesh, i, folder, kind)


def nodes_of(owner):
    owner.use_nodes = True
    tree = owner.node_tree
    tree.nodes.clear()

    def new(kind, **values):
        n = tree.nodes.new(kind)
        for key, value in values.items():
            name = key.replace("_", " ")
            if name in n.inputs:  # names differ between versions
                n.inputs[name].default_value = value
        return n

    return tree, new, lambda a, b: tree.links.new(a, b)


def rgba(c):
    return (*c, 1)


def material(name, m):
    """Makes a material like the one of the picture."""
    mat = bpy.data.materials.new(name)
    tree, new, link = nodes_of(mat)
    out = new("ShaderNodeOutputMaterial")
    mat.diffuse_color = rgba(m["color"])
    kind = m["kind"]
    if kind == "clear":
        link(new("ShaderNodeBsdfGlass", IOR=m["ior"], Roughness=0.0).outputs[0], out.inputs["Surface"])
        # What is left of light after the distance; Cycles has density × (1 − colour) a metre.
        loss = [-math.log(min(1, max(c, 1e-6))) / m["distance"] for c in m["color"]]
        density = max(loss)
        if density > 0:
            inner = new("ShaderNodeVolumeAbsorption", Color=rgba([1 - x / density for x in loss]), Density=density)
            link(inner.outputs[0], out.inputs["Volume"])
        return mat
    if kind == "glow":
        add = new("ShaderNodeAddShader")
        link(new("ShaderNodeBsdfDiffuse", Color=rgba(m["color"])).outputs[0], add.inputs[0])
        link(new("ShaderNodeEmission", Color=rgba(m["glow"]), Strength=1.0).outputs[0], add.inputs[1])
        link(add.outputs[0], out.inputs["Surface"])
        return mat
    if kind == "matte":
        link(new("ShaderNodeBsdfDiffuse", Color=rgba(m["color"])).outputs[0], out.inputs["Surface"])
        return mat
    bsdf = new("ShaderNodeBsdfPrincipled", Base_Color=rgba(m["color"]), IOR=m["ior"], Roughness=0.03)
    bsdf.inputs["Metallic"].default_value = 1.0 if kind == "metal" else 0.0
    if "Specular" in bsdf.inputs:
        bsdf.inputs["Specular"].default_value = ((m["ior"] - 1) / (m["ior"] + 1)) ** 2 / 0.08
    link(bsdf.outputs[0], out.inputs["Surface"])
    return mat


def under_foam(mat):
    """Covers a material with white as far as the attribute foam says."""
    tree = mat.node_tree
    surface = next(l for l in tree.links if l.to_node.type == "OUTPUT_MATERIAL" and l.to_socket.name == "Surface")
    bare, out = surface.from_socket, surface.to_socket
    cover, white, mix = (tree.nodes.new("ShaderNode" + k) for k in ("Attribute", "BsdfDiffuse", "MixShader"))
    cover.attribute_name = "foam"
    white.inputs["Color"].default_value = rgba(FOAM_COLOR)
    for a, b in ((cover.outputs["Fac"], mix.inputs[0]), (bare, mix.inputs[1]), (white.outputs[0], mix.inputs[2]), (mix.outputs[0], out)):
        tree.links.new(a, b)


def pane_material(name, tint, walls):
    """Makes thin glass, which mirrors and lets pass without bending; or walls, which are that from outside."""
    mat = material(name, walls) if walls else bpy.data.materials.new(name)
    if walls:
        solid = next(l.from_socket for l in mat.node_tree.links if l.to_node.type == "OUTPUT_MATERIAL" and l.to_socket.name == "Surface")
        tree = mat.node_tree
        new, link = (lambda kind: tree.nodes.new(kind)), (lambda a, b: tree.links.new(a, b))
        out, mix, glass = tree.nodes["Material Output"], new("ShaderNodeMixShader"), new("ShaderNodeBsdfTransparent")
        glass.inputs["Color"].default_value = rgba(tint)
        link(new("ShaderNodeNewGeometry").outputs["Backfacing"], mix.inputs[0])
        link(solid, mix.inputs[1])
        link(glass.outputs[0], mix.inputs[2])
        link(mix.outputs[0], out.inputs["Surface"])
        return mat
    tree, new, link = nodes_of(mat)
    out, mix = new("ShaderNodeOutputMaterial"), new("ShaderNodeMixShader")
    # A pane mirrors as much from either side. The node takes light at a back
    # face to leave the glass, and so needs the index the other way round.
    index, mirror = new("ShaderNodeMath"), new("ShaderNodeFresnel")
    index.operation = "MULTIPLY_ADD"
    link(new("ShaderNodeNewGeometry").outputs["Backfacing"], index.inputs[0])
    index.inputs[1].default_value, index.inputs[2].default_value = 1 / GLASS - GLASS, GLASS
    link(index.outputs[0], mirror.inputs["IOR"])
    link(mirror.outputs[0], mix.inputs[0])
    link(new("ShaderNodeBsdfTransparent", Color=rgba(tint)).outputs[0], mix.inputs[1])
    link(new("ShaderNodeBsdfGlossy", Roughness=0.0).outputs[0], mix.inputs[2])
    link(mix.outputs[0], out.inputs["Surface"])
    return mat


def put(scene, name, data):
    o = bpy.data.objects.new(name, data)
    scene.collection.objects.link(o)
    return o


def keys(o, path, values):
    """Sets a property in each frame, or once if it stays."""
    for i, v in enumerate(values):
        setattr(o, path, v)
        if len(values) > 1:
            o.keyframe_insert(path, frame=SHOT["frames"][i])
    if len(values) > 1:
        for curve in o.animation_data.action.fcurves:
            for k in curve.keyframe_points:
                k.interpolation = "LINEAR"


def places(o, matrices):
    """Places an object in each frame, or once if it stays."""
    o.rotation_mode = "QUATERNION"
    turns = []
    for m in matrices:
        q = m.to_quaternion()
        if turns and q.dot(turns[-1]) < 0:  # the shorter way
            q.negate()
        turns.append(q)
    keys(o, "location", [m.to_translation() for m in matrices])
    keys(o, "rotation_quaternion", turns)


def columns(x, y, z, origin):
    m = Matrix((x, y, z)).transposed().to_4x4()
    m.translation = origin
    return m


def add_liquid(scene):
    liquid = SHOT["liquid"]
    mesh = bpy.data.meshes.new(SHOT["name"] + " liquid")
    o = put(scene, "liquid", mesh)
    mat = material(SHOT["name"] + " liquid", liquid["material"])
    mesh.materials.append(mat)
    if liquid["foam"]:
        under_foam(mat)
    if liquid["particles"]:
        as_points(o, SHOT["name"] + " particles", mat, liquid["radius"])
    return o


def node_group(name, *inputs):
    """Makes a group of geometry nodes with inputs: pairs of a name and a default, whole or not."""
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    if hasattr(tree, "interface"):  # since Blender 4.0
        new = lambda way, kind, name: tree.interface.new_socket(name, in_out=way, socket_type=kind)
    else:
        new = lambda way, kind, name: (tree.inputs if way == "INPUT" else tree.outputs).new(kind, name)
    for way in ("INPUT", "OUTPUT"):
        new(way, "NodeSocketGeometry", "Geometry")
    for label, value in inputs:
        new("INPUT", "NodeSocketInt" if isinstance(value, int) else "NodeSocketFloat", label).default_value = value
    return tree, tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")


def as_points(o, name, mat, radius):
    """Shows the vertices of a mesh as balls of a radius: a number or a function that adds nodes."""
    tree, begin, end = node_group(name)
    points, look = tree.nodes.new("GeometryNodeMeshToPoints"), tree.nodes.new("GeometryNodeSetMaterial")
    if callable(radius):
        tree.links.new(radius(tree), points.inputs["Radius"])
    else:
        points.inputs["Radius"].default_value = radius
    look.inputs["Material"].default_value = mat
    for a, b in ((begin, points), (points, look), (look, end)):
        tree.links.new(a.outputs[0], b.inputs[0])
    o.modifiers.new("particles", "NODES").node_group = tree


def attribute(tree, name):
    """Adds a node with an attribute, a number, and returns its output."""
    node = tree.nodes.new("GeometryNodeInputNamedAttribute")
    node.data_type = "FLOAT"
    node.inputs["Name"].default_value = name
    return next(s for s in node.outputs if s.enabled and s.name == "Attribute")


def as_parcels(o, name, mat):
    """Shows the vertices of a mesh as the drops or bubbles that each stands for.

    Of a parcel of many some are shown, about its place, as much larger as their
    cross-section needs to be that of all.
    """
    tree, begin, end = node_group(name, ("Drops per parcel", 8), ("Spread", 0.6 * SHOT["liquid"]["radius"]))
    new, link = tree.nodes.new, tree.links.new

    def math_node(operation, *values):
        node = new("ShaderNodeMath")
        node.operation = operation
        for socket, v in zip(node.inputs, values):
            if isinstance(v, (int, float)):
                socket.default_value = v
            else:
                link(v, socket)
        return node.outputs[0]

    count = math_node("MAXIMUM", attribute(tree, "count"), 1)
    shown = math_node("MAXIMUM", math_node("MINIMUM", math_node("FLOOR", count), begin.outputs[1]), 1)
    points, copies, move, look = (new("GeometryNode" + k) for k in ("MeshToPoints", "DuplicateElements", "SetPosition", "SetMaterial"))
    link(math_node("MULTIPLY", attribute(tree, "drop_radius"), math_node("SQRT", math_node("DIVIDE", count, shown))), points.inputs["Radius"])
    copies.domain = "POINT"
    link(shown, copies.inputs["Amount"])
    link(copies.outputs["Duplicate Index"], move.inputs["Selection"])  # the first stays
    random, far = new("FunctionNodeRandomValue"), new("ShaderNodeVectorMath")
    random.data_type = "FLOAT_VECTOR"
    random.inputs[0].default_value, random.inputs[1].default_value = (-1, -1, -1), (1, 1, 1)
    far.operation = "SCALE"
    link(random.outputs[0], far.inputs[0])
    link(begin.outputs[2], far.inputs["Scale"])
    link(far.outputs[0], move.inputs["Offset"])
    look.inputs["Material"].default_value = mat
    for a, b in ((begin, points), (points, copies), (copies, move), (move, look), (look, end)):
        link(a.outputs[0], b.inputs[0])
    o.modifiers.new("parcels", "NODES").node_group = tree


def add_parcels(scene):
    """Adds the whitewater: balls for each kind, and mist as a volume if there are some."""
    scene.cycles.transparent_max_bounces = 64
    parcels = SHOT["whitewater"]
    clouds = parcels["volumes"]
    mist = clouds and "mist" in clouds["grids"]
    for kind, name in enumerate(PARCELS):
        if name == "mist" and mist or not parcels["files"]:
            continue
        mesh = bpy.data.meshes.new(SHOT["name"] + " " + name)
        o = put(scene, name, mesh)
        look = parcel_material(kind)
        mat = (drop_material if look["kind"] == "clear" else material)(SHOT["name"] + " " + name, look)
        mesh.materials.append(mat)
        if name == "mist":  # whose drops are too small and too many
            as_points(o, SHOT["name"] + " " + name, mat, lambda tree: attribute(tree, "drop_radius"))
        else:
            as_parcels(o, SHOT["name"] + " " + name, mat)
    if mist:
        scene.cycles.volume_bounces = 8  # or dense mist is dark
        volume = bpy.data.volumes.new(SHOT["name"] + " mist")
        volume.filepath = os.path.join(HERE, parcels["folder"], clouds["first"])
        volume.is_sequence = clouds["frames"] > 1
        volume.frame_start, volume.frame_offset, volume.frame_duration = SHOT["first"], SHOT["first"] - 1, clouds["frames"]
        volume.materials.append(mist_material(SHOT["name"] + " mist"))
        o = put(scene, "mist", volume)
        o.scale = [clouds["unit"]] * 3
        if not clouds["z_up"]:
            o.rotation_euler = (math.pi / 2, 0, 0)


def add_gas(scene):
    """Adds a gas as a sequence of volumes with its velocities for motion blur."""
    gas = SHOT["gas"]
    scene.cycles.volume_bounces = 16  # or dense smoke is dark
    volume = bpy.data.volumes.new(SHOT["name"] + " gas")
    volume.filepath = os.path.join(HERE, gas["folder"], gas["first"])
    if gas["velocity"]:
        volume.grids.load()  # or Blender does not take the name
        volume.velocity_grid, volume.velocity_unit, volume.velocity_scale = gas["velocity"], "SECOND", SHOT["speed"]
    volume.is_sequence = gas["frames"] > 1
    volume.frame_start, volume.frame_offset, volume.frame_duration = SHOT["first"], SHOT["first"] - 1, gas["frames"]
    volume.render.space = "WORLD"  # densities are of a metre, whatever the unit of the files
    volume.materials.append(gas_material(SHOT["name"] + " gas", gas))
    o = put(scene, "gas", volume)
    o.scale = [gas["unit"]] * 3
    if not gas["z_up"]:
        o.rotation_euler = (math.pi / 2, 0, 0)


def gas_material(name, gas):
    """Makes smoke that scatters light, and hot soot that glows, of the grids of a volume.

    Density and glow are of a metre. Soot has the radiance of a table by temperature.
    """
    mat = bpy.data.materials.new(name)
    tree, new, link = nodes_of(mat)

    def put_in(socket, value):
        if isinstance(value, bpy.types.NodeSocket):
            link(value, socket)
        else:
            socket.default_value = value

    def calc(operation, *values):
        n = new("ShaderNodeMath")
        n.operation = operation
        for socket, v in zip(n.inputs, values):
            put_in(socket, v)
        return n.outputs[0]

    def scaled(color, by):
        n = new("ShaderNodeVectorMath")
        n.operation = "SCALE"
        put_in(n.inputs[0], color)
        put_in(n.inputs["Scale"], by)
        return n.outputs[0]

    def grid(name):
        if name not in gas["grids"]:
            return 0.0
        n = new("ShaderNodeAttribute")
        n.attribute_name = name
        return n.outputs["Fac"]

    smoke, flame, fuel = grid("density"), grid("flame"), grid("fuel")
    smoking = calc("ADD", smoke, flame)
    every = calc("MAXIMUM", calc("ADD", smoking, fuel), 1e-9)
    soot = calc("DIVIDE", calc("MULTIPLY", flame, smoking), every)  # it has not formed where fuel begins to burn
    smoke, soot = calc("MULTIPLY", smoke, gas["extinction"]), calc("MULTIPLY", soot, gas["soot"])
    cloud = new("ShaderNodeVolumePrincipled", Color=rgba(gas["albedo"]), Density_Attribute="", Temperature_Attribute="", Anisotropy=gas["anisotropy"])
    link(calc("ADD", smoke, soot), cloud.inputs["Density"])
    if gas["glow"]:
        (low, high), ramp = gas["kelvin"], new("ShaderNodeValToRGB")
        stops = ramp.color_ramp.elements
        for k, c in enumerate(gas["glow"]):
            at = k / (len(gas["glow"]) - 1)
            stop = stops[0] if k == 0 else stops[len(stops) - 1] if at == 1 else stops.new(at)
            stop.position, stop.color = at, rgba(c)
        link(calc("DIVIDE", calc("SUBTRACT", grid("temperature"), low), high - low), ramp.inputs[0])
        absorbed = 1 - sum(gas["albedo"]) / 3
        hot = scaled(ramp.outputs["Color"], calc("ADD", soot, calc("MULTIPLY", smoke, absorbed)))
        burning = calc("DIVIDE", calc("MULTIPLY", calc("MULTIPLY", fuel, flame), 4.0), every)
        light = new("ShaderNodeVectorMath")
        link(hot, light.inputs[0])
        link(scaled(gas["blue"], burning), light.inputs[1])
        link(light.outputs[0], cloud.inputs["Emission Color"])
        cloud.inputs["Emission Strength"].default_value = 1.0
    link(cloud.outputs[0], new("ShaderNodeOutputMaterial").inputs["Volume"])
    return mat


def drop_material(name, m):
    """Makes clear drops or bubbles of which a cloud is not dark.

    Light that has passed some of them, or comes from a lamp, passes the others as if they
    were not there: otherwise it would end at the limit of bounces, in black.
    """
    mat = bpy.data.materials.new(name)
    tree, new, link = nodes_of(mat)
    path, deep, passes, mix = new("ShaderNodeLightPath"), new("ShaderNodeMath"), new("ShaderNodeMath"), new("ShaderNodeMixShader")
    deep.operation, passes.operation = "GREATER_THAN", "MAXIMUM"
    deep.inputs[1].default_value = 4
    link(path.outputs["Ray Depth"], deep.inputs[0])
    link(deep.outputs[0], passes.inputs[0])
    link(path.outputs["Is Shadow Ray"], passes.inputs[1])
    link(passes.outputs[0], mix.inputs[0])
    link(new("ShaderNodeBsdfGlass", IOR=m["ior"], Roughness=0.0).outputs[0], mix.inputs[1])
    link(new("ShaderNodeBsdfTransparent", Color=rgba((1, 1, 1))).outputs[0], mix.inputs[2])
    link(mix.outputs[0], new("ShaderNodeOutputMaterial").inputs["Surface"])
    return mat


def mist_material(name):
    """Makes drops so small that they scatter light as a volume does, of the extinction that its grid has."""
    mat = bpy.data.materials.new(name)
    tree, new, link = nodes_of(mat)
    cloud = new("ShaderNodeVolumePrincipled", Color=rgba((1, 1, 1)), Density=1.0, Density_Attribute="mist", Anisotropy=0.8)
    link(cloud.outputs[0], new("ShaderNodeOutputMaterial").inputs["Volume"])
    return mat


def add_solid(scene, solid):
    x, _, corners, sizes = read_obj(os.path.join(HERE, solid["file"]))
    mesh = bpy.data.meshes.new(solid["name"])
    ends = numpy.cumsum(sizes)
    mesh.from_pydata([up(p) for p in x.tolist()], [], [corners[e - n:e].tolist() for e, n in zip(ends, sizes)])
    if solid["tint"]:
        mesh.materials.append(pane_material(solid["name"], solid["tint"], solid["walled"] and solid["material"]))
    else:
        mesh.materials.append(material(solid["name"], solid["material"]))
    o = put(scene, solid["name"], mesh)
    if solid["places"]:
        turned = columns(up((1, 0, 0)), up((0, 1, 0)), up((0, 0, 1)), Vector())
        back = turned.inverted()
        places(o, [turned @ columns(*(Vector(a) for a in p["axes"]), Vector(p["origin"])) @ back for p in solid["places"]])


def add_tank(scene):
    tank = SHOT["tank"]
    lo, hi = list(tank["min"]), list(tank["max"])
    gap = 1e-3 * max(h - l for l, h in zip(lo, hi))  # the liquid lies on the inner faces
    for k in range(3):
        lo[k] -= gap if k != 1 else 0
        hi[k] += gap if k != 1 else 0
    corners = [up(p) for p in tank_sides(lo, hi)]
    faces = [[k, k + 1, k + 2, k + 3] for k in range(0, len(corners), 4)]
    mesh = bpy.data.meshes.new("tank")
    mesh.from_pydata(corners, [], faces)
    mesh.materials.append(pane_material("tank", tank["tint"], tank["walls"]))
    o = put(scene, "tank", mesh)
    if tank["moves"]:
        keys(o, "location", [up(v) for v in tank["moves"]])


def add_floor(scene):
    floor = SHOT["floor"]
    x, _, z = floor["middle"]
    r, y = floor["size"], floor["height"] - 2e-4 * floor["size"] / 30  # the liquid lies on it
    mesh = bpy.data.meshes.new("floor")
    mesh.from_pydata([up((x + a * r, y, z + b * r)) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))], [], [[0, 1, 2, 3]])
    mesh.materials.append(material("floor", {"kind": "matte", "color": floor["color"]}))
    put(scene, "floor", mesh)


def add_light(scene):
    light = SHOT["light"]
    strength = max(light["sun"])
    if strength > 0:
        sun = bpy.data.lights.new("sun", "SUN")
        sun.energy, sun.color, sun.angle = strength, [c / strength for c in light["sun"]], 2 * light["radius"]
        put(scene, "sun", sun).matrix_world = up(light["to_sun"]).to_track_quat("Z", "Y").to_matrix().to_4x4()
    world = bpy.data.worlds.new(SHOT["name"])
    scene.world = world
    tree, new, link = nodes_of(world)
    image = new("ShaderNodeTexEnvironment")
    image.image = bpy.data.images.load(os.path.join(HERE, light["file"]))
    turn = new("ShaderNodeMapping")
    turn.inputs["Rotation"].default_value = (0, 0, -math.pi / 2)  # Blender has −y in the middle of such a picture
    link(new("ShaderNodeTexCoord").outputs["Generated"], turn.inputs["Vector"])
    link(turn.outputs[0], image.inputs[0])
    back = new("ShaderNodeBackground", Strength=1.0)
    link(image.outputs[0], back.inputs[0])
    link(back.outputs[0], new("ShaderNodeOutputWorld").inputs[0])


def add_camera(scene):
    poses = SHOT["camera"]
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width = "HORIZONTAL", 36
    reach = SHOT["floor"]["size"]
    data.clip_start, data.clip_end = reach * 1e-4, reach * 10
    o = put(scene, "camera", data)
    places(o, [columns(up(p["right"]), up(p["up"]), up(p["back"]), up(p["eye"])) for p in poses])
    changes = len({p["focal"] for p in poses}) > 1
    keys(data, "lens", [p["focal"] for p in (poses if changes else poses[:1])])
    if poses[0]["aperture"]:
        data.dof.use_dof = True
        keys(data.dof, "aperture_fstop", [poses[0]["aperture"]])
        for i, p in enumerate(poses):
            data.dof.focus_distance = p["focus"]
            if len(poses) > 1:
                data.dof.keyframe_insert("focus_distance", frame=SHOT["frames"][i])
    scene.camera = o


def set_picture(scene):
    r = scene.render
    r.engine = "CYCLES"
    r.resolution_x, r.resolution_y, r.resolution_percentage = *SHOT["size"], 100
    r.fps = max(1, round(SHOT["fps"]))
    r.fps_base = r.fps / SHOT["fps"]
    r.use_lock_interface = True  # the handler changes meshes while frames are drawn
    scene.frame_start, scene.frame_end = SHOT["first"], SHOT["last"]
    scene.cycles.samples = 64
    scene.cycles.use_denoising = getattr(sys.modules.get("_cycles"), "with_openimagedenoise", True)
    if SHOT["shutter"] > 0:
        r.use_motion_blur = True
        r.motion_blur_shutter = SHOT["shutter"]
    view = scene.view_settings
    for name in ("AgX", "Filmic", "Standard"):  # which there are depends on the configuration of colours
        try:
            view.view_transform = name
            break
        except TypeError:
            pass
    view.exposure = math.log2(SHOT["light"]["gain"])


def set_caustics(scene):
    """Lets the sun shine through clear things onto others: shadow caustics of Cycles, since Blender 3.2."""
    if max(SHOT["light"]["sun"]) <= 0:
        return
    clear = {s["name"] for s in SHOT["solids"] if s["material"]["kind"] == "clear" and not s["tint"]}
    if SHOT["liquid"]["material"]["kind"] == "clear" and not SHOT["liquid"]["particles"]:
        clear.add("liquid")
    for o in scene.objects:
        if o.type == "LIGHT" and hasattr(o.data.cycles, "is_caustics_light"):
            o.data.cycles.is_caustics_light = True
        elif o.type == "MESH" and hasattr(o, "cycles") and hasattr(o.cycles, "is_caustics_caster"):
            o.cycles.is_caustics_caster = o.name in clear
            o.cycles.is_caustics_receiver = o.name not in clear and o.name not in PARCELS


def build():
    scene = bpy.data.scenes.new(SHOT["name"])
    scene[PROPERTY] = HERE
    if SHOT["gas"]:
        add_gas(scene)
    else:
        add_liquid(scene)
    if SHOT["whitewater"]:
        add_parcels(scene)
    for solid in SHOT["solids"]:
        add_solid(scene, solid)
    if SHOT["tank"]:
        add_tank(scene)
    add_floor(scene)
    add_light(scene)
    add_camera(scene)
    set_picture(scene)
    set_caustics(scene)
    if bpy.context.window:
        bpy.context.window.scene = scene
    # A text that is registered runs when the file is opened, and finds the scene.
    name = SHOT["name"] + "_breakwater.py"
    if name not in bpy.data.texts and os.path.isfile(os.path.join(HERE, SHOT["name"] + "_blender.py")):
        text = bpy.data.texts.load(os.path.join(HERE, SHOT["name"] + "_blender.py"), internal=True)
        text.name, text.use_module = name, True
    return scene


def main():
    ours = next((s for s in bpy.data.scenes if PROPERTY in s), None)
    handlers = bpy.app.handlers.frame_change_pre
    show.__name__ = PROPERTY
    handlers[:] = [h for h in handlers if h.__name__ != PROPERTY]
    handlers.append(bpy.app.handlers.persistent(show))
    scene = ours or build()
    if not ours:
        scene.view_layers[0].update()  # or the first change of the frame moves nothing
        scene.frame_set(SHOT["frames"][0])
    show(scene)


main()
