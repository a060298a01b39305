
    pvpython THIS_FILE          (builds the scene and ends)
    paraview --script=THIS_FILE

or File > Load State, or Run Script, in ParaView; where a program does not say
from where it runs a script, the folder of this one must be the current one. It
adds the liquid with its velocities at the times of the film, the solids, the
tank, the floor, a sun, the camera of each frame and the size of the picture.
"""
