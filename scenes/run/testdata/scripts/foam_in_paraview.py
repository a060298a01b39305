"""Prints the foam on the liquid that ParaView has of a run, by its script, and how bright it
draws the liquid with it and without: a line of JSON.

    pvpython foam_in_paraview.py RUN_paraview.py
"""
import json
import os
import runpy
import sys

runpy.run_path(sys.argv[1], run_name="__main__")
from paraview import servermanager
from paraview.simple import FindSource, GetActiveView, GetAnimationScene, GetDisplayProperties, GetSources, Hide, Render, SaveScreenshot
from vtk.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

liquid, view = FindSource("liquid"), GetActiveView()
times = list(liquid.TimestepValues)
GetAnimationScene().AnimationTime = times[-1]
for s in GetSources().values():  # the liquid alone
    if s != liquid:
        Hide(s, view)
view.Background = [0, 0, 0]


def light(name):
    path = os.path.join(os.environ["HOME"], name)
    SaveScreenshot(path, view)
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    return float(vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())[:, :3].mean())


Render(view)
m = servermanager.Fetch(liquid)
d = GetDisplayProperties(liquid, view)
seen = {"frame": len(times), "foam": vtk_to_numpy(m.GetPointData().GetArray("foam")).astype("f8").tolist(), "white": light("white.png"), "name": d.ColorArrayName[1]}
d.LookupTable.RGBPoints = [0, *d.LookupTable.RGBPoints[1:4], 1, *d.LookupTable.RGBPoints[1:4]]
seen["clear"] = light("clear.png")
print("SEEN " + json.dumps(seen), flush=True)
os._exit(0)
