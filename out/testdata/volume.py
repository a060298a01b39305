"""Prints the grids of a volume as OpenVDB reads them, a line of JSON each, with
the values of the voxels that are asked for.

    python3 volume.py A.vdb '[[x, y, z], ...]'
"""
import json
import sys

try:
    import pyopenvdb
except ImportError:
    print("NO OPENVDB")
    sys.exit()

path, places = sys.argv[1], json.loads(sys.argv[2])
for g in pyopenvdb.readAll(path)[0]:
    lo, hi = g.evalActiveVoxelBoundingBox()
    values = g.getConstAccessor()
    print("SEEN " + json.dumps({
        "name": g.name, "class": g.gridClass, "type": g.metadata.get("vector_type", ""), "count": g.activeVoxelCount(), "edge": g.transform.voxelSize()[0],
        "lo": lo, "hi": hi, "values": [values.getValue(tuple(p)) for p in places],
    }))
