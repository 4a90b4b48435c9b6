"""The memory layouts of saved arrays (`ir/layout.py`): sums of loaded functions keep their bits.

    "layout": {"memory": [40, 3], "axes": [1, 0], "backwards": [0]}

The file holds the memory: `axes[i]` is its axis that is axis `i` of the array, `backwards` are the
axes of the memory that the array shows in reverse.  An axis of the memory may have one element more
than is shown; an axis of two elements at the end, of which the first is shown, keeps others apart.
"""

from typing import Any

from runtime.ir.layout import Layout, part_of_axis


def layout_record(layout: Layout) -> dict[str, Any]:
    """A layout as JSON."""
    backwards = [
        axis
        for axis, part in enumerate(layout.part)
        if isinstance(part, slice) and part.step is not None
    ]
    return {"memory": list(layout.sizes), "axes": list(layout.axes), "backwards": backwards}


def layout_from(record: Any, shape: tuple[int, ...]) -> Layout:
    """The layout of an array of a shape.  Raises `ValueError` if the record does not fit it."""
    if type(record) is not dict or set(record) != {"memory", "axes", "backwards"}:
        raise ValueError("a layout has other entries than a layout")
    memory, axes, backwards = (record[name] for name in ("memory", "axes", "backwards"))
    for numbers in (memory, axes, backwards):
        if type(numbers) is not list or not all(type(number) is int for number in numbers):
            raise ValueError("a layout has other entries than lists of integers")
    rank = len(shape)
    if sorted(axes) != list(range(rank)) or not set(backwards) <= set(axes):
        raise ValueError("a layout has other axes than its array")
    shown = [shape[axes.index(axis)] for axis in range(rank)]
    if memory[rank:] not in ([], [2]) or len(memory) < rank:
        raise ValueError("a layout has another rank than its array")
    if any(size - one not in (0, 1) for size, one in zip(memory, shown, strict=False)):
        raise ValueError("a layout has other sizes than its array")
    part = [
        part_of_axis(one, size, axis in backwards)
        for axis, (one, size) in enumerate(zip(shown, memory, strict=False))
    ]
    return Layout(tuple(memory), (*part, *[0] * len(memory[rank:])), tuple(axes))
