"""Dicts with constant keys, read at a staged key.

    d[n]               d["a"] if n == "a" else d["b"] if n == "b" else raise KeyError(n)
    d.get(n, 0.0)      the same with 0.0 at the end

The keys are compared in their order; equal keys are one key in Python, too.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.constructs.ternary import if_expr
from autograph.staging.block_functions import itself
from runtime.errors import HashNeededError, staging_error
from runtime.staging.truth import truth
from runtime.tracing.strings import is_string
from runtime.tracing.tensor import Tensor

MOST_KEYS = 200  # each is a branch of the graph
SCALARS = (bool, int, float, complex)


def item_of_dict(items: dict, key: Tensor) -> Any:
    """`items[key]`; a run raises `KeyError` if there is no such key."""
    return _found(items, key, lambda: _missing(key))


def get_of_known(items: dict, key: Any, default: Any = None) -> Any:
    """`items.get(key, default)`"""
    if not isinstance(key, Tensor):
        return dict.get(items, key, default)
    return _found(items, key, lambda: default)


def has_key(items: dict, key: Tensor) -> Any:
    """`key in items`"""
    return _found(dict.fromkeys(items, True), key, lambda: False)


def _missing(key):
    raise KeyError(key)


def _found(items: dict, key: Tensor, otherwise: Callable[[], Any]) -> Any:
    if key.type.shape:
        raise TypeError("unhashable type: 'numpy.ndarray'")
    kinds = (str,) if is_string(key) else SCALARS
    pairs = [(name, value) for name, value in dict.items(items) if isinstance(name, kinds)]
    if len(pairs) > MOST_KEYS:
        raise staging_error(
            f"a dict of {len(items)} keys is read at the staged key {key.staged_value}",
            f"A graph compares the key with each of them, up to {MOST_KEYS}.",
            "Keep the values in a list or an array, and read it by an index.",
            HashNeededError,
        )

    return _among(pairs, key, otherwise)


def _among(pairs, key, otherwise):
    """The value of a key among some pairs.  The rest is an argument of the other branch, so that
    the branch sees all values: one that is an object stays this object."""
    if not pairs:
        return otherwise()
    (name, value), *rest = pairs
    other = partial(_among, rest, key, otherwise)
    return if_expr(truth(key == name), partial(itself, value), other)
