"""Reductions in a kernel: of each row to a number, or of all rows to one row.

Floats are added pairwise, as NumPy adds them (`pairwise.py`).
"""

from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.counting import Counted
from runtime.engines.native.kernels.inner_loops import Reduction
from runtime.engines.native.kernels.sums import write_sum
from runtime.engines.native.kinds import DOUBLE, TRUTH, Kind
from runtime.engines.native.text import Text, literal
from runtime.engines.native.view_layout import moved
from runtime.ir.graph import Node


class Reducer:
    """The steps of a reduction."""

    is_tree = False

    def __init__(self, text: Text, reduction: Reduction, rows: str, count: str) -> None:
        self.text, self.reduction = text, reduction
        self.rows, self.count = rows, count

    @property
    def node(self) -> Node:
        return self.reduction.node

    @property
    def kind(self) -> Kind:
        """The kind of the elements and of the result."""
        return self.reduction.kind

    def start(self) -> None:
        """Writes the code before all rows."""

    def begin_row(self, indices: list[tuple[int, str]]) -> None:
        """Writes the code before each row; the axes and indices of the loops are given."""

    def take(self, place: str, step: str, offset: str, count: str) -> None:
        """Reduces a block of a row."""
        raise NotImplementedError

    def end_row(self) -> None:
        """Writes the code after each row."""

    def finish(self) -> None:
        """Writes the code after all rows."""

    def first_value(self) -> str:
        """The value in memory that a reduction starts with."""
        kind = self.kind
        start = self.reduction.start
        assert start is not None
        return str(int(start)) if kind == TRUTH else literal(kind, start)

    def leave_if_empty(self, count: str) -> None:
        """Leaves the piece for no elements, of which there is no maximum or mean."""
        if not count.isdigit() or count == "0":
            self.text.leave_if(self.text.register(f"icmp eq i64 {count}, 0"), Exit.EMPTY)

    def mean(self, total: str, count: str) -> str:
        """A sum divided by a count, as NumPy divides: in double precision."""
        text, kind = self.text, self.kind
        number = text.register(f"sitofp i64 {count} to double")
        wide = total
        if kind != DOUBLE:
            wide = text.float_conversion("fpext", kind, DOUBLE, total)
        found = text.float("fdiv", DOUBLE, wide, number)
        if kind != DOUBLE:
            found = text.float_conversion("fptrunc", DOUBLE, kind, found)
        return found


class Total(Reducer):
    """Reduces each row to a number."""

    def __init__(
        self,
        text: Text,
        reduction: Reduction,
        made: str | None,
        steps: list[str],
        rows: str,
        count: str,
    ) -> None:
        super().__init__(text, reduction, rows, count)
        self.made, self.steps = made, steps
        self.is_tree = reduction.is_sum
        self.total = text.local(self.kind.memory)
        self.partial = text.local(self.kind.memory)
        self.sums = ""  # memory for the sums of blocks
        self.result = text.fresh()  # the register of the number, if there is one row
        self._target = made or ""
        self.in_blocks = False  # whether a row may be several of them

    def start(self) -> None:
        if self.reduction.start is None or self.node.op.name == "mean":
            self.leave_if_empty(self.count)

    def begin_row(self, indices: list[tuple[int, str]]) -> None:
        kind = self.kind
        if self.reduction.start is not None:
            self.text.line(f"store {kind.memory} {self.first_value()}, ptr {self.total}")
        if self.made is not None:
            self._target = self.made
            for axis, index in indices:
                self._target = moved(self.text, self._target, index, self.steps[axis])

    def take(self, place: str, step: str, offset: str, count: str) -> None:
        text, kind, total = self.text, self.kind, self.total
        if self.is_tree and step == str(kind.itemsize) and text.has_functions:
            found = write_sum(text, kind, place, count)
            text.line(f"store {kind.memory} {found}, ptr {self.partial}")
            if not self.in_blocks:
                self._add_to_total()
            return
        if self.is_tree:
            total = self.partial
            text.line(f"store {kind.memory} {literal(kind, -0.0)}, ptr {total}")
        elif self.reduction.start is None:
            place, count = self._after_first(place, step, offset, count)
        self.reduction.loop.call(text, [(total, "0"), (place, step), (total, "0")], count)
        if self.is_tree and not self.in_blocks:
            self._add_to_total()

    def _after_first(self, place: str, step: str, offset: str, count: str) -> tuple[str, str]:
        """Starts with the first element of a row; returns the place and number of the others."""
        text, kind = self.text, self.kind
        is_first = text.register(f"icmp eq i64 {offset}, 0")
        first = text.register(f"load {kind.memory}, ptr {place}")
        so_far = text.register(f"load {kind.memory}, ptr {self.total}")
        chosen = f"select i1 {is_first}, {kind.memory} {first}, {kind.memory} {so_far}"
        text.line(f"store {kind.memory} {text.register(chosen)}, ptr {self.total}")
        skipped = text.register(f"zext i1 {is_first} to i64")
        return moved(text, place, skipped, step), text.register(f"sub i64 {count}, {skipped}")

    def _add_to_total(self) -> None:
        text, kind = self.text, self.kind
        partial = text.register(f"load {kind.register}, ptr {self.partial}")
        before = text.register(f"load {kind.register}, ptr {self.total}")
        text.line(
            f"store {kind.register} {text.float('fadd', kind, before, partial)}, ptr {self.total}"
        )

    def end_row(self) -> None:
        text, kind = self.text, self.kind
        found = text.register(f"load {kind.memory}, ptr {self.total}")
        if self.in_blocks and self.reduction.start is None and kind.is_float:
            # The order decides which of 0.0 and -0.0 is found.
            is_zero = text.float_comparison("oeq", kind, found, literal(kind, 0.0))
            text.leave_if(is_zero, Exit.SIGN_OF_ZERO)
        if self.node.op.name == "mean":
            found = self.mean(found, self.count)
        if self.made is not None:
            text.line(f"store {kind.memory} {found}, ptr {self._target}")
        else:
            text.line(f"store {kind.memory} {found}, ptr {self.total}")

    def finish(self) -> None:
        if self.made is not None:
            return
        kind = self.kind
        load = f"load {kind.memory}, ptr {self.total}"
        if kind != TRUTH:
            self.text.line(f"{self.result} = {load}")
            return
        self.text.line(f"{self.result} = icmp ne i8 {self.text.register(load)}, 0")

    # -- sums of blocks ----------------------------------------------------------------------------

    def _slot(self, place: str) -> str:
        return moved(self.text, self.sums, place, str(self.kind.itemsize))

    def push_sum(self, place: str) -> None:
        """Keeps the sum of a block."""
        partial = self.text.register(f"load {self.kind.register}, ptr {self.partial}")
        self.text.line(f"store {self.kind.register} {partial}, ptr {self._slot(place)}")

    def add_last_two(self, place: str) -> None:
        """Adds the kept sum at a place to the one before."""
        text, kind = self.text, self.kind
        before = self._slot(text.register(f"sub i64 {place}, 1"))
        x = text.register(f"load {kind.register}, ptr {before}")
        y = text.register(f"load {kind.register}, ptr {self._slot(place)}")
        text.line(f"store {kind.register} {text.float('fadd', kind, x, y)}, ptr {before}")

    def take_sum(self, is_empty: str) -> None:
        """Adds the sum of the whole row to the number that the reduction starts with."""
        text, kind = self.text, self.kind
        found = text.register(f"load {kind.register}, ptr {self.sums}")
        zero = literal(kind, -0.0)
        chosen = f"select i1 {is_empty}, {kind.register} {zero}, {kind.register} {found}"
        text.line(f"store {kind.register} {text.register(chosen)}, ptr {self.partial}")
        self._add_to_total()


