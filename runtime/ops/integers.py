"""Methods of Python ints that NumPy's integers do not have.

n.bit_length()      bit_length(n)
"""

from runtime.ir.op import Op
from runtime.ir.traits import NoTraits
from runtime.ir.types import BOOL, INT
from runtime.ops.examples import call


def _rule(number):
    if number not in (INT, BOOL):
        raise TypeError(f"bit_length is a method of Python ints, not of {number}")
    return INT


bit_length = Op(
    "bit_length",
    "The number of bits that a Python int needs without its sign.",
    _rule,
    "x.bit_length()",
    traits=NoTraits("It is for Python ints, which no array holds."),
    examples=lambda: [call(5), call(-256), call(0)],
)
