"""Batches of a Spark table: `mapInPandas` calls a function with an iterator of pandas tables.

Spark pickles the function with cloudpickle, so the graph that it closes over travels to the
executors with it. Without pyspark, the batches are made here.
"""

import importlib.util

import numpy as np
import pandas as pd
from work import graph, plane, report

SCHEMA = "place long, steps long"


def mapper(function):
    """The function for `mapInPandas`: a column of results for the columns of the points."""

    def times(batches):
        for batch in batches:
            points = batch["x"].to_numpy() + 1j * batch["y"].to_numpy()
            steps = function(points[:, np.newaxis])[:, 0]
            yield pd.DataFrame({"place": batch["place"], "steps": steps})

    return times


def on_spark(table, times):
    """The table of results, computed by the executors of Spark."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").getOrCreate()
    return session.createDataFrame(table).mapInPandas(times, SCHEMA).toPandas()


def here(table, times):
    """The table of results, computed in batches of 1000 rows in this process."""
    batches = (table[start : start + 1000] for start in range(0, len(table), 1000))
    return pd.concat(times(batches))


def main():
    points = plane()
    flat = points.ravel()
    table = pd.DataFrame({"place": np.arange(flat.size), "x": flat.real, "y": flat.imag})
    has_spark = importlib.util.find_spec("pyspark") is not None
    found = (on_spark if has_spark else here)(table, mapper(graph()))
    steps = found.sort_values("place")["steps"].to_numpy().reshape(points.shape)
    report("Spark" if has_spark else "mapInPandas, without Spark", steps, points)


if __name__ == "__main__":
    main()
