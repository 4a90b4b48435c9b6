"""Values as operands of a jaxpr, and back.

    spec, leaves = taken_apart(value)            its abstract value, and its arrays
    operands(wider, spec, iter(leaves))          the operands of an abstract value that covers it
    built(wider, iter(operands))                 the value that operands stand for

Containers are Python's, JAX's registered pytrees, and objects of the user's classes; an object that
existed before a block is itself, and is only opened where a join needs what it holds.
"""

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.tree_util import default_registry, tree_structure

from autograph.backend import Undefined, Unset
from autograph.backends.jax import sharing
from autograph.backends.jax.abstract import (
    NEVER_READ,
    NUMBERS,
    ArrayType,
    Known,
    Mismatch,
    Node,
    Object,
    Optional,
    Rows,
    array_type,
    as_growing,
    common_element,
    is_array,
    types,
    varying,
    width,
)
from autograph.backends.jax.maybe import Maybe
from autograph.errors import with_article
from autograph.staging.errors import staging_error
from autograph.staging.joins import is_plain_object
from autograph.staging.object_state import attributes, object_with

DEEPEST = 60  # containers inside of each other


class Scope:
    """The objects around a value that becomes operands."""

    def existed(self, value: Any) -> bool:
        """Whether an object is a container that existed before the block."""
        return False

    def is_shared(self, value: Any) -> bool:
        """Whether the block leaves a new object in two locations."""
        return False


ALONE = Scope()


def taken_apart(value: Any, scope: Scope = ALONE) -> tuple[Any, list]:
    """The abstract value of a value, and the arrays in it."""
    leaves: list[Any] = []
    return _Taking(leaves, scope).spec(value), leaves


class _Inside(Scope):
    """The scope of what an object holds that existed before."""

    def __init__(self, scope: Scope, opened: Any):
        self.scope, self.opened = scope, opened

    def existed(self, value: Any) -> bool:
        return value is not self.opened and self.scope.existed(value)


class _Taking:
    """Takes one value apart."""

    def __init__(self, leaves: list, scope: Scope):
        self.leaves, self.scope = leaves, scope
        self.inside: list[int] = []

    def spec(self, value: Any) -> Any:
        if type(value) in NUMBERS:
            return replace(array_type(value), known=Known(value))
        if is_array(value):
            self.leaves.append(value)
            return array_type(value)
        if value is None:
            return Optional(None, True, False)
        if isinstance(value, Undefined):
            return Optional(None, False, True)
        if isinstance(value, Unset):
            return NEVER_READ
        if isinstance(value, Maybe):
            return self.optional(*value.parts())
        if self.scope.existed(value):
            return Object(value, functools.partial(self.inside_of, value))
        return self.container(value)

    def inside_of(self, value: Any) -> tuple[Any, list]:
        """The abstract value of an object that existed before, by what it holds."""
        return taken_apart(value, _Inside(self.scope, value))

    def optional(self, inner: Any, none: Any, unbound: Any) -> Optional:
        self.leaves += [flag for flag in (none, unbound) if flag is not None]
        return Optional(self.spec(inner), none is not None, unbound is not None)

    def container(self, value: Any) -> Any:
        if id(value) in self.inside or len(self.inside) > DEEPEST:
            raise staging_error(
                f"an object of {type(value).__name__} that holds itself is changed in a staged "
                "branch or loop",
                "What a run computes has no circles.",
                "Keep the reference to itself out of it.",
            )
        self.inside.append(id(value))
        try:
            opened = self.opened(value)
            if isinstance(opened, Node) and self.scope.is_shared(value):
                return replace(opened, shared=sharing.TWICE)
            return opened
        finally:
            self.inside.pop()

    def opened(self, value: Any) -> Any:
        kind = type(value)
        if isinstance(value, Structured):
            return value.abstract(self)
        if kind is dict:
            keys = tuple(value)
            return Node(kind, keys, self.all(value.values()), functools.partial(_dict_of, keys))
        one_level = default_registry.flatten_one_level(value)
        if one_level is not None:
            items, rest = one_level
            return Node(kind, _Rest(rest), self.all(items), functools.partial(_unflattened, value))
        if is_plain_object(value):
            held = attributes(value)
            names = tuple(held)
            return Node(
                kind,
                names,
                self.all(held.values()),
                lambda items: object_with(kind, dict(zip(names, items, strict=True))),
            )
        return Object(value)

    def all(self, items: Any) -> tuple:
        return tuple(map(self.spec, items))


class _Rest:
    """The rest of a pytree's structure, which is compared by JAX's rules."""

    def __init__(self, rest: Any):
        self.rest = rest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rest) and bool(self.rest == other.rest)

    __hash__ = None  # type: ignore[assignment]


class Structured:
    """A value of the backend's own that says what it consists of."""

    def abstract(self, taking: "_Taking") -> Any:
        """Its abstract value; its arrays are added to `taking.leaves`."""
        raise NotImplementedError


def _dict_of(keys: tuple, items: list) -> dict:
    return dict(zip(keys, items, strict=True))


def _unflattened(like: Any, items: list) -> Any:
    return tree_structure(like, is_leaf=lambda x: x is not like).unflatten(items)


# -- operands --------------------------------------------------------------------------------------


