only sim-1 sim-2 frames-1-20 sim-3 frames-31-50 frames-61-80 finish
start sim-1
start sim-2 sim-1
start frames-1-20 sim-1
start sim-3 sim-2
start frames-31-50 sim-2
start frames-61-80 sim-3
start finish frames-1-20 frames-31-50 frames-61-80
finish sim-1 sim-2 frames-1-20 sim-3 frames-31-50 frames-61-80 finish
