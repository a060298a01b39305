"""Prints what a run's script asks Houdini for, a line of JSON a frame.

    pvpython seen_in_houdini.py RUN_houdini.py POINTS

What it knows of cameras is from Houdini's manual: they look along −z, with a picture
that is aperture millimetres wide, and are turned about x, then y, then z.
"""
import json
import math
import sys

import numpy
from hou_stand_in import cook, film, roots, run

script, points = sys.argv[1], json.loads(sys.argv[2])
nodes = run(script)
cam = nodes["camera"]


def matrix(node, frame):
    """Returns the rotation and the place of a node."""
    m = numpy.eye(3)
    for axis in range(3):
        s, c = (f(math.radians(node.parm("r" + "xyz"[axis]).at(frame))) for f in (math.sin, math.cos))
        a, b = (axis + 1) % 3, (axis + 2) % 3
        turn = numpy.eye(3)
        turn[a][a] = turn[b][b] = c
        turn[a][b], turn[b][a] = -s, s
        m = turn @ m
    return m, numpy.array([node.parm("t" + e).at(frame) for e in "xyz"])


for frame in range(film["first"], film["last"] + 1):
    turn, eye = matrix(cam, frame)
    w, h = cam.parm("resx").value, cam.parm("resy").value
    wide = cam.parm("aperture").value / cam.parm("focal").at(frame)  # of the picture at distance 1
    pixels = []
    for p in points:
        x, y, z = turn.T @ (numpy.array(p) - eye)
        pixels.append((w / 2 + x / -z / wide * w, h / 2 - y / -z / wide * w))
    objects = {}
    for name, node in nodes.items():
        if node.kind != "geo":
            continue
        g = cook(node, frame)
        m, at = matrix(node, frame)
        x = g.x @ m.T + at
        volume = 0.0
        for f in g.faces:
            c = x[list(f)[::-1]]
            volume += sum(c[0].dot(numpy.cross(c[k], c[k + 1])) / 6 for k in range(1, len(c) - 1))
        objects[name] = {"vertices": len(x), "volume": volume, "sizes": sorted({len(f) for f in g.faces}), "min": x.min(0).tolist(), "max": x.max(0).tolist()}
        if "v" in g.points:
            objects[name]["velocity"] = g.points["v"].mean(0).tolist()
        assert node.parm("shop_materialpath").value in [n.where for n in roots["/mat"].inside]
    print("SEEN " + json.dumps({"frame": frame, "size": [w, h], "fps": film["fps"], "focal": cam.parm("focal").at(frame), "pixels": pixels, "objects": objects}), flush=True)
