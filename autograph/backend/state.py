"""The variables of a block, as generated code passes them to a backend."""

from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any


class Undefined:
    """The value, in a state, of a variable that has none.

    Only backends see it; in the user's code the variable stays unbound.
    """

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"<undefined {self.name}>"


class Unset:
    """The value of a generated variable that is always bound before it is read."""

    def __repr__(self) -> str:
        return "<unset>"


UNSET = Unset()


class State:
    """The variables that a block may bind and that may be read after it."""

    __slots__ = ("get_state", "names", "set_state")

    def __init__(
        self,
        names: tuple[str, ...],
        get_state: Callable[[], tuple[Any, ...]] | None,
        set_state: Callable[..., Any] | None,
    ):
        self.names = names
        self.get_state = get_state
        self.set_state = set_state

    def get(self) -> tuple[Any, ...]:
        """The values of the variables, with `Undefined` for those that are unbound."""
        if self.get_state is None:
            return ()
        try:
            return self.get_state()
        except NameError:
            return tuple(self._read(name) for name in self.names)

    def set(self, values: tuple[Any, ...]) -> None:
        """Binds the variables, and unbinds those whose value is `Undefined`."""
        if self.set_state is None:
            return
        self.set_state(tuple(values))
        for name, value in zip(self.names, values, strict=True):
            if isinstance(value, Undefined):
                self._delete(name)

    def _cell(self, name: str) -> CellType | None:
        setter = self._setter()
        code, cells = setter.__code__, setter.__closure__ or ()
        return cells[code.co_freevars.index(name)] if name in code.co_freevars else None

    def _setter(self) -> FunctionType:
        assert isinstance(self.set_state, FunctionType)
        return self.set_state

    def _read(self, name: str) -> Any:
        cell = self._cell(name)
        try:
            return self._setter().__globals__[name] if cell is None else cell.cell_contents
        except (KeyError, ValueError):
            return Undefined(name)

    def _delete(self, name: str) -> None:
        cell = self._cell(name)
        if cell is None:
            del self._setter().__globals__[name]
        else:
            del cell.cell_contents
