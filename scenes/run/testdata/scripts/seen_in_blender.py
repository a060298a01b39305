"""Prints what Blender makes of a run, after its script: a line of JSON a frame.

    blender -b --python RUN_blender.py --python seen_in_blender.py -- POINTS
"""
import json
import os
import sys

import bpy
import bpy_extras
import numpy
from mathutils import Vector

points = json.loads(sys.argv[sys.argv.index("--") + 1])
scene = bpy.data.scenes["shot"]
ours = lambda p: (p[0], p[2], -p[1])
r = scene.render


def mesh(o):
    m, w = o.data, numpy.array(o.matrix_world)
    x = numpy.zeros(3 * len(m.vertices), "f4")
    m.vertices.foreach_get("co", x)
    x = x.reshape(-1, 3) @ w[:3, :3].T + w[:3, 3]
    m.calc_loop_triangles()
    t = numpy.zeros(3 * len(m.loop_triangles), "i4")
    m.loop_triangles.foreach_get("vertices", t)
    a, b, c = (x[t.reshape(-1, 3)[:, k]] for k in range(3))
    seen = {
        "vertices": len(x), "volume": float((a * numpy.cross(b, c)).sum() / 6), "sizes": sorted({len(p.vertices) for p in m.polygons}),
        "min": ours(x.min(0)), "max": ours(x.max(0)), "material": m.materials[0].name, "nodes": sorted(n.type for n in m.materials[0].node_tree.nodes),
    }
    seen["min"], seen["max"] = [min(p) for p in zip(seen["min"], seen["max"])], [max(p) for p in zip(seen["min"], seen["max"])]
    if "velocity" in m.attributes:
        v = numpy.zeros(3 * len(x), "f4")
        m.attributes["velocity"].data.foreach_get("vector", v)
        seen["velocity"] = ours(v.reshape(-1, 3).mean(0).tolist())
    return seen


for n in range(scene.frame_start, scene.frame_end + 1):
    scene.frame_set(n)
    bpy.context.view_layer.update()
    pixels = []
    for p in points:
        x, y, _ = bpy_extras.object_utils.world_to_camera_view(scene, scene.camera, Vector((p[0], -p[2], p[1])))
        pixels.append((x * r.resolution_x, (1 - y) * r.resolution_y))
    sun = scene.objects["sun"]
    print("SEEN " + json.dumps({
        "frame": n, "size": [r.resolution_x, r.resolution_y], "fps": r.fps / r.fps_base, "pixels": pixels,
        "to_sun": ours(sun.matrix_world.to_3x3() @ Vector((0, 0, 1))),
        "caustics": [scene.objects["sun"].data.cycles.is_caustics_light, scene.objects["liquid"].cycles.is_caustics_caster, scene.objects["floor"].cycles.is_caustics_receiver],
        "focal": scene.camera.data.lens, "blur": r.motion_blur_shutter if r.use_motion_blur else 0,
        "objects": {o.name: mesh(o) for o in scene.objects if o.type == "MESH"},
    }), flush=True)

# Saved and opened again, it goes on showing the liquid of each frame.
path = os.path.join(os.environ["HOME"], "shot.blend")
bpy.ops.wm.save_as_mainfile(filepath=path)
bpy.ops.wm.open_mainfile(filepath=path, use_scripts=True)
scene = bpy.data.scenes["shot"]
scene.frame_set(2)
text = next((t for t in bpy.data.texts if t.use_module), None)
print("SEEN " + json.dumps({"frame": 0, "text": text.name if text else "", "objects": {"liquid": mesh(scene.objects["liquid"])}}), flush=True)
os._exit(0)
