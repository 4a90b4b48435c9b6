"""Blocks of rows in the processes of a pool: each gets the graph when it starts, blocks later."""

import multiprocessing

import numpy as np
from work import graph, plane, report

WORKER = {}


def start(function):
    """Keeps the function of a worker."""
    WORKER["function"] = function


def times_of(block):
    """The result for one block, in a worker."""
    return WORKER["function"](block)


def main():
    points = plane()
    context = multiprocessing.get_context("spawn")
    with context.Pool(2, start, (graph(),)) as pool:
        found = pool.map(times_of, np.array_split(points, 8))
    report("multiprocessing", np.concatenate(found), points)


if __name__ == "__main__":
    main()
