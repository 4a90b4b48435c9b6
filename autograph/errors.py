"""Errors with four parts: the fault, its location, the reason, and a remedy.

    ConversionError: clip cannot be converted: its source is not available
      <string>, line 3
    Its source was typed at a prompt or passed to exec, so it cannot be read back.
    Write it in a file, or pass the source: to_graph(clip, source=...)

Every message has these four parts, in the user's words and names.  The location shows the user's
line, with a caret under the code that is meant.
"""

import ast
import re
from dataclasses import dataclass
from typing import Self

from autograph.syntax import sources
from autograph.syntax.sources import shown_name as shown_name


class Explained(Exception):
    """An error with four parts and a code, which its message ends with: docs/errors.md."""

    code = "AG000"

    @classmethod
    def about(
        cls, what: str, where: "SourceLocation | str | None", why: str = "", remedy: str = ""
    ) -> Self:
        """The error, from the four parts of its message."""
        return cls(f"{message(what, where, why, remedy)}  [{cls.code}]")


# -- functions that cannot be converted ------------------------------------------------------------


class ConversionError(Explained):
    """A function cannot be converted; no function is ever left unconverted silently.

    To leave the function that the message names unconverted, decorate it with
    `@autograph.do_not_convert`.

    Refused:
        autograph.to_code(len)
    Works:
        def length(x):
            return len(x)

        autograph.to_code(length)
    """

    code = "AG001"


class NoSource(ConversionError):
    """A function has no Python source; converted code calls it unconverted.

    Refused:
        names = {}
        exec("def double(x): return 2 * x", names)
        autograph.to_graph(names["double"])
    Works:
        names, text = {}, "def double(x): return 2 * x"
        exec(text, names)
        autograph.to_graph(names["double"], source=text)
    """

    code = "AG002"


class StaleSourceError(ConversionError):
    """The source that Python finds is not the one that the function was compiled from.

    Refused:
        text = "def double(x): return 2 * x"
        names = {}
        exec(text, names)
        autograph.to_graph(names["double"], source="def double(x): return 3 * x")
    Works:
        text = "def double(x): return 2 * x"
        names = {}
        exec(text, names)
        autograph.to_graph(names["double"], source=text)
    """

    code = "AG003"


class ConversionWarning(UserWarning):
    """Converted code calls a function whose source cannot be read: the function stays Python.

    Its file was edited after it was imported, or a tool generated the function under the name of a
    file of the user.  To request the function's conversion itself raises `ConversionError`.
    """


# -- code that cannot be staged --------------------------------------------------------------------


class StagingError(Explained, TypeError):
    """Code needs a staged value before the run, or uses an operation that cannot be staged.

    While a function is staged, no handler in it sees this error: `autograph/staging/refusals.py`.
    """

    code = "AG100"
    is_misuse = False  # of an object, in code that is not staged; the code may handle it


class Refused(BaseException):
    """Carries a `StagingError` through code that is being staged, past its handlers."""

    def __init__(self, error: StagingError):
        super().__init__(str(error))
        self.error = error


class ValueNeededError(StagingError):
    """Python needs a value that is known only when the graph runs: its truth, length or digits.

    Refused:
        @autograph.do_not_convert
        def sign(x):
            return 1 if x > 0 else -1

        rt.function(sign)(np.float64(2.0))
    Works:
        def sign(x):
            return 1 if x > 0 else -1

        rt.function(sign)(np.float64(2.0))
    """

    code = "AG101"


class OneSidedError(StagingError):
    """A key or attribute exists after one path through a staged branch or loop only.

    Refused:
        found = {}

        @rt.function
        def note(x):
            if x > 0:
                found["positive"] = x

        note(np.float64(2.0))
    Works:
        found = {"positive": 0.0}

        @rt.function
        def note(x):
            if x > 0:
                found["positive"] = x

        note(np.float64(2.0))
    """

    code = "AG203"


class HandledInRunError(StagingError):
    """A `try` has a handler or `finally` for an exception that only a run can raise.

    Python computes the result of a call whose run raises the exception.  The effects of runs do not
    happen twice.  The `try` is refused if effects have happened while the graph was being built, or
    if their results are used.

    Refused:
        @rt.function
        def element(x, i):
            print("looking")
            try:
                return x[i]
            except IndexError:
                return 0.0

        element(np.ones(3), np.int64(5))
    Works:
        @rt.function
        def element(x, i):
            return x[i] if i < 3 else 0.0

        element(np.ones(3), np.int64(5))
    """

    code = "AG204"


