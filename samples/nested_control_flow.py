"""`while` in `if`, with `print`: all of it happens when the graph runs."""

import numpy as np

import autograph
import runtime as rt


def count_to_five(n):
    if n >= 0:
        while n < 5:
            n += 1
            print(n)
    return n


with rt.Graph().as_default():
    n = rt.placeholder(np.int64, name="n")
    print("tracing: nothing is counted yet")
    counted = autograph.to_graph(count_to_five)(n)
    with rt.Session() as session:
        print("running from 0")
        session.run(counted, {n: 0})
        print("running from 3")
        session.run(counted, {n: 3})
        print("running from -1 gives", session.run(counted, {n: -1}))
