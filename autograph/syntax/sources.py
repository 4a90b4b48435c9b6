"""The source that functions were compiled from: from `linecache`, or passed by the user.

`linecache` has files, notebook cells, doctests, the prompt of 3.13, and sources registered with it.
It does not have code that was passed to `exec`: there the user passes the source, as in
`to_graph(fn, source=text)`, which is kept as long as the function's code exists.
"""

import linecache
import sys
import weakref
from types import CodeType, FunctionType

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
    linecache.lazycache(filename, function.__globals__)
    return linecache.getlines(filename, function.__globals__)


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
