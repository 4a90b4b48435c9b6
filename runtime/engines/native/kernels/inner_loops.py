"""Inner loops that NumPy has, called for parts of arrays: other functions, and reductions.

    DOUBLE_tanh(args, count, steps, data)       of a block that is in the cache
    DOUBLE_add([sum, block, sum], count, [0, 8, 0], data)        a reduction

So results have the bits that NumPy computes.  The floating-point flags are looked at before each
call, since a loop may clear them.
"""

import math
from dataclasses import dataclass

import numpy as np

from runtime.engines.native.kernels.elements import known_type, result_kind
from runtime.engines.native.kinds import TRUTH, Kind, NotLowered, kind_of_dtype
from runtime.engines.native.text import Text
from runtime.engines.native.ufunc_loops import loop_name, loop_of
from runtime.ir.graph import Node, Value
from runtime.ir.types import PythonType, TensorType


@dataclass(frozen=True)
class InnerLoop:
    """A C function of NumPy that computes a ufunc for elements of some kinds."""

    name: str
    kinds: tuple[Kind, ...]  # of the operands and of the result
    function: int
    data: int

    def call(self, text: Text, places: list[tuple[str, str]], count: str) -> None:
        """Calls the loop; `places` are the addresses and the steps in bytes."""
        self.call_with(text, [place for place, _ in places], [count], [step for _, step in places])

    def call_with(
        self, text: Text, addresses: list[str], counts: list[str], steps: list[str]
    ) -> None:
        """Calls the loop with some addresses, sizes, and steps in bytes."""
        text.uses_loops = True
        text.leave_if_flagged()
        arguments = text.local(f"[{len(addresses)} x ptr]")
        for i, place in enumerate(addresses):
            slot = text.register(f"getelementptr ptr, ptr {arguments}, i64 {i}")
            text.line(f"store ptr {place}, ptr {slot}")
        declaration = f"declare void @loop_{self.name}(ptr, ptr, ptr, ptr)"
        function = text.declare(f"loop_{self.name}", declaration, self.function)
        given = "null"
        if self.data:
            symbol = f"@data_{self.name} = external global i8"
            given = text.declare(f"data_{self.name}", symbol, self.data)
        sizes, bytes_apart = self._numbers(text, counts), self._numbers(text, steps)
        places = f"ptr {arguments}, ptr {sizes}, ptr {bytes_apart}, ptr {given}"
        text.line(f"call void {function}({places})")

    @staticmethod
    def _numbers(text: Text, numbers: list[str]) -> str:
        """The address of some integers."""
        if all(number.isdigit() for number in numbers):
            return text.constant("i64", numbers)
        memory = text.local(f"[{len(numbers)} x i64]")
        for i, number in enumerate(numbers):
            slot = text.register(f"getelementptr i64, ptr {memory}, i64 {i}")
            text.line(f"store i64 {number}, ptr {slot}")
        return memory


def inner_loop(ufunc: np.ufunc, operands: tuple[object, ...], result: Kind) -> InnerLoop:
    """The loop of a ufunc for operands: dtypes, or classes of Python numbers.

    Raises `NotLowered` if there is none.
    """
    types, function, data = loop_of(ufunc, operands)
    if not function:
        raise NotLowered("the function has no inner loop of C")
    kinds = tuple(kind_of_dtype(np.dtype(char)) for char in types.replace("->", ""))
    if kinds[-1] != result:
        raise NotLowered(f"the function returns {types[-1]}, not {result}")
    return InnerLoop(loop_name(ufunc, types), kinds, function, data)


# `x ** p` is another function than `np.power` for these numbers.
QUICK_POWERS = (-1, 0, 0.5, 1, 2)


