"""Stands in for Houdini, which cannot be had here: it keeps parameters, keys and
attributes of points. Run runs a script in it.
"""
import sys
import types

import numpy


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
        self.x = numpy.zeros((0, 3))
        self.faces, self.widths, self.points = [], {}, {}

    def createPoints(self, points):
        self.x = numpy.array(points)
        return list(range(len(points)))

    def createPolygons(self, faces):
        self.faces = faces

    def addAttrib(self, kind, name, value):
        self.widths[name] = (len(value) if isinstance(value, tuple) else 1, type(value[0] if isinstance(value, tuple) else value))

    def setPointFloatAttribValuesFromString(self, name, data):
        self.keep(name, float, numpy.frombuffer(data, "f4"))

    def setPointIntAttribValuesFromString(self, name, data):
        self.keep(name, int, numpy.frombuffer(data, "i4"))

    def keep(self, name, typ, values):
        width, of = self.widths[name]
        assert of == typ, name
        self.points[name] = values.reshape(-1, width) if width > 1 else values
        assert len(self.points[name]) == len(self.x), name


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


def run(script):
    """Runs a script and returns what it has made: the nodes of its subnet, by name."""
    sys.argv = sys.argv[:1]
    with open(script) as f:
        exec(compile(f.read(), script, "exec"), {"__name__": "__main__", "__file__": script})
    return {n.where.split("/")[-1]: n for n in roots["/obj"].inside[0].inside}


def cook(node, frame):
    """Returns the geometry of a node in a frame."""
    film["frame"], film["geometry"] = frame, Geometry()
    exec(node.inside[0].parm("python").value, {})
    return film["geometry"]
