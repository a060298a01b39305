"""Prints the particles of a .vtp with their quantities as ParaView reads them, a line of JSON.

    pvpython parcels.py A.vtp
"""
import json
import sys

from paraview import servermanager
from paraview.simple import OpenDataFile
from vtk.util.numpy_support import vtk_to_numpy

points = servermanager.Fetch(OpenDataFile(sys.argv[1]))
data = points.GetPointData()
arrays = [data.GetArray(k) for k in range(data.GetNumberOfArrays())]
numbers = {a.GetName(): vtk_to_numpy(a).tolist() for a in arrays}
print("SEEN " + json.dumps({
    "types": {a.GetName(): a.GetDataTypeAsString() for a in arrays},
    "x": vtk_to_numpy(points.GetPoints().GetData()).astype("f8").tolist(), "v": numbers["velocity"], "id": numbers["id"],
    "width": numbers["width"], "kind": numbers["kind"], "age": numbers["age"],
}), flush=True)
