"""The command line: `autograph FILE.py` prints the converted file.

    autograph FILE.py                          the file with every function converted autograph
    FILE.py --function Model.step    one function autograph FILE.py --each                   the
    changes made by each pass autograph FILE.py --dump-after jumps       the result after one of the
    passes autograph FILE.py --diff | --ast           as a diff to the original, as a syntax tree
    autograph FILE.py --report                 line by line, whether it can be staged or stays
    Python autograph - < FILE.py                      from standard input autograph FILE.py -o
    OUT.py                into a file

Exit status: 0, or 1 if the file could not be converted, or 2 if the arguments were wrong.
"""

import argparse
import difflib
import io
import os
import re
import sys
import tempfile
import tokenize

from autograph import pipeline
from autograph.conversion.files import (
    BYTE_ORDER_MARK,
    NoSuchFunction,
    convert_named,
    convert_text,
)
from autograph.conversion.passes import PIPELINE, deep_recursion
from autograph.errors import ConversionError, SourceLocation, message
from autograph.reports.file_reports import reports_of
from autograph.syntax import quote


class Failure(Exception):
    """Ends the program with a message and an exit status."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status


WRONG_CALL, NOT_CONVERTED = 2, 1


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        _run(options)
        sys.stdout.flush()
    except Failure as failure:
        print(f"autograph: {failure}", file=sys.stderr)
        return failure.status
    except OSError as error:
        # The remaining output is discarded, or Python would try to write it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        closed = isinstance(error, BrokenPipeError)
        why = "was closed before all of it was written" if closed else _cannot_be_written(error)
        print(f"autograph: the output {why}", file=sys.stderr)
        return NOT_CONVERTED
    return 0


def _parser():
    parser = argparse.ArgumentParser(
        prog="autograph",
        description="Converts a Python file to functional code and prints it, without running it.",
    )
    parser.add_argument("file", metavar="FILE.py", help="the file to convert; - for standard input")
    parser.add_argument(
        "--function", metavar="NAME", help="only this function: name or Class.method"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this file instead")
    parser.add_argument("--force", action="store_true", help="allow overwriting FILE.py")
    parser.add_argument("--dump-after", metavar="PASS", help="stop after this pass")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--each", action="store_true", help="show the changes made by each pass, as diffs"
    )
    how.add_argument("--ast", action="store_true", help="show the syntax tree of the result")
    how.add_argument(
        "--diff", action="store_true", help="show the result as a diff to the original"
    )
    how.add_argument(
        "--report",
        action="store_true",
        help="explain which lines can be staged, and why others stay Python",
    )
    return parser


def _run(options):
    filename = "<stdin>" if options.file == "-" else options.file
    text = _read(options.file)
    passes = PIPELINE
    if options.dump_after is not None:
        try:
            passes = pipeline.upto(PIPELINE, options.dump_after)
        except ValueError as error:
            raise Failure(WRONG_CALL, str(error)) from None
    try:
        if options.report:
            shown, language = _reported(text, filename, options.function), None
        else:
            shown, language = _shown(text, filename, options, passes)
    except SyntaxError as error:
        raise Failure(NOT_CONVERTED, _syntax_error(error, text, filename)) from None
    except NoSuchFunction as error:
        raise Failure(WRONG_CALL, _no_such_function(error, options.function, filename)) from None
    except (RecursionError, MemoryError):
        raise Failure(NOT_CONVERTED, f"{filename} nests deeper than Python can follow") from None
    except ConversionError as error:
        raise Failure(NOT_CONVERTED, str(error)) from None
    _write(shown, options, language)


# -- contents --------------------------------------------------------------------------------------


def _shown(text, filename, options, passes):
    """The output, and its language."""
    if options.each:
        return _each(text, options.function, passes), "diff"
    original, result = _converted(text, options.function, passes)
    if options.ast:
        return _tree(result), None
    if options.diff:
        sides = _lines(original), _lines(result)
        lines = difflib.unified_diff(*sides, filename, f"{filename} (converted)")
        return "".join(map(_ended, lines)), "diff"
    return result, "python"


def _lines(text):
    """The lines of a file as `patch` counts them, with their ends."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _ended(line):
    """A line of a diff; the last of a file may have no end."""
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _reported(text, filename, function):
    """A report on each function."""
    reports = map(str, reports_of(text, filename, function))
    return "\n\n".join(reports) + "\n" if text else ""


