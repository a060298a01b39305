"""Has Cycles draw a run, after its script, with a liquid that glows, and prints
as a line of JSON which share of the glow the panes of the tank let pass.

    blender -b --python RUN_blender.py --python drawn_in_blender.py
"""
import json
import os

import bpy
import numpy

scene = bpy.data.scenes["shot"]
seen = {"view": scene.view_settings.view_transform}
r = scene.render
r.image_settings.file_format, r.image_settings.color_depth = "OPEN_EXR", "32"
scene.cycles.samples, scene.cycles.use_denoising = 32, False
tree = scene.objects["liquid"].data.materials[0].node_tree
glow = tree.nodes.new("ShaderNodeEmission")
glow.inputs["Strength"].default_value = 100
out = next(n for n in tree.nodes if n.type == "OUTPUT_MATERIAL")
tree.links.new(glow.outputs[0], out.inputs["Surface"])


def light(name):
    r.filepath = os.path.join(os.environ["HOME"], name)
    bpy.ops.render.render(write_still=True, scene=scene.name)
    image = bpy.data.images.load(r.filepath)
    pixels = numpy.zeros(4 * image.size[0] * image.size[1], "f4")
    image.pixels.foreach_get(pixels)
    return pixels.reshape(-1, 4)[:, :3].sum()


through = light("with.exr")
scene.objects["tank"].hide_render = True
seen["through"] = float(through / light("without.exr"))
print("SEEN " + json.dumps(seen), flush=True)
os._exit(0)
