"""Writes docs/errors.md, a table of the errors of the library, and a page for each of them.

    python tools/errors_page.py

The pages, docs/errors/CODE.md, come from the docstrings of the classes.  Each docstring explains
the error and has a program that raises it and one that works; the message is that of the first one.
"""

import contextlib
import heapq
import inspect
import io
import json
import operator
import re
import sys
import tempfile
import textwrap
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import autograph
import runtime as rt
from autograph.errors import Explained, with_article

DOCS = Path(__file__).parents[1] / "docs"
PAGE, FOLDER = DOCS / "errors.md", DOCS / "errors"
# The modules that the programs use.
NAMES: dict[str, Any] = {
    **{"np": np, "rt": rt, "autograph": autograph},
    **{"heapq": heapq, "json": json, "operator": operator},
}

INTRODUCTION = """\
# Errors

Every error of the library names the fault, the line, the reason and a remedy; its message ends
with a code. Each code has a page, with a program that is refused, the message, and a program that
works. The classes are in `rt.errors`. A `StagingError` is a `TypeError`; while a function is
traced, handlers in it do not see one: a refusal never becomes a result.

The programs use `import numpy as np`, `import runtime as rt`, `import autograph`, and modules of
the standard library. `tools/errors_page.py` makes these pages from the docstrings of the classes.

| code | class | fault |
|---|---|---|
"""
CONTENTS = """
```{toctree}
:hidden:
:glob:

errors/*
```
"""


def kinds() -> list[type[Explained]]:
    """The classes of errors, by their codes."""
    found = [kind for kind in vars(rt.errors).values() if _is_kind(kind)]
    return sorted(found, key=lambda kind: kind.code)


def _is_kind(value):
    return inspect.isclass(value) and issubclass(value, Explained) and value is not Explained


def programs(kind: type[Explained]) -> dict[str, str]:
    """The programs in the docstring of a class, by their heading: `Refused` and `Works`."""
    parts = re.split(r"^(Refused|Works):\n", inspect.cleandoc(kind.__doc__ or ""), flags=re.M)
    return {
        heading: textwrap.dedent(text).strip() + "\n"
        for heading, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def spaced(program: str) -> str:
    """A program with two blank lines around its functions, as it appears on the page."""
    lines: list[str] = []
    for line in program.splitlines():
        inside = line[:1] in ("", " ", ")")
        after_decorator = bool(lines) and lines[-1].startswith("@")
        follows = bool(lines) and lines[-1][:1] in ("", " ")
        starts = line.startswith(("def ", "class ", "@", "async "))
        if lines and not inside and not after_decorator and (starts or follows):
            while lines and not lines[-1]:
                lines.pop()
            lines += ["", ""] if starts or lines[-1].startswith(" ") else [""]
        lines.append(line)
    return "\n".join(lines) + "\n"


def message_of(kind: type[Explained], program: str) -> str:
    """The message of the error that a program raises; its file is called example.py."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.py"
        path.write_text(program)
        sys.path.insert(0, folder)
        try:
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                exec(compile(program, str(path), "exec"), {"__name__": "example", **NAMES})
        except kind as error:
            return str(error).replace(f"{folder}/", "")
        finally:
            sys.path.remove(folder)
    raise AssertionError(f"the program of {kind.__name__} is not refused")


def summary_of(kind: type[Explained]) -> str:
    """The text of a docstring before its programs."""
    return re.split(r"^Refused:\n", inspect.cleandoc(kind.__doc__ or ""), flags=re.M)[0].strip()


def page_of(kind: type[Explained]) -> str:
    """The page of a class."""
    bases = [base.__name__ for base in kind.__bases__ if base is not Explained]
    text = [f"# {kind.code} {kind.__name__}", "", summary_of(kind), ""]
    if bases:
        article = with_article(bases[0]).split()[0]
        text += [f"It is {article} {', '.join(f'`{base}`' for base in bases)}.", ""]
    for heading, program in programs(kind).items():
        shown = spaced(program)
        text += [f"{heading}:", "", "```py", shown.rstrip(), "```", ""]
        if heading == "Refused":
            text += ["The message:", "", "```text", message_of(kind, shown), "```", ""]
    return "\n".join(text).rstrip() + "\n"


def page() -> str:
    """The text of the page that lists all of them."""
    rows = []
    for kind in kinds():
        first = summary_of(kind).split("\n\n")[0].replace("\n", " ").replace("|", "\\|")
        rows.append(f"| [{kind.code}](errors/{kind.code}.md) | `{kind.__name__}` | {first} |\n")
    return INTRODUCTION + "".join(rows) + CONTENTS


def pages() -> dict[Path, str]:
    """The texts of all pages, by their files."""
    return {PAGE: page()} | {FOLDER / f"{kind.code}.md": page_of(kind) for kind in kinds()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text)
