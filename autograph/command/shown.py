"""The text that the command line prints for a file: code, a diff, a tree, or a report."""

import difflib
import re
from argparse import Namespace

import gast

from autograph import pipeline
from autograph.command.failures import (
    NOT_CONVERTED,
    WRONG_CALL,
    Failure,
    no_such_function,
    syntax_error,
)
from autograph.conversion.files import (
    BYTE_ORDER_MARK,
    NoSuchFunction,
    convert_named,
    convert_text,
)
from autograph.conversion.passes import PIPELINE, deep_recursion
from autograph.errors import ConversionError
from autograph.reports.file_reports import reports_of
from autograph.syntax import quote


def passes_of(options: Namespace) -> tuple:
    """The passes that are applied.  Raises `Failure` if there is none of the given name."""
    if options.dump_after is None:
        return PIPELINE
    try:
        return pipeline.upto(PIPELINE, options.dump_after)
    except ValueError as error:
        raise Failure(WRONG_CALL, str(error)) from None


def language_of(options: Namespace) -> str | None:
    """The language of the output, for its colours."""
    if options.report or options.ast:
        return None
    return "diff" if options.each or options.diff else "python"


def shown(text: str, filename: str, options: Namespace, passes: tuple) -> str:
    """The output for the text of a file.  Raises `Failure`."""
    try:
        if options.report:
            return _reported(text, filename, options.function)
        if options.each:
            return _each(text, options.function, passes)
        original, result = _converted(text, options.function, passes)
        if options.ast:
            return _tree(result)
        return _diff(original, result, filename) if options.diff else result
    except SyntaxError as error:
        raise syntax_error(error, text, filename) from None
    except NoSuchFunction as error:
        raise no_such_function(error, options.function, filename) from None
    except (RecursionError, MemoryError):
        raise Failure(NOT_CONVERTED, f"{filename} nests deeper than Python can follow") from None
    except ConversionError as error:
        raise Failure(NOT_CONVERTED, str(error)) from None


def _diff(original, result, filename):
    sides = _lines(original), _lines(result)
    lines = difflib.unified_diff(*sides, filename, f"{filename} (converted)")
    return "".join(map(_ended, lines))


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
    found = []
    last = {}

    def observe(name, step, tree):
        new = quote.source(tree).splitlines()
        old = last.get(name, new) if step != PIPELINE[0].name else new
        last[name] = new
        diff = list(difflib.unified_diff(old, new, lineterm="", n=2))[2:]
        if diff:
            found.append(f"--- {name}\n+++ {name} after {step}")
            found.extend(diff)

    if function is None:
        convert_text(text, passes, observe)
    else:
        convert_named(text, function, passes, observe)
    return "".join(f"{line}\n" for line in found)


def _tree(text):
    with deep_recursion():
        return quote.dump(gast.ast_to_gast(quote.parsed(text.removeprefix(BYTE_ORDER_MARK)))) + "\n"
