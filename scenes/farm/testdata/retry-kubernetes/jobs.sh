only frames-1-20 sim-3 frames-31-50 frames-61-80 finish
start frames-1-20
start sim-3
start frames-31-50
start frames-61-80 sim-3
start finish frames-1-20 frames-31-50 frames-61-80
finish frames-1-20 sim-3 frames-31-50 frames-61-80 finish
