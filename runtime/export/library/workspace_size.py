"""The C function that returns how many bytes of workspace are enough.

    step_workspace(shapes)      the bytes of all arrays that may exist at the same time

Each array has a block, as large as the bounds of its sizes (`bounds.py`) say.  A sum beyond 64 bits
is the largest integer, which no workspace has.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from runtime.engines.native.kinds import INTEGER, NotLowered, kind_of_dtype
from runtime.engines.native.text import Text
from runtime.export.library.extents import Extent, Size, terms_of
from runtime.export.library.signature import CSignature
from runtime.export.library.workspace import ALIGNMENT, HEADING
from runtime.ir.graph import Value
from runtime.ir.types import TensorType

Block = tuple[Value, tuple[Size, ...]]
ADD, MULTIPLY = ("llvm.uadd.with.overflow.i64", "llvm.umul.with.overflow.i64")


@dataclass(frozen=True)
class SizeFunction:
    """The text of the function, and what it declares."""

    definition: str
    declarations: dict[str, str]


def workspace_size(signature: CSignature, blocks: Iterable[Block]) -> SizeFunction:
    """The function for the blocks that a call may need.

    Raises `NotLowered` if an array has a size without a bound.
    """
    text = Text()
    total, lost = "0", "false"
    sizes = {}
    for place, name in enumerate(signature.sizes):
        where = text.register(f"getelementptr i64, ptr %shapes, i64 {place}")
        sizes[name] = text.register(f"load i64, ptr {where}")
    known = 0
    for value, bounds in blocks:
        count, unknown = _item_size(value), []
        for size in bounds:
            if size is None:
                raise NotLowered(f"a run decides how large {value.hint} is, without a bound")
            if isinstance(size, int):
                count *= size
            else:
                register, lost = bound_of(text, size, sizes, lost)
                unknown.append(register)
        if not unknown:
            known += (count + HEADING + ALIGNMENT - 1) & -ALIGNMENT
            continue
        found = str(count)
        for size in unknown:
            found, lost = _checked(text, MULTIPLY, found, size, lost)
        found, lost = _checked(text, ADD, found, str(HEADING + ALIGNMENT - 1), lost)
        rounded = text.register(f"and i64 {found}, {-ALIGNMENT}")
        total, lost = _checked(text, ADD, total, rounded, lost)
    total, lost = _checked(text, ADD, total, str(known), lost)
    is_negative = text.register(f"icmp slt i64 {total}, 0")
    is_lost = text.register(f"or i1 {lost}, {is_negative}")
    found = text.register(f"select i1 {is_lost}, i64 {INTEGER.high}, i64 {total}")
    parameter = "ptr %shapes" if signature.sizes else ""
    head = f"define i64 @{signature.name}_workspace({parameter}) nounwind {{"
    whole = "\n".join([head, "entry:", *text.lines, f"  ret i64 {found}", "}"])
    return SizeFunction(whole, text.declarations)


def bound_of(text: Text, size: str | Extent, names: dict[str, str], lost: str) -> tuple[str, str]:
    """The register of a bound, and whether a result so far is beyond 64 bits.

    `names` are the registers of named sizes.
    """
    total = "0"
    for product, count in terms_of(size):
        found = str(count)
        for name in product:
            found, lost = _checked(text, MULTIPLY, found, names[name], lost)
        total, lost = _checked(text, ADD, total, found, lost)
    return total, lost


def _item_size(value: Value) -> int:
    assert isinstance(value.type, TensorType)
    return kind_of_dtype(value.type.dtype).itemsize


def _checked(text: Text, name: str, x: str, y: str, lost: str) -> tuple[str, str]:
    """A sum or product, and whether one so far is beyond 64 bits."""
    both = text.intrinsic(name, "{i64, i1}", ("i64", x), ("i64", y))
    found = text.register(f"extractvalue {{i64, i1}} {both}, 0")
    is_lost = text.register(f"extractvalue {{i64, i1}} {both}, 1")
    return found, text.register(f"or i1 {lost}, {is_lost}")
