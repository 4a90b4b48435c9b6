"""Blocks of rows with dask: `map_blocks` of an array, and `delayed` calls.

Both work in the same way on a cluster: `dask.distributed.Client(address)` before `compute`.
"""

import dask
import dask.array
import numpy as np
from work import graph, plane, report


def main():
    points, function = plane(), graph()
    divided = dask.array.from_array(points, chunks=(24, 64))
    found = divided.map_blocks(function, dtype=np.int64, meta=np.zeros((0, 0), np.int64))
    report("dask.array", found.compute(scheduler="processes", num_workers=2), points)

    tasks = [dask.delayed(function, pure=True)(block) for block in np.array_split(points, 8)]
    results = dask.compute(*tasks, scheduler="processes", num_workers=2)
    report("dask.delayed", np.concatenate(results), points)


if __name__ == "__main__":
    main()
