"""Prints what ParaView sees of a list of VTP files at each of its times, a line
of JSON each.

    pvpython meshes.py A.pvd
"""
import json
import sys

from paraview import servermanager
from paraview.simple import PVDReader
from vtk.util.numpy_support import vtk_to_numpy

reader = PVDReader(FileName=sys.argv[1])
for t in reader.TimestepValues:
    reader.UpdatePipeline(t)
    m = servermanager.Fetch(reader)
    if m.IsA("vtkMultiBlockDataSet"):
        m = m.GetBlock(0)
    data = m.GetPointData()
    rows = lambda name: vtk_to_numpy(data.GetArray(name)).astype(float).tolist()
    print("SEEN " + json.dumps({
        "time": t, "points": vtk_to_numpy(m.GetPoints().GetData()).astype(float).tolist(), "triangles": m.GetNumberOfPolys(),
        "velocity": rows("velocity"), "normals": rows("Normals"), "speed": rows("speed"),
    }), flush=True)
