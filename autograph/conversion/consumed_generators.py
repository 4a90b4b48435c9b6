"""Generator functions as ordinary functions that call the code which consumes their elements.

    for y in gen(x):              gen_consumed(x), with the body of the loop as `consume`
        body

So the body is called in place of the `yield`, and a condition around the `yield` may be staged.
The form is made from the user's own source (`constructs/yield_.py`), on first use.
"""

from collections.abc import Callable
from types import CellType, CodeType, FunctionType

import gast

from autograph import operators
from autograph.constructs.call import BUILTINS
from autograph.constructs.context import Conversion
from autograph.constructs.unconvertible import within
from autograph.constructs.yield_ import Yield, can_be_consumed
from autograph.conversion.comprehension_loops import remember_loops
from autograph.conversion.converter import origin_of_any
from autograph.conversion.passes import converted_tree, deep_recursion
from autograph.errors import ConversionError
from autograph.functions import rebuild
from autograph.functions.code_tables import CodeTable
from autograph.syntax.trees import to_gast

STEM = "consume"


class Form:
    """The code of a generator function with a consumer; None if it cannot have one.

    `has_value` tells whether it may return a value.
    """

    def __init__(self, code: CodeType | None, consume: str = "", has_value: bool = False):
        self.code, self.consume, self.has_value = code, consume, has_value


_forms: dict[bool, CodeTable[Form]] = {True: CodeTable(), False: CodeTable()}


def consumed_form(function: FunctionType, consume: Callable, may_end: bool) -> Callable | None:
    """The function that calls `consume` with each element that the generator function `function`
    yields; None if that is impossible.

    With `may_end` it returns as soon as `consume` returns true.
    """
    form = _form(function, may_end)
    if form.code is None:
        return None
    return rebuild.function_of(form.code, function, {form.consume: CellType(consume)})


def has_value(function: FunctionType) -> bool:
    """Whether a generator function that can call a consumer may return a value."""
    return _form(function, True).has_value


def _form(function, may_end):
    form = _forms[may_end].get(function.__code__)
    if form is None:
        form = _forms[may_end][function.__code__] = _form_of(function, may_end)
    return form


def _form_of(function, may_end):
    try:
        found = origin_of_any(function, None)
    except ConversionError:
        return Form(None)
    with deep_recursion():
        tree = to_gast(found.node)
        if not can_be_consumed(tree, may_end):
            return Form(None)
        return _converted(tree, function, found.private_to, may_end)


def _converted(tree, function, private_to, may_end):
    original = function.__code__
    returned = [node.value for node in within(tree.body) if isinstance(node, gast.Return)]
    outside = [name for name in BUILTINS if name in function.__globals__]
    outside += original.co_freevars
    names = Conversion.of(tree, True, outside=outside)
    consume = names.names.fresh(STEM)
    body = Yield(names, consume, may_end)
    tree.body = [new for statement in tree.body for new in _listed(body.visit(statement))]
    conversion = Conversion.of(tree, True, names.operators, [*outside, consume])
    tree = converted_tree(tree, conversion)
    blocks = conversion.block_names()
    called = rebuild.Operators(conversion.operators, rebuild.operators_of(original) or operators)
    code = rebuild.converted_code(
        rebuild.compilable(tree, conversion.operators),
        (*original.co_freevars, consume),
        original,
        private_to,
        blocks,
        called,
    )
    remember_loops(code, conversion, private_to)
    return Form(code, consume, any(value is not None for value in returned))


def _listed(found):
    return found if isinstance(found, list) else [found]
