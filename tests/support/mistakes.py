"""The mistakes of a beginner: small programs, each with the message that the library answers.

    == branches that give a number and a text ==
    (the program; np, rt and autograph are imported)
    -- says
    (the type and the text of the error, its notes, and warnings)
    -- repaired
    (optional: the program with the remedy of the message, which works)

A file of `cases/mistakes/` has the mistakes of one subject; `make bless` rewrites the messages.
"""

import contextlib
import io
import linecache
import re
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import installed  # noqa: F401  (the package `matrices`)
import numpy as np
from warning_records import recorded_warnings

import autograph
import runtime as rt

FOLDER = Path(__file__).parents[1] / "cases" / "mistakes"
HEADING = re.compile(r"^== (.+) ==$", re.MULTILINE)
SAYS, REPAIRED = "-- says", "-- repaired"
NAME = "model.py"


@dataclass
class Mistake:
    """A program that a beginner writes, and the message about it."""

    subject: str
    title: str
    program: str
    says: str
    repaired: str = ""

    @property
    def name(self) -> str:
        """The name of its test."""
        return f"{self.subject}: {self.title}"


def read(path: Path) -> list[Mistake]:
    """The mistakes of a file."""
    _, *parts = HEADING.split(path.read_text())
    found = []
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        program, _, says = body.partition(f"\n{SAYS}\n")
        says, _, repaired = says.partition(f"\n{REPAIRED}\n")
        program, repaired = (text.strip("\n") + "\n" for text in (program, repaired))
        found.append(Mistake(path.stem, title, program, says.strip("\n"), repaired.lstrip("\n")))
    return found


def write(path: Path, mistakes: list[Mistake]) -> None:
    """Writes the mistakes of a file."""
    texts = []
    for m in mistakes:
        repaired = f"{REPAIRED}\n{m.repaired}" if m.repaired else ""
        texts.append(f"== {m.title} ==\n{m.program}{SAYS}\n{m.says}\n{repaired}")
    path.write_text("\n".join(texts))


def answered(source: str, given: types.ModuleType = rt) -> tuple[str, BaseException | None]:
    """The message that the library answers to a program, and the error; `given` is its `rt`."""
    linecache.cache[NAME] = len(source), None, source.splitlines(True), NAME
    module = types.ModuleType("model")
    vars(module).update(np=np, rt=given, autograph=autograph, __file__=NAME)
    sys.modules["model"] = module
    lines, error = [], None
    with recorded_warnings() as issued, contextlib.redirect_stdout(io.StringIO()):
        try:
            exec(compile(source, NAME, "exec"), vars(module))
        except Exception as caught:
            error = caught
        finally:
            del sys.modules["model"]
    for one in issued:
        lines.append(f"{one.category.__name__} ({one.filename}, line {one.lineno}): {one.message}")
    if error is not None:
        lines += f"{type(error).__name__}: {error}".splitlines()
        for note in getattr(error, "__notes__", ()):
            lines += note.splitlines()
    text = "\n".join(line.rstrip() for line in lines)
    # Python says at which call the stack was full, which depends on the depth of the caller.
    return re.sub("(maximum recursion depth exceeded).*", r"\1", text), error
