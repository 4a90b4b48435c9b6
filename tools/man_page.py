"""Writes the man page of the command line, docs/autograph.1, from the parsers of its commands.

    python tools/man_page.py            writes the page
    python tools/man_page.py --check    exits with status 1 if the page is not up to date

The text is that of `autograph --help`, the other commands.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from autograph import __version__
from autograph.command import options
from runtime.explorer import command as explore
from runtime.export.library import command as build
from runtime.export.onnx import report

PAGE = Path(__file__).resolve().parent.parent / "docs" / "autograph.1"
HEADING = re.compile(r"^(\w[\w ]*):$", re.MULTILINE)


def page() -> str:
    """The page, in the macros of man(7)."""
    lines = [
        f'.TH AUTOGRAPH 1 "" "autograph {__version__}" "User Commands"',
        ".SH NAME",
        "autograph \\- convert Python functions to functional code that can become graphs",
        ".SH SYNOPSIS",
        ".nf",
        *(_escaped(line.strip()) for line in options.USAGE.splitlines()),
        ".fi",
        ".SH DESCRIPTION",
        *_text(options.DESCRIPTION, ".SS"),
        ".SH OPTIONS",
        *_options(options.parser()),
        *_text(options.EPILOG, ".SH"),
    ]
    for module in (explore, build, report):
        parser = module.parser()
        lines += [f".SH {parser.prog.upper()}", *_text(parser.description or "", ".SS")]
        lines += [".SS Options", *_options(parser), *_text(parser.epilog or "", ".SS")]
    return "\n".join(lines) + "\n"


def _text(text: str, macro: str) -> Iterator[str]:
    """Paragraphs, and the tables below the headings in a text, which keep their columns."""
    first, *parts = HEADING.split(text)
    yield from _paragraph(first)
    for heading, body in zip(parts[::2], parts[1::2], strict=True):
        yield f"{macro} {heading.upper() if macro == '.SH' else heading.capitalize()}"
        table = [line for line in body.splitlines() if line.startswith("  ")]
        yield from (".nf", *(_escaped(line.strip()) for line in table), ".fi")
        yield from _paragraph("\n".join(line for line in body.splitlines() if line[:1].strip()))


def _paragraph(text: str) -> Iterator[str]:
    if text.strip():
        yield ".PP"
        yield from (_escaped(line) for line in text.strip().splitlines())


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The arguments of a parser, each with its help."""
    for action in parser._actions:  # argparse has no public list of them
        shown = action.metavar if isinstance(action.metavar, str) else ""
        names = ", ".join(action.option_strings)
        yield ".TP"
        yield f"\\fB{_escaped(names)}\\fR {_escaped(shown)}".strip() if names else _escaped(shown)
        yield _escaped(action.help or "")


def _escaped(text: str) -> str:
    """Text without meaning for roff: no escapes, and no request at the start of a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{text}" if text.startswith(".") else text


def main() -> int:
    """Writes the page or compares it; returns the exit status."""
    if sys.argv[1:] == ["--check"]:
        return 0 if PAGE.exists() and PAGE.read_text() == page() else 1
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
