"""The meaning of the directives about lists for plain ones, which a library of arrays provides."""

from typing import Any

from autograph.backend.completion import complete


class PlainLists:
    """Where no library of arrays is used, the directives do nothing."""

    def set_element_type(self, items: Any, dtype: Any, shape: tuple[Any, ...] | None) -> None:
        """`set_element_type(items, dtype, shape)`"""

    def stack(self, items: Any) -> Any:
        """`stack(items)`"""
        return items


_current = PlainLists()


def current() -> PlainLists:
    """The meaning that the directives have now."""
    complete()
    return _current


def use_plain_lists(lists: PlainLists) -> None:
    """Gives the directives another meaning, in all backends."""
    global _current
    _current = lists
