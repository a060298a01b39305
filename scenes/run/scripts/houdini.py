
    hython THIS_FILE SCENE.hip      (writes the scene)

or in Houdini's Python shell: exec(open(FILE).read(), {"__name__": "__main__",
"__file__": FILE}). It adds the liquid with its velocities as v, the solids, the
tank, the floor, materials, the sun, the surroundings, the camera and the frame
rate. Each frame's mesh is read from its file when it is shown; the files and
this script stay where they are.
"""