def loop_for(node: Node) -> InnerLoop:
    """The loop that computes an elementwise node.  Raises `NotLowered` if there is none."""
    ufunc = np.power if node.op.name == "pow" else node.op.numpy
    if node.op.name == "pow":
        exponent = node.inputs[1]
        if isinstance(exponent, Value) and not getattr(exponent.type, "ndim", 0):
            raise NotLowered("the run decides which function a power is")
        if not isinstance(exponent, Value) and exponent in QUICK_POWERS:
            raise NotLowered("the power has no machine code")
    elif not (isinstance(node.op.eval, str) and node.op.eval.startswith(f"xp.{node.op.name}(")):
        raise NotLowered("the op has no machine code for arrays")
    if not isinstance(ufunc, np.ufunc) or node.attributes:
        raise NotLowered("the op has no machine code for arrays")
    given: list[object] = []
    for operand in node.inputs:
        type = known_type(operand)
        if not isinstance(type, PythonType):
            given.append(type.dtype)
        else:
            given.append(np.dtype(bool) if type.kind is bool else type.kind)
    found = inner_loop(ufunc, tuple(given), result_kind(node))
    if not all(kind.is_float for kind in found.kinds[:-1]):
        raise NotLowered("the inner loops for integers have no machine code: they may raise")
    return found


# -- reductions ------------------------------------------------------------------------------------

# op names: the ufunc of each reduction
REDUCTIONS: dict[str, np.ufunc] = {
    "sum": np.add,
    "mean": np.add,
    "prod": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "any": np.logical_or,
    "all": np.logical_and,
}
# op names: the value that each begins with; None for the first element
STARTS = {"sum": 0, "mean": 0, "prod": 1, "max": None, "min": None, "any": False, "all": True}


@dataclass(frozen=True)
class Reduction:
    """A reduction of a kernel's rows, or of the rows themselves one by one.

    is_sum       it adds floats, pairwise as NumPy does
    start        the value that it begins with; None for the first element
    """

    node: Node
    loop: InnerLoop
    axes: tuple[int, ...]
    is_sum: bool
    start: bool | int | None

    @property
    def kind(self) -> Kind:
        """The kind of the result."""
        return self.loop.kinds[0]


# An array of more bools fits into no memory.
MOST_ELEMENTS = 1 << 48


def reduction_of(node: Node) -> Reduction:
    """How a node reduces an array.  Raises `NotLowered` for what has no machine code."""
    ufunc = REDUCTIONS.get(node.op.name)
    if ufunc is None or len(node.inputs) != 1 or {*node.attributes} - {"axis", "dtype", "keepdims"}:
        raise NotLowered("the reduction has no machine code")
    type, kind = known_type(node.inputs[0]), result_kind(node)
    given = kind_of_dtype(type.dtype)
    is_rounded = given.is_float or kind.is_float and not _is_exact(node, given, kind)
    if given != kind != TRUTH and is_rounded:
        raise NotLowered(f"the reduction of {given} to {kind} has no machine code")
    axes = node.attributes.get("axis")
    count = len(type.shape)
    found = range(count) if axes is None else (axes,) if isinstance(axes, int) else axes
    dtype = np.dtype(f"{kind.family}{kind.itemsize}")
    loop = inner_loop(ufunc, (dtype, dtype), kind)
    start = STARTS[node.op.name]
    normal = tuple(sorted(axis % count for axis in found))
    return Reduction(node, loop, normal, ufunc is np.add and kind.is_float, start)


def _is_exact(node: Node, given: Kind, kind: Kind) -> bool:
    """Whether sums of integers are floats without rounding, in any order."""
    type = known_type(node.inputs[0])
    assert isinstance(type, TensorType)
    if REDUCTIONS[node.op.name] is not np.add:
        return False
    largest = 1 if given == TRUTH else 1 << given.bits
    sizes = [size for size in type.shape if isinstance(size, int)]
    count = math.prod(sizes) if len(sizes) == len(type.shape) else MOST_ELEMENTS
    return largest * count <= 1 << (53 if kind.bits == 64 else 24)
