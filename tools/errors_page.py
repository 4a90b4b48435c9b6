"""Writes docs/errors.md: the errors of the library, from the docstrings of their classes.

    python tools/errors_page.py

Each docstring explains the error and has a program that raises it and one that works.
"""

import inspect
import re
import textwrap
from pathlib import Path

import runtime as rt
from autograph.errors import Explained, with_article

PAGE = Path(__file__).parents[1] / "docs" / "errors.md"

INTRODUCTION = """\
# Errors

Every error of the library names the fault, the line, the reason and a remedy; its message ends
with a code. This page lists the codes. The classes are in `rt.errors`. A `StagingError` is a
`TypeError`; while a function is traced, handlers in it do not see one: a refusal never becomes a
result.

The programs below use `import numpy as np`, `import runtime as rt`, `import autograph`, and modules
of the standard library. `tools/errors_page.py` makes this page from the docstrings of the classes.
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


def section(kind: type[Explained]) -> str:
    """The section of a class."""
    summary = re.split(r"^Refused:\n", inspect.cleandoc(kind.__doc__ or ""), flags=re.M)[0]
    bases = [base.__name__ for base in kind.__bases__ if base is not Explained]
    text = [f"## {kind.code} {kind.__name__}", "", summary.strip(), ""]
    if bases:
        article = with_article(bases[0]).split()[0]
        text += [f"It is {article} {', '.join(f'`{base}`' for base in bases)}.", ""]
    for heading, program in programs(kind).items():
        text += [f"{heading}:", "", "```py", program.rstrip(), "```", ""]
    return "\n".join(text)


def page() -> str:
    """The text of the page."""
    return "\n".join([INTRODUCTION, *map(section, kinds())]).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
