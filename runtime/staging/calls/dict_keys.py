"""Dicts with constant keys, read at a staged key.

    d[n]               d["a"] if n == "a" else d["b"] if n == "b" else raise KeyError(n)
    d.get(n, 0.0)      the same with 0.0 at the end

The keys are compared in their order; equal keys are one key in Python, too.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from autograph.constructs.compare import compare
from autograph.constructs.ternary import if_expr
from autograph.staging.block_functions import itself
from runtime.errors import HashNeededError, staging_error
from runtime.ir.types import COMPLEX, FLOAT
from runtime.staging.dicts.key_list import refuse_unhashable
from runtime.staging.lists.elements import type_of_element
from runtime.staging.truth import truth
from runtime.tracing.conversion import cast
from runtime.tracing.strings import is_string
from runtime.tracing.tensor import Tensor, is_staged

MOST_KEYS = 200  # each is a branch of the graph
SCALARS = (bool, int, float, complex)


def is_staged_key(key: Any) -> bool:
    """Whether a key is staged, or a tuple with staged parts."""
    return isinstance(key, Tensor) or isinstance(key, tuple) and is_staged(key)


def item_of_dict(items: dict, key: Any) -> Any:
    """`items[key]`; a run raises `KeyError` if there is no such key."""
    return _found(items, key, lambda: _missing(key))


def get_of_known(items: dict, key: Any, default: Any = None) -> Any:
    """`items.get(key, default)`"""
    if not is_staged_key(key):
        return dict.get(items, key, default)
    return _found(items, key, lambda: default)


def has_key(items: Iterable, key: Any) -> Any:
    """`key in items`"""
    return _found(dict.fromkeys(items, True), key, lambda: False)


def _missing(key):
    raise KeyError(key)


def _found(items: dict, key: Any, otherwise: Callable[[], Any]) -> Any:
    refuse_unhashable(type_of_element(key), key)
    pairs = [(name, value) for name, value in dict.items(items) if _may_equal(name, key)]
    if len(pairs) > MOST_KEYS:
        words = key.staged_value if isinstance(key, Tensor) else repr(key)
        raise staging_error(
            f"a dict of {len(items)} keys is read at the staged key {words}",
            f"A graph compares the key with each of them, up to {MOST_KEYS}.",
            "Keep the values in a list or an array, and read it by an index.",
            HashNeededError,
        )

    return _among(pairs, _exact(key), otherwise)


def _exact(key):
    """A key whose floats are double: so equal keys have one hash (np.float32(0.1) == 0.1)."""
    if isinstance(key, tuple):
        return tuple(map(_exact, key))
    kind = getattr(getattr(key, "dtype", None), "kind", "") if isinstance(key, Tensor) else ""
    return cast(key, FLOAT if kind == "f" else COMPLEX) if kind in ("f", "c") else key


def _may_equal(name, key):
    """Whether a known key is of a kind that may equal a staged one."""
    if isinstance(key, tuple):
        return isinstance(name, tuple) and len(name) == len(key)
    return isinstance(name, (str,) if is_string(key) else SCALARS)


def _among(pairs, key, otherwise):
    """The value of a key among some pairs.  The rest is an argument of the other branch, so that
    the branch sees all values: one that is an object stays this object."""
    if not pairs:
        return otherwise()
    (name, value), *rest = pairs
    other = partial(_among, rest, key, otherwise)
    return if_expr(truth(compare(key, "==", name)), partial(itself, value), other)
