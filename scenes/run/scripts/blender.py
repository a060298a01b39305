
    blender --python THIS_FILE

or open it in Blender's text editor and press Run. It makes a scene of its own
in the file that is open: the liquid with its velocities for motion blur, the
solids, the tank, the floor, the sun and the sky, the camera and the frame rate.
Cycles draws it. Each frame's mesh is read from its file when the frame is shown,
by a handler that is saved with the .blend file as a text; Blender runs it on
opening where scripts are allowed to run.

The files stay where they are, in the folder of this script.
"""
