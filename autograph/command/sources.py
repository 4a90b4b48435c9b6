"""The files of a call of the command line, and their texts."""

import difflib
import io
import os
import re
import sys
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograph.command.failures import NOT_CONVERTED, WRONG_CALL, Failure


@dataclass(frozen=True)
class Source:
    """A file to convert.  `relative` is its place below the directory of the results."""

    name: str  # as it was given, or - for standard input
    relative: str

    @property
    def shown(self) -> str:
        """Its name in messages."""
        return "<stdin>" if self.name == "-" else self.name


def is_several(paths: list[str]) -> bool:
    """Whether arguments stand for several files: their results need a directory."""
    return len(paths) > 1 or os.path.isdir(paths[0])


def sources_of(paths: list[str]) -> list[Source]:
    """The files that the arguments name, in order: of a directory, all Python files below it.

    Raises `Failure` if there is nothing to convert.
    """
    found: dict[str, Source] = {}
    for path in paths:
        if os.path.isdir(path):
            below = "" if len(paths) == 1 else os.path.basename(os.path.abspath(path))
            files = [Source(name, relative) for name, relative in _below(path, below)]
            if not files:
                raise Failure(WRONG_CALL, f"there are no Python files below {path}")
        else:
            files = [Source(path, "<stdin>" if path == "-" else os.path.basename(path))]
        found.update({one.name: one for one in files})
    return list(found.values())


def _below(directory, below):
    """The Python files below a directory, each with its place; hidden directories, virtual
    environments and caches are left out."""
    for folder, folders, files in os.walk(directory):
        folders[:] = sorted(one for one in folders if _is_searched(os.path.join(folder, one)))
        for file in sorted(files):
            if file.endswith(".py"):
                path = os.path.join(folder, file)
                yield path, os.path.join(below, os.path.relpath(path, directory))


def _is_searched(folder):
    name = os.path.basename(folder)
    is_environment = os.path.exists(os.path.join(folder, "pyvenv.cfg"))
    return not (name.startswith(".") or name == "__pycache__" or is_environment)


def text_of(source: Source) -> str:
    """The text of a file, in any encoding that Python reads.  Raises `Failure`."""
    if source.name.endswith(".ipynb"):
        raise Failure(
            WRONG_CALL,
            f"{source.name} is a notebook, and autograph reads Python files; "
            f"`jupyter nbconvert --to script {source.name}` makes one",
        )
    try:
        is_input = source.name == "-"
        content = sys.stdin.buffer.read() if is_input else Path(source.name).read_bytes()
    except OSError as error:
        why = f"{source.name} cannot be read: {error.strerror}{_hint(source.name)}"
        raise Failure(WRONG_CALL, why) from None
    return _decoded(content, source.name)


def _hint(name):
    """What to write for a function that is named as the other commands name it."""
    path, _, function = name.partition(":")
    return f"; write {path} --function {function}" if function and os.path.isfile(path) else ""


def check_command(word: str, commands: Iterable[str]) -> None:
    """Raises `Failure` if the first word is no file, but written like the name of a command."""
    near = difflib.get_close_matches(word, commands, 1)
    if near and not os.path.exists(word):
        raise Failure(WRONG_CALL, f"there is no command {word}; did you mean {near[0]}?")


def _decoded(content, name):
    """The text of a file.  Results are UTF-8: a declaration of another encoding is changed."""
    try:
        encoding = _encoding(content)
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        byte = f"byte {content[error.start]:#04x} in line {line}"
        shown = "UTF-8" if error.encoding == "utf-8" else error.encoding
        raise Failure(NOT_CONVERTED, f"{name} is not {shown}: {byte}") from None
    except (SyntaxError, LookupError, ValueError) as error:
        raise Failure(NOT_CONVERTED, f"{name} cannot be decoded: {error}") from None
    if encoding == "utf-8":
        return text
    first, end, rest = text.partition("\n")
    if not DECLARATION.match(first):
        second, end_of_second, rest = rest.partition("\n")
        return first + end + _declared(second) + end_of_second + rest
    return _declared(first) + end + rest


def _encoding(content):
    """The encoding that a file declares; a byte order mark stays in the text."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    except SyntaxError:
        content.decode("utf-8")  # names the byte that is not UTF-8
        raise
    return "utf-8" if encoding == "utf-8-sig" else encoding


DECLARATION = re.compile(r"(?P<before>[ \t\f]*#.*?coding[:=][ \t]*)[-\w.]+")


def _declared(line):
    """A line that declares an encoding; it declares UTF-8 now."""
    return DECLARATION.sub(r"\g<before>utf-8", line, count=1)
