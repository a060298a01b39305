"""Prints the whitewater that Blender has of a run, after its script: a line of JSON a
frame and kind.

    blender -b --python RUN_blender.py --python parcels_in_blender.py
"""
import json
import os

import bpy
import numpy

scene = bpy.data.scenes["shot"]


def values(cloud, name, field, width):
    a = numpy.zeros(width * len(cloud.points), "i4" if field == "value" and name == "id" else "f4")
    cloud.attributes[name].data.foreach_get(field, a)
    return a.reshape(-1, width) if width > 1 else a


for n in range(scene.frame_start, scene.frame_end + 1):
    scene.frame_set(n)
    depsgraph = bpy.context.evaluated_depsgraph_get() if bpy.context.scene == scene else scene.view_layers[0].depsgraph
    depsgraph.update()
    for i in depsgraph.object_instances:
        o = i.object
        if o.type != "POINTCLOUD":
            continue
        c = o.data
        print("SEEN " + json.dumps({
            "frame": n, "name": (i.parent or o).original.name, "material": c.materials[0].name,
            "nodes": sorted(x.type for x in c.materials[0].node_tree.nodes),
            "x": values(c, "position", "vector", 3).astype("f8").tolist(), "v": values(c, "velocity", "vector", 3).astype("f8").tolist(),
            "radius": values(c, "radius", "value", 1).astype("f8").tolist(), "id": values(c, "id", "value", 1).view("u4").tolist(),
        }), flush=True)
    for o in scene.objects:
        if o.type == "VOLUME":
            grids = o.evaluated_get(depsgraph).data.grids
            grids.load()
            print("SEEN " + json.dumps({
                "frame": n, "name": o.name, "material": o.data.materials[0].name, "nodes": sorted(x.type for x in o.data.materials[0].node_tree.nodes),
                "grids": sorted(g.name for g in grids), "fault": grids.error_message,
            }), flush=True)
os._exit(0)
