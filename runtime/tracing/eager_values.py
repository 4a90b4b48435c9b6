"""The values of staged values whose operations run as they are traced.

unwrap_all([y, Parameters(w=d_w)])      the same, with arrays in place of Tensors
"""

from typing import Any

from runtime.ir.pytree import flatten, unflatten
from runtime.ir.records import fields_of, is_record, is_registered, with_fields, write_field
from runtime.tracing.tensor import unwrap


def unwrap_all(value: Any) -> Any:
    """The same containers with the values of eager Tensors in their place."""
    return _unwrapped(value, set())


def _unwrapped(value, seen):
    """The value without eager Tensors; objects hold the values instead, and stay the same."""
    leaves, structure = flatten(value)
    return unflatten(structure, [_unwrapped_leaf(leaf, seen) for leaf in leaves])


def _unwrapped_leaf(leaf, seen):
    if not is_record(leaf) or id(leaf) in seen:
        return unwrap(leaf)
    seen.add(id(leaf))
    fields = fields_of(leaf)
    found = {name: _unwrapped(part, seen) for name, part in fields.items()}
    changed = [name for name, part in fields.items() if _differ(part, found[name])]
    if changed and is_registered(leaf):
        return with_fields(leaf, found)
    for name in changed:
        write_field(leaf, name, found[name])
    return leaf


def _differ(value, other):
    """Whether two values in the same containers have other leaves."""
    pairs = zip(flatten(value)[0], flatten(other)[0], strict=True)
    return any(leaf is not new for leaf, new in pairs)
