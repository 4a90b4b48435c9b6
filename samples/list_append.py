"""Lists in staged loops: `append`, then `autograph.stack`."""

import numpy as np

import autograph
import runtime as rt


def first_squares(n):
    squares = []
    autograph.set_element_type(squares, np.int64)
    for i in range(n):
        squares.append(i * i)
    return autograph.stack(squares)


print("plain Python, an array:", first_squares(5))
print("as a graph, an array:", rt.function(first_squares)(np.int64(5)))
print("an empty one:", rt.function(first_squares)(np.int64(0)))
