"""Products of integer matrices: rows of the result in vector registers.

    y[i, j:j+16] += a[i, k] * b[k, j:j+16]         for each k, in registers; stored after the last

Integers wrap, so sums have the same bits in any order.  The rows of the right operand are
contiguous, and their length is known; for others `np.matmul` has an inner loop.
"""

from collections.abc import Iterator

from runtime.engines.native.kernels.counting import Counted
from runtime.engines.native.kinds import Kind
from runtime.engines.native.text import Text, is_number
from runtime.engines.native.view_layout import View, moved

LANES = 64  # bytes of a register
MOST = 128  # numbers in a row: the code for each register of a row is written out


def has_rows(right: View, kind: Kind, length: str) -> bool:
    """Whether the right operand has contiguous rows of a known length."""
    is_short = is_number(length) and 0 < int(length) <= MOST
    return is_short and right.steps[-1] == str(kind.itemsize)


def write(text: Text, kind: Kind, left: View, right: View, where: str, sizes: list[str]) -> None:
    """Stores the product at an address; `sizes` are the rows, the terms of a sum, the columns."""
    rows, terms, length = sizes
    text.gains_from_passes = True  # sums are in memory here
    for start, lanes in _parts(int(length), LANES // kind.itemsize):
        type = f"<{lanes} x {kind.memory}>"
        total = text.local(type)
        row = Counted(text, rows)
        text.line(f"store {type} zeroinitializer, ptr {total}")
        of_row = moved(text, left.address, row.index, left.steps[0])
        term = Counted(text, terms)
        number = text.register(
            f"load {kind.memory}, ptr {moved(text, of_row, term.index, left.steps[1])}"
        )
        one = text.register(f"insertelement {type} poison, {kind.memory} {number}, i64 0")
        given = f"{type} {one}, {type} poison, <{lanes} x i32> zeroinitializer"
        every = text.register(f"shufflevector {given}")
        of_term = moved(text, right.address, term.index, right.steps[0])
        place = moved(text, of_term, str(start), str(kind.itemsize))
        others = text.register(f"load {type}, ptr {place}, align {kind.itemsize}")
        product = text.register(f"mul {type} {every}, {others}")
        before = text.register(f"load {type}, ptr {total}")
        text.line(f"store {type} {text.register(f'add {type} {before}, {product}')}, ptr {total}")
        term.close()
        step = str(int(length) * kind.itemsize)
        place = moved(text, where, row.index, step)
        place = moved(text, place, str(start), str(kind.itemsize))
        found = text.register(f"load {type}, ptr {total}")
        text.line(f"store {type} {found}, ptr {place}, align {kind.itemsize}")
        row.close()


def _parts(length: int, most: int) -> Iterator[tuple[int, int]]:
    """The parts of a row that fit into registers: where each begins, and its length."""
    for start in range(0, length, most):
        yield start, min(most, length - start)
