"""In-place writes as pure functions: each op returns the array as it is after the write.

    np.put(x, [0, 2], v)              x_1 = put_after(x, v, given=(_0, (0, 2), _1), named=())
    np.add(x, 1, out=y)               y_1 = into(x, y, function='np.add', given=(_0, 1), ...)
    v = x.reshape(-1); v[0] = 5       x_1 = written_through(x, v_1, view='reshape', shape=-1)

The NumPy function itself writes into a copy, so checks and casts are those of NumPy.
"""

import sys
from collections.abc import Callable
from functools import cache

import numpy as np

from runtime.ir.derivative import Adjoint, Composition, Partials
from runtime.ir.layout import copied
from runtime.ir.op import Op, find, named
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.traits import Effect, NoTraits, Traits
from runtime.ir.types import is_array
from runtime.ops.adjoints import subscripts
from runtime.ops.adjoints.methods import method_rule
from runtime.ops.adjoints.writes import RULES
from runtime.ops.examples import MATRIX, NARROW, ROW, call
from runtime.ops.library import PATHS, LibraryFunction
from runtime.ops.sampling import results

# -- functions and methods that write into their first argument ------------------------------------


def _after(function, name):
    def after(array, *args, **options):
        changed = copied(array) if type(array) is np.ndarray else np.array(array)
        function(changed, *args, **options)
        return changed

    after.__name__ = name
    return after


def _flat_assigned(array, key, value):
    array.flat[key] = value


def _in_place_nan_to_num(array, *args, **options):
    np.nan_to_num(array, *args, **{**options, "copy": False})


AFTER: dict[Callable, Op] = {}
for _function, _name in (
    (np.copyto, "copyto"),
    (np.fill_diagonal, "fill_diagonal"),
    (np.place, "place"),
    (np.put, "put"),
    (np.put_along_axis, "put_along_axis"),
    (np.putmask, "putmask"),
    (np.ndarray.byteswap, "byteswap"),
    (np.ndarray.fill, "fill"),
    (np.ndarray.partition, "partition"),
    (np.ndarray.sort, "sort"),
    (np.nan_to_num, "nan_to_num"),
    (_flat_assigned, "flat_assigned"),
):
    _written = _in_place_nan_to_num if _function is np.nan_to_num else _function
    AFTER[_function] = LibraryFunction(f"{_name}_after").record(
        _after(_written, _name), f"The array after `{_name}` has written into it.", RULES[_name]
    )
for _name in sorted(vars(np)):
    _ufunc = getattr(np, _name)
    is_ufunc = isinstance(_ufunc, np.ufunc) and _ufunc.__name__ == _name
    if is_ufunc and _ufunc.signature is None and _ufunc is not np.isnat and _ufunc.nout == 1:
        AFTER[_ufunc] = LibraryFunction(f"np.{_name}.at").record(
            _after(_ufunc.at, f"{_name}.at"),
            f"The array after `{_name}.at` has written into it.",
            method_rule(_ufunc, "at"),
        )
FLAT = _flat_assigned

# -- variables -------------------------------------------------------------------------------------


def stored_in_place(array: np.ndarray) -> np.ndarray:
    """The array if it owns its memory in C order, else a copy that does."""
    is_alone = array.flags.c_contiguous and array.base is None
    return array if is_alone else np.array(array, order="C")


stored = Op(
    "stored",
    "A copy of the array in C order, as a variable stores it.",
    lambda x: x,
    lambda xp, operands, attributes: xp.array(operands[0], order="C"),
    traits=Traits(keeps_sizes=True, updates=0),
    derivative=Partials("1"),
)

# -- out= ------------------------------------------------------------------------------------------


UFUNC_METHODS = (["reduce"], ["accumulate"], ["reduceat"], ["outer"], ["at"])


def function_at(path: str) -> Callable:
    """The function that a program calls by a path such as `np.linalg.norm`.

    Raises `ValueError` for other paths: the path may come from the text of a graph.
    """
    root, *names = path.split(".")
    is_ufunc = root == "np" and isinstance(getattr(np, "".join(names[:1]), None), np.ufunc)
    if not (is_ufunc and names[1:] in ([], *UFUNC_METHODS)) and path not in PATHS.values():
        raise ValueError(f"{path!r} is not a function that an op calls")
    found = np if root == "np" else sys.modules[root]
    for name in names:
        found = getattr(found, name)
    return found


