"""Control-flow ops: conditionals, loops, recursion and other nodes with regions.

    y = cond(p, then=then, orelse=orelse)      then() if p else orelse()

    a, n = loop(p, a_0, n_0, body=body)        a, n = a_0, n_0
                                               while p:
                                                   p, a, n = body(a, n)

    y = recursive(x_0, name='f', body=body)    def f(x): ... again(x_1, name='f', types=...) ...
                                               y = f(x_0)

    y = checkpoint(body=body)                  body(), recomputed for gradients

    y = custom_gradient(y_0, x, count=1, backward=backward)      y_0; the cotangent of x is
                                                                 backward(cotangent of y)
    y = mapped(xs, w, count=1, body=body)      y = stack([body(x, w) for x in xs])

The condition of a loop is evaluated once before it and once at the end of its body, exactly as
often as in Python.  No engine sees `mapped`: it occurs only in regions of functions that
`rt.vmap` maps, and is replayed there (`transforms/vmap/nested.py`).
"""

from runtime.ir.batch_types import batch_type
from runtime.ir.derivative import NoDerivative, UserGradient
from runtime.ir.graph import Graph, operand_type
from runtime.ir.op import Op
from runtime.ir.regions import (
    ANY_NUMBER,
    AT_MOST_ONCE,
    NEVER,
    ONCE,
    ControlFlow,
    RegionFlow,
)
from runtime.ir.traits import Aliasing, Effect, NoTraits, Traits


def _results(region: Graph):
    return tuple(operand_type(operand) for operand in region.outputs)


def _cond_rule(p, then, orelse):
    if _results(then) != _results(orelse):
        raise TypeError(
            f"one branch returns {_listed(_results(then))}, the other {_listed(_results(orelse))}"
        )
    return _results(then)


cond = Op(
    "cond",
    "The results of one of two regions, chosen by the operand.",
    _cond_rule,
    None,
    arity=1,
    control_flow=ControlFlow(
        {
            "then": RegionFlow(AT_MOST_ONCE, when=True, results=0),
            "orelse": RegionFlow(AT_MOST_ONCE, when=False, results=0),
        },
        predicate=0,
    ),
    traits=Traits(aliases=Aliasing.ANY),
)


def _loop_rule(p, *carried, body, max_iterations=None, adjoint=False):
    inputs = tuple(value.type for value in body.inputs)
    outputs = _results(body)[1:]
    if carried != inputs or outputs != inputs:
        raise TypeError(
            f"a loop starts with {_listed(carried)}, its body takes {_listed(inputs)} "
            f"and returns {_listed(outputs)}"
        )
    return inputs


loop = Op(
    "loop",
    "Repeats a region on its own results while the first of them is true.  More iterations than\n"
    "`max_iterations`, if it is given, raise RuntimeError.  In a loop with `adjoint`, values\n"
    "computed from cotangents are linear in them.",
    _loop_rule,
    None,
    arity=None,
    control_flow=ControlFlow(
        {"body": RegionFlow(ANY_NUMBER, when=True, inputs=1, results=1, carried=1, condition=0)},
        predicate=0,
        bypass=1,
    ),
    traits=Traits(aliases=Aliasing.ANY),
)


def _recursive_rule(*operands, body, name):
    inputs = tuple(value.type for value in body.inputs)
    if operands != inputs:
        raise TypeError(f"{name} takes {_listed(inputs)}, but is called with {_listed(operands)}")
    return _results(body)


def iterations_left(left: int) -> int:
    """One iteration fewer, for a loop with `max_iterations`.

    Raises `RuntimeError` if none was left.
    """
    if left <= 0:
        raise RuntimeError("the loop runs more iterations than its max_iterations")
    return left - 1


RECURSION = NoDerivative(
    "A function that calls itself under a staged condition stores nothing for a backward pass.",
    "Write it as a loop, which has a gradient.",
)

recursive = Op(
    "recursive",
    "Calls a region as a function, which may call itself by its name.",
    _recursive_rule,
    None,
    arity=None,
    derivative=RECURSION,
    control_flow=ControlFlow(
        {"body": RegionFlow((1, None), inputs=0, results=0)},
        recursive=True,
    ),
    traits=Traits(raises=(RecursionError,), aliases=Aliasing.ANY),
)

again = Op(
    "again",
    "Calls the enclosing `recursive` function again.",
    lambda *operands, name, types: tuple(types),
    None,
    arity=None,
    traits=Traits(
        raises=(RecursionError,), aliases=Aliasing.ANY, effect=Effect.CALL, takes_unions=True
    ),
    derivative=RECURSION,
    called="",
)

checkpoint = Op(
    "checkpoint",
    "The results of a region whose values gradients recompute instead of storing them.",
    lambda body: _results(body),
    None,
    arity=0,
    control_flow=ControlFlow({"body": RegionFlow(ONCE, results=0)}),
    traits=Traits(aliases=Aliasing.ANY),
)


def _custom_rule(*operands, backward, count):
    results, by = operands[:count], operands[count:]
    given = tuple(value.type for value in backward.inputs)
    if given != results or _results(backward) != by:
        raise TypeError(
            f"a gradient from {_listed(results)} to {_listed(by)} takes {_listed(given)} "
            f"and returns {_listed(_results(backward))}"
        )
    return results


custom_gradient = Op(
    "custom_gradient",
    "The first `count` operands; a region computes their gradients with respect to the others.",
    _custom_rule,
    None,
    arity=None,
    derivative=UserGradient(),
    control_flow=ControlFlow({"backward": RegionFlow(NEVER)}, bypass=0),
    traits=Traits(aliases=Aliasing.ANY, marker=True),
)


def _mapped_rule(*operands, body, count):
    inputs = tuple(value.type for value in body.inputs)
    size = operands[0].shape[0]
    wanted = tuple(batch_type(kind, size) for kind in inputs[:count]) + inputs[count:]
    if operands != wanted:
        raise TypeError(
            f"a mapped region takes {_listed(wanted)}, but is called with {_listed(operands)}"
        )
    return tuple(batch_type(kind, size) for kind in _results(body))


mapped = Op(
    "mapped",
    "The stacked results of a region, called with each row of the first `count` operands and with\n"
    "the other operands unchanged.",
    _mapped_rule,
    None,
    arity=None,
    control_flow=ControlFlow({"body": RegionFlow(ANY_NUMBER)}),
    traits=NoTraits("It stacks the results of its region for each row in new memory."),
)


def _listed(types):
    return ", ".join(map(str, types)) or "nothing"
