"""What a variable or another location may hold on every path to it, and the join of two paths.

    y = 1 | y = 1                 1                      a number that Python knows
    y = 1.5 | y = x               float32[]              arrays, as JAX promotes them
    y = (1, x) | y = (2, z)       (int32[], float32[])   containers and pytrees, item by item
    y = None | y = x              float32[] or None      a flag says in a run which it is
    y unbound | y = x             float32[] or unbound   likewise
    c = d | c = d                 d                      an object that existed before: itself

Weak types are kept: a Python number that meets an array does not widen it.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np

from autograph.backend import UNSET
from autograph.backends.jax import sharing

NUMBERS = (bool, int, float, complex)
ARRAYS = (jax.Array, np.ndarray, np.generic)


class Mismatch(Exception):
    """Two abstract values without a join."""

    def __init__(self, left: Any, right: Any, path: str = ""):
        super().__init__(left, right)
        self.left, self.right, self.path = left, right, path


class Known:
    """A number that Python knows; -0.0 is not 0.0, and 1 is not True."""

    def __init__(self, value: Any):
        self.value = value
        self._key = type(value), repr(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@dataclass(frozen=True)
class ArrayType:
    """A number or array; `known` is its value if it is a number that Python knows."""

    shape: tuple
    dtype: Any
    weak: bool
    known: Known | None = None
    axes: frozenset = frozenset()  # of the mesh over which it varies, in jax.shard_map

    def __str__(self) -> str:
        if self.known is not None:
            return repr(self.known.value)
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


class Object:
    """Any other object, which is the same one on every path.

    `opened` is its abstract value by contents if a join may take it apart: it is a container that
    existed before.
    """

    def __init__(self, value: Any, opened: "Callable[[], tuple] | None" = None):
        self.value, self.opened = value, opened

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Object):
            return False
        if self.value is other.value:
            return True
        kind = type(self.value)
        return kind is type(other.value) and kind in (str, bytes) and self.value == other.value

    __hash__ = object.__hash__

    def __str__(self) -> str:
        if isinstance(self.value, (str, bytes)):
            return repr(self.value)
        name = getattr(self.value, "__name__", None)
        return str(name) if name else f"an object of {type(self.value).__name__}"


@dataclass(frozen=True)
class Node:
    """A container: its type, the rest of its structure, and its items."""

    kind: type
    structure: Any
    items: tuple
    make: Callable[[list], Any] = field(compare=False)
    shared: str = field(compare=False, default="")  # why another name may hold a version of it

    def __str__(self) -> str:
        name = "" if self.kind is tuple else self.kind.__name__
        return f"{name}({', '.join(map(str, self.items))})"


@dataclass(frozen=True)
class Optional:
    """A value that may be None or unbound; always one of these if `inner` is None."""

    inner: Any
    none: bool
    unbound: bool

    @property
    def is_flagged(self) -> bool:
        """Whether flags say in a run which of them it is."""
        return self.inner is not None or self.none == self.unbound

    def __str__(self) -> str:
        words = ["None"] * self.none + ["unbound"] * self.unbound
        return " or ".join([str(self.inner)] * (self.inner is not None) + words)


@dataclass(frozen=True)
class Rows:
    """The contents of a list of at most `capacity` items, whose number a run knows."""

    capacity: int
    element: Any

    made: ClassVar[Callable[..., Any]]  # makes them of their operands: `lists.Buffer`

    def __str__(self) -> str:
        return f"a list of at most {self.capacity} x {self.element}"


NEVER_READ = Object(UNSET)  # a generated variable, which is bound before it is read


def array_type(value: Any) -> ArrayType:
    """The type of a number or array."""
    if type(value) in NUMBERS:
        return _number_type(type(value), bool(jax.config.jax_enable_x64))
    return _array_type(value)


@functools.cache
def _number_type(kind: type, is_wide: bool) -> ArrayType:
    return _array_type(kind(0))


def _array_type(value):
    aval = jax.typeof(value if isinstance(value, jax.Array) else jnp.asarray(value))
    weak = bool(getattr(aval, "weak_type", False)) and aval.dtype != bool  # which widens nothing
    return ArrayType(tuple(aval.shape), aval.dtype, weak, axes=varying(aval))


def varying(aval: Any) -> frozenset:
    """The axes of the mesh over which an array varies, in `jax.shard_map`."""
    kind = getattr(aval, "manual_axis_type", None)
    return frozenset() if kind is None else frozenset(kind.varying)


def is_array(value: Any) -> bool:
    """Whether a value is an array that JAX can hold."""
    return isinstance(value, ARRAYS) and getattr(getattr(value, "dtype", None), "kind", "") != "O"


def generalized(spec: Any) -> Any:
    """The abstract value whose numbers are staged."""
    match spec:
        case ArrayType():
            return replace(spec, known=None)
        case Node():
            return replace(spec, items=tuple(map(generalized, spec.items)))
        case Optional(inner=inner) if inner is not None:
            return replace(spec, inner=generalized(inner))
    return spec


def join(left: Any, right: Any) -> Any:
    """The abstract value that covers both.  Raises `Mismatch` if there is none."""
    if left == right:
        return left
    if left == NEVER_READ or right == NEVER_READ:
        return generalized(right if left == NEVER_READ else left)
    match left, right:
        case (Optional(), _) | (_, Optional()):
            return _join_optional(_optional(left), _optional(right))
        case ArrayType(), ArrayType() if left.shape == right.shape:
            return ArrayType(left.shape, *promoted(left, right), axes=left.axes | right.axes)
        case (Rows(), Rows() | Node()) | (Node(), Rows()):
            return join_contents(left, right)
        case Node(), Node() if left.kind is right.kind and _grows(left):
            contents = join_contents(left.items[0], right.items[0])
            return replace(left, items=(contents,), shared=left.shared or right.shared)
        case Node(), Node() if _grows(left) and right.kind is list:
            return join(left, as_growing(right, left))
        case Node(), Node() if left.kind is list and _grows(right):
            return join(as_growing(left, right), right)
        case Node(), Node() if len(left.items) == len(right.items):
            right = _in_order_of(left, right)
            if (left.kind, left.structure) == (right.kind, right.structure):
                shared = left.shared or right.shared
                return replace(left, items=_join_items(left, right), shared=shared)
        case (Object(), Node()) | (Node(), Object()):
            old, new = (left, right) if isinstance(left, Object) else (right, left)
            if old.opened is not None:
                sharing.separate(old.value, sharing.OLD_OR_NEW)
                opened = old.opened()[0]
                joined = join(opened, new) if old is left else join(new, opened)
                return replace(joined, shared=sharing.OLD_OR_NEW)
    raise Mismatch(left, right)


def _grows(node: Node) -> bool:
    return getattr(node.kind, "grows", False)


def as_growing(node: Node, like: Node) -> Node:
    """A list of Python, as a list that grows in staged loops."""
    return replace(like, items=(Node(tuple, None, node.items, tuple),), shared="")


def _join_items(left: Node, right: Node) -> tuple:
    found = []
    for number, pair in enumerate(zip(left.items, right.items, strict=True)):
        try:
            found.append(join(*pair))
        except Mismatch as mismatch:
            keys = left.structure if isinstance(left.structure, tuple) else ()
            key = keys[number] if len(keys) == len(left.items) else number
            raise Mismatch(mismatch.left, mismatch.right, f"[{key!r}]{mismatch.path}") from None
    return tuple(found)


def _in_order_of(left: Node, right: Node) -> Node:
    """A dict or object with its items in the order of another one, if it has the same keys."""
    if left.structure == right.structure or not isinstance(left.structure, tuple):
        return right
    if not isinstance(right.structure, tuple) or set(left.structure) != set(right.structure):
        return right
    items = dict(zip(right.structure, right.items, strict=True))
    return replace(left, items=tuple(items[key] for key in left.structure), kind=right.kind)


def _optional(spec: Any) -> Optional:
    return spec if isinstance(spec, Optional) else Optional(spec, False, False)


def _join_optional(left: Optional, right: Optional) -> Optional:
    if left.inner is None or right.inner is None:
        inner = left.inner if right.inner is None else right.inner
        if isinstance(inner, Object):
            raise Mismatch(left, right)
        inner = None if inner is None else generalized(inner)
    else:
        inner = join(left.inner, right.inner)
    return Optional(inner, left.none or right.none, left.unbound or right.unbound)


def promoted(left: ArrayType, right: ArrayType) -> tuple[Any, bool]:
    """The dtype that JAX promotes both to, and whether it is weak."""
    if left.dtype == right.dtype:
        return left.dtype, left.weak and right.weak
    try:
        sides = (left.dtype, left.weak), (right.dtype, right.weak)
        return _promoted(*sides, bool(jax.config.jax_enable_x64))
    except TypeError:  # random keys have no common dtype with numbers
        raise Mismatch(left, right) from None


@functools.cache
def _promoted(left: tuple, right: tuple, is_wide: bool) -> tuple[Any, bool]:
    shapes = [jax.ShapeDtypeStruct((), dtype, weak_type=weak) for dtype, weak in (left, right)]
    found = jax.eval_shape(lambda a, b: jnp.where(True, a, b), *shapes)
    return found.dtype, bool(found.weak_type)


def is_widened_alike(dtype: Any, other: Any) -> bool:
    """Whether an array is promoted to the same dtype with a weak and with a strong number."""
    is_wide = bool(jax.config.jax_enable_x64)
    try:
        weak, strong = (_promoted((dtype, one), (other, False), is_wide) for one in (True, False))
    except TypeError:  # random keys have no common dtype with numbers
        return True
    return weak[0] == strong[0]


def join_contents(left: Any, right: Any, capacity: int = 0) -> Any:
    """The contents of a list: item by item if there are as many, else rows."""
    both = isinstance(left, Node) and isinstance(right, Node)
    if both and len(left.items) == len(right.items) and not capacity:
        return replace(left, items=_join_items(left, right))
    sizes = [len(one.items) if isinstance(one, Node) else one.capacity for one in (left, right)]
    elements = [
        element
        for one in (left, right)
        for element in (one.items if isinstance(one, Node) else [one.element])
    ]
    return Rows(max(*sizes, capacity), common_element(elements))


def common_element(elements: list | tuple) -> Any:
    """The abstract value that covers all items of a list, which are rows of arrays."""
    return functools.reduce(join, map(generalized, elements))


def types(spec: Any) -> Iterator[Any]:
    """The types of the operands that stand for a value."""
    match spec:
        case ArrayType(known=None):
            yield struct(spec.shape, spec.dtype, spec.weak, spec.axes)
        case Optional():
            flags = (spec.none + spec.unbound) if spec.is_flagged else 0
            yield from [jax.ShapeDtypeStruct((), bool)] * flags
            if spec.inner is not None:
                yield from types(spec.inner)
        case Node():
            for item in spec.items:
                yield from types(item)
        case Rows():
            yield jax.ShapeDtypeStruct((), jnp.asarray(0, int).dtype)
            for one in types(spec.element):
                shape = (spec.capacity, *one.shape)
                yield struct(shape, one.dtype, one.weak_type, varying(one))


def width(spec: Any) -> int:
    """The number of operands that stand for a value."""
    return sum(1 for _ in types(spec))


def struct(shape: tuple, dtype: Any, weak: bool = False, axes: frozenset = frozenset()) -> Any:
    """The type of an operand."""
    if not axes:
        return jax.ShapeDtypeStruct(shape, dtype, weak_type=weak)
    mesh, none = jax.sharding.get_abstract_mesh(), jax.sharding.PartitionSpec()
    sharding = jax.sharding.NamedSharding(mesh, none)
    kind = jax.sharding.ManualAxisType(varying=axes)
    return jax.ShapeDtypeStruct(
        shape, dtype, weak_type=weak, sharding=sharding, manual_axis_type=kind
    )


def element_type(stacked: Any) -> Any:
    """The type of the elements of an array."""
    aval = jax.typeof(stacked)
    return struct(stacked.shape[1:], stacked.dtype, aval.weak_type, varying(aval))
