"""Blocks of rows with joblib: a concrete function is an argument like any other."""

import joblib
import numpy as np
from work import graph, plane, report


def main():
    points, function = plane(), graph()
    blocks = np.array_split(points, 8)
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(function)(block) for block in blocks)
    report("joblib", np.concatenate(found), points)


if __name__ == "__main__":
    main()
