"""Signatures that the user gives, and how a call differs from them.

    @rt.function(input_signature=[rt.TensorSpec((None, 3), np.float32)])
    def predict(x): ...

    predict(np.ones((2, 4), np.float32))

    TypeError: x is f32[2, 4], but the input_signature of predict says f32[None, 3]
      model.py, line 4, in <module>
          predict(np.ones((2, 4), np.float32))
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    Axis 1 has 4 elements, not 3.
    Pass an array that has 3, or allow any number: rt.TensorSpec((None, None), np.float32)

Nothing is cast.  A signature has a spec for each of the first parameters, nested like the
arguments: a `TensorSpec`, `bool`, `int`, `float` or `complex` for a staged Python scalar, or a
constant.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from autograph.errors import with_article
from runtime.errors import SignatureError, users_location
from runtime.ir.pytree import flatten, is_list, unflatten
from runtime.ir.types import PYTHON_TYPES, PythonType, TensorType, Type, type_of
from runtime.tracing.signature import (
    Constant,
    Signature,
    TensorSpec,
    accepts,
    key_of,
    leaf_paths,
)


def examples_of(specs: tuple) -> tuple:
    """Arguments of a call that specs allow: a Python type stands for the zero of the type."""
    leaves, structure = flatten(specs)
    zeros = [leaf() if isinstance(leaf, type) and leaf in PYTHON_TYPES else leaf for leaf in leaves]
    return tuple(unflatten(structure, zeros))


def specs_of(given: Any, function: str, parameters: list[str]) -> tuple | None:
    """The specs of an `input_signature`.  Raises `TypeError` if it is not a list of specs, or if
    there are more of them than parameters."""
    if given is None:
        return None
    if isinstance(given, (TensorSpec, type, dict, str)) or not isinstance(given, Iterable):
        shown = given if isinstance(given, type) else type(given)
        raise _error(
            f"the input_signature of {function} is {with_article(shown.__name__)}, not a list",
            "It has one spec for each parameter.",
            "Write input_signature=[rt.TensorSpec((None, 3), np.float64), ...]",
        )
    specs = tuple(given)
    if len(specs) > len(parameters):
        raise _error(
            f"the input_signature of {function} has {_count(len(specs), 'spec')}, but {function} "
            f"has {_count(len(parameters), 'parameter')}",
            f"The parameters are {', '.join(parameters)}." if parameters else "",
            "Write a spec for each of the first parameters; nested specs for a list or a dict.",
        )
    return specs


def declared_type(spec: Any) -> Type | None:
    """The type that a leaf of an `input_signature` declares; None for a plain value."""
    if isinstance(spec, TensorSpec):
        return spec.type
    return PYTHON_TYPES.get(spec) if isinstance(spec, type) else None


def declared(specs: tuple, given: tuple[list, Signature], names: list[str], function: str):
    """The signature of a call of a function that has an `input_signature`.

    `names` are the function's parameters.  Raises `TypeError` for an argument that does not match.
    """
    leaves, signature = given
    wanted, structure = flatten(specs)
    arguments = _parts(signature.structure, leaves)
    for name, spec, argument in zip(names, _parts(structure, wanted), arguments, strict=False):
        _check_structure(function, name, spec, argument)
    paths = leaf_paths(signature.structure, names)
    keys = list(signature.keys)
    for i, spec in enumerate(wanted):
        kind = declared_type(spec)
        if kind is None:
            kind = key_of(spec)
        if not accepts(kind, keys[i]):
            raise _mismatch(function, paths[i], leaves[i], keys[i], spec, kind)
        keys[i] = kind
    _check_named_sizes(keys, [getattr(leaf, "shape", ()) for leaf in leaves], paths, function)
    return Signature(signature.structure, tuple(keys))


# -- containers ------------------------------------------------------------------------------------


def _check_structure(function, path, wanted, given):
    """Raises `TypeError` if an argument is not nested like its spec; both are pairs of a structure
    and its leaves."""
    (want, _), (have, _) = wanted, given
    if want == have:
        return
    if want.kind is not have.kind or want.kind is None:
        raise _another_container(function, path, wanted, given)
    if want.keys != have.keys:
        raise _another_set_of_keys(function, path, want, have)
    if len(want.children) != len(have.children):
        raise _error(
            f"{path} has {_count(len(have.children), 'element')}, but the input_signature of "
            f"{function} says {len(want.children)}",
            "A list or tuple has one spec for each of its elements.",
            f"Pass an array in place of the {want.kind.__name__} if the number may vary.",
        )
    for i, pair in enumerate(zip(_parts(*wanted), _parts(*given), strict=True)):
        at = want.keys[i] if want.keys else i
        _check_structure(function, f"{path}[{at!r}]", *pair)


def _parts(structure, leaves):
    """The structures in one, each with its leaves."""
    found, first = [], 0
    for child in structure.children:
        count = _leaf_count(child)
        found.append((child, leaves[first : first + count]))
        first += count
    return found


def _leaf_count(structure):
    return 1 if structure.kind is None else sum(map(_leaf_count, structure.children))


def _another_container(function, path, wanted, given):
    (wanted, (spec, *_)), (given, (leaf, *_)) = (_filled(*wanted), _filled(*given))
    shown = _shown(leaf) if given.kind is None else _container(given)
    expected = declared_type(spec) or repr(spec) if wanted.kind is None else _container(wanted)
    if wanted.kind is None and is_list(given.kind):
        remedy = f"Pass an array: np.asarray({path})"
    elif given.kind is None and is_list(wanted.kind):
        remedy = f"Pass a list: [{path}].  Or write one spec without brackets around it."
    elif given.kind is None and wanted.kind is tuple:
        remedy = "Write rt.TensorSpec(shape, dtype) for an array; a tuple of specs is for a tuple."
        if isinstance(kind := type_of(leaf), TensorType):
            spec = f"rt.TensorSpec({_shape(kind)}, np.{kind.dtype.name})"
            remedy = f"Write {spec}; a tuple of specs is for a tuple."
    else:
        remedy = "Nest the specs like the arguments: [spec] for a list, {'key': spec} for a dict."
    what = f"{path} is {shown}, but the input_signature of {function} says {expected}"
    return _error(what, "Nothing is converted.", remedy)


def _filled(structure, leaves):
    return structure, leaves or [None]


def _shown(leaf):
    """A leaf as messages show it: its type if it has one."""
    key = key_of(leaf)
    return key if isinstance(key, Type) else _plain(leaf, key)


def _container(structure):
    kind = "list" if is_list(structure.kind) else structure.kind.__name__
    if structure.kind is dict:
        return f"a dict with the keys {', '.join(map(repr, structure.keys))}"
    return f"{with_article(kind)} of {_count(len(structure.children), 'element')}"


def _another_set_of_keys(function, path, wanted, given):
    if set(wanted.keys) == set(given.keys):
        why = "The keys are the same, in another order."
    else:
        missing = [repr(key) for key in wanted.keys if key not in given.keys]
        unknown = [repr(key) for key in given.keys if key not in wanted.keys]
        parts = [f"{', '.join(missing)} is missing"] if missing else []
        parts += [f"{', '.join(unknown)} is not in the signature"] if unknown else []
        why = "; ".join(parts) + "."
    noun = "the key" if len(given.keys) == 1 else "the keys"
    return _error(
        f"{path} has {noun} {', '.join(map(repr, given.keys))}, but the input_signature of "
        f"{function} says {', '.join(map(repr, wanted.keys))}",
        why,
        "Pass a dict with the keys of the signature, in its order.",
    )


# -- leaves ----------------------------------------------------------------------------------------


def _mismatch(function, path, leaf, given, spec, wanted):
    """The error about one argument that does not have the declared type."""
    shown = _shown(leaf)
    says = wanted if isinstance(wanted, (Type, Constant)) else spec
    if isinstance(says, type):
        says = f"np.{says.__name__}" if issubclass(says, np.generic) else says.__name__
    what = f"{path} is {shown}, but the input_signature of {function} says {says}"
    return _error(what, *_reason(path, leaf, given, spec, wanted))


def _plain(leaf, given):
    """A value that is not an array, as messages show it."""
    if leaf is None:
        return "None"
    return f"the Python {given.kind.__name__} {given}" if type_of(leaf) is not None else str(given)


def _reason(path, leaf, given, spec, wanted):
    """Why an argument is refused, and the remedy."""
    if isinstance(wanted, PythonType):
        return _reason_of_scalar(path, given, wanted)
    if not isinstance(wanted, TensorType):
        if isinstance(spec, type) and issubclass(spec, np.generic) and isinstance(given, Type):
            shape = "()" if not given.shape else repr(given.shape)
            return (
                "A dtype alone is not a spec.",
                f"Write rt.TensorSpec({shape}, np.{spec.__name__})",
            )
        return "A value in a signature is a constant.", f"Pass {spec!r}, or write an rt.TensorSpec."
    name = np.dtype(wanted.dtype).name
    if not isinstance(given, TensorType):
        if leaf is None or type_of(leaf) is None:
            return "Only arrays and NumPy scalars match a TensorSpec.", f"Pass an array of {name}."
        made = f"np.{name}({path})" if not wanted.shape else f"np.full(shape, {path}, np.{name})"
        return "Nothing is cast.", f"Pass {made}, or write {given.kind.__name__} in the signature."
    if given.dtype != wanted.dtype:
        cast = f"{path}.astype(np.{name})"
        spec = f"rt.TensorSpec({_shape(wanted)}, np.{given.dtype.name})"
        return (
            f"Its dtype is {given.dtype.name}.  Nothing is cast.",
            f"Pass {cast}, or write {spec}",
        )
    spec = f"rt.TensorSpec({_shape(given)}, np.{name})"
    if given.ndim != wanted.ndim:
        axes = f"It has {_count(given.ndim, 'axis', 'axes')}, not {wanted.ndim}."
        if given.ndim == wanted.ndim - 1:
            return axes, f"Pass {path}[np.newaxis] for a batch of one, or write {spec}"
        return axes, f"Reshape it, or write {spec}"
    pairs = enumerate(zip(given.shape, wanted.shape, strict=True))
    axis = next(i for i, (size, want) in pairs if isinstance(want, int) and size != want)
    free = [None if i == axis else size for i, size in enumerate(wanted.shape)]
    return (
        f"Axis {axis} has {_count(given.shape[axis], 'element')}, not {wanted.shape[axis]}.",
        f"Pass an array that has {wanted.shape[axis]}, or allow any number: "
        f"rt.TensorSpec({_sizes(free)}, np.{name})",
    )


def _reason_of_scalar(path, given, wanted):
    kind = wanted.kind.__name__
    if isinstance(given, TensorType) and given.ndim:
        spec = f"rt.TensorSpec({_shape(given)}, np.{given.dtype.name})"
        return f"`{kind}` stands for a Python {kind}.", f"Write {spec} for an array."
    if isinstance(given, TensorType):
        spec = f"rt.TensorSpec((), np.{given.dtype.name})"
        return (
            f"`{kind}` stands for a Python {kind}, not for a NumPy scalar.",
            f"Pass {kind}({path}), or write {spec}",
        )
    return "Nothing is cast.", f"Pass {kind}({path})"


def _shape(kind):
    return _sizes(kind.shape)


def _sizes(sizes):
    inside = ", ".join(map(repr, sizes))
    return f"({inside},)" if len(sizes) == 1 else f"({inside})"


def _count(number, word, plural=None):
    return f"{number} {word if number == 1 else plural or word + 's'}"


def _check_named_sizes(keys, shapes, paths, function):
    sizes: dict[str, tuple] = {}
    for key, shape, path in zip(keys, shapes, paths, strict=True):
        if not isinstance(key, TensorType):
            continue
        for dimension, size in zip(key.shape, shape, strict=True):
            if not isinstance(dimension, str) or not isinstance(size, int):
                continue
            known, of = sizes.setdefault(dimension, (size, path))
            if known != size:
                raise _error(
                    f"the size {dimension!r} is {known} in {of} and {size} in {path}",
                    f"The input_signature of {function} says that they are equal.",
                    "Pass arrays of equal sizes, or give the sizes different names.",
                )


def _error(what, why, remedy):
    return SignatureError.about(what, users_location(), why, remedy)
