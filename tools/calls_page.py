"""Writes docs/calls.md: what each call of the standard library and NumPy does, from the table.

    python tools/calls_page.py

The table is `runtime/staging/calls/call_effects.txt`; `effect_table.py` reads it.
"""

import itertools
from pathlib import Path

from runtime.staging.calls.effect_rules import FILE, Rule, headings, rules

PAGE = Path(__file__).parents[1] / "docs" / "calls.md"

FIRST = ("builtins", "numpy")

INTRODUCTION = """\
# What a call does

`tools/calls_page.py` makes this page from the table that decides what a graph does with a call.
The table covers the builtins, the standard library of Python 3.11 to 3.13 and NumPy 2.
[State, effects and reads](effects.md) explains the rules with programs.

| class | meaning | in a graph |
|---|---|---|
| pure | the result follows from the arguments; nothing changes | Python computes it for plain \
values while the graph is recorded |
| reads | the result depends on the outside: clock, environment, files, settings | each call of \
the graph makes it again and compares the result, or each run makes it, or a `TracingWarning` \
names it |
| effect | it changes the outside, or waits for another thread or process | in a staged branch or \
loop each run that reaches it calls it, in order; elsewhere it happens once, while the graph is \
recorded |
| mutates | it changes the arguments in parentheses, and nothing else | the change is followed, or \
the call is refused |
| noreturn | it raises, or ends the process | a `raise` of the graph |
| higher | it calls a function that it is given, or keeps it for later | the function is converted |
| iterator | it makes an iterator, or advances one | an iterator of the surrounding code is not \
advanced in a staged block |
| frame | it looks at the frame, the globals or the locals of its caller | it sees those of the \
original function |

A call of several classes has them joined by `+`, the deciding one first. In parentheses, `self` is
the receiver; `x~` means that `x` is changed only if it is an iterator or a file, `x?` only if it is
given. `Class.*` stands for the other names of a class, `**` for everything in a module. A function
that has no row, such as one of another package, is unknown: `rt.pure` and `rt.effect` say what it
does.
"""


def class_of(rule: Rule) -> str:
    changed = f" ({', '.join(rule.changed)})" if rule.changed else ""
    return "+".join(rule.kinds) + changed


def section(module: str, found: list[Rule]) -> list[str]:
    """The rows of a module: the names of each class, in alphabetical order."""
    by_class: dict[str, list[str]] = {}
    for rule in found:
        by_class.setdefault(class_of(rule), []).append(rule.name.removeprefix(f"{module}."))
    heading = "Special methods of any class" if module == "*" else f"`{module}`"
    rows = [
        f"| {name} | {', '.join(f'`{one}`' for one in sorted(names))} |"
        for name, names in by_class.items()
    ]
    return [f"## {heading}", "", "| class | names |", "|---|---|", *rows, ""]


def page() -> str:
    """The text of the page."""
    text = FILE.read_text(encoding="utf-8")
    modules = sorted(headings(text), key=lambda name: (name.split(".")[0] not in FIRST, name))
    by_module: dict[str, list[Rule]] = {name: [] for name in modules}
    for module, found in itertools.groupby(rules(text), lambda rule: rule.module):
        by_module[module] += found
    parts = [section(module, found) for module, found in by_module.items() if found]
    return "\n".join([INTRODUCTION, *itertools.chain.from_iterable(parts)]).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