class Columns(Reducer):
    """Reduces all rows to one row, an element at a time."""

    def __init__(self, text: Text, reduction: Reduction, made: str, rows: str, count: str) -> None:
        super().__init__(text, reduction, rows, count)
        self.made = made
        self.seen = text.local("i8")  # whether there was a row before this one
        self.row_number = ""

    def start(self) -> None:
        text, kind = self.text, self.kind
        if self.reduction.is_sum and (not self.count.isdigit() or self.count == "1"):
            # NumPy adds a single column as if it were a row.
            text.leave_if(text.register(f"icmp eq i64 {self.count}, 1"), Exit.ORDER)
        if self.reduction.start is None or self.node.op.name == "mean":
            self.leave_if_empty(self.rows)
        text.line(f"store i8 0, ptr {self.seen}")
        if self.reduction.start is not None:
            loop = Counted(text, self.count)
            place = moved(text, self.made, loop.index, str(kind.itemsize))
            text.line(f"store {kind.memory} {self.first_value()}, ptr {place}")
            loop.close()

    def take(self, place: str, step: str, offset: str, count: str) -> None:
        text, size = self.text, str(self.kind.itemsize)
        target = moved(text, self.made, offset, size)
        if self.reduction.start is not None:
            self._reduce(target, place, step, count)
            return
        first, others, join = (text.label(stem) for stem in ("first", "others", "joined"))
        seen = text.register(f"load i8, ptr {self.seen}")
        is_first = text.register(f"icmp eq i8 {seen}, 0")
        text.line(f"br i1 {is_first}, label %{first}, label %{others}")
        text.start(first)
        loop = Counted(text, count)
        source = moved(text, place, loop.index, step)
        element = text.register(f"load {self.kind.memory}, ptr {source}")
        text.line(
            f"store {self.kind.memory} {element}, ptr {moved(text, target, loop.index, size)}"
        )
        loop.close()
        text.line(f"br label %{join}")
        text.start(others)
        self._reduce(target, place, step, count)
        text.line(f"br label %{join}")
        text.start(join)

    def _reduce(self, target: str, place: str, step: str, count: str) -> None:
        size = str(self.kind.itemsize)
        self.reduction.loop.call(self.text, [(target, size), (place, step), (target, size)], count)

    def end_row(self) -> None:
        self.text.line(f"store i8 1, ptr {self.seen}")

    def finish(self) -> None:
        if self.node.op.name != "mean":
            return
        text, kind = self.text, self.kind
        loop = Counted(text, self.count)
        place = moved(text, self.made, loop.index, str(kind.itemsize))
        total = text.register(f"load {kind.register}, ptr {place}")
        text.line(f"store {kind.register} {self.mean(total, self.rows)}, ptr {place}")
        loop.close()
