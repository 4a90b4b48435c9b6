"""The variables that expressions bind, as the state of the branches that they become.

    x > 0 and (y := f(x)) > 1     the rest of the `and` is a branch that binds y
    match x: case [a, b]: ...     the function that chooses the case binds a and b

Converted statements pass their state to the backend.  Expressions do not; their state is read from
the bytecode of their functions.
"""

from collections.abc import Callable
from types import CellType
from typing import Any

from autograph.backend import State, Undefined
from autograph.functions.bytecode import bound_names
from autograph.staging.block_functions import block_functions


def walrus_state(*blocks: Callable) -> State:
    """The variables of enclosing functions that blocks, or the blocks nested in them, bind."""
    cells: dict[int, tuple[str, CellType]] = {}
    for function in block_functions(list(blocks)):
        code = function.__code__
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            if name in bound_names(code):
                cells[id(cell)] = name, cell
    if not cells:
        return State((), None, None)
    names, found = zip(*cells.values(), strict=True)
    return _CellState(names, found)


class _CellState(State):
    """A state whose values are in cells."""

    __slots__ = ("_cells",)

    def __init__(self, names: tuple[str, ...], cells: tuple[CellType, ...]):
        super().__init__(names, self._read_all, self._write_all)
        self._cells = cells

    def set(self, values: tuple) -> None:
        self._write_all(tuple(values))

    def _read_all(self) -> tuple:
        return tuple(map(_content, self._cells, self.names))

    def _write_all(self, values: tuple) -> None:
        for cell, value in zip(self._cells, values, strict=True):
            if not isinstance(value, Undefined):
                cell.cell_contents = value
            elif not isinstance(_content(cell, ""), Undefined):
                del cell.cell_contents


def _content(cell: CellType, name: str) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return Undefined(name)
