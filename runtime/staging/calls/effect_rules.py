"""The text of the table of what calls do: `call_effects.txt`.

    os
        effect: remove rename        Rule("os.remove", ("effect",)), Rule("os.rename", ("effect",))
        mutates(dst): sendfile       Rule("os.sendfile", ("mutates",), ("dst",))

The head of the text explains its classes and signs.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("call_effects.txt")


class Rule(NamedTuple):
    """What a call does: its classes, the deciding one first, and the arguments that it changes."""

    name: str
    kinds: tuple[str, ...]
    changed: tuple[str, ...] = ()
    module: str = ""  # the heading of its line

    @property
    def kind(self) -> str:
        """The deciding class."""
        return self.kinds[0]


def sections(text: str) -> dict[str, str]:
    """The part of a text for each module, by its heading."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        if line[0] not in "# \n":
            lines = found.setdefault(line.strip(), [])
        lines.append(line)
    return {module: "".join(lines) for module, lines in found.items()}


def headings(text: str) -> list[str]:
    """The modules of a text: its headings."""
    return [line for line in text.splitlines() if line and line[0] not in "# "]


def rules(text: str) -> Iterator[Rule]:
    """The rules of a text, in order."""
    module, head, words = "", "", []
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for line in [*lines, "end"]:
        if not line.startswith(" " * 8):
            yield from _of_line(module, head, words)
            words = []
        if not line.startswith(" "):
            module, head = line.strip(), ""
            continue
        if not line.startswith(" " * 8):
            head, _, line = line.strip().partition(": ")
        words += line.split()


def _of_line(module: str, head: str, words: list[str]) -> Iterator[Rule]:
    kinds, _, changed = head.rstrip(")").partition("(")
    arguments = tuple(changed.split(",")) if changed else ()
    for word in words:
        owner, brace, inside = word.partition(".{")
        parts = [f"{owner}.{one}" for one in inside.rstrip("}").split(",")] if brace else [word]
        for part in parts:
            yield Rule(f"{module}.{part}", tuple(kinds.split("+")), arguments, module)
