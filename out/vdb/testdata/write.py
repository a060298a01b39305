"""Writes grids with OpenVDB's own library, and prints what it then reads, a line of JSON per grid.

    python3 write.py A.vdb half|float
    python3 write.py read A.vdb
"""
import json
import sys

try:
    import pyopenvdb as vdb
except ImportError:
    print("NO OPENVDB")
    sys.exit()

PLACES = [(x, y, z) for x in (-9, -8, -1, 0, 3, 7, 8, 40, 127, 128, 200, 5000) for y in (-8, 0, 5, 130) for z in (-130, -3, 0, 6, 4096)]


def fill(grid, value):
    to = grid.getAccessor()
    for x in range(-9, 9):
        for y in range(-8, 7):
            for z in range(-4, 7):
                if x * x + y * y + z * z < 70:
                    to.setValueOn((x, y, z), value(x, y, z))


def write(path, half):
    density = vdb.FloatGrid(0.0)
    density.name, density.gridClass = "density", vdb.GridClass.FOG_VOLUME
    density.transform = vdb.createLinearTransform(voxelSize=0.125)
    fill(density, lambda x, y, z: 0.25 + x / 64 + y * z / 256)
    density.fill((128, 0, 0), (255, 127, 127), 0.5)  # tiles of two sizes
    density.fill((40, 0, 0), (47, 7, 7), 0.75)

    heat = vdb.FloatGrid(293.0)
    heat.name = "temperature"
    heat.transform = vdb.createLinearTransform([[0.1, 0, 0, 0], [0, 0, 0.2, 0], [0, -0.3, 0, 0], [1, 2, 3, 1]])
    fill(heat, lambda x, y, z: 300 + 10 * x + y - z)

    flow = vdb.Vec3SGrid((0.0, 0.0, 0.0))
    flow.name = "vel"
    flow.transform = vdb.createLinearTransform(voxelSize=0.5)
    flow.transform.translate((1.0, -2.0, 0.25))
    fill(flow, lambda x, y, z: (x / 8, y / 4, -z / 2))

    ball = vdb.createLevelSetSphere(radius=20.0, center=(3.0, 4.0, 5.0), voxelSize=1.0, halfWidth=3.0)
    ball.name = "surface"
    odd = vdb.FloatGrid(1.0)  # with inactive values of several kinds
    odd.name = "odd"
    to = odd.getAccessor()
    for i, p in enumerate(PLACES):
        to.setValueOn(p, i / 4)
        if i % 3:
            to.setValueOff(p, [0.0, -1.0, 2.5, 8.0][i % 4] if i % 5 else -1.0)
    mask = vdb.BoolGrid()
    mask.name = "mask"
    mask.fill((0, 0, 0), (9, 9, 9), True)
    grids = [density, heat, flow, ball, odd, mask]
    for g in grids[:-1]:
        g.saveFloatAsHalf = half
    vdb.write(path, grids=grids, metadata={"creator": "write.py"})


def read(path):
    for g in vdb.readAll(path)[0]:
        if isinstance(g, vdb.BoolGrid):
            continue
        at = g.getConstAccessor()
        value = lambda p: list(at.getValue(p)) if isinstance(g, vdb.Vec3SGrid) else [at.getValue(p)]
        lo, hi = g.evalActiveVoxelBoundingBox()
        print("SEEN " + json.dumps({
            "name": g.name, "class": g.gridClass, "count": g.activeVoxelCount(), "places": PLACES, "values": [value(p) for p in PLACES],
            "on": [at.isValueOn(p) for p in PLACES], "corner": g.transform.indexToWorld((1, 2, 3)), "lo": lo, "hi": hi,
        }))


if sys.argv[1] == "read":
    read(sys.argv[2])
else:
    write(sys.argv[1], sys.argv[2] == "half")
