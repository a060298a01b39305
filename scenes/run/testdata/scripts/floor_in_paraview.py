"""Prints how bright ParaView draws the lowest rows of a run's picture, by its script: a line of JSON.

    pvpython floor_in_paraview.py RUN_paraview.py
"""
import json
import os
import runpy
import sys

runpy.run_path(sys.argv[1], run_name="__main__")
from paraview.simple import GetActiveView, Render, SaveScreenshot
from vtk.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

view = GetActiveView()
view.OrientationAxesVisibility = 0
Render(view)
path = os.path.join(os.environ["HOME"], "floor.png")
SaveScreenshot(path, view, ImageResolution=view.ViewSize)
reader = vtkPNGReader()
reader.SetFileName(path)
reader.Update()
pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())  # from the lowest row upwards
print("SEEN " + json.dumps({"floor": float(pixels[:4 * view.ViewSize[0], :3].mean())}), flush=True)
os._exit(0)