@cache
def _into(path):
    function = function_at(path)

    def into(*args, out, **options):
        outs = tuple(o if o is None else np.array(o) for o in out)
        given = outs if isinstance(function, np.ufunc) else outs[0]
        return function(*args, out=given, **options)

    into.__name__ = path
    return into


def _into_results(types, function, given, named):
    """The results; an array of `out` keeps its type, which says more than examples do."""
    found = results(_into(function), False, types, given, named)
    outs = dict(named)["out"]
    kept = (
        types[out.index] if isinstance(out, Slot) and is_array(types[out.index]) else kind
        for kind, out in zip(found.types, outs, strict=True)
    )
    return found._replace(types=tuple(kept))


def into_results(types: tuple, function: str, given: tuple, named: tuple):
    """The results of a function that writes into `out`."""
    return _into_results(types, function, given, named)


def _evaluate_into(xp, operands, attributes):
    named = {name: fill_slots(part, operands) for name, part in attributes["named"]}
    function = _into(attributes["function"])
    leaves, _ = flatten(function(*fill_slots(attributes["given"], operands), **named))
    return leaves[0] if len(leaves) == 1 else tuple(leaves)


def _without_out(*operands, function, given, named):
    """The results of `into`, without writes: those of the function, cast and broadcast to `out`."""
    options = {name: fill_slots(part, operands) for name, part in named}
    outs, where = options.pop("out"), options.pop("where", True)
    leaves, _ = flatten(function_at(function)(*fill_slots(given, operands), **options))
    held = []
    for found, out in zip(leaves, outs, strict=True):
        if out is not None:
            whole = found + np.zeros_like(out, order="C")
            found = (whole if where is True else np.where(where, whole, out)).astype(out.dtype)
        held.append(found)
    return held[0] if len(held) == 1 else tuple(held)


into = Op(
    "into",
    "The results of a function that writes into the arrays of `out`, a tuple.",
    lambda *types, function, given, named: _into_results(types, function, given, named).types,
    _evaluate_into,
    arity=None,
    traits=NoTraits("The function that it calls is an attribute."),
    derivative=Composition(_without_out),
    examples=lambda: [
        call(
            MATRIX,
            ROW,
            NARROW,
            function="np.multiply",
            given=(Slot(0), Slot(1)),
            named=(("out", (Slot(2),)),),
        ),
        call(
            MATRIX,
            np.zeros(3),
            function="np.sum",
            given=(Slot(0),),
            named=(("axis", 0), ("out", (Slot(1),))),
        ),
    ],
)

# -- views -----------------------------------------------------------------------------------------


def _viewed(xp, operands, attributes):
    rest = {name: value for name, value in attributes.items() if name != "view"}
    return find(attributes["view"]).evaluate(xp, operands, rest)


def _written_through_rule(base, new, *others, view, **attributes):
    named(view)
    return base


def _written_through(xp, operands, attributes):
    base, new, *others = operands
    is_fortran = attributes["view"] == "asfortranarray"
    changed = xp.array(base, order="F" if is_fortran else "C")  # every reshape of it is a view
    _viewed(xp, (changed, *others), attributes)[...] = new
    return changed


written_through = Op(
    "written_through",
    "The array after elements have been written into it through a view.",
    _written_through_rule,
    _written_through,
    arity=None,
    traits=NoTraits("The view that it writes through is an attribute."),
    derivative=Adjoint(subscripts.written_through),
    examples=lambda: [
        call(MATRIX, MATRIX.T * 2, view="transpose"),
        call(MATRIX, NARROW.ravel(), view="reshape", shape=-1),
    ],
)


def _check_shared_rule(base, *others, view, **attributes):
    named(view)
    return ()


def _check_shared(xp, operands, attributes):
    found = _viewed(xp, operands, attributes)
    if found.size and not xp.may_share_memory(found, operands[0]):
        name = attributes["view"]
        raise TypeError(
            f"{name} returns a copy of this array, not a view, and one of them is written into\n"
            "The array is not contiguous.  For contiguous arrays "
            f"{name} returns a view, as graphs assume.\n"
            f"Write `{name}(...).copy()` if a copy is intended, or write into the array itself."
        )


check_shared = Op(
    "check_shared",
    "Raises TypeError if a function that returns a view if possible returns a copy.",
    _check_shared_rule,
    _check_shared,
    arity=None,
    traits=Traits(effect=Effect.RAISES),
    examples=lambda: [call(MATRIX, view="reshape", shape=-1)],
)
