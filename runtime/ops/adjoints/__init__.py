"""Rules of differentiation that take more than a formula; the records of ops name them.

They are NumPy code, and work on arrays and on staged values alike; what no function of NumPy's
does is done by ops (`adjoint.py`).  Where only the shape of an operand is needed they ask for
nothing else, since loops keep what their gradients need.
"""
