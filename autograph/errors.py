"""Errors of the transpiler: what is wrong, where, why, and what to do.

    ConversionError: the source of `clip` is not available
      <string>, line 3, in clip
    It was made by exec, and nothing keeps the text that it was made from.
    Write it in a file, or pass the text: to_graph(clip, source=...).

Every message has these four parts, in the user's words and names.  `where` adds the user's line
with a caret under the code that is meant.
"""

from dataclasses import dataclass

from autograph.syntax import sources


class ConversionError(Exception):
    """A function that was to be converted cannot be; nothing is ever left unconverted silently.

    The way out is `@autograph.do_not_convert` on the function that the message names.
    """


class StagingError(TypeError):
    """Code needs the value of something staged before a run, or does what cannot be staged."""


class NoSource(ConversionError):
    """A function has no source in Python; where converted code calls it, it runs as it is."""


@dataclass
class SourceLocation:
    """A piece of the user's source: a file, a line from 1, and columns from 0 in characters."""

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
    """The text of an error from its four parts; empty parts are left out."""
    return "\n".join(str(part) for part in (what, where, why, remedy) if part)
