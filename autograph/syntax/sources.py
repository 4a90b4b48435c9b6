"""The texts that functions were compiled from: those that `linecache` knows, and those given.

`linecache` knows files, notebook cells, doctests, the prompt of 3.13, and whatever was registered
with it.  What `exec` compiles it does not know: there the user gives the text, as in
`to_graph(fn, source=text)`, and it is known for as long as the function's code is there.
"""

import linecache
import weakref
from types import CodeType, FunctionType

_given: dict[str, dict[int, tuple[weakref.ref, list[str]]]] = {}  # by file name and id of a code


def give(text: str, code: CodeType) -> None:
    """Makes `text` one that functions of the code's file may have been compiled from."""
    filename, key = code.co_filename, id(code)
    gone = weakref.ref(code, lambda _: _forget(filename, key))
    _given.setdefault(filename, {})[key] = gone, text.splitlines(True)


def _forget(filename, key):
    known = _given.get(filename, {})
    known.pop(key, None)
    if not known:
        _given.pop(filename, None)


# Names under which many texts are compiled; from 3.13 on `linecache` knows one of them (python -c).
SHARED_NAMES = ("<string>", "<stdin>", "<unknown>")


def file_of(function: FunctionType) -> list[str]:
    """The lines of a function's file, none where it is in no file that is known."""
    filename = function.__code__.co_filename
    linecache.lazycache(filename, function.__globals__)
    return linecache.getlines(filename, function.__globals__)


def texts_of(function: FunctionType) -> list[list[str]]:
    """The texts that a function may have been compiled from, each as its lines."""
    lines = file_of(function)
    return ([lines] if lines else []) + _given_for(function.__code__.co_filename)


def _given_for(filename):
    return [lines for _, lines in list(_given.get(filename, {}).values())]


def lines(filename: str) -> list[str]:
    """The lines of a file; none where it is not known, or where several texts go by its name."""
    found = linecache.getlines(filename)
    if not found:
        given = _given_for(filename)
        if len({tuple(lines) for lines in given}) == 1:
            return given[0]
    return found


def line(filename: str, lineno: int) -> str:
    """A line of a file, numbered from 1; empty where there is none."""
    known = lines(filename)
    return known[lineno - 1] if 1 <= lineno <= len(known) else ""