def _converted(text, function, passes):
    """The source before and after: of the file, or of one function."""
    if function is None:
        return text, convert_text(text, passes)
    before = quote.source(convert_named(text, function, passes=()))
    return before + "\n", quote.source(convert_named(text, function, passes)) + "\n"


def _each(text, function, passes):
    """The changes of each pass to each function, as diffs."""
    shown = []
    last = {}

    def observe(name, step, tree):
        new = quote.source(tree).splitlines()
        old = last.get(name, new) if step != PIPELINE[0].name else new
        last[name] = new
        diff = list(difflib.unified_diff(old, new, lineterm="", n=2))[2:]
        if diff:
            shown.append(f"--- {name}\n+++ {name} after {step}")
            shown.extend(diff)

    if function is None:
        convert_text(text, passes, observe)
    else:
        convert_named(text, function, passes, observe)
    return "".join(f"{line}\n" for line in shown)


def _tree(text):
    import gast

    with deep_recursion():
        return quote.dump(gast.ast_to_gast(quote.parsed(text.removeprefix(BYTE_ORDER_MARK)))) + "\n"


# -- input and output ------------------------------------------------------------------------------


def _read(name):
    try:
        if name == "-":
            content = sys.stdin.buffer.read()
        else:
            with open(name, "rb") as file:
                content = file.read()
    except IsADirectoryError:
        raise Failure(WRONG_CALL, f"{name} is a directory; name a Python file in it") from None
    except OSError as error:
        raise Failure(WRONG_CALL, f"{name} cannot be read: {error.strerror}") from None
    return _decoded(content, name)


def _decoded(content, name):
    """The contents of a file, which must be UTF-8, also according to its first lines."""
    try:
        text = content.decode("utf-8")
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        if encoding not in ("utf-8", "utf-8-sig") and not content.isascii():
            raise Failure(
                NOT_CONVERTED, f"{name} is not UTF-8: its encoding is declared as {encoding}"
            )
        return text
    except SyntaxError as error:
        raise Failure(NOT_CONVERTED, f"{name} is not UTF-8: {error.msg}") from None
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise Failure(
            NOT_CONVERTED, f"{name} is not UTF-8: byte {content[error.start]:#04x} in line {line}"
        ) from None


def _write(text, options, language):
    if options.output is None:
        _write_out(text, language)
    elif options.file != "-" and _same_file(options.file, options.output) and not options.force:
        raise Failure(WRONG_CALL, f"{options.output} is the file to convert; --force overwrites it")
    else:
        _write_file(options.output, text)


def _write_out(text, language):
    """Writes to standard output, in the encoding of a terminal, else in UTF-8."""
    if sys.stdout.isatty():
        encoding = sys.stdout.encoding or "utf-8"
        content = _coloured(text, language).encode(encoding, "backslashreplace")
    else:
        content = text.encode("utf-8")
    sys.stdout.flush()
    for start in range(0, len(content), PORTION):
        sys.stdout.buffer.write(content[start : start + PORTION])


PORTION = 1 << 16


def _same_file(one, other):
    return os.path.exists(other) and os.path.samefile(one, other)


def _write_file(name, text):
    """Writes a file as a whole or not at all."""
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
        raise Failure(WRONG_CALL, f"{name} {_cannot_be_written(error)}") from None


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


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


def _cannot_be_written(error):
    return f"cannot be written: {error.strerror}"


# -- messages --------------------------------------------------------------------------------------


def _syntax_error(error, text, filename):
    lines = re.split(r"\r\n|\r|\n", text)
    line = min(error.lineno or 1, len(lines))
    start = max(error.offset or 1, 1) - 1
    end = start + 1
    if error.end_lineno == error.lineno and error.end_offset is not None:
        end = max(end, error.end_offset - 1)
    where = SourceLocation(filename, line, "", start, end, lines[line - 1])
    return f"{filename}:{line}:{start + 1}: " + message(f"not Python: {error.msg}", where)


def _no_such_function(error, function, filename):
    near = difflib.get_close_matches(function, error.known, 3) or error.known[:5]
    hint = f"; did you mean {' or '.join(near)}?" if near else "; it has no functions"
    return f"there is no function {function} in {filename}{hint}"


if __name__ == "__main__":
    sys.exit(main())
