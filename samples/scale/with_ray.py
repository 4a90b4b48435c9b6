"""Blocks of rows as tasks of Ray: the graph is put into the object store once."""

import numpy as np
import ray
from work import graph, plane, report


@ray.remote
def times_of(function, block):
    """The result for one block, in a worker."""
    return function(block)


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    points, function = plane(), ray.put(graph())
    found = ray.get([times_of.remote(function, block) for block in np.array_split(points, 8)])
    report("Ray", np.concatenate(found), points)
    ray.shutdown()


if __name__ == "__main__":
    main()
