"""How the elements of a view lie in memory: an address, sizes, and steps in bytes."""

from dataclasses import dataclass

from runtime.engines.native.text import Text, is_number


@dataclass(frozen=True)
class View:
    """The elements of an array from an address on.

    `contiguous` says how many of the last axes follow each other at one distance, `is_reversed`
    whether an axis runs backwards, and `is_grown` whether an axis is new or repeats elements.
    """

    address: str
    sizes: tuple[str, ...]
    steps: tuple[str, ...]
    contiguous: int
    is_reversed: bool = False
    is_transposed: bool = False
    is_grown: bool = False

    def is_dense(self, itemsize: int) -> bool:
        """Whether the elements are known to lie one after the other, in their order.

        The distance in a column, `a[:, 0]`, is that of two rows.
        """
        is_straight = not (self.is_reversed or self.is_transposed or self.is_grown)
        is_even = self.contiguous == len(self.sizes)
        return is_straight and is_even and self.steps[-1:] in ((), (str(itemsize),))


def times(text: Text, x: str, y: str) -> str:
    """The product of two sizes."""
    if is_number(x) and is_number(y):
        return str(int(x) * int(y))
    if "0" in (x, y):
        return "0"
    if "1" in (x, y):
        return y if x == "1" else x
    return text.register(f"mul i64 {x}, {y}")


def moved(text: Text, address: str, count: str, step: str) -> str:
    """An address after some elements of a size in bytes."""
    offset = times(text, count, step)
    if offset == "0":
        return address
    return text.register(f"getelementptr i8, ptr {address}, i64 {offset}")
