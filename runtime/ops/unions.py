"""Scalars of which only the run knows the type (`UnionType`), and operators on them.

    if p: x = 1                    then returns option(1, type=int | f64)
    else: x = y           ->       orelse returns option(y, type=int | f64)
    z = x + 1                      z: int | f64 = dynamic_add(x, 1)

A program of an engine is Python, whose variables have no types: `option` is the value itself, and
`dynamic_add` is `+`.  Elementwise ops have such a form, which is made on demand; other ops take the
value as the widest type (`tracing/unions.py`).
"""

from functools import cache
from itertools import product
from math import prod
from typing import Any

from runtime.ir.derivative import Partials
from runtime.ir.op import Op, add_family, find
from runtime.ir.traits import Exceptions, Traits
from runtime.ir.types import BOOL, FLOAT, INT, TensorType, Type, type_of
from runtime.ir.unions import is_scalar, options_of, union_of
from runtime.ops.conditions import python_division
from runtime.ops.examples import SCALAR, call

PREFIX = "dynamic_"


def _joined(x, type):
    if not set(options_of(x)) <= set(options_of(type)):
        raise TypeError(f"{x} is none of the types {type}")
    return type


option = Op(
    "option",
    "The operand, as a scalar that has one of several types.",
    _joined,
    "x",
    traits=Traits(foldable=False, recomputable=True, takes_unions=True, keeps_truth=True),
    derivative=Partials("1"),
    examples=lambda: [call(SCALAR, type=union_of(INT, type_of(SCALAR)))],
)


MOST_CHOICES = 64


def choices(kinds: tuple[Type, ...]) -> list[tuple[Type, ...]]:
    """The types that operands may have together; of many operands, some that tell the rest apart.

    The types of results grow with those of operands.  So the results for other choices lie between
    the first, of the narrowest types, and those in which a single operand has another one.
    """
    options = [options_of(kind) for kind in kinds]
    if prod(map(len, options)) <= MOST_CHOICES:
        return list(product(*options))
    narrow = tuple(found[0] for found in options)
    single = [
        (*narrow[:i], one, *narrow[i + 1 :]) for i, found in enumerate(options) for one in found[1:]
    ]
    return [narrow, *dict.fromkeys(single)]


def results_of(op: Op, kinds: tuple[Type, ...], attributes: dict[str, Any]) -> list[Any]:
    """The result types of an op for `choices`.  Raises what its type rule raises."""
    return [op.infer(*chosen, **attributes) for chosen in choices(kinds)]


def _rule(op):
    @cache
    def infer(*kinds):
        if not all(map(is_scalar, kinds)):
            raise TypeError(f"{PREFIX}{op.name} takes scalars")
        found = [_result(op, chosen) for chosen in product(*map(options_of, kinds))]
        rows = [one if isinstance(one, tuple) else (one,) for one in found]
        if not all(is_scalar(kind) for row in rows for kind in row):
            raise TypeError(f"{PREFIX}{op.name} gives scalars")
        joined = tuple(union_of(*kinds) for kinds in zip(*rows, strict=True))
        return joined if isinstance(found[0], tuple) else joined[0]

    return infer


def _result(op, kinds):
    if op.name == "pow" and kinds[0] in (INT, BOOL) and kinds[1] == INT:
        return union_of(INT, FLOAT)
    return op.infer(*kinds)


def _raises(op):
    def raised(types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
        found: dict[type[Exception], None] = {}
        for chosen in product(*map(options_of, types)):
            known = python_division if op.name == "pow" else op.traits.raises
            found.update(dict.fromkeys(known(chosen, {}) if callable(known) else known))
        return tuple(found)

    return raised


def dynamic(op: Op) -> Op | None:
    """The form of an elementwise op for such scalars; None for other ops."""
    if not op.traits.elementwise or not isinstance(op.eval, str) or op.traits.takes_unions:
        return None
    return find(PREFIX + op.name)


def _define(name):
    op = find(name.removeprefix(PREFIX))
    Op(
        name,
        f"The same as `{op.name}`, for scalars of which only the run knows the types.",
        _rule(op),
        op.eval,
        arity=op.arity,
        traits=Traits(raises=_raises(op), takes_unions=True),
        derivative=op.derivative,
    )


add_family(PREFIX, _define)


def _numpys(x):
    return union_of(*(TensorType(option.dtype) for option in options_of(x)))


numpys = Op(
    "numpys",
    "A Python scalar converted to a NumPy scalar, as NumPy's functions convert their arguments.",
    _numpys,
    "xp.asarray(x)[()]",
    traits=Traits(recomputable=True, takes_unions=True),
    derivative=Partials("1"),
    examples=lambda: [call(SCALAR)],
)
has_type = Op(
    "has_type",
    "Whether a scalar has one of some types.",
    lambda x, types: BOOL,
    lambda xp, operands, attributes: type_of(operands[0]) in attributes["types"],
    traits=Traits(takes_unions=True),
    examples=lambda: [call(SCALAR, types=(INT, FLOAT))],
)
