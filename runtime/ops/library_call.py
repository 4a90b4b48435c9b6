"""Calls of functions of installed packages, which each run makes with plain values.

    y = scipy.linalg.expm(x)     y: f64[3, 3] = library_call(x, function=host('scipy.linalg.expm'),
                                                   given=(kept(_0),), types=(f64[3, 3],), ...)
    rot = Rotation.from_rotvec(x)            rot: object = library_call(x, ...)
    m = rot.as_matrix()                      m: f64[3, 3] = library_call(rot, x, ..., recipe=...)

A call is a node like others if the function is pure (`library_call`): unused ones are removed.
Otherwise it is an effect in the order of the program (`ordered_library_call`).  The templates are
those of host calls (`ir/host.py`).  Each run compares the result with `types` and `structure`,
since the types come from examples, from one call, or from the user.

Results are memory of their own: an array that the function or an argument still holds is copied,
and the run is refused if the program changes it later.  `written` are the operands that the call
writes into: their new contents are the first results.  `recipe` computes the result from arrays
only, where an operand is an object: derivatives use it, and the examples that find types.
"""

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from autograph.errors import LibraryResultError
from runtime.ir.derivative import Composition, NoDerivative
from runtime.ir.host import (
    Called,
    CalledFrom,
    Host,
    Kept,
    Made,
    MadeFunction,
    Method,
    Watched,
    described,
    filled,
)
from runtime.ir.op import Op
from runtime.ir.pytree import LEAF, Structure, flatten
from runtime.ir.slot import Slot
from runtime.ir.traits import Effect, Traits
from runtime.ir.types import (
    OBJECT,
    STRING,
    PythonType,
    TensorType,
    Type,
    fits,
    is_array,
    type_of,
)
from runtime.ops.examples import SQUARE, call
from runtime.ops.watched_arguments import watching

# -- the structure of results ----------------------------------------------------------------------


def template_of(structure: Structure, leaves: Sequence[Any]) -> Any:
    """The template of a result: slots for the values that are types, the other leaves as they
    are."""
    parts = iter(leaves)
    count = iter(range(len(leaves)))

    def part(inner: Structure) -> Any:
        if inner.kind is None:
            leaf = next(parts)
            return Slot(next(count)) if isinstance(leaf, Type) else leaf
        return Made(inner.kind, inner.keys, tuple(map(part, inner.children)))

    return part(structure)


@lru_cache(1024)
def _structure(template: Any) -> tuple[Structure, tuple[Any, ...]]:
    """The structure that a template stands for, and its leaves: slots and constants."""
    if not isinstance(template, Made):
        return LEAF, (template,)
    children = [_structure(part) for part in template.parts]
    leaves = tuple(leaf for _, inside in children for leaf in inside)
    return Structure(template.kind, template.keys, tuple(one for one, _ in children)), leaves


# -- the value -------------------------------------------------------------------------------------


