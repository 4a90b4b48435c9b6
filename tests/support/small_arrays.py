"""Small arrays: the arguments of collections of programs.

A     distinct numbers         N     the same below zero       INTS  the same as integers
E     none                     B     rows of two               M     rows in order
"""

import numpy as np

A = np.array([3.0, 1.0, 2.0])
N = -A
INTS = np.array([3, 1, 2])
E = np.array([])
B = np.array([[3.0, 1.0], [2.0, 5.0], [0.5, -1.0]])
M = np.arange(6.0).reshape(3, 2)
