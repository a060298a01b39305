"""Prints the whitewater that ParaView has of a run, by its script: a line of JSON a frame.

    pvpython parcels_in_paraview.py RUN_paraview.py
"""
import json
import os
import runpy
import sys

runpy.run_path(sys.argv[1], run_name="__main__")
from paraview import servermanager
from paraview.simple import FindSource, GetActiveView, GetAnimationScene, GetDisplayProperties, Render
from vtk.util.numpy_support import vtk_to_numpy

parcels, view = FindSource("whitewater"), GetActiveView()
d = GetDisplayProperties(parcels, view)
shown = "%s by %s, coloured by %s" % (str(d.Representation).strip("'"), d.SetScaleArray[1] if d.ScaleByArray and not d.UseScaleFunction else "nothing", d.ColorArrayName[1])
for i, t in enumerate(parcels.TimestepValues):
    GetAnimationScene().AnimationTime = t
    Render(view)
    m = servermanager.Fetch(parcels)
    array = lambda name: vtk_to_numpy(m.GetPointData().GetArray(name)).tolist()
    print("SEEN " + json.dumps({
        "frame": i + 1, "name": "whitewater", "material": shown,
        "x": vtk_to_numpy(m.GetPoints().GetData()).astype("f8").tolist(), "v": array("velocity"),
        "radius": array("radius"), "id": array("id"), "kind": array("kind"), "count": array("count") if m.GetPointData().HasArray("count") else [],
    }), flush=True)
os._exit(0)
