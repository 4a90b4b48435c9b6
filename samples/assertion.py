"""`assert` on a staged value is checked when the graph runs; a failure names its line."""

import numpy as np

import autograph
import runtime as rt


def inverse_square(x):
    assert x != 0, "Do not pass zero!"
    return 1 / (x * x)


with rt.Graph().as_default():
    x = rt.placeholder(np.float64, name="x")
    result = autograph.to_graph(inverse_square)(x)
    with rt.Session() as session:
        print("x = 2:", session.run(result, {x: 2.0}))
        try:
            session.run(result, {x: 0.0})
        except AssertionError as error:
            print("x = 0: AssertionError:", error)
