"""Prints what ParaView sees of the bodies that a list of VTP files has as its
second part, at each time a line of JSON.

    pvpython bodies.py A.pvd
"""
import json
import sys

from paraview import servermanager
from paraview.simple import PVDReader
from vtk.util.numpy_support import vtk_to_numpy


def parts(m):
    """Lists the meshes of blocks within blocks."""
    if not m.IsA("vtkMultiBlockDataSet"):
        return [m]
    return [p for i in range(m.GetNumberOfBlocks()) for p in parts(m.GetBlock(i))]


reader = PVDReader(FileName=sys.argv[1])
for t in reader.TimestepValues:
    reader.UpdatePipeline(t)
    whole = servermanager.Fetch(reader)
    liquid, m = parts(whole)
    rows = lambda a: vtk_to_numpy(a).astype(float).tolist()
    names = m.GetFieldData().GetAbstractArray("names")
    corners = m.GetPolys().GetConnectivityArray()
    print("SEEN " + json.dumps({
        "time": t, "liquid": liquid.GetNumberOfPoints(),
        "names": [names.GetValue(i) for i in range(names.GetNumberOfValues())],
        "points": rows(m.GetPoints().GetData()), "velocity": rows(m.GetPointData().GetArray("velocity")),
        "body": [int(b) for b in rows(m.GetPointData().GetArray("body"))], "corners": [int(c) for c in rows(corners)],
    }), flush=True)
