"""Arrays in memory that the caller passes: no allocation is hidden.

    workspace:   | block: count, size, next, state; elements | block | ...     free

A block is free when its last reference is dropped.  It is used again by the next array of the same
size, so the workspace never holds more than the arrays that are alive at the same time.
"""

import math
from collections.abc import Sequence

import numpy as np

from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import TRUTH, kind_of_dtype
from runtime.engines.native.ownership import Ownership
from runtime.engines.native.text import Text, literal
from runtime.ir.types import TensorType

HEADING = 32  # bytes of a block before its elements
ALIGNMENT = 32

# The state of a call, and the heading of a block.
TYPES = """\
%struct.state = type { ptr, i64, i64, ptr }
%struct.block = type { i32, i32, i64, ptr, ptr }"""

COUNT = """\
define internal void @count(ptr %block) {
  %before = load i32, ptr %block
  %after = add i32 %before, 1
  store i32 %after, ptr %block
  ret void
}"""

DROP = """\
define internal void @drop(ptr %block) {
  %none = icmp eq ptr %block, null
  br i1 %none, label %done, label %counts
counts:
  %before = load i32, ptr %block
  %after = sub i32 %before, 1
  store i32 %after, ptr %block
  %is_free = icmp eq i32 %after, 0
  br i1 %is_free, label %frees, label %done
frees:
  %place = getelementptr %struct.block, ptr %block, i32 0, i32 4
  %state = load ptr, ptr %place
  %first = getelementptr %struct.state, ptr %state, i32 0, i32 3
  %others = load ptr, ptr %first
  %next = getelementptr %struct.block, ptr %block, i32 0, i32 3
  store ptr %others, ptr %next
  store ptr %block, ptr %first
  br label %done
done:
  ret void
}"""

TAKE = f"""\
define internal ptr @take(ptr %state, i64 %bytes) {{
entry:
  %padded = add i64 %bytes, {HEADING + ALIGNMENT - 1}
  %size = and i64 %padded, {-ALIGNMENT}
  %first = getelementptr %struct.state, ptr %state, i32 0, i32 3
  br label %search
search:
  %link = phi ptr [%first, %entry], [%next, %other]
  %found = load ptr, ptr %link
  %none = icmp eq ptr %found, null
  br i1 %none, label %new, label %compare
compare:
  %next = getelementptr %struct.block, ptr %found, i32 0, i32 3
  %size_place = getelementptr %struct.block, ptr %found, i32 0, i32 2
  %found_size = load i64, ptr %size_place
  %fits = icmp eq i64 %found_size, %size
  br i1 %fits, label %again, label %other
other:
  br label %search
again:
  %others = load ptr, ptr %next
  store ptr %others, ptr %link
  store i32 1, ptr %found
  ret ptr %found
new:
  %used_place = getelementptr %struct.state, ptr %state, i32 0, i32 2
  %used = load i64, ptr %used_place
  %whole_place = getelementptr %struct.state, ptr %state, i32 0, i32 1
  %whole = load i64, ptr %whole_place
  %left = sub i64 %whole, %used
  %is_enough = icmp sle i64 %size, %left
  br i1 %is_enough, label %make, label %full
make:
  %memory = load ptr, ptr %state
  %made = getelementptr i8, ptr %memory, i64 %used
  %after = add i64 %used, %size
  store i64 %after, ptr %used_place
  store i32 1, ptr %made
  %made_size = getelementptr %struct.block, ptr %made, i32 0, i32 2
  store i64 %size, ptr %made_size
  %made_state = getelementptr %struct.block, ptr %made, i32 0, i32 4
  store ptr %state, ptr %made_state
  ret ptr %made
full:
  ret ptr null
}}"""


class Workspace:
    """The storage of code without Python (`engines/native/storage.py`)."""

    def __init__(self) -> None:
        self.is_used = False

    def allocated(
        self, text: Text, owners: Ownership, kind: TensorType, sizes: Sequence[str]
    ) -> tuple[str, str]:
        """Takes a block of the workspace; leaves the code if there is none."""
        self.is_used = True
        owners.counts()
        count = _size(text, [*sizes, str(kind.dtype.itemsize)])
        made = text.register(f"call ptr @take(ptr %state, i64 {count})")
        text.leave_if(text.register(f"icmp eq ptr {made}, null"), Exit.MEMORY)
        return made, text.register(f"getelementptr i8, ptr {made}, i64 {HEADING}")

    def constant(self, text: Text, value: np.ndarray) -> str:
        """Writes the elements into the text."""
        kind = kind_of_dtype(value.dtype)
        name = f"constant_{len(text.declarations)}"
        elements = value.reshape(-1).tolist()
        if kind == TRUTH:
            row = ", ".join(f"i8 {int(one)}" for one in elements)
        else:
            row = ", ".join(f"{kind.memory} {literal(kind, one)}" for one in elements)
        whole = f"[{len(elements)} x {kind.memory}] [{row}]"
        return text.declare(name, f"@{name} = private unnamed_addr constant {whole}, align 16")


def _size(text: Text, factors: Sequence[str]) -> str:
    """A product of sizes; the code is left where it is beyond 64 bits."""
    found = str(math.prod(int(one) for one in factors if one.isdigit()))
    for one in factors:
        if one.isdigit():
            continue
        given = ("i64", found), ("i64", one)
        both = text.intrinsic("llvm.smul.with.overflow.i64", "{i64, i1}", *given)
        is_lost = text.register(f"extractvalue {{i64, i1}} {both}, 1")
        text.leave_if(is_lost, Exit.MEMORY)
        found = text.register(f"extractvalue {{i64, i1}} {both}, 0")
    return found


def borrowed(text: Text, owners: Ownership) -> str:
    """A block without elements that has an owner outside: nothing writes into its array."""
    owners.counts()
    block = text.local("%struct.block")
    text.line(f"store i32 2, ptr {block}")
    return block
