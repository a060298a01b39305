
import gzip
import io
import json
import math
import os
import re

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
    """Reads the i-th file of the liquid: points, velocities, faces and attributes, y up and in metres.

    Velocities are in metres a second of film, or None. Faces are lists of
    corners as they follow each other, and how many each has. Attributes are arrays
    by their names, one row a point: foam is the share of the surface that it covers.
    """
    liquid = SHOT["liquid"]
    path = os.path.join(folder or HERE, liquid["folder"], liquid["files"][i])
    points, velocities, corners, sizes, attributes = read_ply(path)

    def turned(v):
        return numpy.stack((v[:, 0], v[:, 2], -v[:, 1]), 1) if liquid["z_up"] else v

    points = turned(points * liquid["unit"])
    if velocities is not None:
        velocities = turned(velocities * liquid["unit"]) * SHOT["speed"]
    return points, velocities, corners, sizes, {name: turned(v) if v.ndim > 1 else v for name, v in attributes.items()}


PARCELS = ("spray", "foam", "bubbles", "mist")  # by the numbers of their kinds


def parcel_material(kind):
    """Returns the material of a kind of whitewater; bubbles are seen from within the liquid."""
    if kind == 0:
        return SHOT["liquid"]["material"]
    if kind == 2:
        return {"kind": "clear", "ior": 1 / SHOT["liquid"]["material"]["ior"], "color": [1, 1, 1], "distance": 1, "glow": [0, 0, 0]}
    return {"kind": "matte", "ior": 1, "color": FOAM_COLOR, "distance": 0, "glow": [0, 0, 0]}


FOAM_COLOR = (0.9, 0.9, 0.9)


def read_parcels(i, folder=None, kind=None):
    """Reads the whitewater of the i-th frame: a dictionary of arrays, one row a parcel.

    It has position in metres and y up, velocity in metres a second of film, radius in
    metres, kind, id, and what else the file has. A kind alone gives that kind. A frame
    without a file has none.
    """
    parcels = SHOT["whitewater"]
    name = parcels["files"][i]
    rows = read_points(os.path.join(folder or HERE, parcels["folder"], name)) if name else {}
    n = len(rows.get("position", ()))
    rows.setdefault("position", numpy.zeros((0, 3), "f4"))
    rows.setdefault("velocity", numpy.zeros((n, 3), "f4"))
    for key, typ in (("width", "f4"), ("kind", "i4"), ("id", "u4")):
        rows.setdefault(key, numpy.zeros(n, typ))
    for key in ("position", "velocity"):
        v = rows[key].astype("f4") * parcels["unit"]
        rows[key] = numpy.stack((v[:, 0], v[:, 2], -v[:, 1]), 1) if parcels["z_up"] else v
    rows["velocity"] = rows["velocity"] * SHOT["speed"]
    rows["radius"] = (rows.pop("width") * (parcels["unit"] / 2)).astype("f4")
    if kind is not None:
        one = rows["kind"] == kind
        rows = {key: v[one] for key, v in rows.items()}
    return rows


def read_points(path):
    """Reads particles that Breakwater has written: arrays by their names, one row a particle."""
    base = path[:-3] if path.endswith(".gz") else path
    with opened(path, "rb") as f:
        data = f.read()
    if base.endswith(".npz"):
        with numpy.load(io.BytesIO(data)) as arrays:
            return {name: arrays[name] for name in arrays.files if arrays[name].ndim > 0}
    if base.endswith(".vtp"):
        return vtp_points(data)
    if base.endswith(".csv"):
        lines = [line for line in data.decode().splitlines() if not line.startswith("#")]
        values = numpy.array([line.split(",") for line in lines[1:]], "f8").reshape(len(lines) - 1, lines[0].count(",") + 1)
        columns = dict(zip(lines[0].split(","), values.T))
    else:
        rows = ply_elements(data)[0]
        columns = {name: rows[name] for name in rows.dtype.names}
    three = lambda names: numpy.stack([columns.pop(n) for n in names], 1)
    return {"position": three("xyz"), "velocity": three(("vx", "vy", "vz")), **columns}


def vtp_points(data):
    begin = data.index(b"<AppendedData")
    begin = data.index(b"_", data.index(b">", begin)) + 1
    types = {"Float32": "<f4", "Float64": "<f8", "Int32": "<i4", "UInt32": "<u4"}
    rows = {}
    for attributes in re.findall(r"<DataArray ([^>]*)/>", data[:begin].decode()):
        a = dict(re.findall(r'(\w+)="([^"]*)"', attributes))
        at = begin + int(a["offset"])
        size = int.from_bytes(data[at:at + 8], "little")
        v = numpy.frombuffer(data[at + 8:at + 8 + size], types[a["type"]])
        rows[a["Name"]] = v.reshape(-1, 3) if a.get("NumberOfComponents") == "3" else v
    rows["position"] = rows.pop("Points")
    return {name: v for name, v in rows.items() if name not in ("connectivity", "offsets")}


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
    """Reads the points, velocities, faces and attributes of a binary PLY file of Breakwater's."""
    with opened(path, "rb") as f:
        data = f.read()
    rows, corners, sizes = ply_elements(data)
    three = lambda names: numpy.stack([rows[n] for n in names], 1).astype("f4")
    names = rows.dtype.names
    attributes, known = {}, {"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"}
    for name in names if len(sizes) else ():
        vector = [name[:-1] + axis for axis in "xyz"]
        if name in known or rows[name].dtype.kind != "f":
            continue
        if name.endswith("_x") and set(vector) <= set(names):
            attributes[name[:-2]] = three(vector)
            known.update(vector)
        else:
            attributes[name] = rows[name].astype("f4")
    return three("xyz"), three(("vx", "vy", "vz")) if "vx" in names else None, corners, sizes, attributes


def ply_elements(data):
    """Returns the vertices of a file, with all that each has, and its faces: triangles after quads."""
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
    vertices = None
    corners, sizes = numpy.zeros(0, "i4"), numpy.zeros(0, "i4")
    for name, count, fields in elements:
        if name == "vertex":
            vertices = numpy.frombuffer(data, numpy.dtype(fields), count, end)
            end += vertices.nbytes
        elif name == "face":
            for n, m in ((quads, 4), (count - quads, 3)):
                rows = numpy.frombuffer(data, numpy.dtype([("n", "u1"), ("v", "<i4", (m,))]), n, end)
                end += rows.nbytes
                corners = numpy.concatenate((corners, rows["v"].ravel()))
                sizes = numpy.concatenate((sizes, rows["n"].astype("i4")))
        else:
            break
    return vertices, corners, sizes
