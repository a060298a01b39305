"""Prints the gas that Blender has of a run, after its script: a line of JSON a frame. Has
Cycles draw the last frame with the gas and without it.

    blender -b --python RUN_blender.py --python gas_in_blender.py
"""
import json
import os

import bpy
import numpy
from mathutils import Vector

scene = bpy.data.scenes["shot"]
r = scene.render
r.image_settings.file_format, r.image_settings.color_depth = "OPEN_EXR", "32"
r.resolution_x, r.resolution_y, r.use_motion_blur = 96, 54, True
scene.cycles.samples, scene.cycles.use_denoising = 16, False
o = scene.objects["gas"]
tree = o.data.materials[0].node_tree


def light(name):
    r.filepath = os.path.join(os.environ["HOME"], name)
    bpy.ops.render.render(write_still=True, scene=scene.name)
    image = bpy.data.images.load(r.filepath)
    pixels = numpy.zeros(4 * 96 * 54, "f4")
    image.pixels.foreach_get(pixels)
    return pixels.reshape(54, 96, 4)[::-1, :, :3].mean(2)


for n in range(scene.frame_start, scene.frame_end + 1):
    scene.frame_set(n)
    depsgraph = scene.view_layers[0].depsgraph
    depsgraph.update()
    e = o.evaluated_get(depsgraph)
    e.data.grids.load()
    corners = [e.matrix_world @ Vector(c) for c in e.bound_box]
    seen = {
        "frame": n, "fault": e.data.grids.error_message, "velocity": [e.data.velocity_grid, e.data.velocity_unit, e.data.velocity_scale],
        "grids": {g.name: g.data_type for g in e.data.grids}, "nodes": sorted({x.type for x in tree.nodes}),
        "min": [min(c[k] for c in corners) for k in range(3)], "max": [max(c[k] for c in corners) for k in range(3)],
    }
    if n == scene.frame_end:
        lit = light("with.exr")
        o.hide_render = True
        lit = numpy.clip(lit - light("without.exr"), 0, 1)
        y, x = numpy.mgrid[0:54, 0:96]
        seen["light"] = [float((lit * x).sum() / lit.sum()), float((lit * y).sum() / lit.sum()), float(lit.max())]
    print("SEEN " + json.dumps(seen), flush=True)
os._exit(0)
