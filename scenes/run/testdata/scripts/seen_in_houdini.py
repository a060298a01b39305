"""Prints what a run's script asks Houdini for, a line of JSON a frame.

    pvpython seen_in_houdini.py RUN_houdini.py POINTS

Houdini cannot be had here: hou below stands in for it. It keeps parameters and
keys, and knows what Houdini's manual says of cameras: they look along −z, with
a picture that is aperture millimetres wide, and are turned about x, then y, then z.
"""
import json
import math
import sys
import types

import numpy

script, points = sys.argv[1], json.loads(sys.argv[2])
sys.argv = sys.argv[:1]


class Parm:
    def __init__(self):
        self.value, self.keys = 0, {}

    def set(self, v):
        assert isinstance(v, (int, float, str)), v
        self.value = v

    def setKeyframe(self, key):
        self.keys[key.frame] = key.value

    def at(self, frame):
        return self.keys[frame] if self.keys else self.value


class Node:
    def __init__(self, kind, path):
        self.kind, self.where, self.inside, self.parms = kind, path, [], {}

    def createNode(self, kind, name):
        assert name.replace("_", "").isalnum(), name
        n = Node(kind, self.where + "/" + name)
        self.inside.append(n)
        return n

    def children(self):
        return []

    def path(self):
        return self.where

    def parm(self, name):
        return self.parms.setdefault(name, Parm())


class Keyframe:
    def setFrame(self, n):
        self.frame = n

    def setValue(self, v):
        self.value = v

    def setExpression(self, text, language):
        assert text == "linear()"


class Geometry:
    def __init__(self):
        self.v = None

    def createPoints(self, points):
        self.x = numpy.array(points)
        return list(range(len(points)))

    def createPolygons(self, faces):
        self.faces = faces

    def addAttrib(self, kind, name, value):
        self.name = name

    def setPointFloatAttribValuesFromString(self, name, data):
        assert name == self.name == "v"
        self.v = numpy.frombuffer(data, "f4").reshape(-1, 3)


hou = types.ModuleType("hou")
roots = {p: Node("root", p) for p in ("/obj", "/mat")}
film = {}
hou.node = roots.__getitem__
hou.setFps = lambda fps: film.update(fps=fps)
hou.playbar = types.SimpleNamespace(setFrameRange=lambda a, b: film.update(first=a, last=b), setPlaybackRange=lambda a, b: None)
hou.setFrame = lambda n: film.update(frame=n)
hou.intFrame = lambda: film["frame"]
hou.Keyframe = Keyframe
hou.exprLanguage = types.SimpleNamespace(Hscript=0)
hou.attribType = types.SimpleNamespace(Point=0)
hou.pwd = lambda: types.SimpleNamespace(geometry=lambda: film["geometry"])
sys.modules["hou"] = hou
with open(script) as f:
    exec(compile(f.read(), script, "exec"), {"__name__": "__main__", "__file__": script})

nodes = {n.where.split("/")[-1]: n for n in roots["/obj"].inside[0].inside}
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
    film["frame"] = frame
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
        film["geometry"] = g = Geometry()
        exec(node.inside[0].parm("python").value, {})
        m, at = matrix(node, frame)
        x = g.x @ m.T + at
        volume = 0.0
        for f in g.faces:
            c = x[list(f)[::-1]]
            volume += sum(c[0].dot(numpy.cross(c[k], c[k + 1])) / 6 for k in range(1, len(c) - 1))
        objects[name] = {"vertices": len(x), "volume": volume, "sizes": sorted({len(f) for f in g.faces}), "min": x.min(0).tolist(), "max": x.max(0).tolist()}
        if g.v is not None:
            objects[name]["velocity"] = g.v.mean(0).tolist()
        assert node.parm("shop_materialpath").value in [n.where for n in roots["/mat"].inside]
    print("SEEN " + json.dumps({"frame": frame, "size": [w, h], "fps": film["fps"], "focal": cam.parm("focal").at(frame), "pixels": pixels, "objects": objects}), flush=True)
