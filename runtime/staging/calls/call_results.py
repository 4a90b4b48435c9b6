"""The types of the results of some calls that each run makes.

len(found), float(found)        of an object that only a run has
random.random()                 a draw
"""

from runtime.ir.types import BOOL, COMPLEX, FLOAT, INT

RESULT_OF_HOST_VALUE = {
    **dict.fromkeys((bool, callable, isinstance, hasattr, issubclass), BOOL),
    **dict.fromkeys((int, len, hash, id, ord), INT),
    **{float: FLOAT, complex: COMPLEX},
}

# Draws of the standard library: each run draws, in order with the draws that are operations.
_FLOATS = "random uniform triangular gauss normalvariate expovariate betavariate gammavariate"
DRAWS = {
    **dict.fromkeys((*_FLOATS.split(), "lognormvariate", "vonmisesvariate"), (FLOAT,)),
    **dict.fromkeys(("paretovariate", "weibullvariate"), (FLOAT,)),
    **dict.fromkeys(("randint", "randrange", "getrandbits", "binomialvariate"), (INT,)),
    **dict.fromkeys(("seed", "setstate", "shuffle"), ()),
}
