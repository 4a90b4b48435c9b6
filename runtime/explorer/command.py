"""The command `autograph explore`: writes the page of one function, or serves it on this machine.

    autograph explore model.py:step --args "np.ones(3), rate=0.1"  writes step.html
    autograph explore model.py -o page.html                        the only rt.function of the file
    autograph explore model.py:step --args "np.ones(3)" --serve    http://127.0.0.1:PORT/

The file is run, as `import` does it, and the function is traced; --time also runs it, once.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from types import MethodType
from typing import Any

from runtime.explorer.page import page
from runtime.explorer.server import serve
from runtime.explorer.story import story_of
from runtime.function.commands import DONE, File, Outcome, command_parser, run_command
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.decorator import function as staged
from runtime.function.from_files import FAILED, WRONG_CALL, Failure, arguments, check_call
from runtime.function.function import Function
from runtime.observability.profiles import profile

EPILOG = """\
examples:
  autograph explore model.py                            the only rt.function
  autograph explore model.py:step --args "np.ones(3)"   write step.html
  autograph explore model.py:net.step --args 2.0        a method of an object
  autograph explore model.py:step --args "2.0" --time   with times of the lines
  autograph explore model.py:step --args "2.0" --serve  to browsers here

exit status:
  0  the page is written
  1  the file or the function raises an exception, or the page cannot be written
  2  the arguments are wrong
"""


def main(given: list[str]) -> int:
    """Runs the command; returns the exit status."""
    return run_command(parser(), given, _explored)


def parser() -> argparse.ArgumentParser:
    """The parser of `autograph explore`."""
    made = command_parser(
        "explore",
        "Writes one HTML page that shows a function's way from Python to its program.\n"
        "The file is run, and the function is traced for the arguments.",
        EPILOG,
        'the arguments of the call: --args "np.ones(3), rate=0.1"',
    )
    add = made.add_argument
    add("-o", "--output", metavar="OUT.html", help="the page; FUNCTION.html if left out")
    add("--time", action="store_true", help="run it once, and show times of lines")
    add("--serve", action="store_true", help="serve the page on 127.0.0.1 instead")
    add("--port", type=int, default=0, help="the port for --serve; 0 for a free one")
    return made


def _explored(file: File, options: argparse.Namespace) -> Outcome:
    name, found = file.function()
    text = page(_story(name, found, file, options.time))
    if options.serve:
        return DONE, _served(text, options.port)
    output = options.output or f"{name.rpartition('.')[2]}.html"
    _write(output, text)
    return DONE, [output]


def _served(text: str, port: int) -> Iterator[str]:
    """Serves the page, which prints its address; there is no line to print after it."""
    try:
        serve(text, port)
    except (OSError, OverflowError) as error:
        raise Failure(FAILED, f"port {port} cannot be used: {error}") from None
    yield from ()


def _staged(found: Any) -> tuple[Function, tuple]:
    """The `rt.function` of a callable, and its first arguments: the object of a method."""
    if isinstance(found, MethodType) and isinstance(found.__func__, Function):
        return found.__func__, (found.__self__,)
    return found if isinstance(found, Function) else staged(found), ()


def _story(name: str, found: Any, file: File, is_timed: bool) -> Any:
    """The story of the graph for the arguments; without them, of the graph used last."""
    function, first = _staged(found)
    taken = None
    if file.args is None:
        concrete = _known(function)
    else:
        args, kwargs = arguments(file.args, file.module)
        check_call(name, found, args, kwargs)
        args = (*first, *args)
        concrete = function.get_concrete_function(*args, **kwargs)
        if is_timed:
            with profile() as taken:
                function(*args, **kwargs)
    retraces = function.explain_retraces() if len(function.graphs) > 1 else ""
    return story_of(concrete, taken, retraces)


def _known(function: Function) -> ConcreteFunction:
    """A graph that needs no arguments: of the declared signature, or the one used last."""
    if function.input_signature is not None:
        return function.get_concrete_function()
    if not function.graphs:
        name = function.__name__
        raise Failure(WRONG_CALL, f'{name} has no graph yet; add --args "..." for a call of {name}')
    return function.graphs[0]


def _write(name: str, text: str) -> None:
    """Writes a file as a whole or not at all."""
    try:
        directory = os.path.dirname(os.path.realpath(name))
        with tempfile.NamedTemporaryFile(
            "w", dir=directory, prefix=".explore-", encoding="utf-8", delete=False
        ) as file:
            file.write(text)
        os.chmod(file.name, 0o644)
        os.replace(file.name, os.path.realpath(name))
    except OSError as error:
        raise Failure(FAILED, f"{name} cannot be written: {error.strerror}") from None
