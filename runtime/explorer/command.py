"""The command `autograph explore`: writes the page of one function, or serves it on this machine.

    autograph explore model.py:step --args "np.ones(3), rate=0.1"  writes step.html
    autograph explore model.py -o page.html                        the only rt.function of the file
    autograph explore model.py:step --args "np.ones(3)" --serve    http://127.0.0.1:PORT/

The file is run, as `import` does it, and the function is traced; --time also runs it, once.
"""

import argparse
import contextlib
import os
import sys
import tempfile
from types import MethodType, ModuleType
from typing import Any

from runtime.explorer.page import page
from runtime.explorer.server import serve
from runtime.explorer.story import story_of
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.decorator import function as staged
from runtime.function.from_files import (
    FAILED,
    WRONG_CALL,
    Failure,
    arguments,
    check_call,
    chosen,
    loaded,
)
from runtime.function.function import Function
from runtime.observability.profiles import profile

EPILOG = """\
examples:
  autograph explore model.py                                the only rt.function, as it last ran
  autograph explore model.py:step --args "np.ones(3)"       write step.html for a call of step
  autograph explore model.py:net.step --args 2.0 -o p.html  a method of an object of the file
  autograph explore model.py:step --args "2.0" --time       also run it once: times of the lines
  autograph explore model.py:step --args "2.0" --serve      serve the page on this machine

exit status:
  0  the page is written
  1  the file or the function raises an exception, or the page cannot be written
  2  the arguments are wrong
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    options = parser().parse_args(arguments)
    try:
        path, _, name = options.file.partition(":")
        with contextlib.redirect_stdout(sys.stderr):
            module = loaded(path)
            name, found = chosen(module, name, path)
            story = _story(found, module, options)
        text = page(story)
        if options.serve:
            serve(text, options.port)
            return 0
        output = options.output or f"{name.rpartition('.')[2]}.html"
        _write(output, text)
        print(output)
    except Failure as failure:
        print(f"autograph explore: {failure}", file=sys.stderr)
        return failure.status
    return 0


def parser() -> argparse.ArgumentParser:
    """The parser of `autograph explore`."""
    parser = argparse.ArgumentParser(
        prog="autograph explore",
        description="Writes one HTML page that shows a function's way from Python to its program.\n"
        "The file is run, and the function is traced for the arguments.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE.py[:FUNCTION]", help="the file, and a function in it")
    parser.add_argument(
        "--args", metavar="EXPR", help='the arguments of the call: --args "np.ones(3), rate=0.1"'
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT.html", help="the page; FUNCTION.html if left"
    )
    parser.add_argument("--time", action="store_true", help="run it once, and show times of lines")
    parser.add_argument("--serve", action="store_true", help="serve the page on 127.0.0.1 instead")
    parser.add_argument(
        "--port", type=int, default=0, help="the port for --serve; 0 for a free one"
    )
    return parser


def _staged(found: Any) -> tuple[Function, tuple]:
    """The `rt.function` of a callable, and its first arguments: the object of a method."""
    if isinstance(found, MethodType) and isinstance(found.__func__, Function):
        return found.__func__, (found.__self__,)
    return found if isinstance(found, Function) else staged(found), ()


def _story(found: Any, module: ModuleType, options: argparse.Namespace) -> Any:
    """The story of the graph for the arguments; without them, of the graph used last."""
    function, first = _staged(found)
    taken = None
    try:
        if options.args is None:
            concrete = _known(function)
        else:
            args, kwargs = arguments(options.args, module)
            check_call(options.file.partition(":")[2] or function.__name__, found, args, kwargs)
            args = (*first, *args)
            concrete = function.get_concrete_function(*args, **kwargs)
            if options.time:
                with profile() as taken:
                    function(*args, **kwargs)
    except Failure:
        raise
    except Exception as error:
        raise Failure(FAILED, f"{type(error).__name__}: {error}") from error
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
