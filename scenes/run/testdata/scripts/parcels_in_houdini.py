"""Prints the whitewater that a run's script gives Houdini: a line of JSON a frame and kind.

    pvpython parcels_in_houdini.py RUN_houdini.py
"""
import json
import sys

from hou_stand_in import cook, film, roots, run

nodes = run(sys.argv[1])
for frame in range(film["first"], film["last"] + 1):
    for kind, name in enumerate(("spray", "foam", "bubbles", "mist")):
        node = nodes[name]
        g = cook(node, frame)
        material = node.parm("shop_materialpath").value
        assert material in [n.where for n in roots["/mat"].inside]
        assert node.parm("geo_velocityblur").value == 1 and (g.points["kind"] == kind).all()
        print("SEEN " + json.dumps({
            "frame": frame, "name": name, "material": material, "x": g.x.reshape(-1, 3).tolist(), "v": g.points["v"].tolist(),
            "radius": g.points["pscale"].astype("f8").tolist(), "id": g.points["id"].view("u4").tolist(), "count": g.points["count"].tolist() if len(g.x) else [],
        }), flush=True)
