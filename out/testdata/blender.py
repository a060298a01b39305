"""Opens files in Blender and prints what it sees, a line of JSON each.

    blender -b --factory-startup --python blender.py -- FILE...
"""
import json
import os
import sys

import bpy
import numpy

if not hasattr(numpy, "bool"):  # which Blender 3.4 still uses, and NumPy 1.24 has not
    numpy.bool = bool

importers = {
    ".obj": lambda f: bpy.ops.wm.obj_import(filepath=f),
    ".ply": lambda f: bpy.ops.import_mesh.ply(filepath=f),
    ".stl": lambda f: bpy.ops.import_mesh.stl(filepath=f),
    ".glb": lambda f: bpy.ops.import_scene.gltf(filepath=f),
    ".vdb": lambda f: sequence(f),
}


def sequence(f):
    """Opens a volume with all that lie beside it, as the frames of one."""
    folder = os.path.dirname(f)
    names = sorted(n for n in os.listdir(folder) if n.endswith(".vdb"))
    bpy.ops.object.volume_import(filepath=f, directory=folder, files=[{"name": n} for n in names], use_sequence_detection=True)


def mesh(o):
    m = o.data
    corners = [o.matrix_world @ v.co for v in m.vertices]
    m.calc_loop_triangles()
    volume = 0.0
    for t in m.loop_triangles:
        a, b, c = (corners[i] for i in t.vertices)
        volume += a.dot(b.cross(c)) / 6
    return {
        "name": o.name, "vertices": len(m.vertices), "triangles": len(m.loop_triangles), "volume": volume,
        "min": [min(p[k] for p in corners) for k in range(3)], "max": [max(p[k] for p in corners) for k in range(3)],
        "normals": m.has_custom_normals, "smooth": all(p.use_smooth for p in m.polygons),
        "materials": [material(s.material) for s in o.material_slots], "of": [p.material_index for p in m.polygons],
    }


def material(m):
    """Returns what Cycles takes of a material, and of its inside."""
    node = lambda kind: next((n for n in m.node_tree.nodes if n.type == kind), None)
    surface, inside = node("BSDF_PRINCIPLED"), node("VOLUME_ABSORPTION")
    number = lambda key: surface.inputs[key].default_value
    seen = {
        "name": m.name, "color": list(number("Base Color"))[:3], "index": number("IOR"), "transmission": number("Transmission"),
        "roughness": number("Roughness"), "metallic": number("Metallic"), "alpha": number("Alpha"), "specular": number("Specular"),
        "glow": [c * number("Emission Strength") for c in list(number("Emission"))[:3]],
    }
    if inside:
        seen["left"], seen["density"] = list(inside.inputs["Color"].default_value)[:3], inside.inputs["Density"].default_value
    return seen


def volume(o):
    bpy.context.scene.frame_set(2)
    grids = o.data.grids
    grids.load()
    return {
        "name": o.name, "grids": {g.name: g.data_type for g in grids}, "fault": grids.error_message,
        "sequence": o.data.is_sequence, "frames": o.data.frame_duration, "start": o.data.frame_start,
    }


fault = False
for f in sys.argv[sys.argv.index("--") + 1:]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    line = {"file": os.path.basename(f), "objects": []}
    try:
        importers[os.path.splitext(f)[1]](f)
        for o in bpy.context.scene.objects:
            if o.type in ("MESH", "VOLUME"):
                line["objects"].append(mesh(o) if o.type == "MESH" else volume(o))
    except Exception as e:
        line["fault"] = str(e)
    print("SEEN " + json.dumps(line), flush=True)
os._exit(0)
