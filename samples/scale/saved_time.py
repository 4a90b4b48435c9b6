"""The time that sending a graph saves in each worker: its first call, in a new process.

The function comes to the worker in two ways: by name, so that the worker imports its module,
converts it and records its graph; and as a graph. Imports of the library are not counted.
"""

import multiprocessing
import pickle
import statistics
import time

import numpy as np
from work import escape_times, plane

import runtime as rt


def loss(w, x):
    """The squared length of the last state of a recurrent network."""
    state = np.zeros(8)
    for t in range(x.shape[0]):
        gate = 1.0 / (1.0 + np.exp(-(w[0] @ state + x[t])))
        state = gate * state + (1.0 - gate) * np.tanh(w[1] @ state + x[t])
    return np.sum(state * state)


CASES = {
    "escape_times": (rt.function(escape_times), (plane(8, 8),)),
    "gradient of loss": (rt.grad(loss), (np.ones((2, 8, 8)) / 8, np.ones((20, 8)))),
}


def seconds_of_first_call(data, arguments):
    """How long a worker needs to load a function and to call it for the first time."""
    start = time.perf_counter()
    pickle.loads(data)(*arguments)
    return time.perf_counter() - start


def seconds(data, arguments):
    """The median over five new processes."""
    context = multiprocessing.get_context("spawn")
    found = []
    for _ in range(5):
        with context.Pool(1) as pool:
            found.append(pool.apply(seconds_of_first_call, (data, arguments)))
    return statistics.median(found)


def main():
    for name, (function, arguments) in CASES.items():
        graph = function.get_concrete_function(*arguments)
        recorded, sent = (seconds(pickle.dumps(one), arguments) for one in (function, graph))
        print(f"{name}: by name {recorded * 1e3:.0f} ms, as a graph {sent * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