def _evaluate(xp: Any, operands: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
    template, written = attributes["function"], attributes.get("written", ())
    if written:
        operands = tuple(one.copy("K") if i in written else one for i, one in enumerate(operands))
    function = filled(template, operands)
    given = filled(attributes["given"], operands)
    named = {name: filled(part, operands) for name, part in attributes["named"]}
    if isinstance(template, Watched) and (template.may_change or template.later):
        parts = (*attributes["given"], *(part for _, part in attributes["named"]))
        with watching(template, function, parts, (*given, *named.values()), operands):
            found = function(*given, **named)
    else:
        found = function(*given, **named)
    if attributes["types"] == (OBJECT,) and attributes["structure"] == Slot(0):
        return found
    values = _checked(found, attributes)
    if written:
        given = [one for one in given if not any(one is operands[i] for i in written)]
        values = [*(operands[i] for i in written), *values]
    del found, function, operands
    return _apart(values, (*given, *named.values()), template)


def _checked(found: Any, attributes: dict[str, Any]) -> list[Any]:
    """The values in a result.  Raises `LibraryResultError` if it is not of the stated types."""
    types = iter(attributes["types"][len(attributes.get("written", ())) :])
    structure, wanted = _structure(attributes["structure"])
    leaves, its_structure = flatten(found)
    values, is_fitting = [], its_structure == structure
    for leaf, slot in zip(leaves, wanted, strict=False):
        if isinstance(slot, Slot):
            is_fitting = is_fitting and _is_of(leaf, next(types))
            values.append(leaf)
        else:
            is_fitting = is_fitting and (leaf is slot or type(leaf) is type(slot) and leaf == slot)
    if is_fitting:
        return values
    raise _another_type(found, attributes)


def checked(found: Any, types: tuple[Type, ...], structure: Any, function: Any) -> Any:
    """A result of a function.  Raises `LibraryResultError` if it is not of the stated types."""
    _checked(found, {"types": types, "structure": structure, "function": Host(function)})
    return found


def _is_of(value: Any, kind: Type) -> bool:
    """Whether a value is exactly of a type: no value is converted."""
    if kind == OBJECT:
        return True
    if kind == STRING or isinstance(kind, PythonType):
        return type(value) is kind.kind  # type: ignore[attr-defined]
    if not isinstance(kind, TensorType):
        return False
    if is_array(kind) and type(value) is not np.ndarray:
        return False
    found = type_of(value)
    is_same_form = isinstance(found, TensorType) and is_array(found) == is_array(kind)
    return is_same_form and found.dtype == kind.dtype and fits(found, kind)


def _another_type(found: Any, attributes: dict[str, Any]) -> Exception:
    template = attributes["function"]
    name = name_of(template)
    leaves, structure = flatten(found)
    shown = template_of(structure, [type_of(leaf) or _Shown(leaf) for leaf in leaves])
    kinds = [type_of(leaf) for leaf in leaves if type_of(leaf) is not None]
    return LibraryResultError.about(
        f"{name} has returned {_text(shown, kinds)} in this run, and not "
        f"{_text(attributes['structure'], attributes['types'])} as the graph states",
        getattr(template, "place", None),
        "A value of a graph has one type in every run; this one comes from examples, from the call "
        "for which the graph was recorded, or from `result=`.",
        f"State a type that fits: rt.library_call({name}, ..., result=rt.TensorSpec(...)), or take "
        f"the result as any object of Python: rt.host_call({name}, ...).",
    )


class _Shown:
    """A value other than a number, in a message."""

    def __init__(self, value: Any):
        self.name = "None" if value is None else f"a {type(value).__name__}"

    def __repr__(self) -> str:
        return self.name


def _text(template: Any, types: Sequence[Any]) -> str:
    """The types of a result, in the structure that it has."""
    remaining = iter(types)

    def part(one: Any) -> str:
        if isinstance(one, Slot):
            return str(next(remaining))
        if not isinstance(one, Made):
            return repr(one)
        inside = ", ".join(map(part, one.parts))
        return f"{'' if one.kind is tuple else one.kind.__name__}({inside})"

    return part(template)


# -- the memory of results -------------------------------------------------------------------------


def _apart(values: list[Any], given: tuple[Any, ...], template: Any) -> Any:
    """The values, each in memory that nothing else shows."""
    arrays = [one for one in flatten(given)[0] if isinstance(one, np.ndarray)]
    for i in range(len(values)):
        if type(values[i]) is np.ndarray and _is_seen(values, i, arrays):
            _refuse_later(template)
            values[i] = values[i].copy("K")
    return values[0] if len(values) == 1 else tuple(values)


def _is_seen(values: list[Any], place: int, arrays: list[Any]) -> bool:
    """Whether a write into an array would be seen elsewhere, or is impossible."""
    if not values[place].flags.writeable or _references(values, place) > NEW[0]:
        return True
    others = [one for one in values[:place] if type(one) is np.ndarray]
    return any(np.may_share_memory(values[place], one) for one in (*arrays, *others))


def _references(values: list[Any], place: int) -> int:
    """How many references there are to the memory of an array in a list."""
    if values[place].base is None:
        return sys.getrefcount(values[place])
    return sys.getrefcount(values[place].base) + NEW[0] - NEW[1]


# The references to a new array, and to the memory that a new view shows, as `_references` counts.
NEW = (0, 0)
NEW = (_references([np.empty(1)], 0), _references([np.empty(2)[1:]], 0))


def _refuse_later(template: Any) -> None:
    later = getattr(template, "later", None)
    if later:
        raise LibraryResultError.about(
            f"{name_of(template)} has returned an array that is still in use elsewhere, and the "
            f"program changes {later[0]} after that",
            template.place,
            "In Python the change would be seen in both places; a graph has values, no memory.",
            "Copy the result, y = np.array(y), or the argument before the call.",
        )


def name_of(template: Any) -> str:
    """The function of a call, for messages."""
    while isinstance(template, CalledFrom | Watched):
        template = template.function
    if isinstance(template, Method):
        return f"the method {template.name}"
    if isinstance(template, Kept | Slot):
        return "a call of an object"
    return public_name(template.value) if isinstance(template, Host) else repr(template)


def public_name(function: Any) -> str:
    """The name by which users import a function or method: without private modules."""
    return public_path(function) or described(function)


def public_path(function: Any) -> str | None:
    """The name by which users import a function or method; None if it is private."""
    if not callable(function):
        return None
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, (type, type(sys))):
        return f"{public_name(type(owner))}.{function.__name__}"
    if not hasattr(function, "__qualname__"):
        return public_name(type(function)) + ".__call__"
    module, name = function.__module__ or "builtins", function.__qualname__
    parts = [part for part in module.split(".") if not part.startswith("_")]
    for count in range(1, len(parts) + 1):
        found: Any = sys.modules.get(".".join(parts[:count]))
        for part in name.split(".") if found is not None else ():
            found = getattr(found, part, None)
        if found is function:
            return f"{'.'.join(parts[:count])}.{name}"
    return None


