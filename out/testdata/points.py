"""Prints the particles of an .npz and a .csv by NumPy, and of a .vtp by ParaView,
a line of JSON each.

    pvpython points.py A.npz A.csv A.vtp
"""
import json
import sys

import numpy
from paraview import servermanager
from paraview.simple import OpenDataFile
from vtk.util.numpy_support import vtk_to_numpy

npz, csv, vtp = sys.argv[1:]


def show(x, v, spin, ident, speed, time=0.0):
    print("SEEN " + json.dumps({
        "x": x.tolist(), "v": v.tolist(), "spin": spin.tolist(), "id": ident.tolist(), "speed": speed.tolist(), "time": float(time),
    }), flush=True)


a = numpy.load(npz)
show(a["position"], a["velocity"], a["vorticity"], a["id"], a["speed"], a["time"])

rows = numpy.genfromtxt(csv, delimiter=",", names=True)
three = lambda names: numpy.stack([rows[n] for n in names], 1)
show(three(["x", "y", "z"]), three(["vx", "vy", "vz"]), three(["vorticity_x", "vorticity_y", "vorticity_z"]), rows["id"], rows["speed"])

points = servermanager.Fetch(OpenDataFile(vtp))
assert points.GetNumberOfVerts() == points.GetNumberOfPoints()
data = points.GetPointData()
array = lambda name: vtk_to_numpy(data.GetArray(name)).astype(float)
show(vtk_to_numpy(points.GetPoints().GetData()).astype(float), array("velocity"), array("vorticity"), array("id"), array("speed"))
