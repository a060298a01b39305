"""Prints what ParaView makes of a run, by its script: a line of JSON a frame.

    pvpython seen_in_paraview.py RUN_paraview.py POINTS
"""
import json
import os
import runpy
import sys

import numpy

script, points = sys.argv[1], json.loads(sys.argv[2])
runpy.run_path(script, run_name="__main__")  # as __main__, whose names ParaView overwrites
from paraview import servermanager
from paraview.simple import FindSource, GetActiveView, GetAnimationScene, GetSources
from vtk.util.numpy_support import vtk_to_numpy

scene, view = GetAnimationScene(), GetActiveView()
width, height = view.ViewSize


def mesh(source, t):
    source.UpdatePipeline(t)
    m = servermanager.Fetch(source)
    x = vtk_to_numpy(m.GetPoints().GetData()).astype("f8")
    cells = vtk_to_numpy(m.GetPolys().GetConnectivityArray())
    ends = vtk_to_numpy(m.GetPolys().GetOffsetsArray())
    volume = 0.0
    for a, b in zip(ends, ends[1:]):
        c = x[cells[a:b]]
        volume += sum(c[0].dot(numpy.cross(c[k], c[k + 1])) / 6 for k in range(1, len(c) - 1))
    seen = {"vertices": len(x), "volume": volume, "sizes": sorted(set(numpy.diff(ends).tolist())), "min": x.min(0).tolist(), "max": x.max(0).tolist()}
    v = m.GetPointData().GetArray("velocity")
    if v:
        seen["velocity"] = vtk_to_numpy(v).astype("f8").mean(0).tolist()
    return seen


times = FindSource("liquid").TimestepValues
for i, t in enumerate(times):
    scene.AnimationTime = t
    c = view.GetActiveCamera()
    m = c.GetCompositeProjectionTransformMatrix(width / height, -1, 1)
    pixels = []
    for p in points:
        q = m.MultiplyPoint((*p, 1))
        pixels.append(((q[0] / q[3] + 1) / 2 * width, (1 - q[1] / q[3]) / 2 * height))
    print("SEEN " + json.dumps({
        "frame": i + 1, "time": t, "size": [width, height], "pixels": pixels,
        "objects": {name: mesh(s, t) for (name, _), s in GetSources().items()},
    }), flush=True)
os._exit(0)
