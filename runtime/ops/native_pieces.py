"""Pieces of a graph that an engine has compiled to machine code, as a node of its program.

    done, y = native_piece(x, function=..., name='native_1', types=(f64,))
    y_1 = cond(done, then=lambda: y, orelse=the nodes that the piece stands for)

A piece computes nothing but its results.  Where something is unusual (an integer that leaves 64
bits, a warning, an error), it is *left*: the first result is False, the others are None.
"""

from runtime.ir.derivative import NoDerivative
from runtime.ir.op import Op
from runtime.ir.traits import Aliasing, Traits
from runtime.ir.types import BOOL, type_of
from runtime.ops.examples import SCALAR, call

native_piece = Op(
    "native_piece",
    "Whether machine code has computed some results, and these results.",
    lambda *operands, function, name, types: (BOOL, *types),
    lambda xp, operands, attributes: attributes["function"](*operands),
    arity=None,
    traits=Traits(aliases=Aliasing.ANY, ignores_integer_kind=True, takes_unions=True),
    derivative=NoDerivative("Engines make it of graphs that are differentiated already."),
    examples=lambda: [
        call(SCALAR, function=lambda x: (True, x), name="native_1", types=(type_of(SCALAR),))
    ],
    called="",
)
