"""Prints the foam on the liquid that Blender has of a run, after its script, and how bright
Cycles draws the liquid with it and without: a line of JSON.

    blender -b --python RUN_blender.py --python foam_in_blender.py
"""
import json
import os

import bpy
import numpy

scene = bpy.data.scenes["shot"]
scene.frame_set(scene.frame_end)
mesh = scene.objects["liquid"].data
foam = numpy.zeros(len(mesh.vertices), "f4")
mesh.attributes["foam"].data.foreach_get("value", foam)
spin = numpy.zeros(3 * len(mesh.vertices), "f4")
mesh.attributes["vorticity"].data.foreach_get("vector", spin)
for o in scene.objects:  # the liquid alone, in front of black
    o.hide_render = o.type == "MESH" and o.name != "liquid"
scene.world = None
r = scene.render
r.engine = "CYCLES"
r.image_settings.file_format, r.image_settings.color_depth = "OPEN_EXR", "32"
scene.cycles.samples, scene.cycles.use_denoising = 32, False


def light(name):
    r.filepath = os.path.join(os.environ["HOME"], name)
    bpy.ops.render.render(write_still=True, scene=scene.name)
    image = bpy.data.images.load(r.filepath)
    pixels = numpy.zeros(4 * image.size[0] * image.size[1], "f4")
    image.pixels.foreach_get(pixels)
    return float(pixels.reshape(-1, 4)[:, :3].mean())


seen = {"frame": scene.frame_end, "foam": foam.astype("f8").tolist(), "vorticity": spin.reshape(-1, 3).astype("f8").tolist(), "white": light("white.exr")}
mesh.attributes["foam"].data.foreach_set("value", numpy.zeros_like(foam))
mesh.update()
handlers = bpy.app.handlers.frame_change_pre
handlers.clear()  # or the frame is read again
seen["clear"] = light("clear.exr")
print("SEEN " + json.dumps(seen), flush=True)
os._exit(0)
