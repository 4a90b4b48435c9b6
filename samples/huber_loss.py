"""`autograph.convert()`: a function that keeps its name and, given a staged value, becomes a
graph."""

import numpy as np

import autograph
import runtime as rt


@autograph.convert()
def huber_loss(a):
    if np.abs(a) <= delta:
        loss = a * a / 2
    else:
        loss = delta * (np.abs(a) - delta / 2)
    return loss


delta = 1.0

print("on a Python float:", huber_loss(9.0))

with rt.Graph().as_default() as graph:
    x = rt.placeholder(np.float64, name="x")
    loss = huber_loss(x)
    with rt.Session() as session:
        for value in (9.0, -0.5, 0.0):
            print(f"in a graph, x = {value}:", session.run(loss, feed_dict={x: value}))
