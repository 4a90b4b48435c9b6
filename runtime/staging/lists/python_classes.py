"""Classes that stand for Python's own while a graph is recorded: their names and methods in errors.

    abs([])         TypeError: bad operand type for abs(): 'list'      not: 'TraceList'
    z.append()      TypeError: list.append() takes exactly one argument (0 given)

Programs show these texts, or look for words in them.
"""

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
HEAP_TYPE = 1 << 9  # in the flags of classes that a `class` statement makes


def named_as(kind: type) -> Callable[[type[T]], type[T]]:
    """A decorator: the interpreter's errors name a class like `kind`, which it replaces.

    The qualified name, which `repr` shows and `pickle` uses, stays its own.
    """

    def name(own: type[T]) -> type[T]:
        own.__name__ = _in_errors(kind)
        return own

    return name


def _in_errors(kind: type) -> str:
    """The name of a class in errors: those that are written in C have their module in it."""
    is_short = kind.__flags__ & HEAP_TYPE or kind.__module__ == "builtins"
    return kind.__name__ if is_short else f"{kind.__module__}.{kind.__name__}"


def method_of_list(name: str, own: Callable, first: Callable[[Any], None] | None = None) -> Any:
    """The method `own`, in place of a method of `list`; `first` is called with the list before.

    Arguments that it does not take raise the exception of the method of `list`.
    """

    def method(self: Any, *args: Any, **options: Any) -> Any:
        if first is not None:
            first(self)
        try:
            return own(self, *args, **options)
        except TypeError as error:
            traceback = error.__traceback__
            if traceback is None or traceback.tb_next is not None:  # its code has begun
                raise
        return getattr(list, name)([], *args, **options)

    method.__name__ = name
    return method
