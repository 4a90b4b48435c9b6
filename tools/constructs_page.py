"""Writes docs/constructs.md: each construct of Python, its converted code and its graph.

python tools/constructs_page.py
"""

import contextlib
import inspect
import io
import re
from pathlib import Path

import autograph
import runtime as rt
from tools.construct_programs import CONSTRUCTS

PAGE = Path(__file__).parents[1] / "docs" / "constructs.md"

INTRODUCTION = """\
# Construct by construct

Each section has a function, the code that `autograph.to_code` returns for it, and the graph that
`rt.function` records for a call with numbers of type `np.float64` or `np.int64`, or an array.
`tools/constructs_page.py` makes this page, and a test compares it.

The names of operators begin with `ag__`. For plain values an operator is the statement; for
values of a graph it records a node. [How conversion works](conversion.md) has the rules.
"""


def source(function) -> str:
    """The text of a program without its decorator, and of the helpers that it calls."""
    helpers = [
        value
        for name, value in vars(inspect.getmodule(function)).items()
        if inspect.isfunction(value)
        and name in function.__code__.co_names
        and value not in CONSTRUCTS
    ]
    texts = [inspect.getsource(one) for one in (*helpers, function)]
    return "\n\n\n".join(text[text.index("def ") :].rstrip() for text in texts)


def graph(function, given) -> str:
    """The optimised graph of a call, without the lines of nodes."""
    with contextlib.redirect_stdout(io.StringIO()):
        text = str(rt.function(function).get_concrete_function(*given).graph)
    return re.sub(r"  # \S+:\d+", "", text).rstrip()


def section(function, title, text, given) -> str:
    parts = [
        f"## {title}",
        text,
        f"```python\n{source(function)}\n```",
        f"Converted:\n\n```text\n{autograph.to_code(function).strip()}\n```",
        f"Graph:\n\n```text\n{graph(function, given)}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def page() -> str:
    """The text of the page."""
    return "\n".join([INTRODUCTION, *(section(one, *rest) for one, rest in CONSTRUCTS.items())])


if __name__ == "__main__":
    PAGE.write_text(page())
