"""Pairwise sums of long rows, in the order in which NumPy adds.

    1,300 elements = 648 + 652;  648 = 320 + 328, 652 = 320 + 332        (at most 512 in a block)

The blocks of a row are those halves of halves of it that have at most so many elements, and their
sums are added in the same order.  Work to do is on a stack: a number of elements, or 0 for the sum
of the last two results.
"""

from collections.abc import Callable

from runtime.engines.native.kernels.reducing import Total
from runtime.engines.native.text import Text
from runtime.engines.native.view_layout import moved

Block = Callable[[str, str], None]
DEEPEST = 64  # halves of halves: no array has 2^64 elements


class Tree:
    """A loop over the blocks of a row."""

    def __init__(self, text: Text, count: str, most: int, totals: list[Total]) -> None:
        self.text, self.count, self.most = text, count, most
        self.totals = totals
        self.stack, self.depth = text.local(f"[{3 * DEEPEST} x i64]"), text.local("i64")
        self.offset, self.results = text.local("i64"), text.local("i64")
        self.again, self.done = text.label("next"), text.label("summed")

    def write(self, block: Block) -> None:
        """Writes the loop; `block` writes the code for a block, given its offset and size."""
        text = self.text
        for total in self.totals:
            total.sums = text.local(f"[{DEEPEST} x {total.kind.memory}]")
        starts = {self.stack: self.count, self.depth: "1", self.offset: "0", self.results: "0"}
        for place, value in starts.items():
            text.line(f"store i64 {value}, ptr {place}")
        stems = ("sized", "halved", "block", "added")
        sized, halved, blocked, added = (text.label(stem) for stem in stems)
        is_empty = text.register(f"icmp eq i64 {self.count}, 0")
        text.line(f"br i1 {is_empty}, label %{self.done}, label %{self.again}")
        text.start(self.again)
        top = self._popped()
        is_sum = text.register(f"icmp eq i64 {top}, 0")
        text.line(f"br i1 {is_sum}, label %{added}, label %{sized}")
        text.start(sized)
        is_large = text.register(f"icmp sgt i64 {top}, {self.most}")
        text.line(f"br i1 {is_large}, label %{halved}, label %{blocked}")
        text.start(halved)
        self._halve(top)
        text.start(blocked)
        self._block(top, block)
        text.start(added)
        self._add()
        text.start(self.done)
        for total in self.totals:
            total.take_sum(is_empty)

    def _halve(self, top: str) -> None:
        text = self.text
        half = text.register(f"and i64 {text.register(f'lshr i64 {top}, 1')}, -8")
        for number in ("0", text.register(f"sub i64 {top}, {half}"), half):
            self._push(number)
        text.line(f"br label %{self.again}")

    def _block(self, size: str, block: Block) -> None:
        text = self.text
        start = text.register(f"load i64, ptr {self.offset}")
        block(start, size)
        text.line(f"store i64 {text.register(f'add i64 {start}, {size}')}, ptr {self.offset}")
        place = text.register(f"load i64, ptr {self.results}")
        for total in self.totals:
            total.push_sum(place)
        text.line(f"store i64 {text.register(f'add i64 {place}, 1')}, ptr {self.results}")
        self._go_on()

    def _add(self) -> None:
        text = self.text
        place = text.register(f"sub i64 {text.register(f'load i64, ptr {self.results}')}, 1")
        text.line(f"store i64 {place}, ptr {self.results}")
        for total in self.totals:
            total.add_last_two(place)
        self._go_on()

    def _popped(self) -> str:
        text = self.text
        top = text.register(f"sub i64 {text.register(f'load i64, ptr {self.depth}')}, 1")
        text.line(f"store i64 {top}, ptr {self.depth}")
        return text.register(f"load i64, ptr {moved(text, self.stack, top, '8')}")

    def _push(self, value: str) -> None:
        text = self.text
        top = text.register(f"load i64, ptr {self.depth}")
        text.line(f"store i64 {value}, ptr {moved(text, self.stack, top, '8')}")
        text.line(f"store i64 {text.register(f'add i64 {top}, 1')}, ptr {self.depth}")

    def _go_on(self) -> None:
        text = self.text
        left = text.register(f"load i64, ptr {self.depth}")
        is_left = text.register(f"icmp ne i64 {left}, 0")
        text.line(f"br i1 {is_left}, label %{self.again}, label %{self.done}")
