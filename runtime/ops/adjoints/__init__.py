"""Differentiation rules that need more than a formula; the records of ops refer to them.

Each rule maps the cotangent d of a result r to the cotangents of the operands:

    def cumsum(d, r, x, axis=None, dtype=None): ...

Rules are NumPy code that works on arrays and on staged values alike; where NumPy has no suitable
function they call ops of their own (`ops/adjoint.py`).  Where only the shape of an operand is
needed, a rule reads only its shape: a loop has to store every value that its gradient reads.
"""
