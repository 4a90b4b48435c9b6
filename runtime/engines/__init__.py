"""Engines run graphs.  Each is a record in a registry (`registry.py`); these are the built-in ones.

numpy     generated Python programs over NumPy: the default, and the reference
eager     one operation after the other: the example of how to add an engine
"""

from runtime.engines import eager, numpy
from runtime.engines.registry import register

register(numpy.ENGINE)
register(eager.ENGINE)
