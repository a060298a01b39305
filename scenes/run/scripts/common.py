
import gzip
import json
import math
import os

import numpy

SHOT = json.loads(r"""@SHOT@""")

try:
    HERE = os.path.dirname(os.path.abspath(__file__))
except NameError:  # where a program runs a script without saying from where
    HERE = os.getcwd()


def nearest(frame):
    """Returns the place in SHOT["frames"] of a frame, or of the last before it."""
    frames = SHOT["frames"]
    at = 0
    for i, n in enumerate(frames):
        if n <= frame:
            at = i
    return at


def of_frame(values, i):
    """Returns the item of frame i from a list that has one for each, or one for all."""
    return values[i] if len(values) > 1 else values[0]


def tank_sides(lo, hi):
    """Returns the corners of the tank's sides that are there, four each, counter-clockwise as seen from inside."""
    x = []
    for axis, end, there in zip((0, 0, 2, 2), (lo, hi, lo, hi), SHOT["tank"]["sides"]):
        if not there:
            continue
        other = 2 - axis
        side = []
        for a, y in ((lo[other], lo[1]), (hi[other], lo[1]), (hi[other], hi[1]), (lo[other], hi[1])):
            p = [0, y, 0]
            p[axis], p[other] = end[axis], a
            side.append(p)
        inward = (end is lo) == (axis == 2)  # is how they turn: along x and then y they face +z, along z and then y −x
        x += side if inward else side[::-1]
    return x


def read_liquid(i, folder=None):
    """Reads the i-th file of the liquid: points, velocities, faces, y up and in metres.

    Velocities are in metres a second of film, or None. Faces are lists of
    corners as they follow each other, and how many each has.
    """
    liquid = SHOT["liquid"]
    path = os.path.join(folder or HERE, liquid["folder"], liquid["files"][i])
    points, velocities, corners, sizes = (read_obj if ".obj" in path[-7:] else read_ply)(path)
    to_metres = liquid["unit"]

    def ours(v):
        v = v * to_metres
        return numpy.stack((v[:, 0], v[:, 2], -v[:, 1]), 1) if liquid["z_up"] else v

    points = ours(points)
    if velocities is not None:
        velocities = ours(velocities) * SHOT["speed"]
    return points, velocities, corners, sizes


def opened(path, mode):
    return gzip.open(path, mode) if path.endswith(".gz") else open(path, mode)


def read_obj(path):
    """Reads the first object of an OBJ file: bodies follow it, which are solids of their own."""
    points, faces = [], []
    objects = 0
    with opened(path, "rt") as f:
        for line in f:
            if line.startswith("v "):
                points.append(line[2:])
            elif line.startswith("f "):
                faces.append([int(c.split("/")[0]) - 1 for c in line[2:].split()])
            elif line.startswith("o "):
                objects += 1
                if objects == 2:
                    break
    x = numpy.array(" ".join(points).split(), dtype="f4").reshape(-1, 3)
    sizes = numpy.array([len(f) for f in faces], dtype="i4")
    corners = numpy.array([c for f in faces for c in f], dtype="i4")
    return x, None, corners, sizes


PLY_TYPES = {"float": "<f4", "double": "<f8", "int": "<i4", "uint": "<u4", "uchar": "u1", "short": "<i2", "ushort": "<u2", "char": "i1"}


def read_ply(path):
    """Reads a binary PLY file of Breakwater's: vertices, and triangles after quads."""
    with opened(path, "rb") as f:
        data = f.read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    elements, quads = [], 0
    for line in data[:end].decode("ascii", "replace").splitlines():
        word = line.split()
        if word[:1] == ["element"]:
            elements.append((word[1], int(word[2]), []))
        elif word[:1] == ["property"] and word[1] != "list":
            elements[-1][2].append((word[2], PLY_TYPES[word[1]]))
        elif word[:2] == ["comment", "breakwater-quads"]:
            quads = int(word[2])
    x = v = None
    corners, sizes = numpy.zeros(0, "i4"), numpy.zeros(0, "i4")
    for name, count, fields in elements:
        if name == "vertex":
            rows = numpy.frombuffer(data, numpy.dtype(fields), count, end)
            end += rows.nbytes
            three = lambda names: numpy.stack([rows[n] for n in names], 1).astype("f4")
            x = three("xyz")
            if "vx" in rows.dtype.names:
                v = three(("vx", "vy", "vz"))
        elif name == "face":
            for n, m in ((quads, 4), (count - quads, 3)):
                rows = numpy.frombuffer(data, numpy.dtype([("n", "u1"), ("v", "<i4", (m,))]), n, end)
                end += rows.nbytes
                corners = numpy.concatenate((corners, rows["v"].ravel()))
                sizes = numpy.concatenate((sizes, rows["n"].astype("i4")))
        else:
            break
    return x, v, corners, sizes
