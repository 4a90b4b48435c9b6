"""Control flow: nodes with regions.

    y = cond(p, then=then, orelse=orelse)      then() if p else orelse()

    a, n = loop(p, a_0, n_0, body=body)        a, n = a_0, n_0
                                               while p:
                                                   p, a, n = body(a, n)

The test of a loop stands once in front of it and once at the end of its body, so that it is
evaluated exactly as often as Python would.
"""

from runtime.ir import Graph, operand_type
from runtime.op import Op


def _results(region: Graph):
    return tuple(operand_type(operand) for operand in region.outputs)


def _cond_rule(p, then, orelse):
    if _results(then) != _results(orelse):
        raise TypeError(
            f"one branch makes {_listed(_results(then))}, the other {_listed(_results(orelse))}"
        )
    return _results(then)


cond = Op(
    "cond",
    "The results of one of two regions without inputs.",
    _cond_rule,
    None,
    arity=1,
)


def _loop_rule(p, *carried, body, maximum_iterations=None):
    inputs = tuple(value.type for value in body.inputs)
    outputs = _results(body)[1:]
    if carried != inputs or outputs != inputs:
        raise TypeError(
            f"a loop starts with {_listed(carried)}, its body takes {_listed(inputs)} "
            f"and gives {_listed(outputs)}"
        )
    return inputs


loop = Op(
    "loop",
    "Repeats a region on its own results as long as the first of them is true.  More turns than\n"
    "`maximum_iterations`, where it is given, raise RuntimeError.",
    _loop_rule,
    None,
    arity=None,
)


def _listed(types):
    return ", ".join(map(str, types)) or "nothing"
