"""Terminals, pipes and files that the command line writes to."""

import os
import sys
import tempfile

from autograph.command.failures import WRONG_CALL, Failure, cannot_be_written

PORTION = 1 << 16


def write_out(text: str, language: str | None) -> None:
    """Writes to standard output, in the encoding of a terminal, else in UTF-8."""
    if sys.stdout.isatty():
        encoding = sys.stdout.encoding or "utf-8"
        content = _coloured(text, language).encode(encoding, "backslashreplace")
    else:
        content = text.encode("utf-8")
    sys.stdout.flush()
    for start in range(0, len(content), PORTION):
        sys.stdout.buffer.write(content[start : start + PORTION])


def _coloured(text, language):
    """The text for a terminal, with colours if pygments is installed."""
    if language is None or "NO_COLOR" in os.environ:
        return text
    try:
        from pygments import formatters, highlight, lexers
    except ImportError:
        return text
    lexer = lexers.get_lexer_by_name(language, stripnl=False, ensurenl=False)
    return highlight(text, lexer, formatters.TerminalFormatter())


def check_overwriting(output: str, inputs: list[str], force: bool) -> None:
    """Raises `Failure` if an output is one of the files to convert, unless that is allowed."""
    if force or not os.path.exists(output):
        return
    for name in inputs:
        if name != "-" and os.path.exists(name) and os.path.samefile(name, output):
            raise Failure(WRONG_CALL, f"{output} is the file to convert; --force overwrites it")


def write_file(name: str, text: str) -> None:
    """Writes a file as a whole or not at all.  Raises `Failure`."""
    path = os.path.realpath(name)
    try:
        mode = os.stat(path).st_mode if os.path.exists(path) else 0o666 & ~_umask()
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".autograph-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            os.chmod(temporary, mode)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise Failure(WRONG_CALL, f"{name} {cannot_be_written(error)}") from None


def make_folder_of(name: str) -> None:
    """Makes the directory of a file.  Raises `Failure`."""
    folder = os.path.dirname(name)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise Failure(WRONG_CALL, f"{folder} {cannot_be_written(error)}") from None


def holds(name: str, text: str) -> bool:
    """Whether a file has exactly this text."""
    try:
        with open(name, "rb") as file:
            return file.read() == text.encode("utf-8")
    except OSError:
        return False


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


class Progress:
    """One line about the file in work, on a terminal that shows errors."""

    def __init__(self, count: int, quiet: bool):
        self.count, self.done = count, 0
        self.is_shown = not quiet and count > 1 and sys.stderr.isatty()

    def show(self, name: str) -> None:
        """Names the file that is converted now."""
        self.done += 1
        if self.is_shown:
            width = len(str(self.count))
            line = f"[{self.done:{width}}/{self.count}] {name}"
            print(f"\r\x1b[K{line[: _columns() - 1]}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Removes the line, before other output."""
        if self.is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _columns():
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80
