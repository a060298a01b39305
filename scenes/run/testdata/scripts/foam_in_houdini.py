"""Prints the foam on the liquid that a run's script gives Houdini: a line of JSON.

    pvpython foam_in_houdini.py RUN_houdini.py
"""
import json
import sys

from hou_stand_in import cook, film, roots, run

nodes = run(sys.argv[1])
g = cook(nodes["liquid"], film["last"])
mat = next(n for n in roots["/mat"].inside if n.where == nodes["liquid"].parm("shop_materialpath").value)
print("SEEN " + json.dumps({
    "frame": film["last"], "foam": g.points["foam"].astype("f8").ravel().tolist(), "name": "Cd" if mat.parm("basecolor_usePointColor").value else "",
    "white": float(g.points["Cd"].mean()), "clear": 0,
}), flush=True)
