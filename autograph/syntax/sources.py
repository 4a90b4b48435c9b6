"""The source that functions were compiled from: from `linecache`, or passed by the user.

`linecache` has files, notebook cells, doctests, the prompt of 3.13, and sources registered with it.
It does not have code that was passed to `exec`: there the user passes the source, as in
`to_graph(fn, source=text)`, which is kept as long as the function's code exists.

The lines of a file that only this library reads are not left in `linecache`, which keeps them for
good; those of the files that were read last are kept here.
"""

import io
import linecache
import sys
import weakref
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """Values for the files that were used last."""

    def __init__(self, size: int = 4):
        self._size = size
        self._known: dict[str, T] = {}

    def get(self, filename: str) -> T | None:
        """The value for a file, or None."""
        return self._known.get(filename)

    def add(self, filename: str, value: T) -> None:
        """Adds the value for a file; the oldest one is forgotten."""
        self.forget(filename)
        while len(self._known) >= self._size:
            self.forget(next(iter(list(self._known)), filename))
        self._known[filename] = value

    def forget(self, filename: str) -> None:
        """Forgets the value for a file."""
        self._known.pop(filename, None)

    def __iter__(self) -> Iterator[T]:
        return iter(list(self._known.values()))


_read: Recent[str] = Recent()  # the texts of files: their lines would take twice the room
_split: Recent[list[str]] = Recent(1)  # the lines of the file that was read last

_given: dict[str, dict[int, tuple[weakref.ref, list[str]]]] = {}  # by file name and id of a code


def give(text: str, code: CodeType) -> None:
    """Adds `text` to the sources that functions of the code's file may have been compiled from."""
    filename, key = code.co_filename, id(code)
    gone = weakref.ref(code, lambda _: _forget(filename, key))
    _given.setdefault(filename, {})[key] = gone, text.splitlines(True)


def _forget(filename, key):
    known = _given.get(filename, {})
    known.pop(key, None)
    if not known:
        _given.pop(filename, None)


# File names that many sources share; since 3.13 `linecache` has one of these (python -c).
SHARED_NAMES = ("<string>", "<stdin>", "<unknown>")


def file_of(function: FunctionType) -> list[str]:
    """The lines of a function's file; none if it is not known."""
    filename = function.__code__.co_filename
    known = linecache.cache.get(filename)
    if known is not None and len(known) > 1:
        return linecache.getlines(filename)
    text, found = _read.get(filename), _split.get(filename)
    if text is not None and found is None:
        found = io.StringIO(text).readlines()
        _split.add(filename, found)
    if text is None or found is None:
        linecache.lazycache(filename, function.__globals__)
        found = linecache.getlines(filename, function.__globals__)
        if known is None:
            linecache.cache.pop(filename, None)
        else:
            linecache.cache[filename] = known  # how to ask the loader for it
        if found:
            _read.add(filename, "".join(found))
    return found


def forget_old(filename: str) -> None:
    """Forgets the lines of a file that may have changed since they were read."""
    linecache.checkcache(filename)
    _read.forget(filename)
    _split.forget(filename)


def texts_of(function: FunctionType) -> list[list[str]]:
    """The sources that a function may have been compiled from, each as its lines."""
    lines = file_of(function)
    return ([lines] if lines else []) + _given_for(function.__code__.co_filename)


def _given_for(filename):
    return [lines for _, lines in list(_given.get(filename, {}).values())]


def lines(filename: str) -> list[str]:
    """The lines of a file; none if it is not known, or if several sources have its name."""
    found = linecache.getlines(filename)
    if not found:
        given = _given_for(filename)
        if len({tuple(lines) for lines in given}) == 1:
            return given[0]
    return found


def line(filename: str, lineno: int) -> str:
    """A line of a file, numbered from 1; empty if there is none."""
    known = lines(filename)
    return known[lineno - 1] if 1 <= lineno <= len(known) else ""


def shown_name(filename: str, with_label: bool = True) -> str:
    """A file's name as messages show it: `Cell In[3]` for a cell of a notebook.

    IPython compiles a cell under the name of a file that does not exist, and knows its number.
    Without `with_label`, a cell is `In[3]`.
    """
    if "IPython" not in sys.modules:
        return filename
    try:
        label, name = sys.modules["IPython"].get_ipython().compile.format_code_name(filename)
    except (AttributeError, TypeError):  # no shell is running, or the file is not a cell
        return filename
    return f"{label} {name}" if with_label else name
