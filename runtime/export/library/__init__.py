"""Functions as libraries for C: machine code that needs no Python.

    building.py      the files: object, header, static and shared library
    signature.py     the parameters of the C function
    header.py        their declaration in C
    simplification.py   operations without a lowering, written with others
    sharing.py       arrays of another shape with the same elements
    function.py      the instructions around those of the graph
    text.py          ways out become statuses with a message
    workspace.py     arrays are in memory that the caller passes
    workspace_size.py, bounds.py   how much memory is enough
    inner_loops.py   the loops that NumPy has in C, written here
    command.py       `autograph build`

The nodes of a graph are lowered by the native engine (`runtime/engines/native`).  Where a piece of
that engine is left to NumPy, the C function returns a status instead.
"""
