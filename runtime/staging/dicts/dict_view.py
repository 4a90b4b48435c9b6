"""The views of a staged dict: `d.keys()`, `d.values()`, `d.items()`."""

from collections.abc import Callable, Iterator
from typing import Any

from runtime.staging.containers import StagedView
from runtime.staging.dicts import operations
from runtime.staging.generators import in_python
from runtime.staging.lists.trace_list import TraceList


class DictView(StagedView):
    """`d.keys()`, `d.values()` or `d.items()`: it shows what the dict holds when it is used."""

    def __init__(self, of: Any, kind: str):
        self.of, self.kind = of, kind

    def length(self) -> Any:
        """The number of elements."""
        return self.of.length()

    def plain_example(self) -> Any:
        """A view of Python of this kind."""
        return getattr({}, self.kind)()

    def text_around(self) -> tuple[str, str]:
        """The texts around that of the list."""
        return f"dict_{self.kind}(", ")"

    def as_list(self) -> TraceList:
        """A list of the elements."""
        if self.kind == "items":
            return in_python(operations.pairs_of)(self.of.keys_held, self.of.values_held)
        return self.of.held[self.kind].copy()

    def contains(self, item: Any, within: Callable) -> Any:
        """`item in view`; `within` is the operator."""
        if self.kind == "keys":
            return self.of.place(item) >= 0
        if self.kind == "values":
            return within(item, self.of.values_held)
        if not isinstance(item, tuple) or len(item) != 2:
            return False
        key, value = item
        return self.of.has_item(key, value)

    def element(self, i: Any) -> Any:
        """The element at a position."""
        keys, values = self.of.keys_held, self.of.values_held
        if self.kind == "items":
            return keys[i], values[i]
        return keys[i] if self.kind == "keys" else values[i]

    def __iter__(self) -> Iterator:
        if self.of.is_open:
            raise self.of.refused("a view")
        return iter(self.as_list())

    def __len__(self) -> int:
        return len(self.of)

    def _refused_operator(self, *others):
        raise self.of.refused("an operator of a view")

    __and__ = __or__ = __sub__ = __xor__ = __rand__ = __ror__ = __rsub__ = _refused_operator
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused_operator  # type: ignore
    __reversed__ = _refused_operator  # type: ignore
    __hash__ = None  # type: ignore[assignment]
