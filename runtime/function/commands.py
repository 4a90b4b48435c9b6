"""What the commands that run a file share: their parser, the file, and messages about failures.

    autograph explore, autograph build, autograph report      FILE.py[:FUNCTION] --args EXPR

A command is a module with a `parser` and a `main`, which calls `run_command` with the work to do.
What the file prints goes to standard error: standard output has the results of the command only.
"""

import argparse
import contextlib
import importlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from autograph.errors import Explained
from runtime.function.from_files import (
    FAILED,
    WRONG_CALL,
    Failure,
    arguments,
    chosen,
    loaded,
    raised,
)

DONE = 0


@dataclass(frozen=True)
class File:
    """The file of a command, which has run, and the name of a function in it; "" if left out."""

    path: str
    name: str
    module: ModuleType
    args: str | None  # the text of --args

    def function(self) -> tuple[str, Callable[..., Any]]:
        """The name of the function, and the function.  Raises `Failure`."""
        return chosen(self.module, self.name, self.path)

    def positional_arguments(self, **known: Any) -> tuple:
        """The arguments of a call, none of them with a keyword.  Raises `Failure`."""
        args, keywords = arguments(self.args or "", self.module, **known)
        if keywords:
            raise Failure(WRONG_CALL, "--args takes positional arguments only")
        return args


# The status of the command, and the lines that it prints, which may be computed on demand.
Outcome = tuple[int, Iterable[object]]
Work = Callable[[File, argparse.Namespace], Outcome]


def command_parser(
    name: str, description: str, epilog: str, args_help: str
) -> argparse.ArgumentParser:
    """The parser of a command, with the arguments that all commands of this kind have."""
    made = argparse.ArgumentParser(
        prog=f"autograph {name}",
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("file", metavar="FILE.py[:FUNCTION]", help="the file, and a function in it")
    made.add_argument("--args", metavar="EXPR", help=args_help)
    return made


def require(package: str, extra: str) -> None:
    """Ends the command if a package that it needs is not installed."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError:
        remedy = f"pip install 'autograph-numpy[{extra}]'"
        raise Failure(FAILED, f"it needs the package {package}: {remedy}") from None


def run_command(
    parser: argparse.ArgumentParser,
    given: list[str],
    work: Work,
) -> int:
    """Runs a file and the work of a command; returns the exit status."""
    options = parser.parse_args(given)
    path, _, name = options.file.partition(":")
    try:
        with contextlib.redirect_stdout(sys.stderr):
            status, lines = _outcome(File(path, name, loaded(path), options.args), options, work)
        for line in lines:
            print(line)
    except Failure as failure:
        print(f"{parser.prog}: {failure}", file=sys.stderr)
        return failure.status
    return status


def _outcome(file: File, options: argparse.Namespace, work: Work) -> Outcome:
    """The outcome of the work.  Raises `Failure` for each exception of the function."""
    try:
        return work(file, options)
    except Failure:
        raise
    except Explained as error:
        raise Failure(FAILED, f"{type(error).__name__}: {error}") from None
    except Exception as error:
        raise raised(error, file.path, options.file) from None
