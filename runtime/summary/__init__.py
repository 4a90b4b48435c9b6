"""Summaries for TensorBoard: numbers, distributions, pictures, texts and graphs, by step.

    with rt.summary.Writer("logs/run-1") as writer:      a folder: one run in TensorBoard
        for step in range(100):
            rt.summary.scalar("loss", loss, step)        to the writer of the `with` around
        writer.graph(train, x, y)                        the graph of a function

    tensorboard --logdir logs

The functions work inside graphs, too: each run writes when it reaches them, in order with prints
and other effects.  `events.py` is the only module that knows TensorBoard's formats of values,
`graph_proto.py` and `times.py` make its graphs.
"""

from runtime.summary.writing import Writer, graph, histogram, image, scalar, text

__all__ = ["Writer", "graph", "histogram", "image", "scalar", "text"]
