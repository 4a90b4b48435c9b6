"""Engines run graphs.  Each is a record in a registry (`registry.py`); these are the built-in ones.

auto          the programs of numpy, and those of native for graphs that run long: the default
numpy         generated Python programs over NumPy: the reference
eager         one operation after the other: the example of how to add an engine
native        machine code for pieces of a graph, inside a program of the NumPy engine
native-fast   the same; functions of arrays such as exp are within 2 units in the last place
xla           pieces of a graph on the devices of JAX, inside a program of the NumPy engine
"""

from runtime.engines import automatic, eager, native, numpy, xla
from runtime.engines.registry import register

register(automatic.ENGINE)
register(numpy.ENGINE)
register(eager.ENGINE)
register(native.ENGINE)
register(native.FAST_ENGINE)
register(xla.ENGINE)
