"""The variables that expressions bind, as the state of the branches that they become.

    x > 0 and (y := f(x)) > 1     the rest of the `and` is a branch that binds y
    match x: case [a, b]: ...     what decides binds a and b

Statements hand over their state.  Expressions do not: it is read from their functions' code.
"""

import dis
import functools
from collections.abc import Callable
from types import CellType, CodeType
from typing import Any

from autograph.backend import State, Undefined
from autograph.staging.heap_diff import block_functions

BINDS = {"STORE_DEREF", "DELETE_DEREF"}


def variables_of(*blocks: Callable) -> State:
    """The variables around some functions that they, or the blocks inside them, bind."""
    cells: dict[int, tuple[str, CellType]] = {}
    for function in block_functions(list(blocks)):
        code = function.__code__
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            if name in _bound(code):
                cells[id(cell)] = name, cell
    return _Cells(*zip(*cells.values(), strict=True)) if cells else State((), None, None)


@functools.lru_cache(4096)
def _bound(code: CodeType) -> frozenset[str]:
    """The variables of functions around it that a code binds."""
    bound = {step.argval for step in dis.get_instructions(code) if step.opname in BINDS}
    return frozenset(bound.intersection(code.co_freevars))


class _Cells(State):
    """A state that is held by cells."""

    __slots__ = ("_cells",)

    def __init__(self, names: tuple[str, ...], cells: tuple[CellType, ...]):
        super().__init__(names, self._held, self._hold)
        self._cells = cells

    def set(self, values: tuple) -> None:
        self._hold(tuple(values))

    def _held(self):
        return tuple(map(_value_in, self._cells, self.names))

    def _hold(self, values):
        for cell, value in zip(self._cells, values, strict=True):
            if not isinstance(value, Undefined):
                cell.cell_contents = value
            elif not isinstance(_value_in(cell, ""), Undefined):
                del cell.cell_contents


def _value_in(cell: CellType, name: str) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return Undefined(name)