class IterationError(StagingError):
    """How often code iterates, or over what, depends on the run in a way that graphs do not have.

    Refused:
        @rt.function
        def doubled(n):
            return frozenset(2 * i for i in range(n))

        doubled(np.int64(3))
    Works:
        @rt.function
        def doubled(n):
            return [2 * i for i in range(n)]

        doubled(np.int64(3))
    """

    code = "AG207"


class ContainerError(StagingError):
    """A container whose changes cannot be staged is changed in a staged branch or loop.

    Refused:
        names = set()

        @rt.function
        def seen(x):
            if x > 0:
                names.add("positive")
            return len(names)

        seen(np.float64(2.0))
    Works:
        @rt.function
        def seen(x):
            names = set()
            if x > 0:
                names.add("positive")
            return len(names)

        seen(np.float64(2.0))
    """

    code = "AG305"


class GivenArgumentError(StagingError):
    """A function that a run calls has changed its argument, or keeps one that the program changes.

    The function gets a copy of each array, list or dict, so the change would be lost.

    Refused:
        def fill(array):
            array[:] = 7

        @rt.function
        def filled(x):
            y = x * 2
            rt.host_call(fill, y)
            return y

        filled(np.ones(3))
    Works:
        def sevens(array):
            return np.full_like(array, 7)

        @rt.function
        def filled(x):
            y = x * 2
            return rt.host_call(sevens, y, like=y)

        filled(np.ones(3))
    """

    code = "AG403"


class LibraryResultError(StagingError):
    """A function of a package has returned another type than the graph states, or an array that is
    still in use elsewhere and that the program changes.

    Refused:
        @rt.function
        def third(x):
            kind = rt.TensorSpec((), np.float64)
            return rt.library_call(lambda x: int(x) // 3, x, result=kind) + 1

        third(np.float64(7.0))
    Works:
        @rt.function
        def third(x):
            kind = rt.TensorSpec((), np.float64)
            return rt.library_call(lambda x: x // 3, x, result=kind) + 1

        third(np.float64(7.0))
    """

    code = "AG404"


# -- messages --------------------------------------------------------------------------------------


LONG = 40  # characters of an expression that messages show


@dataclass
class SourceLocation:
    """A location in the user's source: file, line from 1, and columns from 0, in characters.

    `inner` is the one in a converted package that the user's code has called, if there is one.
    """

    filename: str
    lineno: int
    function: str = ""
    start: int | None = None
    end: int | None = None
    text: str | None = None
    inner: "SourceLocation | None" = None

    @property
    def expression(self) -> str:
        """The text of the expression; "" if its columns are not known, or if it is long."""
        if self.start is None:
            return ""
        text = sources.line(self.filename, self.lineno)[self.start : self.end]
        if text.startswith("{") and text.endswith("}"):  # a part of an f-string, from 3.12 on
            text = "" if '"' in text else f'f"{text}"'
        try:
            ast.parse(text, mode="eval")
        except SyntaxError:  # a part of a statement, such as `for x in xs`
            return ""
        return text if len(text) <= LONG else ""

    def __str__(self):
        inside = f", in {self.function}" if self.function else ""
        lines = [f"  {sources.shown_name(self.filename)}, line {self.lineno}{inside}"]
        text = self.text
        if text is None:
            text = sources.line(self.filename, self.lineno)
        text = text.rstrip("\n")
        if text.strip():
            margin = len(text) - len(text.lstrip())
            lines.append("      " + text.strip())
            if self.start is not None:
                start = max(self.start - margin, 0)
                end = len(text.strip()) if self.end is None else self.end - margin
                lines.append("      " + " " * start + "^" * max(end - start, 1))
        if self.inner is not None:
            lines.append(str(self.inner))
        return "\n".join(lines)


def message(what: str, where: SourceLocation | str | None, why: str = "", remedy: str = "") -> str:
    """An error message from its four parts; empty parts are omitted."""
    return "\n".join(str(part) for part in (what, where, why, remedy) if part)


# Names whose first sound is a vowel: "ay", "ell", "ar tee" for a letter that is read as one.
VOWEL = re.compile(
    r"(?!one|once|eu)[aeio]|u(?!n[iu]|i|\d|[^aeiou\W\d_][aeiou])|hour|rt\.|nd[a-z]|[fhlmnrsx]\d"
)
LETTER = re.compile(r"[AEFHILMNORSX](?![a-z])")


def with_article(name: object) -> str:
    """A name after the article with which it is read.

    >>> [with_article(name) for name in ("list", "OrderedDict", "rt.Variable", "SGD", "uint8")]
    ['a list', 'an OrderedDict', 'an rt.Variable', 'an SGD', 'a uint8']
    """
    read = str(name).lstrip("_")
    word = read[:1].lower() + read[1:] if read[1:2].islower() else read
    return f"{'an' if VOWEL.match(word) or LETTER.match(word) else 'a'} {name}"