# -- derivatives -----------------------------------------------------------------------------------

# (function, owner or None) -> a function of the same arguments that has derivatives, or None.
DIFFERENTIABLE: list[Callable[[Any], Callable[..., Any] | None]] = []


def _numpys_own(function: Any) -> Callable[..., Any] | None:
    """A function of NumPy stands for itself: graphs have derivatives of it, or say why not."""
    is_public = public_name(function).startswith("numpy.") and hasattr(function, "__name__")
    return function if is_public else None


DIFFERENTIABLE.append(_numpys_own)


def _composition(*operands: Any, function: Any, given: Any, named: Any, **others: Any) -> Any:
    """The result of a call, computed by functions that have derivatives."""
    recipe = others.get("recipe")
    if recipe is None:
        while isinstance(function, CalledFrom | Watched):
            function = function.function
        recipe = Called(function, given, named)
    try:
        found = differentiable(recipe, operands)
        leaves, slots = flatten(found)[0], _structure(others["structure"])[1]
        chosen = [one for one, slot in zip(leaves, slots, strict=True) if isinstance(slot, Slot)]
        return chosen[0] if len(chosen) == 1 else tuple(chosen)
    except NotImplementedError as error:
        why = f"No derivative is known of {error}."
        return NoDerivative(why, "Register one with rt.custom_gradient(of=...).")
    except _WithoutRule as without:
        name = without.args[0]
        return NoDerivative(
            f"{name} is a function of a package, and no gradient is registered for it.",
            f"Register one: @rt.custom_gradient(of={name}) above a function of the same arguments "
            "that returns its result and a function from cotangents to cotangents; or keep it out "
            "of the gradient with rt.stop_gradient(x).",
        )


class _WithoutRule(Exception):
    """No derivative is known of a function; its name is the argument."""


def differentiable(template: Any, operands: Sequence[Any]) -> Any:
    """The value of a template, with functions that have derivatives in place of its functions."""
    match template:
        case Slot(index) | Kept(index):
            return operands[index]
        case tuple():
            return tuple(differentiable(part, operands) for part in template)
        case Made():
            parts = [Host(differentiable(part, operands)) for part in template.parts]
            return Made(template.kind, template.keys, tuple(parts)).filled(operands)
        case MadeFunction():
            return template.filled(operands)
        case Called():
            function = _callee(template.function, operands)
            given = differentiable(template.given, operands)
            named = {name: differentiable(part, operands) for name, part in template.named}
            return function(*given, **named)
    return filled(template, operands)


def _callee(template: Any, operands: Sequence[Any]) -> Any:
    """The function that stands for one of a template."""
    match template:
        case Method(owner, name):
            return getattr(differentiable(owner, operands), name)
        case Host(value):
            for find in DIFFERENTIABLE:
                found = find(value)
                if found is not None:
                    return found
            raise _WithoutRule(public_name(value))
    return differentiable(template, operands)


# -- the records -----------------------------------------------------------------------------------


def _example() -> list:
    attributes = {"given": (Slot(0),), "named": (), "structure": Slot(0)}
    types = (TensorType(np.dtype(float), (3, 3)),)
    return [call(SQUARE, function=Host(np.linalg.inv), types=types, **attributes)]


def _record(name: str, doc: str, effect: Effect | None) -> Op:
    return Op(
        name,
        doc,
        lambda *operands, types, **others: types,
        _evaluate,
        arity=None,
        traits=Traits(effect=effect, raises=(Exception,), foldable=False),
        derivative=Composition(_composition),
        examples=_example,
    )


library_call = _record(
    "library_call", "Calls a pure function of an installed package with plain values.", None
)
ordered_library_call = _record(
    "ordered_library_call",
    "Calls a function of an installed package with plain values, in the order of the program.",
    Effect.EXTERNAL,
)
