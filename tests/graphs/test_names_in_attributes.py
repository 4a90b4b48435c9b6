"""Attributes that name a function: the type rule refuses a name that the op does not know.

Other code may have written a text (`rt.load`, `rt.parse`): a name that is wrong is an error when it
is read, and no `KeyError` of a run.
"""

import numpy as np
import pytest

import runtime as rt
from runtime.ir import op as ops
from runtime.ir.types import type_of
from runtime.ops.examples import calls_of

CASES = {
    f"{op.name}-{key}-{value}": (op, operands, attributes, key)
    for op in ops.records()
    if op.eval is not None
    for operands, attributes in calls_of(op)
    for key, value in attributes.items()
    if type(value) is str
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("wrong", ["nonsense", "__class__", ""])
def test_a_name_that_the_op_does_not_know(case, wrong):
    op, operands, attributes, key = CASES[case]
    changed = {**attributes, key: wrong}
    try:
        op.infer(*map(type_of, operands), **changed)
    except Exception:
        return  # the parser makes a `SyntaxError` of it
    try:
        op.evaluate(np, tuple(operands), changed)
    except (KeyError, AttributeError) as error:
        pytest.fail(f"the rule accepts {key}={wrong!r}, and a run raises {error!r}")
    except Exception:
        pass  # of the operands


def sorted_and_counted(xs):
    found = [one for one in xs if one > 0]
    found.reverse()
    return found, found.count(xs[0])


@pytest.mark.parametrize("name", ["reverse", "count"])
def test_a_saved_list_method_that_does_not_exist(name):
    graph = rt.function(sorted_and_counted).get_concrete_function(np.ones(3)).graph
    text = str(graph)
    assert f"by={name!r}" in text
    with pytest.raises(SyntaxError, match="is not a method or function of lists"):
        rt.parse(text.replace(f"by={name!r}", "by='__reduce__'"))
