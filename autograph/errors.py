"""Errors with four parts: the fault, its location, the reason, and a remedy.

    ConversionError: clip cannot be converted: its source is not available
      <string>, line 3
    Its source was typed at a prompt or passed to exec, so it cannot be read back.
    Write it in a file, or pass the source: to_graph(clip, source=...)

Every message has these four parts, in the user's words and names.  The location shows the user's
line, with a caret under the code that is meant.
"""

from dataclasses import dataclass

from autograph.syntax import sources


class ConversionError(Exception):
    """A function cannot be converted; no function is ever left unconverted silently.

    To leave the function that the message names unconverted, decorate it with
    `@autograph.do_not_convert`.
    """


class StagingError(TypeError):
    """Code needs a staged value before the run, or uses an operation that cannot be staged.

    While a function is staged, no handler in it sees this error: `autograph/staging/refusals.py`.
    """

    is_misuse = False  # of an object, in code that is not staged; the code may handle it


class ConversionWarning(UserWarning):
    """Converted code calls a function whose source cannot be read: the function stays Python.

    Its file was edited after it was imported, or a tool generated the function under the name of a
    file of the user.  To request the function's conversion itself raises `ConversionError`.
    """


class NoSource(ConversionError):
    """A function has no Python source; converted code calls it unconverted."""


@dataclass
class SourceLocation:
    """A location in the user's source: file, line from 1, and columns from 0, in characters."""

    filename: str
    lineno: int
    function: str = ""
    start: int | None = None
    end: int | None = None
    text: str | None = None

    def __str__(self):
        inside = f", in {self.function}" if self.function else ""
        lines = [f"  {self.filename}, line {self.lineno}{inside}"]
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
        return "\n".join(lines)


def message(what: str, where: SourceLocation | str | None, why: str = "", remedy: str = "") -> str:
    """An error message from its four parts; empty parts are omitted."""
    return "\n".join(str(part) for part in (what, where, why, remedy) if part)