def operands(to: Any, given: Any, leaves: Iterator) -> list:
    """The operands of `to` for a value of the abstract value `given`, with these arrays."""
    if isinstance(given, Object) and given.opened is not None and not isinstance(to, Object):
        given, found = given.opened()
        leaves = iter(found)
    match to:
        case ArrayType(known=None):
            if given == NEVER_READ:
                return zeros(to)
            return [cast(next(leaves) if given.known is None else given.known.value, to)]
        case Optional():
            return _optional_operands(to, given, leaves)
        case Node():
            if given == NEVER_READ:
                return zeros(to)
            if given.kind is list and to.kind is not list:
                given = as_growing(given, to)
            return _items_operands(to, given, leaves)
        case Rows():
            return zeros(to) if given == NEVER_READ else _rows_operands(to, given, leaves)
    return []


def _items_operands(to, given, leaves):
    taken = [operands_of(one, leaves) for one in given.items]
    pairs = list(zip(given.items, taken, strict=True))
    if isinstance(given.structure, tuple) and given.structure != to.structure:
        by_key = dict(zip(given.structure, pairs, strict=True))
        pairs = [by_key[key] for key in to.structure]
    return [
        operand
        for item, (one, own) in zip(to.items, pairs, strict=True)
        for operand in operands(item, one, iter(own))
    ]


def operands_of(spec: Any, leaves: Iterator) -> list:
    """The next leaves, as many as a value of this abstract value has."""
    return [next(leaves) for _ in range(width(spec))]


def _optional_operands(to, given, leaves):
    none: Any = False
    unbound: Any = False
    if isinstance(given, Optional):
        if given.is_flagged:
            none = next(leaves) if given.none else False
            unbound = next(leaves) if given.unbound else False
        else:
            none, unbound = given.none, given.unbound
        given = given.inner
    inner = []
    if to.inner is not None:
        inner = zeros(to.inner) if given is None else operands(to.inner, given, leaves)
    flags = [none] * to.none + [unbound] * to.unbound if to.is_flagged else []
    return [*(jnp.asarray(flag, bool) for flag in flags), *inner]


def _rows_operands(to, given, leaves):
    if isinstance(given, Node):
        rows = [operands(to.element, item, leaves) for item in given.items]
        padding = [zeros(to.element)] * (to.capacity - len(rows))
        stacked = map(jnp.stack, zip(*rows, *padding, strict=True))
        return [jnp.asarray(len(rows), int), *stacked]
    length = next(leaves)
    stacked = [next(leaves) for _ in range(width(given.element))]
    more = to.capacity - given.capacity
    widened = widened_rows(to.element, given.element, stacked)
    padded = [jnp.pad(x, [(0, more)] + [(0, 0)] * (x.ndim - 1)) if more else x for x in widened]
    return [jnp.asarray(length, int), *padded]


def widened_rows(to: Any, given: Any, rows: list) -> list:
    """Stacked elements as those of an abstract value that covers theirs."""
    if to == given:
        return rows
    return jax.vmap(lambda *one: operands(to, given, iter(one)))(*rows)


def zeros(spec: Any) -> list:
    """Operands where no value is read."""
    made = []
    for one in types(spec):
        value, axes = _zero(one), tuple(varying(one))
        made.append(lax.pcast(value, axes, to="varying") if axes else value)
    return made


def _zero(kind):
    if jnp.issubdtype(kind.dtype, jax.dtypes.prng_key):
        return jnp.broadcast_to(jax.random.key(0), kind.shape)
    if kind.weak_type:
        return jnp.broadcast_to(jnp.asarray(_weak_zero(kind.dtype)), kind.shape)
    return jnp.zeros(kind.shape, kind.dtype)


def _weak_zero(dtype):
    return {"i": 0, "f": 0.0, "c": 0j}[np.dtype(dtype).kind]


def cast(value: Any, to: ArrayType) -> Any:
    """A number or array as an operand of a type that covers its own."""
    value = _cast(jnp.asarray(value), to)
    missing = tuple(to.axes - varying(jax.typeof(value)))
    return lax.pcast(value, missing, to="varying") if missing else value


def _cast(value, to):
    if value.dtype == to.dtype and (to.weak or not value.aval.weak_type):
        return value
    if to.weak:
        return value + _weak_zero(to.dtype)
    return lax.convert_element_type(value, to.dtype)


def built(spec: Any, given: Iterator, path: str = "") -> Any:
    """The value that operands stand for; takes as many of them as it needs."""
    match spec:
        case ArrayType(known=known):
            return next(given) if known is None else known.value
        case Object():
            return spec.value
        case Node():
            value = spec.make([built(item, given, path) for item in spec.items])
            if spec.shared:
                sharing.separate(value, spec.shared)
            return value
        case Rows():
            length = next(given)
            leaves = [next(given) for _ in range(width(spec.element))]
            return Rows.made(spec.element, spec.capacity, length, leaves)
        case Optional() if not spec.is_flagged:
            return None if spec.none else Undefined(path)
    none = next(given) if spec.none else None
    unbound = next(given) if spec.unbound else None
    value = None if spec.inner is None else built(spec.inner, given, path)
    return Maybe(value, none, unbound, path)


def row_of(items: Any, key: Any) -> tuple[Any, list]:
    """The abstract value that covers all items, and their stacked operands."""
    taken = [taken_apart(item) for item in items]
    try:
        element = common_element([spec for spec, _ in taken])
    except Mismatch as mismatch:
        raise staging_error(
            f"{with_article(type(items).__name__)} is {key}, and its items are {mismatch.left} and "
            f"{mismatch.right}",
            "Only a run knows which item it is, and all have to be of one kind.",
            "Make the items arrays of one shape.",
        ) from None
    rows = [operands(element, spec, iter(leaves)) for spec, leaves in taken]
    return element, [jnp.stack(column) for column in zip(*rows, strict=True)]
